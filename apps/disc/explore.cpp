// disc explore OUT
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "disc/io.hpp"
#include "disc/report.hpp"
#include "explore_site.hpp"
#include "session.hpp"

namespace disc::app {
namespace {

struct ExploreFlags {
  std::filesystem::path folder;
  int port = 0;
  SessionFlags session;
};

ExitCode execute(const ExploreFlags& flags) {
  std::string page = report_html(flags.folder, {.asks = true});
  LocalServer server(flags.port);
  Session session(flags.session);
  const Site site(flags.folder, std::move(page), random_token(), server.port(), {});
  std::cout << "exploring " << flags.folder.string() << " at\n  " << site.address()
            << "\nOnly this machine can reach it, and only with this address. Ctrl-C stops it." << std::endl;
  server.serve(site, session.interrupt().token());
  std::cout << "\nstopped\n";
  return ok;
}

}  // namespace

Command add_explore(CLI::App& program) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* app = program.add_subcommand("explore", "look at a run in the browser, and ask the engine about it");
  app->add_option("OUT", flags->folder, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("--port", flags->port, "port to listen on, on this machine alone; 0: any that is free (default: 0)")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  add_session_flags(*app, flags->session);
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
