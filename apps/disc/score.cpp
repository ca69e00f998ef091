// disc score OUT --truth truth.tsv
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "console.hpp"
#include "disc/groups.hpp"
#include "disc/io.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::ordered_json;

struct ScoreFlags {
  std::filesystem::path results, truth;
  bool json = false;
};

// Groups that are there: neither their parts nor those that a condition lacks.
NamedGroups read_groups(const std::filesystem::path& file) {
  const TextTable table = read_tsv(file);
  const auto condition = static_cast<std::size_t>(table.column("condition", file.string()));
  const auto group = static_cast<std::size_t>(table.column("group", file.string()));
  const auto feature = static_cast<std::size_t>(table.column("feature", file.string()));
  NamedGroups groups;
  const auto cell = [&](const std::vector<std::string>& row, const char* name) {
    const auto column = std::ranges::find(table.columns, name);
    return column == table.columns.end() ? std::string()
                                         : row[static_cast<std::size_t>(column - table.columns.begin())];
  };
  for (const auto& row : table.rows) {
    if (cell(row, "level") == "2" || cell(row, "direction") == "lost") continue;
    groups.rows.push_back({row[condition], row[group], row[feature]});
  }
  return groups;
}

// Which conditions and features took part: a condition without groups is not in groups.tsv.
struct Participants {
  std::vector<std::string> conditions, features;
};
Participants read_participants(const std::filesystem::path& file) {
  constexpr std::string_view prefix = "energy_";
  const TextTable table = read_tsv(file);
  const auto feature = static_cast<std::size_t>(table.column("feature", file.string()));
  const auto used = static_cast<std::size_t>(table.column("used", file.string()));
  Participants found;
  for (const std::string& column : table.columns) {
    if (column.starts_with(prefix)) found.conditions.push_back(column.substr(prefix.size()));
  }
  for (const auto& row : table.rows) {
    if (row[used] == "yes") found.features.push_back(row[feature]);
  }
  return found;
}

void check_names(const ScoreFlags& flags, const NamedGroups& truth, const Participants& here) {
  const std::set<std::string> conditions(here.conditions.begin(), here.conditions.end());
  for (const NamedGroups::Row& row : truth.rows) {
    if (conditions.contains(row.condition)) continue;
    std::string known;
    for (const std::string& name : here.conditions) known += (known.empty() ? "" : ", ") + name;
    throw InputError({.file = flags.truth.string(), .value = row.condition},
                     "condition '" + row.condition + "' is not in the results, which have " + known +
                         " (disc run --names gives conditions other names)");
  }
}

void print_json(const std::vector<Score>& scores) {
  Json list = Json::array();
  for (const Score& score : scores) {
    Json matches = Json::array();
    for (const Score::Match& match : score.matches) {
      matches.push_back({{"truth", match.truth}, {"found", match.found}, {"jaccard", match.jaccard}});
    }
    list.push_back({{"condition", score.condition},
                    {"adjusted_rand", score.adjusted_rand},
                    {"groups_found", score.groups_found},
                    {"groups_true", score.groups_true},
                    {"precision", score.precision},
                    {"recall", score.recall},
                    {"matches", std::move(matches)}});
  }
  std::cout << list.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

std::string cell(const char* format, auto value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

void print_text(const std::vector<Score>& scores) {
  const CleanOutput clean;
  std::cout << "condition         adjusted Rand  groups found/true  precision  recall\n";
  for (const Score& score : scores) {
    std::cout << cell("%-16s", score.condition.c_str()) << cell("%15.3f", score.adjusted_rand)
              << cell("%15td/", score.groups_found) << cell("%-3td", score.groups_true)
              << cell("%11.3f", score.precision) << cell("%8.3f", score.recall) << "\n";
  }
  for (const Score& score : scores) {
    for (const Score::Match& match : score.matches) {
      std::cout << score.condition << ": true group " << match.truth;
      if (match.found.empty()) {
        std::cout << " was not found\n";
      } else {
        std::cout << " is best matched by group " << match.found << " (Jaccard " << cell("%.3f", match.jaccard)
                  << ")\n";
      }
    }
  }
}

ExitCode execute(const ScoreFlags& flags) {
  finish_outputs(flags.results);
  const Participants here = read_participants(flags.results / "features.tsv");
  const NamedGroups found = read_groups(flags.results / "groups.tsv");
  const NamedGroups truth = read_groups(flags.truth);
  check_names(flags, truth, here);
  const std::vector<Score> scores = score_groups(found, truth, here.conditions, here.features);
  flags.json ? print_json(scores) : print_text(scores);
  return ok;
}

}  // namespace

Command add_score(CLI::App& program) {
  auto flags = std::make_shared<ScoreFlags>();
  CLI::App* app = program.add_subcommand("score", "compare the groups found with the true ones");
  app->add_option("OUT", flags->results, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("--truth", flags->truth, "table with columns condition, group, feature")
      ->required()
      ->option_text("FILE");
  app->add_flag("--json", flags->json, "print JSON");
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
