// disc project OUT FILES... -o SCORES
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "disc/io.hpp"
#include "study_flags.hpp"

namespace disc::app {
namespace {

struct ProjectFlags {
  std::filesystem::path folder, output;
  std::vector<std::filesystem::path> files;
  ReadFlags read;
  SessionFlags session;
};

std::string group_name(const RunGroup& group) { return "group_" + group.condition + "_" + group.id; }

std::string scores_tsv(const std::vector<Dataset>& data, const FoundGroups& run, const Projection& projection) {
  TextTable table{{"file", "sample"}, {}};
  for (const RunGroup& group : run.groups) table.columns.push_back(group_name(group));
  Index row = 0;
  for (const Dataset& one : data) {
    for (const std::string& sample : one.samples) {
      std::vector<std::string>& cells = table.rows.emplace_back(std::vector<std::string>{one.name, sample});
      for (Index g = 0; g < projection.scores.cols(); ++g) {
        const double score = projection.scores(row, g);
        cells.push_back(std::isfinite(score) ? format_number(score) : "");
      }
      ++row;
    }
  }
  return encode_tsv(table);
}

std::string members_tsv(const FoundGroups& run, const Projection& projection) {
  TextTable table{{"condition", "group", "members", "found", "missing"}, {}};
  for (std::size_t g = 0; g < run.groups.size(); ++g) {
    std::string missing;
    for (const std::string& name : projection.missing[g]) missing += (missing.empty() ? "" : ",") + name;
    table.rows.push_back({run.groups[g].condition, run.groups[g].id, std::to_string(run.groups[g].members.size()),
                          std::to_string(projection.found[g]), missing});
  }
  return encode_tsv(table);
}

void print(const FoundGroups& run, const Projection& projection) {
  for (std::size_t g = 0; g < run.groups.size(); ++g) {
    const Index found = projection.found[g];
    std::cout << run.groups[g].condition << " " << run.groups[g].id << ": " << found << " of "
              << run.groups[g].members.size() << " members" << (found == 0 ? ", no score" : "");
    if (found > 0 && !projection.missing[g].empty()) {
      std::cout << "; missing: " << projection.missing[g].front() << (projection.missing[g].size() > 1 ? ", ..." : "");
    }
    std::cout << "\n";
  }
}

ExitCode execute(const ProjectFlags& flags) {
  const FoundGroups run = read_groups(flags.folder);
  if (run.groups.empty()) {
    std::cout << "the run found no group, so there is nothing to score\n";
    return ok;
  }
  OutputFolder folder(flags.output);
  Session session(flags.session);
  std::vector<Dataset> data;
  const std::vector<std::string> names = name_conditions(flags.files, {});
  for (std::size_t i = 0; i < flags.files.size(); ++i) {
    data.push_back(read_dataset(flags.files[i], read_options(flags.read), session.context()));
    data.back().name = names[i];
  }
  const Projection projection = project(data, run, session.context());
  session.console().erase_line();
  if (std::ranges::all_of(projection.found, [](Index found) { return found == 0; })) {
    throw InputError({.file = flags.files.front().string()}, "no member of any group is among its features ('" +
                                                                 data.front().features.front() + "', ... against '" +
                                                                 run.groups.front().members.front() +
                                                                 "', ...); names must be written alike");
  }
  folder.write("scores.tsv", scores_tsv(data, run, projection));
  folder.write("members.tsv", members_tsv(run, projection));
  folder.commit();
  if (flags.session.quiet) return ok;
  const CleanOutput clean;
  print(run, projection);
  for (const std::string& warning : session.console().warnings()) std::cout << "warning: " << warning << "\n";
  std::cout << "results: " << (flags.output / "").string() << " (scores.tsv, members.tsv)\n";
  return ok;
}

}  // namespace

Command add_project(CLI::App& program) {
  auto flags = std::make_shared<ProjectFlags>();
  CLI::App* app = program.add_subcommand("project", "how strongly do new samples show the groups of a run?");
  app->add_option("OUT", flags->folder, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("FILES", flags->files, "the new samples, in one file or several")
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->option_text(" ");
  app->add_option("-o,--output", flags->output, "folder for scores.tsv and members.tsv, made if needed")
      ->required()
      ->option_text("FOLDER");
  add_session_flags(*app, flags->session);
  add_read_flags(*app, flags->read);
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
