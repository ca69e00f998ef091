// The report: one self-contained html page that a scientist reads before the tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "disc/pipeline.hpp"

namespace disc {

/// What the page is called among the files of a run.
inline constexpr const char* report_name = "report.html";

/// Whether the page was built into this library. Without it the verbs below throw NotCompiled.
bool has_report_page();

/// The page of a run, from its files as they are written. What is too much for a page is reduced, and the page says so.
std::string report_html(const std::vector<OutputFile>& files);
std::string report_html(const Analysis& analysis, const RunRecord& record);

/// The same from files that were written to a folder and not committed yet: large ones need not be in memory.
std::string report_html(const OutputFolder& files);

struct PageOptions {
  /// The page may ask the server that it comes from (disc explore). A page that is a file asks nobody.
  bool asks = false;
};
/// The page of a run that was written to a folder. Throws InputError where files are missing or damaged.
std::string report_html(const std::filesystem::path& folder, const PageOptions& options = {});

/// The groups of a run as a table for MultiQC, which looks for files called so.
inline constexpr const char* multiqc_name = "disc_mqc.json";
std::string multiqc_json(const OutputFolder& files);

/// A group of one run and the group of the other run, of the same condition, that is most like it. One of the names is empty
/// where there is none. Sizes count features that both runs used.
struct GroupMatch {
  std::string condition, first, second;
  Index size_first = 0, size_second = 0, common = 0;
  double jaccard = 0;
};
struct RunComparison {
  std::vector<GroupMatch> matches;
  Index features_first = 0, features_second = 0, features_both = 0;
};
/// Compares the groups of two runs that were written to folders. Every group has at most one partner. Throws InputError where
/// files are missing or the runs have no feature in common.
RunComparison compare_runs(const std::filesystem::path& first, const std::filesystem::path& second);
/// "same" (Jaccard index of at least 1/2), "changed", "new" or "gone".
std::string verdict(const GroupMatch& match);
std::string comparison_tsv(const RunComparison& comparison);

}  // namespace disc
