// When something was done, for records.
#pragma once

#include <string>

namespace disc::app {

/// In UTC, as 2026-01-31T23:59:59Z.
std::string now();

}  // namespace disc::app
