#pragma once

#include <memory>

#include "distributed/shared_study.hpp"
#include "distributed/walk.hpp"

namespace disc::distributed {

/// As disc::make_pictures; the first process gets them.
Pictures make_pictures(const SharedStudy& shared, std::span<const std::unique_ptr<Walk>> walks,
                       const Analysis& analysis, const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
