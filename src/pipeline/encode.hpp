// The files of a run as bytes. `keys` are the names of the conditions within archives.
#pragma once

#include "disc/georeference.hpp"
#include "disc/pipeline.hpp"

namespace disc {

/// "1", "2", ..., and "2.1" for the first part of group 2.
std::string group_name(const FeatureGroups& found, std::size_t group);

std::string summary_json(const Analysis& analysis, const RunRecord& record, const std::vector<std::string>& keys);

std::string groups_tsv(const Analysis& analysis);
std::string features_tsv(const Analysis& analysis);
/// Pairs of features that are connected more strongly in a condition than in all others.
std::string pairs_tsv(const Analysis& analysis);
/// Named sets that share features with a group.
std::string enrichment_tsv(const Analysis& analysis);
/// One row per sample: its components, and the meta-feature of every group.
std::string samples_tsv(const Analysis& analysis);

/// One row per group and unit: how the unit shows the group.
std::string units_tsv(const Analysis& analysis);

/// Where the pixels lie that are the features, from the first input that says it; unset: there is no map to write.
std::optional<Georeference> place_of(const Analysis& analysis, const RunRecord& record, const Context& context);
/// Energies and groups of every condition, pixel by pixel, as a GeoTIFF.
std::string maps_tif(const Analysis& analysis, const Georeference& place);

/// Weights of features and groups.
std::string figure_data_npz(const Analysis& analysis, const std::vector<std::string>& keys);

}  // namespace disc
