// From the candidates of all labellings to p-values: every view on the scale of its permutation maxima, the largest of all views,
// and step by step without what was found before. method (25)
#pragma once

#include "disc/stats.hpp"
#include "stats/analyze.hpp"

namespace disc {

/// One labelling's candidates; the first labelling is the truth.
using Labellings = std::vector<std::vector<Candidate>>;
using LabellingsView = std::span<const std::vector<Candidate>>;

struct TestedCandidate {
  Candidate candidate;
  double score = 0, p = 1, q = 1;
  Index parent = -1;  ///< place, among the answers, of the one that this is a part of
};

/// Candidates of the truth in the order of their evidence, each standing for features that those before it do not cover, and
/// at the end the parts of those with p <= level. p is monotone, and never below the share of labellings that tie with the truth.
std::vector<TestedCandidate> step_down(LabellingsView labellings, Index views, Index features, double level);

/// Whether so many labellings look as good as the truth that nothing can become significant any more.
bool is_hopeless(LabellingsView labellings, Index views);

}  // namespace disc
