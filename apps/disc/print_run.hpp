// What a finished run shows on the terminal.
#pragma once

#include <filesystem>

#include "disc/pipeline.hpp"

namespace disc::app {

void print_result(const Analysis& analysis, const std::filesystem::path& folder);

}  // namespace disc::app
