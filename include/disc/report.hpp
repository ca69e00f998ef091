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

/// The page of a run that was written to a folder. Throws InputError where files are missing or damaged.
std::string report_html(const std::filesystem::path& folder);

}  // namespace disc
