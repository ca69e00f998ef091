// disc compare OUT1 OUT2
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "disc/io.hpp"
#include "disc/report.hpp"

namespace disc::app {
namespace {

struct CompareFlags {
  std::filesystem::path first, second, output;
};

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

// "STIM-1", or "group 1" where the number alone would say nothing.
std::string group_name(const std::string& id) {
  if (id.empty()) return "-";
  return id.find_first_not_of("0123456789.") == std::string::npos ? "group " + id : id;
}

void print_match(const GroupMatch& match, std::size_t width) {
  char numbers[96] = "";
  if (!match.first.empty() && !match.second.empty()) {
    std::snprintf(numbers, sizeof numbers, "Jaccard %.2f, %td of %td and %td features in both", match.jaccard,
                  match.common, match.size_first, match.size_second);
  } else {
    std::snprintf(numbers, sizeof numbers, "%td features", std::max(match.size_first, match.size_second));
  }
  std::cout << padded(match.condition, width) << padded(group_name(match.first), 14)
            << padded(group_name(match.second), 14) << padded(verdict(match), 9) << numbers << "\n";
}

void print(const RunComparison& comparison, const CompareFlags& flags) {
  const CleanOutput clean;
  if (comparison.features_both < std::max(comparison.features_first, comparison.features_second)) {
    std::cout << comparison.features_both << " features were used by both runs and count (" << comparison.features_first
              << " by the first, " << comparison.features_second << " by the second)\n";
  }
  if (comparison.matches.empty()) {
    std::cout << "neither run found a group\n";
    return;
  }
  std::size_t width = 11;
  for (const GroupMatch& match : comparison.matches) width = std::max(width, match.condition.size() + 2);
  std::cout << padded("condition", width) << padded("first", 14) << padded("second", 14) << "verdict\n";
  for (const GroupMatch& match : comparison.matches) print_match(match, width);
  if (!flags.output.empty()) std::cout << "table: " << flags.output.string() << "\n";
}

ExitCode execute(const CompareFlags& flags) {
  const RunComparison comparison = compare_runs(flags.first, flags.second);
  if (!flags.output.empty()) {
    const std::filesystem::path folder = flags.output.parent_path();
    OutputFolder output(folder.empty() ? "." : folder);
    output.write(flags.output.filename().string(), comparison_tsv(comparison));
    output.commit();
  }
  print(comparison, flags);
  return ok;
}

}  // namespace

Command add_compare(CLI::App& program) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* app = program.add_subcommand("compare", "which groups of two runs are the same, which are new");
  app->add_option("OUT1", flags->first, "folder that disc run wrote")->required()->option_text(" ");
  app->add_option("OUT2", flags->second, "another one, over the same features")->required()->option_text(" ");
  app->add_option("-o,--output", flags->output, "write the comparison to this file, as a table (tsv)")
      ->option_text("FILE");
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
