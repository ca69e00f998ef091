// disc report OUT
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "disc/io.hpp"
#include "disc/report.hpp"

namespace disc::app {
namespace {

ExitCode execute(const std::filesystem::path& folder) {
  const std::string page = report_html(folder);  // first: a folder that holds no run is left as it is
  OutputFolder output(folder);
  write_outputs({{report_name, page}}, output);
  std::cout << "report: " << (folder / report_name).string() << "\n";
  return ok;
}

}  // namespace

Command add_report(CLI::App& program) {
  auto folder = std::make_shared<std::filesystem::path>();
  CLI::App* app = program.add_subcommand("report", "make the report page of a run again");
  app->add_option("OUT", *folder, "folder that disc run wrote")->required()->option_text(" ");
  return {app, [folder] { return execute(*folder); }};
}

}  // namespace disc::app
