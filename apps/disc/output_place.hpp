// Where a run writes to.
#pragma once

#include <filesystem>

namespace disc::app {

/// Throws InputError if the folder holds files but no earlier run: it may be the wrong one. What a run of its own left is replaced.
void check_output_place(const std::filesystem::path& folder);

}  // namespace disc::app
