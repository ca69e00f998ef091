// disc test FILES|OUT --sets sets.gmt
#include <algorithm>
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

constexpr const char* table_name = "sets.tsv";
constexpr const char* summary_name = "sets.json";
constexpr const char* footer = R"(Examples:
  disc test control.csv treated.csv --sets pathways.gmt -o out/
  disc test data.h5ad --by condition --unit donor --sets h.all.symbols.gmt
  disc test disc-out/ --sets h.all.symbols.gmt       data and settings of a run

A .gmt file has a set per line: name, description and members, separated by tabs.)";

struct TestFlags {
  RunFlags study;
  std::filesystem::path sets;
  std::vector<std::string> without;
  SetTestOptions options;
};

// As many sets as a screen shows: those that are clear, and a few more.
std::size_t rows_shown(const SetTests& tests, double level) {
  constexpr std::size_t least = 10, most = 40;
  const auto clear = std::ranges::count_if(tests.tests, [&](const SetTest& test) { return test.q <= level; });
  return std::min(tests.tests.size(), std::clamp(static_cast<std::size_t>(clear), least, most));
}

void print_table(const SetStudy& study, const std::vector<GivenSet>& sets, const SetTests& tests) {
  const std::size_t shown = rows_shown(tests, study.used.statistics.level);
  std::size_t name_width = 5, condition_width = 11;
  for (std::size_t i = 0; i < shown; ++i) {
    const SetTest& test = tests.tests[i];
    name_width = std::max(name_width, sets[static_cast<std::size_t>(test.set)].name.size() + 2);
    condition_width = std::max(condition_width, study.conditions[static_cast<std::size_t>(test.condition)].size() + 2);
  }
  std::cout << padded("set", name_width) << padded("condition", condition_width)
            << "direction  p        q        mean correlation here, elsewhere  members\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const SetTest& test = tests.tests[i];
    const GivenSet& set = sets[static_cast<std::size_t>(test.set)];
    std::cout << padded(set.name, name_width)
              << padded(study.conditions[static_cast<std::size_t>(test.condition)], condition_width)
              << padded(test.is_gained() ? "gained" : "lost", 11) << padded(p_text(test.p), 9)
              << padded(p_text(test.q), 9)
              << padded(correlation_text(test.mean_correlation[static_cast<std::size_t>(test.condition)]) + ", " +
                            correlation_text(test.mean_correlation[static_cast<std::size_t>(test.like)]),
                        34)
              << test.features.size() << " of " << set.members.size() << "\n";
  }
  if (shown < tests.tests.size()) std::cout << "and " << tests.tests.size() - shown << " more with larger p\n";
  if (!tests.not_tested.empty()) {
    std::cout << "not tested: " << tests.not_tested.size() << (tests.not_tested.size() == 1 ? " set" : " sets")
              << " with too few members among the " << study.tester.features().size() << " features\n";
  }
}

ExitCode execute(const TestFlags& flags, const CLI::App& app) {
  RunFlags study_flags = flags.study;
  std::filesystem::path run;
  if (study_flags.files.size() == 1 && is_run_folder(study_flags.files.front())) {
    run = study_flags.files.front();
    study_flags.files.clear();
  }
  const StudyRequest request = request_of(study_flags, app, run);
  RunOptions options = study_options(request);
  options.genesets = flags.sets.string();  // whether they fit the data is checked as for a run
  SetTestOptions testing = flags.options;
  testing.without = flags.without;
  testing.permutations = permutations_of(options, testing);
  const std::vector<GivenSet> sets = given_sets(read_gmt(flags.sets));
  std::optional<OutputFolder> folder;
  if (!flags.study.output.empty())
    folder.emplace(flags.study.output);  // what cannot be written is known before the work
  Session session(flags.study.session);
  const Interrupt::CutOff cut_off(session.interrupt(), [&]() -> std::string {
    folder.reset();
    return "\ndisc: interrupted\n";
  });
  RunRecord record;
  std::vector<Dataset> data = read_study(request, options, session.context(), record);
  const SetStudy study = prepare_sets(std::move(data), options, sets, session.context());
  const SetTests tests = study.tester.test(sets, testing, session.context());
  session.console().erase_line();
  if (folder) {
    record.inputs.emplace_back(flags.sets.string(), file_digest(flags.sets));
    folder->write(table_name, sets_tsv(study, sets, tests));
    folder->write(summary_name, sets_json(study, tests, record));
    folder->commit();
  }
  if (flags.study.session.quiet) return ok;
  const CleanOutput clean;
  print_table(study, sets, tests);
  print_study(study, tests, session.console().warnings());
  if (folder) {
    std::cout << "results: " << (flags.study.output / "").string() << " (" << table_name << ", " << summary_name
              << ")\n";
  }
  return ok;
}

}  // namespace

Command add_test(CLI::App& program, const Invocation& invocation) {
  auto flags = std::make_shared<TestFlags>();
  flags->study.output.clear();
  CLI::App* app =
      program.add_subcommand("test", "test given sets of features: connected more, or less, in a condition?");
  app->add_option(
         "FILES", flags->study.files,
         "one file per condition, or one file and --by, or the folder of a run, whose data and settings are used")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->option_text(" ");
  app->add_option("--sets", flags->sets, "the sets: a .gmt file")->required()->option_text("FILE");
  app->add_option("-o,--output", flags->study.output,
                  "folder for sets.tsv and sets.json, made if needed (default: none)")
      ->option_text("FOLDER");
  app->add_option("--min-members", flags->options.min_members,
                  "sets with fewer members among the features are not tested (default: 3)")
      ->check(CLI::Range(2, 1'000'000))
      ->option_text("N");
  app->add_option("--without", flags->without, "unit that is excluded; may be given several times")
      ->option_text("UNIT")
      ->allow_extra_args(false);
  add_study_flags(*app, flags->study, "permutations");
  app->parse_complete_callback([flags] {
    if (flags->study.files.empty() && flags->study.conditions.empty() && flags->study.manifest.empty()) {
      throw CLI::RequiredError("FILES (or --condition, or --manifest, or the folder of a run)");
    }
  });
  app->footer(footer);
  if (!wants_all_help(invocation.words) && wants_help(invocation.words)) shorten_study_help(*app);
  return {app, [flags, app, invocation] { return execute(*flags, *app); }};
}

}  // namespace disc::app
