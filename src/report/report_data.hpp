// What the page shows, as JSON. report/src/data.ts has the same structure in TypeScript.
#pragma once

#include <nlohmann/json.hpp>

#include "disc/report.hpp"

namespace disc::report {

using Json = nlohmann::ordered_json;

class RunFiles;

/// Throws InputError where a file is missing or damaged.
Json report_data(RunFiles files);
Json report_data(const std::vector<OutputFile>& files);

}  // namespace disc::report
