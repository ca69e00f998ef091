#pragma once

#include <memory>

#include "distributed/shared_study.hpp"
#include "distributed/walk.hpp"

namespace disc::distributed {

/// As disc::make_figure_data; the first process gets them.
FigureData make_figure_data(const SharedStudy& shared, std::span<const std::unique_ptr<Walk>> walks,
                            const Analysis& analysis, const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
