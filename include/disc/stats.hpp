// Is it real? Permutation of units, p-values for groups, and the evidence for each group. method (16) to (26)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/groups.hpp"
#include "disc/io.hpp"
#include "disc/team.hpp"

namespace disc {

/// Who may be exchanged with whom under the hypothesis that the conditions do not differ. Names per condition and sample;
/// an empty list means: every sample is a unit, every unit may be exchanged with every other.
struct Design {
  std::vector<std::vector<std::string>> units;   ///< samples of one name and condition stay together
  std::vector<std::vector<std::string>> strata;  ///< units are exchanged within a stratum; a pair is a stratum
};

/// What is said of a p-value that is the smallest that the permutations can give.
enum class Tail {
  counted,  ///< nothing more: the share of labelings that are as good
  pareto,   ///< beside it, an extrapolation from the largest statistics of the permutations
};

struct StatisticsOptions {
  /// Permutations of the units, >= 0; fewer when fewer exist. 0: no p-values. Unset: 199.
  std::optional<Index> permutations;
  /// Goes on to so many where nothing as good was met, so that p is the smallest possible; fewer than `permutations`: it does not.
  Index max_permutations = 0;
  Tail tail = Tail::counted;
  /// Consecutive samples that are exchanged as one, >= 0, where no unit is given; 0: every sample for itself. Unset: where
  /// consecutive samples correlate by more than .1, about 4 (1 + f^2) / (1 - f^2) for a correlation f.
  std::optional<Index> block;
  double level = 0.05;  ///< groups with a p-value above it are candidates only; in (0, 1)
  /// Of the units, for stability and intervals, >= 0. Unset: 40, or half of the permutations if that is less.
  std::optional<Index> bootstraps;
  /// GiB that the sums of the units may take, > 0. Samples are put together into fewer units where they would take more.
  double memory_limit = 4.0;
};

/// Fills in what is left open.
StatisticsOptions resolved(StatisticsOptions options);

/// A pair of features whose correlation changed.
struct ChangedPair {
  Index a = 0, b = 0;
  double here = 0, elsewhere = 0;  ///< correlations; elsewhere: of the condition most like this one
  double z = 0;                    ///< change in standard errors, which permutations tell; positive: larger here
  double z_low_rank = 0;  ///< the part of z that many pairs share: explained by the leading modes of all changes
  double q = 1;           ///< false discovery rate of the pairs with at least this |z_low_rank|
};
/// Pairs that are connected more strongly, with either sign, in one condition than in all others.
struct ChangedPairs {
  std::vector<ChangedPair> pairs;  ///< by falling |z_low_rank|; at most 10,000
  Index found = 0;  ///< with a false discovery rate of at most 0.1; none if the largest z could be chance
};
/// What the test of groups says of one condition.
struct TestedCondition {
  std::vector<FeatureGroup> groups;      ///< significant, by falling score, each followed by its parts
  std::vector<FeatureGroup> candidates;  ///< that were not, by falling score
  std::optional<ChangedPairs> pairs;     ///< unset: too many features, or too few permutations
};
/// How the p-values were made.
struct Statistics {
  /// How samples depend on each other, and what was done about it.
  struct Sampling {
    double autocorrelation = 0;  ///< of consecutive samples: median over features
    Index block = 0;             ///< samples per block that were exchanged as one; 0: no blocks
    Index gap = 0;  ///< samples of a block, of these, that take no part: neighbours would depend on each other
    std::optional<double>
        similarity;         ///< of samples of a unit: median intraclass correlation; unset: units of one sample
    bool centered = false;  ///< features were centered within each unit: what units differ in is no connection
    bool weighted = false;  ///< units of unequal size count alike
    bool matched = false;   ///< large units counted with some of their samples, as the other condition's are smaller
    Index samples_used = 0;
    double effective_share = 1;  ///< of the samples, as if they were independent
  };
  Sampling sampling;
  Index permutations = 0;  ///< done, beside the true one
  bool exact = false, stopped_early = false;
  double min_p = 1;  ///< the smallest that these permutations can give
  Index units = 0, units_in_design = 0;
  Index n_features_tested = 0;  ///< fewer than there are: drawn at random; all others joined the groups found
  bool samples_are_units = true;
  std::vector<View> views;
};
struct TestResult {
  std::vector<TestedCondition> conditions;
  Statistics statistics;
};
/// The largest eigenvalue that features without any connection would show beside the trivial one, on the scale of the
/// observed walk: parallel analysis, method (14).
struct NoiseLevel {
  double edge = 0;  ///< 95th percentile
  Index permutations = 0;
};
NoiseLevel noise_level(const Dataset& condition, std::span<const Index> columns, const Vector& degrees,
                       const GraphOptions& options, const Context& context, const Team* team = nullptr);

/// How many eigenvectors of a condition count as structure, and what speaks for it. method (14), (15)
struct Dimensions {
  Index chosen = 0;  ///< beside the trivial one
  std::string
      rule;  ///< "given", "parallel analysis", "split halves", "eigengap", or "20, at most a quarter of the features"
  std::optional<double> edge;  ///< largest eigenvalue of features without connection, on the scale of this graph
  Index above_noise = 0;       ///< eigenvalues above it; 0 too where it is not known
  Index by_halves = 0;         ///< up to which two halves of the samples agree; 0: nowhere, or not known
  Index by_gap = 0;            ///< where the eigenvalues fall most steeply
  Index available = 0;         ///< eigenvectors computed
};

/// What the pipeline knows when it asks for groups.
struct TestOptions {
  GraphOptions graph;  ///< nothing unset
  Index min_group_size = 3;
  std::vector<bool> is_target{};  ///< conditions whose groups are asked for; empty: all
  StatisticsOptions statistics{};
  /// One feature of every prototype: groups are looked for among these, and all others can join. Empty: there are none.
  std::vector<Index> representatives{};
  bool looks_for_pairs = true;         ///< single pairs that changed
  std::shared_ptr<const Team> team{};  ///< processes that have the same data and divide the permutations; unset: alone
  std::shared_ptr<Checkpoints> checkpoints{};  ///< of the team; a process alone has those of its context
};
/// Finds the groups of every condition and tests them against permutations of the units. p-values hold for all groups
/// together: under the hypothesis that the conditions do not differ, the smallest is below 0.05 in 5 % of studies (Westfall &
/// Young 1993). Evidence is collected for the groups at or below the level.
TestResult test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& options, const Context& context);

/// How well a named set agrees with a group.
struct SetOverlap {
  Index condition = 0, group = 0;                  ///< the group
  std::string set, description;                    ///< the set
  std::vector<Index> features;                     ///< in both
  Index group_size = 0, set_size = 0, tested = 0;  ///< features of the group; of the set, and in all, that were tested
  double p = 1;                                    ///< that so many are shared by chance: hypergeometric
  double q = 1;  ///< false discovery rate among all groups and sets (Benjamini & Hochberg)
};
/// Compares every group with every set that has at least three tested features. Listed are those that share a feature, by
/// condition, group and p.
std::vector<SetOverlap> compare_with_sets(std::span<const FeatureGroups> groups, std::span<const std::string> features,
                                          std::span<const NamedSet> sets);

}  // namespace disc
