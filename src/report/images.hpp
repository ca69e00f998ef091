// Features that are pixels, drawn as images.
#pragma once

#include "report/run_files.hpp"

namespace disc::report {

/// A number with few digits: a page is no archive. Null where it is not finite.
Json rounded(double value, int digits = 5);

/// Vectors and groups of each condition on the pixels; large images are made smaller by whole factors. `members` are
/// places of features, per condition and group.
Json describe_images(const RunFiles& files, const std::vector<std::string>& keys,
                     const std::vector<std::vector<std::vector<Index>>>& members, const std::string& shape,
                     Index features);

}  // namespace disc::report
