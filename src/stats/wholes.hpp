// What the true correlations say of the candidates: which belong to a larger one, and which are explained by others.
#pragma once

#include "stats/step_down.hpp"

namespace disc {

/// Whether those of `whole` outside `part` gained connections with the part, by at least a share of what its members gained with
/// each other (policy::min_share_of_whole), and the larger one gains as much as a whole: else it is the smaller one among features
/// that others have too.
bool is_whole(std::span<const Correlations> conditions, const View& view, const Candidate& whole,
              const Candidate& part);

/// Whether the members of `part` gained clearly more with each other than with the rest of `whole` (policy::max_share_across_parts):
/// else the whole is of one piece, and the part a piece of it like any other.
bool is_part(std::span<const Correlations> conditions, const View& view, const Candidate& whole, const Candidate& part);

/// Whether a group that is set apart is so from features that are groups by themselves: without these (`is_found`), little of its
/// statistic is left (policy::min_share_unexplained).
bool is_explained(std::span<const Correlations> conditions, std::span<const Communities> communities,
                  const Candidate& candidate, const std::vector<bool>& is_found);

/// All of these, for candidates of these views. Refers to all of it.
Judgement judgement_of(const std::vector<Correlations>& conditions, const AnalyzeOptions& options,
                       const Context& context);

}  // namespace disc
