// Where the pixels of a scene lie on the earth, and maps that lie there too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/matrix.hpp"

namespace disc {

/// The tags of a GeoTIFF, which are handed on as they are.
struct Georeference {
  Index lines = 0, columns = 0;  ///< pixels of the scene
  std::vector<double> pixel_scale, tiepoints, transformation;
  std::vector<std::uint16_t> keys;  ///< the directory of the keys, four numbers each
  std::vector<double> key_numbers;
  std::string key_texts;
  bool operator==(const Georeference&) const = default;
};

/// Of a TIFF; unset: it is another file, or can no longer be read.
std::optional<Georeference> read_georeference(const std::filesystem::path& file, const Context& context);

/// Numbers for every pixel of a scene, line by line; NaN: none.
struct MapBand {
  std::string name;
  std::vector<float> values;
};
/// A GeoTIFF with these bands, which lie where `place` says.
std::string encode_geotiff(const Georeference& place, std::span<const MapBand> bands);

}  // namespace disc
