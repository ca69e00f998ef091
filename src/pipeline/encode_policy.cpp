// The constants that decide results, for the record of a run.
#include "pipeline/encode_policy.hpp"

#include "stats/policy.hpp"

namespace disc {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json constant(const char* name, const T& value) {
  return {{"name", name}, {"values", Json::array({value})}};
}

template <class T, std::size_t N>
Json constant(const char* name, const std::array<T, N>& values) {
  return {{"name", name}, {"values", values}};
}

}  // namespace

nlohmann::ordered_json describe_policy() {
  return Json::array({
      constant("permutations", policy::permutations),
      constant("bootstraps", policy::bootstraps),
      constant("exceedances_to_stop", policy::exceedances_to_stop),
      constant("permutations_between_looks", policy::permutations_between_looks),
      constant("share_of_tail", policy::share_of_tail),
      constant("max_scores_of_tail", policy::max_scores_of_tail),
      constant("min_scores_of_tail", policy::min_scores_of_tail),
      constant("tie_tolerance", policy::tie_tolerance),
      constant("rounding_of_statistic", policy::rounding_of_statistic),
      constant("max_products_of_samples", policy::max_products_of_samples),
      constant("max_units", policy::max_units),
      constant("min_autocorrelation", policy::min_autocorrelation),
      constant("errors_of_autocorrelation", policy::errors_of_autocorrelation),
      constant("max_autocorrelation", policy::max_autocorrelation),
      constant("block_in_correlation_times", policy::block_in_correlation_times),
      constant("gap_in_correlation_times", policy::gap_in_correlation_times),
      constant("min_blocks", policy::min_blocks),
      constant("min_samples_for_blocks", policy::min_samples_for_blocks),
      constant("few_bands", policy::few_bands),
      constant("min_bands_to_pair", policy::min_bands_to_pair),
      constant("similarity_of_repeats", policy::similarity_of_repeats),
      constant("min_size_to_center", policy::min_size_to_center),
      constant("max_size_ratio", policy::max_size_ratio),
      constant("min_share_of_mean_size", policy::min_share_of_mean_size),
      constant("max_ratio_of_noise", policy::max_ratio_of_noise),
      constant("min_samples_of_kind", policy::min_samples_of_kind),
      constant("features_looked_at", policy::features_looked_at),
      constant("samples_looked_at", policy::samples_looked_at),
      constant("projected_directions", policy::projected_directions),
      constant("samples_per_direction", policy::samples_per_direction),
      constant("features_per_direction", policy::features_per_direction),
      constant("spare_directions", policy::spare_directions),
      constant("steps_at_first", policy::steps_at_first),
      constant("steps_per_permutation", policy::steps_per_permutation),
      constant("steps_of_residual", policy::steps_of_residual),
      constant("min_residual_variance", policy::min_residual_variance),
      constant("min_gain", policy::min_gain),
      constant("min_share_of_gain_inside", policy::min_share_of_gain_inside),
      constant("min_share_of_opposites", policy::min_share_of_opposites),
      constant("min_share_of_connection_kept", policy::min_share_of_connection_kept),
      constant("min_correlation_lost", policy::min_correlation_lost),
      constant("full_correlation_lost", policy::full_correlation_lost),
      constant("noise_margin", policy::noise_margin),
      constant("spread_quantiles", policy::spread_quantiles),
      constant("min_spread", policy::min_spread),
      constant("power_of_size", policy::power_of_size),
      constant("vectors_swept", policy::vectors_swept),
      constant("max_features_swept", policy::max_features_swept),
      constant("min_features_of_chance", policy::min_features_of_chance),
      constant("max_share_swept", policy::max_share_swept),
      constant("max_cost_of_search", policy::max_cost_of_search),
      constant("samples_worth_a_search", policy::samples_worth_a_search),
      constant("min_features_searched", policy::min_features_searched),
      constant("directions_of_search", policy::directions_of_search),
      constant("closest_partners", policy::closest_partners),
      constant("prototypes", policy::prototypes),
      constant("max_loss_of_prototypes", policy::max_loss_of_prototypes),
      constant("max_share_found", policy::max_share_found),
      constant("max_steps", policy::max_steps),
      constant("min_features_of_step", policy::min_features_of_step),
      constant("min_share_of_part", policy::min_share_of_part),
      constant("max_size_of_part", policy::max_size_of_part),
      constant("min_share_of_whole", policy::min_share_of_whole),
      constant("max_share_across_parts", policy::max_share_across_parts),
      constant("min_share_unexplained", policy::min_share_unexplained),
      constant("clear_without_permutations", policy::clear_without_permutations),
      constant("max_groups", policy::max_groups),
      constant("max_parts", policy::max_parts),
      constant("max_candidates", policy::max_candidates),
      constant("level_of_core", policy::level_of_core),
      constant("min_share_of_hubs", policy::min_share_of_hubs),
      constant("hubs_of_core", policy::hubs_of_core),
      constant("min_share_of_label", policy::min_share_of_label),
      constant("max_values_of_label", policy::max_values_of_label),
      constant("min_difference_of_composition", policy::min_difference_of_composition),
      constant("min_share_of_level", policy::min_share_of_level),
      constant("min_features_of_level", policy::min_features_of_level),
      constant("max_features_of_level", policy::max_features_of_level),
      constant("min_gain_without_unit", policy::min_gain_without_unit),
      constant("max_share_of_features", policy::max_share_of_features),
      constant("max_groups_cautioned", policy::max_groups_cautioned),
      constant("max_features_for_pairs", policy::max_features_for_pairs),
      constant("permutations_of_pairs", policy::permutations_of_pairs),
      constant("permutations_of_many_pairs", policy::permutations_of_many_pairs),
      constant("features_of_exact_pairs", policy::features_of_exact_pairs),
      constant("min_permutations_of_pairs", policy::min_permutations_of_pairs),
      constant("modes_of_change", policy::modes_of_change),
      constant("false_share_of_pairs", policy::false_share_of_pairs),
      constant("level_of_pairs", policy::level_of_pairs),
      constant("max_pairs_listed", policy::max_pairs_listed),
  });
}

}  // namespace disc
