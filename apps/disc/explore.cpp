// disc explore OUT
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "disc/io.hpp"
#include "disc/report.hpp"
#include "explore_engine.hpp"
#include "explore_site.hpp"
#include "interrupt.hpp"

namespace disc::app {
namespace {

struct ExploreFlags {
  std::filesystem::path folder;
  int port = 0, threads = 0;
};

// The names that the page asks by: report/src/ask/engine.ts.
void answer_questions(Site& site, ExploreEngine& engine) {
  site.answer("about", [&](const std::string& question) { return engine.about(question); });
  site.answer("test", [&](const std::string& question) { return engine.test(question); });
  site.answer("without-each", [&](const std::string& question) { return engine.without_each(question); });
  site.answer("tree", [&](const std::string& question) { return engine.tree(question); });
  site.answer_at_once("now/progress", [&] { return engine.progress(); });
}

ExitCode execute(const ExploreFlags& flags) {
  std::string page = report_html(flags.folder, {.asks = true});
  LocalServer server(flags.port);
  Interrupt interrupt;
  // Work that does not stop soon writes nothing, so it may be cut off.
  const Interrupt::CutOff cut_off(interrupt, [] { return std::string("\n"); });
  ExploreEngine engine(flags.folder, flags.threads, interrupt.token());
  Site site(flags.folder, std::move(page), random_token(), server.port());
  answer_questions(site, engine);
  std::cout << for_terminal(flags.folder.string()) << " can be explored at\n  " << site.address()
            << "\nby this machine alone, and only by who knows this address. Ctrl-C ends it." << std::endl;
  server.serve(site, interrupt.token());
  std::cout << "\nended\n";
  return ok;
}

}  // namespace

Command add_explore(CLI::App& program) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* app = program.add_subcommand("explore", "look at a run in the browser, and ask the engine about it");
  app->add_option("OUT", flags->folder, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("--port", flags->port, "port of this machine to listen at; 0: any that is free (default: 0)")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  app->add_option("--threads", flags->threads, "threads to use, 0 for all cores (default: 0)")
      ->check(CLI::Range(0, 1024))
      ->option_text("N");
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
