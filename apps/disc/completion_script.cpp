// Completion for shells, made from the table of options.
#include <sstream>

#include "disc/base.hpp"
#include "option_list.hpp"

namespace disc::app {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string names_of(const std::vector<ListedCommand>& commands) {
  std::string text = "help";
  for (const ListedCommand& command : commands) text += " " + command.name;
  return text;
}

std::string flags_of(const ListedCommand& command) {
  std::string text;
  for (const ListedOption& option : command.options) {
    for (const std::string& flag : option.flags) text += (text.empty() ? "" : " ") + flag;
  }
  return text + " --help-all";
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

// The first sentence or part of one.
std::string in_short(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of(";:("));
  return first.substr(0, first.find_last_not_of(' ') + 1);
}

std::string pattern_of(const std::vector<std::string>& flags) {
  std::string text;
  for (const std::string& flag : flags) text += (text.empty() ? "" : "|") + flag;
  return text;
}

std::string for_bash(const std::vector<ListedCommand>& commands) {
  std::ostringstream text;
  text << "# Completion of disc for bash: disc completion bash > ~/.local/share/bash-completion/completions/disc\n"
          "_disc() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
          "  COMPREPLY=()\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "    COMPREPLY=($(compgen -W "
       << quoted(names_of(commands) + " --help --version") << " -- \"$word\"))\n    return\n  fi\n  case $command in\n";
  for (const ListedCommand& command : commands) {
    text << "    " << command.name << ")\n      case $before in\n";
    for (const ListedOption& option : command.options) {
      if (option.choices.empty() || option.flags.empty()) continue;
      text << "        " << pattern_of(option.flags) << ") COMPREPLY=($(compgen -W " << quoted(joined(option.choices))
           << " -- \"$word\")); return ;;\n";
    }
    text << "      esac\n      [[ $word == -* ]] && COMPREPLY=($(compgen -W " << quoted(flags_of(command))
         << " -- \"$word\"))\n      ;;\n";
  }
  text << "    help) COMPREPLY=($(compgen -W " << quoted(names_of(commands)) << " -- \"$word\")) ;;\n  esac\n"
       << "}\ncomplete -o default -F _disc disc\n";
  return text.str();
}

// In descriptions of zsh, brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char letter : in_short(text)) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string for_zsh(const std::vector<ListedCommand>& commands) {
  std::ostringstream text;
  text << "#compdef disc\n# Completion of disc for zsh: disc completion zsh > a folder of $fpath/_disc\n"
          "local -a commands=(\n";
  for (const ListedCommand& command : commands) {
    text << "  " << quoted(command.name + ":" + zsh_text(command.description)) << "\n";
  }
  text << ")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\ncase $words[2] in\n";
  for (const ListedCommand& command : commands) {
    text << "  " << command.name << ")\n    _arguments '1: :' \\\n";
    for (const ListedOption& option : command.options) {
      for (const std::string& flag : option.flags) {
        std::string line = "*" + flag + "[" + zsh_text(option.description) + "]";
        if (!option.placeholder.empty())
          line += ":value:" + (option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")");
        text << "      " << quoted(line) << " \\\n";
      }
    }
    text << "      '*:file:_files'\n    ;;\n";
  }
  text << "esac\n";
  return text.str();
}

std::string for_fish(const std::vector<ListedCommand>& commands) {
  std::ostringstream text;
  text << "# Completion of disc for fish: disc completion fish > ~/.config/fish/completions/disc.fish\n";
  for (const ListedCommand& command : commands) {
    text << "complete -c disc -n __fish_use_subcommand -f -a " << command.name << " -d "
         << quoted(in_short(command.description)) << "\n";
  }
  for (const ListedCommand& command : commands) {
    for (const ListedOption& option : command.options) {
      if (option.flags.empty()) continue;
      text << "complete -c disc -n '__fish_seen_subcommand_from " << command.name << "'";
      for (const std::string& flag : option.flags) {
        text << (flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1));
      }
      if (!option.placeholder.empty()) text << " -r";
      if (!option.choices.empty()) text << " -f -a " << quoted(joined(option.choices));
      text << " -d " << quoted(in_short(option.description)) << "\n";
    }
  }
  return text.str();
}

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<ListedCommand>& commands) {
  if (shell == "bash") return for_bash(commands);
  return shell == "zsh" ? for_zsh(commands) : for_fish(commands);
}

}  // namespace disc::app
