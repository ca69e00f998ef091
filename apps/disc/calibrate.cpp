// disc calibrate DATA
#include "disc/calibrate.hpp"

#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "disc/io.hpp"
#include "help.hpp"
#include "study_flags.hpp"

namespace disc::app {
namespace {

constexpr const char* table_name = "calibration.tsv";
constexpr const char* page_name = "calibration.html";
constexpr const char* footer = R"(Examples:
  disc calibrate control.csv treated.csv -o check/
  disc calibrate data.h5ad --by condition --unit donor --repeats 60 -o check/

Each condition is cut in two at random, units whole. Between the halves nothing differs, so that p should be at most .05 in one run of
twenty.)";

struct CalibrateFlags {
  RunFlags study;
  CalibrationOptions options;
};

// One file is one population.
StudyRequest as_populations(StudyRequest request, const RunOptions& options) {
  const bool is_one = request.flags.files.size() == 1 && options.design.by.empty();
  if (is_one) {
    request.flags.conditions = {"data=" + request.flags.files.front().string()};
    request.flags.files.clear();
  }
  return request;
}

void print(const Calibration& calibration) {
  std::cout
      << "random halves: " << calibration.found() << " of " << calibration.halves.size()
      << " runs have p <= " << calibration.level << " (expected "
      << calibration.level * static_cast<double>(calibration.halves.size())
      << "); chance of so many or more: " << p_text(calibration.chance()) << "\n"
      << (calibration.chance() <= 0.05
              ? "p-values do NOT hold on data like these: samples may depend on each other; see --unit and --block"
              : "in accord with p-values that hold")
      << "\n";
}

ExitCode execute(const CalibrateFlags& flags, const CLI::App& app) {
  StudyRequest request = request_of(flags.study, app, {});
  const RunOptions options = study_options(request);
  request = as_populations(std::move(request), options);
  std::optional<OutputFolder> folder;
  if (!flags.study.output.empty())
    folder.emplace(flags.study.output);  // what cannot be written is known before the work
  Session session(flags.study.session);
  const Interrupt::CutOff cut_off(session.interrupt(), [&]() -> std::string {
    folder.reset();
    return "\ndisc: interrupted\n";
  });
  RunRecord record;
  const std::vector<Dataset> data = read_study(request, options, session.context(), record);
  CalibrationOptions calibration = flags.options;
  calibration.permutations = options.statistics.permutations.value_or(calibration.permutations);
  if (calibration.permutations < 19) {
    throw OptionError("permutations", std::to_string(calibration.permutations), "must be at least 19 for a p of .05");
  }
  const Calibration result = calibrate(data, options, calibration, session.context());
  session.console().erase_line();
  if (folder) {
    folder->write(table_name, calibration_tsv(result));
    folder->write(page_name, calibration_html(result, record));
    folder->commit();
  }
  if (flags.study.session.quiet) return ok;
  const CleanOutput clean;
  print(result);
  if (folder) {
    std::cout << "results: " << (flags.study.output / "").string() << " (" << page_name << ", " << table_name << ")\n";
  }
  return ok;
}

}  // namespace

Command add_calibrate(CLI::App& program, const Invocation& invocation) {
  auto flags = std::make_shared<CalibrateFlags>();
  flags->study.output.clear();
  CLI::App* app = program.add_subcommand(
      "calibrate", "do p-values hold on data like these? Runs on random halves of every condition");
  app->add_option("FILES", flags->study.files, "one file per condition, or one file with or without --by")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->option_text(" ");
  app->add_option("-o,--output", flags->study.output,
                  "folder for calibration.html and calibration.tsv, made if needed (default: none)")
      ->option_text("FOLDER");
  app->add_option("--repeats", flags->options.repeats, "random halves, over all conditions together (default: 20)")
      ->check(CLI::Range(1, 100'000))
      ->option_text("N");
  add_study_flags(*app, flags->study, "permutations");
  app->get_option("--permutations")->description("of every run, at least 19 (default: 99)");
  app->parse_complete_callback([flags] {
    if (flags->study.files.empty() && flags->study.conditions.empty() && flags->study.manifest.empty()) {
      throw CLI::RequiredError("FILES (or --condition, or --manifest)");
    }
  });
  app->footer(footer);
  if (!wants_all_help(invocation.words) && wants_help(invocation.words)) shorten_study_help(*app);
  return {app, [flags, app, invocation] { return execute(*flags, *app); }};
}

}  // namespace disc::app
