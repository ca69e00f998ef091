// From the candidates of all labellings to p-values: every view on the scale of its permutation maxima, the largest of all views,
// and step by step without what was found before. method (25)
#pragma once

#include <functional>
#include <optional>

#include "disc/stats.hpp"
#include "stats/analyze.hpp"

namespace disc {

/// One labelling's candidates; the first labelling is the truth.
using Labellings = std::vector<std::vector<Candidate>>;
using LabellingsView = std::span<const std::vector<Candidate>>;

struct TestedCandidate {
  Candidate candidate;
  double score = 0, p = 1, q = 1;
  Index parent = -1;               ///< place, among the answers, of the one that this is a part of
  std::optional<double> p_tail{};  ///< where it was asked for and no permutation was as good: extrapolated
};

/// What the true correlations say of candidates; any may be unset.
struct Judgement {
  /// Whether a candidate is one group with the smaller one that lies in it, rather than that one diluted.
  std::function<bool(const Candidate& whole, const Candidate& part)> is_whole;
  /// Whether the smaller one is more than any piece of the larger one that it lies in.
  std::function<bool(const Candidate& whole, const Candidate& part)> is_part;
  /// Whether a candidate differs only because of the groups that were found before.
  std::function<bool(const Candidate& candidate, std::span<const TestedCandidate> before)> is_explained;
};

/// Candidates of the truth in the order of their evidence, each standing for features that those before it do not cover, and
/// at the end the parts of those with p <= level. Where a significant one lies in a larger one that is significant too and a whole
/// with it, the larger one is the answer. p is monotone, and never below the share of labellings that tie with the truth.
std::vector<TestedCandidate> step_down(LabellingsView labellings, Index views, Index features, double level,
                                       const Judgement& judgement = {});

/// The best score of every labelling, on the scale of the candidates' scores.
std::vector<double> best_scores(LabellingsView labellings, Index views, Index features);
/// Whether no permutation has anything as good as the best of the truth.
bool nothing_is_as_good(LabellingsView labellings, Index views);
/// Whether so many labellings look as good as the truth that nothing can become significant any more.
bool is_hopeless(LabellingsView labellings, Index views);

}  // namespace disc
