// The answer as a map: the pixels where they are in the scene.
#include <limits>

#include "pipeline/encode.hpp"

namespace disc {
namespace {

// One number per feature used, at its pixel.
MapBand band_of(std::string name, const Analysis& analysis, const std::vector<float>& of_feature) {
  const ImageShape& shape = *analysis.used.shape;
  MapBand band{std::move(name), {}};
  band.values.assign(static_cast<std::size_t>(shape.height * shape.width), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t j = 0; j < of_feature.size(); ++j)
    band.values[static_cast<std::size_t>(analysis.figure_data.column[j])] = of_feature[j];
  return band;
}

// Numbers of the groups; 0: in none. Of several the first, which has the highest score.
std::vector<float> group_numbers(const FeatureGroups& found, std::size_t features) {
  std::vector<float> numbers(features, 0.0F);
  float number = 0;
  for (const FeatureGroup& group : found.groups) {
    if (group.parent >= 0) continue;
    ++number;
    for (const Index member : group.features) {
      float& own = numbers[static_cast<std::size_t>(member)];
      if (own == 0) own = number;
    }
  }
  return numbers;
}

}  // namespace

std::optional<Georeference> place_of(const Analysis& analysis, const RunRecord& record, const Context& context) {
  const std::optional<ImageShape>& shape = analysis.used.shape;
  if (!shape || analysis.figure_data.column.size() != analysis.features.size()) return std::nullopt;
  for (const auto& [file, digest] : record.inputs) {
    std::optional<Georeference> place = read_georeference(file, context);
    if (place && place->lines == shape->height && place->columns == shape->width) return place;
  }
  return std::nullopt;
}

std::string maps_tif(const Analysis& analysis, const Georeference& place) {
  std::vector<MapBand> bands;
  for (const ConditionResult& condition : analysis.conditions) {
    const Vector& energy = condition.groups.energy;
    const std::vector<float> energies(energy.begin(), energy.end());
    bands.push_back(band_of("energy " + condition.name, analysis, energies));
    bands.push_back(
        band_of("group " + condition.name, analysis, group_numbers(condition.groups, analysis.features.size())));
  }
  return encode_geotiff(place, bands);
}

}  // namespace disc
