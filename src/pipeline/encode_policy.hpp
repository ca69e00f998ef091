#pragma once

#include <nlohmann/json.hpp>

namespace disc {

/// Every constant of stats/policy.hpp by its name; a test sees to it that none is missing.
nlohmann::ordered_json describe_policy();

}  // namespace disc
