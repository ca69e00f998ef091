// Every constant that decides a result of the statistics: its unit, and why it has this value. docs/decisions/007-views.md has
// the measurements. They are written to summary.json.
#pragma once

#include <array>

#include "disc/matrix.hpp"

namespace disc::policy {

// ---- Permutations and bootstraps ----------------------------------------------------------------------------------------------
/// Permutations of the units: the smallest p-value is then .005, ten times finer than the usual level.
inline constexpr Index permutations = 199;
/// Bootstraps of the units: a 95 % interval is then known to about a tenth of its width.
inline constexpr Index bootstraps = 40;
/// Exceedances of the best statistic after which nothing can become significant any more (Besag & Clifford 1991).
inline constexpr Index exceedances_to_stop = 10;
/// Permutations between two looks at whether to stop.
inline constexpr Index permutations_between_looks = 16;
/// Share of the largest scores by chance through which a tail is laid where it is asked for, and how many there are at most and at
/// least (Knijnenburg et al. 2009: a quarter, at most 250).
inline constexpr double share_of_tail = 0.25;
inline constexpr Index max_scores_of_tail = 250;
inline constexpr Index min_scores_of_tail = 20;
/// Relative difference below which two statistics are the same: single-precision sums added in another order.
inline constexpr double tie_tolerance = 1e-5;

/// Statistic, in standard errors, up to which there is no difference: equal data in two conditions differ by less, because the
/// correlations of one are what those of the other leave, in single precision (10,000 samples: 1e-4).
inline constexpr double rounding_of_statistic = 1e-3;

/// Samples x features^2 up to which every sample stays a unit (multiplications of one labelling, some 0.1 s): the more units, the
/// less do the differences that are there disturb each other when labels are exchanged. Beyond, and of units that are given, sums
/// are kept, and of so many units at most.
inline constexpr double max_products_of_samples = 8e9;
inline constexpr Index max_units = 256;

// ---- Samples ------------------------------------------------------------------------------------------------------------------
/// Correlation of consecutive samples from which on they are not exchanged one by one.
inline constexpr double min_autocorrelation = 0.1;
/// And its least value in standard errors 1 / sqrt(samples): halves of 24 independent samples of Golub's data reached .18.
inline constexpr double errors_of_autocorrelation = 2.0;
/// And up to which it is believed: a trend would make a single block of everything.
inline constexpr double max_autocorrelation = 0.99;
/// Length of a block in correlation times (1 + f^2) / (1 - f^2) of products of values: with 2, series of phi .9 made false groups in
/// 5 of 6 studies, with 3 to 4 in 1 of 10.
inline constexpr double block_in_correlation_times = 4.0;
/// Samples between two blocks, which take no part: in the truth a block lies beside another of its condition, among permutations often
/// beside one of the other, so that blocks must not depend on each other. Without, series of phi .9 made false groups in 13 of 60
/// studies, with half as many in 9, with these in 3.
inline constexpr double gap_in_correlation_times = 1.0;
/// Blocks per condition at least, and samples per condition for blocks to be made at all.
inline constexpr Index min_blocks = 8;
inline constexpr Index min_samples_for_blocks = 16;
/// Images of fewer bands than this: ranks of so few values say little (decision 009), and a band is another quantity than the next.
inline constexpr Index few_bands = 16;
/// And at least so many for bands to be exchanged in pairs: with fewer there are too few ways to do so (2^6 = 64).
inline constexpr Index min_bands_to_pair = 6;
/// Units whose samples are as similar as this are repeated measures of one thing: then units are compared, else what varies within
/// them.
inline constexpr double similarity_of_repeats = 0.5;
/// Samples that a unit must have (median) to be centered by itself: fewer, and centring takes too much away.
inline constexpr double min_size_to_center = 10;
/// Largest ratio of sizes of units that count by their size; beyond, they count alike.
inline constexpr double max_size_ratio = 1.25;
/// A unit smaller than this share of the mean size counts less than the others: its own noise would dominate.
inline constexpr double min_share_of_mean_size = 0.25;
/// Ratio of the conditions' mean noise of a unit (mean of 1 / size) from which on units are matched in size: 8 donors of 20 cells
/// against 8 of 80 made false groups in 9 of 12 studies without.
inline constexpr double max_ratio_of_noise = 1.5;
/// Samples of a kind, such as a cell type, that every condition must have for correlations within it.
inline constexpr Index min_samples_of_kind = 10;
/// Features that tell how samples depend on each other.
inline constexpr Index features_looked_at = 500;
/// And consecutive samples of every condition.
inline constexpr Index samples_looked_at = 5000;

// ---- Views --------------------------------------------------------------------------------------------------------------------
/// Directions of every other condition that are taken out, one view each: which number is best depends on the data (1 on four
/// sets, 3 on the mice, 3 to 5 on cells), and the maximum over the views beats every single one.
inline constexpr std::array<Index, 3> projected_directions{1, 3, 8};
/// A view needs this many samples of an average condition, and this many features, per direction: fewer, and the directions
/// are all there is.
inline constexpr Index samples_per_direction = 3;
inline constexpr Index features_per_direction = 8;
/// Directions sought beyond those used, so that the used ones are exact enough.
inline constexpr Index spare_directions = 4;
/// Steps of subspace iteration: of all samples together, and from there for one labelling.
inline constexpr Index steps_at_first = 20;
inline constexpr Index steps_per_permutation = 4;
/// And from a condition's own directions to those of what the others do not explain.
inline constexpr Index steps_of_residual = 1;
/// Share of a feature's variance that is left at least when correlations are rescaled: below it rounding and noise would be
/// blown up.
inline constexpr double min_residual_variance = 0.1;
/// Gain, in standard errors, that a group of any view must show in the correlations themselves, and in what all directions of
/// the others above the noise leave over.
inline constexpr double min_gain = 2.0;
/// Mean gain of pairs that another condition has in one community, relative to that of all pairs of a group: less, and the
/// group is a union of what the other condition has.
inline constexpr double min_share_of_gain_inside = 0.25;
/// Mean anticorrelation across the halves of a signed group, relative to the mean correlation within them: less, and the halves
/// are set apart rather than against each other.
inline constexpr double min_share_of_opposites = 0.6;
/// Connection within a group that is set apart, relative to what other conditions have: less, and it has fallen apart.
inline constexpr double min_share_of_connection_kept = 0.5;
/// Mean correlation that a group set apart has lost with the features it belongs to elsewhere, from which on its statistic counts,
/// and counts in full: with enough samples any loss is significant (thousands of cells: groups of 300 genes that lost .02).
inline constexpr double min_correlation_lost = 0.05;
inline constexpr double full_correlation_lost = 0.15;
/// A direction counts as structure above this multiple of the largest eigenvalue of noise: finite samples exceed the limit.
inline constexpr double noise_margin = 1.1;
/// Quantiles, above the median, of the permutation maxima of a view; the wider one gives its spread. The truth cannot stretch them,
/// and the far one sees a view that mostly finds nothing and at times much.
inline constexpr std::array<double, 2> spread_quantiles{0.9, 0.975};
/// And its least value, in standard errors of a group known beforehand.
inline constexpr double min_spread = 0.5;
/// The mean gain of a pair counts times this power of the number of features: with 0 the smallest sets of noise win, with 1/2 the
/// largest (decision 007: groups injected into 24 samples a side are found best with .15 to .25).
inline constexpr double power_of_size = 0.25;
/// Leading vectors that are swept, and features looked at along each.
inline constexpr Index vectors_swept = 2;
inline constexpr Index max_features_swept = 256;
/// Features that one by chance is allowed among, at least: among few it would be one too many.
inline constexpr Index min_features_of_chance = 1000;
/// A cut beyond this share of them is none: the group goes on.
inline constexpr double max_share_swept = 0.9;

// ---- Features searched --------------------------------------------------------------------------------------------------------
/// Of more features than one labelling affords in the dense form, features^2 x (rows + samples_worth_a_search) multiplications,
/// some take part in the search: a thousand with 2,000 samples, 1,600 with 130. The others can join the groups found. Rows are the
/// samples, or max_units where sums of units are kept. Many samples are no reason to search among fewer than a thousand: beyond
/// max_products_of_samples sums are kept anyway.
inline constexpr double max_cost_of_search = 3e9;
inline constexpr Index samples_worth_a_search = 1000;
inline constexpr Index min_features_searched = 1000;
/// They are taken in turn by all their correlations, which are those of large groups, and by the closest partners that these many
/// leading directions leave over, which are those of small ones (a group of 8 to 30 injected into 3,600 probes of mice: 10 to 25 %
/// of its members are among the first 1,500 by all correlations, 55 to 80 % by the closest with 8 directions taken out, 83 to 100 %
/// with 20).
inline constexpr std::array<Index, 2> directions_of_search{8, 20};
inline constexpr Index closest_partners = 10;

// ---- Prototypes ---------------------------------------------------------------------------------------------------------------
/// Prototypes where not told how many: about as many as one labelling affords (max_cost_of_search).
inline constexpr Index prototypes = 1500;
/// Share of the features' variance that prototypes may lose: beyond, features are connected too weakly to be put together, and each
/// keeps its nearest instead (docs/decisions/015-prototypes.md).
inline constexpr double max_loss_of_prototypes = 0.25;

// ---- Groups -------------------------------------------------------------------------------------------------------------------
/// A candidate of which more than this share lies in groups already found is not another group.
inline constexpr double max_share_found = 0.2;
/// Steps: after each the features of the groups found are taken out, of the truth and of all permutations, and the rest is analyzed
/// anew, so that a giant group hides no weak one.
inline constexpr Index max_steps = 3;
/// Features that must be left for another step.
inline constexpr Index min_features_of_step = 20;
/// A candidate of which at least this share lies in a group that is larger by this factor is a part of it.
inline constexpr double min_share_of_part = 0.8;
inline constexpr double max_size_of_part = 0.7;
/// Gain of a pair across the border of a group that lies in a larger one, relative to that of a pair within it: more, and the larger
/// one is the group and the smaller one its part; less, and the larger one is the smaller one diluted.
inline constexpr double min_share_of_whole = 0.5;
/// The same above which a smaller group is no part: any piece of a group that is connected throughout gains as much.
inline constexpr double max_share_across_parts = 0.75;
/// Share of the statistic of a group set apart that must be left without the features found before: less, and it is these that came
/// or went, not the group.
inline constexpr double min_share_unexplained = 0.5;
/// Statistic (in standard errors) of a group that is believed without p-values.
inline constexpr double clear_without_permutations = 4.0;
/// Groups, and parts of one group, that are listed.
inline constexpr Index max_groups = 100;
inline constexpr Index max_parts = 5;
/// Candidates that are no answer and are listed all the same.
inline constexpr Index max_candidates = 20;

/// Core of a group: level, for all members together, at which a member's gain is beyond chance; share of the mean gain of so many
/// hubs that it must reach.
inline constexpr double level_of_core = 0.05;
inline constexpr double min_share_of_hubs = 0.5;
inline constexpr std::size_t hubs_of_core = 5;

// ---- Cautions -----------------------------------------------------------------------------------------------------------------
/// Share of the variance of a group's score, between the values of a label, from which the label is named; values that it has at most,
/// and share of the samples that would have to change theirs for the composition to be called different.
inline constexpr double min_share_of_label = 0.3;
inline constexpr Index max_values_of_label = 50;
inline constexpr double min_difference_of_composition = 0.1;
/// The same for the mean of all features outside the group, from so many features; more are sampled.
inline constexpr double min_share_of_level = 0.3;
inline constexpr Index min_features_of_level = 20;
inline constexpr Index max_features_of_level = 2000;
/// Share of a group's gain that must be left without any one unit.
inline constexpr double min_gain_without_unit = 0.5;
/// Share of all features above which a group is called a group of most.
inline constexpr double max_share_of_features = 0.5;
/// Groups of a condition that are looked at.
inline constexpr Index max_groups_cautioned = 20;

// ---- Single pairs -------------------------------------------------------------------------------------------------------------
/// Features above which a list of pairs is no answer any more.
inline constexpr Index max_features_for_pairs = 5000;
/// Permutations that give the spread of a pair's change and the largest change by chance; with more features than
/// features_of_exact_pairs fewer will do, for chance is then seen in many pairs at once. With fewer than the least there is no answer.
inline constexpr Index permutations_of_pairs = 50;
inline constexpr Index permutations_of_many_pairs = 20;
inline constexpr Index features_of_exact_pairs = 1500;
inline constexpr Index min_permutations_of_pairs = 19;
/// Modes of all changes by which a pair is judged: dcanr's sim102 is found equally well with 3 to 20 (docs/decisions/012).
inline constexpr Index modes_of_change = 5;
/// False discovery rate of the pairs that are listed, and level of there being any.
inline constexpr double false_share_of_pairs = 0.1;
inline constexpr double level_of_pairs = 0.05;
inline constexpr int max_pairs_listed = 10000;

}  // namespace disc::policy
