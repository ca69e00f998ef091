// disc run --dry-run: what a run would do.
#pragma once

#include <filesystem>

#include "disc/plan.hpp"

namespace disc::app {

void print_plan(const Plan& plan, const std::filesystem::path& output, const std::vector<std::string>& warnings);

}  // namespace disc::app
