// disc replicate OUT FILES...
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "disc/io.hpp"
#include "help.hpp"
#include "run_again.hpp"
#include "study_flags.hpp"

namespace disc::app {
namespace {

constexpr const char* table_name = "replication.tsv";
constexpr const char* summary_name = "replication.json";
constexpr const char* footer = R"(Examples:
  disc replicate out/ control2.csv treated2.csv
  disc replicate out/ second.h5ad -o replicated/     --by, --unit, --where and so on as in the run

Options are those of the run unless given. Conditions of the new data are matched by name, or if none is the same by their order.)";

struct ReplicateFlags {
  std::filesystem::path folder;
  RunFlags study;
  SetTestOptions options;
};

void print_table(const SetStudy& study, const std::vector<RunGroup>& groups, const Replications& found) {
  const double level = study.used.statistics.level;
  std::size_t width = 7;
  for (const RunGroup& group : groups) width = std::max(width, group.condition.size() + group.id.size() + 3);
  std::cout << padded("group", width) << padded("verdict", 12) << padded("p", 9) << padded("q", 9)
            << padded("members", 14) << "mean correlation in the new data\n";
  std::size_t holds = 0;
  for (const Replication& replication : found.groups) {
    const RunGroup& group = groups[static_cast<std::size_t>(replication.group)];
    const std::string said = verdict(replication, level);
    holds += said == "holds" ? 1 : 0;
    std::cout << padded(group.condition + " " + group.id, width) << padded(said, 12)
              << padded(replication.tested ? p_text(replication.p) : "", 9)
              << padded(replication.tested ? p_text(replication.q) : "", 9)
              << padded(std::to_string(replication.found) + " of " + std::to_string(group.members.size()), 14);
    for (std::size_t m = 0; m < replication.mean_correlation.size(); ++m) {
      std::cout << (m > 0 ? ", " : "") << correlation_text(replication.mean_correlation[m]) << " in "
                << study.conditions[m];
    }
    if (!replication.tested) {
      std::cout << (group.is_set_apart ? "was set apart from others; connections within it say nothing"
                                       : "too few members among the features");
    }
    std::cout << "\n";
  }
  std::cout << holds << " of " << found.groups.size() << " groups hold (one-sided p at most " << p_text(level) << ")\n";
}

// Where a group was found it holds: that says nothing. Other samples of the same file are another matter.
void refuse_same_study(const std::filesystem::path& folder, const RunRecord& record, const CLI::App& app) {
  const std::set<std::string> known = digests_of_run(folder / "summary.json");
  const auto given = flags_given(app);
  if (given.contains("by") || given.contains("where") || given.contains("within")) return;
  for (const auto& [file, digest] : record.inputs) {
    if (!known.contains(digest)) continue;
    throw InputError({.file = file},
                     "is a file of the run itself, where its groups were found; a second study is needed");
  }
}

ExitCode execute(const ReplicateFlags& flags, const CLI::App& app) {
  if (!is_run_folder(flags.folder)) {
    throw InputError({.file = flags.folder.string()}, "is not the folder of a run; disc run makes one");
  }
  if (flags.study.files.empty() && flags.study.conditions.empty() && flags.study.manifest.empty()) {
    throw CLI::ValidationError("FILES of the second study are needed (or --condition, or --manifest)");
  }
  const FoundGroups run = read_groups(flags.folder);
  if (run.groups.empty()) {
    std::cout << "the run found no group, so there is nothing to replicate\n";
    return ok;
  }
  const StudyRequest request = request_of(flags.study, app, flags.folder);
  RunOptions options = study_options(request);
  SetTestOptions testing = flags.options;
  testing.permutations = permutations_of(options, testing);
  std::optional<OutputFolder> folder;
  if (!flags.study.output.empty()) folder.emplace(flags.study.output);
  Session session(flags.study.session);
  const Interrupt::CutOff cut_off(session.interrupt(), [&]() -> std::string {
    folder.reset();
    return "\ndisc: interrupted\n";
  });
  RunRecord record;
  std::vector<Dataset> data = read_study(request, options, session.context(), record);
  refuse_same_study(flags.folder, record, app);
  const SetStudy study = prepare_sets(std::move(data), options, sets_of(run.groups), session.context());
  const Replications found = replicate(study, run, testing, session.context());
  session.console().erase_line();
  if (folder) {
    folder->write(table_name, replication_tsv(study, run.groups, found));
    folder->write(summary_name, sets_json(study, found.tests, record));
    folder->commit();
  }
  if (flags.study.session.quiet) return ok;
  const CleanOutput clean;
  print_table(study, run.groups, found);
  print_study(study, found.tests, session.console().warnings());
  if (folder) {
    std::cout << "results: " << (flags.study.output / "").string() << " (" << table_name << ", " << summary_name
              << ")\n";
  }
  return ok;
}

}  // namespace

Command add_replicate(CLI::App& program, const Invocation& invocation) {
  auto flags = std::make_shared<ReplicateFlags>();
  flags->study.output.clear();
  CLI::App* app = program.add_subcommand("replicate", "do the groups of a run hold in a second study?");
  app->add_option("OUT", flags->folder, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("FILES", flags->study.files, "the second study: one file per condition, or one file and --by")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->option_text(" ");
  app->add_option("-o,--output", flags->study.output,
                  "folder for replication.tsv and replication.json, made if needed (default: none)")
      ->option_text("FOLDER");
  app->add_option("--min-members", flags->options.min_members,
                  "groups with fewer members among the new features are not tested (default: 3)")
      ->check(CLI::Range(2, 1'000'000))
      ->option_text("N");
  add_study_flags(*app, flags->study, "permutations");
  app->footer(footer);
  if (!wants_all_help(invocation.words) && wants_help(invocation.words)) shorten_study_help(*app);
  return {app, [flags, app, invocation] { return execute(*flags, *app); }};
}

}  // namespace disc::app
