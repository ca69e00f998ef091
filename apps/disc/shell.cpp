// disc completion SHELL, disc man
#include <algorithm>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "disc/base.hpp"
#include "disc/spelling.hpp"
#include "option_list.hpp"

namespace disc::app {

Command add_completion(CLI::App& program, const CommandList& commands) {
  auto shell = std::make_shared<std::string>();
  CLI::App* app =
      program.add_subcommand("completion", "print what makes a shell complete commands, options and values");
  app->add_option("SHELL", *shell, "bash, zsh or fish")->required()->option_text("bash|zsh|fish");
  app->footer(
      "Examples:\n  disc completion bash > ~/.local/share/bash-completion/completions/disc\n"
      "  disc completion zsh > \"${fpath[1]}/_disc\"\n"
      "  disc completion fish > ~/.config/fish/completions/disc.fish");
  return {
      app, [shell, commands] {
        const std::vector<std::string> known{"bash", "zsh", "fish"};
        if (std::find(known.begin(), known.end(), *shell) == known.end()) {
          throw CLI::ValidationError("SHELL: '" + *shell + "' must be bash, zsh or fish" + did_you_mean(*shell, known));
        }
        std::cout << completion_script(*shell, commands());
        return ok;
      }};
}

Command add_man(CLI::App& program, const CommandList& commands) {
  CLI::App* app = program.add_subcommand("man", "print the manual page");
  app->footer("Example:\n  disc man > disc.1 && man ./disc.1");
  return {app, [commands] {
            std::cout << manual_page(commands());
            return ok;
          }};
}

}  // namespace disc::app
