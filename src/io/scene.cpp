#include "io/scene.hpp"

namespace disc::io {
namespace {

std::vector<std::string> pixel_names(Index columns, const PixelRange& range) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(range.count));
  for (Index pixel = range.first; pixel < range.first + range.count; ++pixel) {
    names.push_back("r" + std::to_string(pixel / columns + 1) + "c" + std::to_string(pixel % columns + 1));
  }
  return names;
}

}  // namespace

void describe_scene(const std::string& kind, Index lines, Index columns, const PixelRange& range,
                    FeaturesAre features_are, FileTable& table) {
  const bool of_pixels = features_are == FeaturesAre::pixels;
  table.column_names = pixel_names(columns, range);
  table.is_image = true;
  table.samples_in = of_pixels ? SamplesIn::rows : SamplesIn::columns;
  if (of_pixels) table.shape = {lines, columns};
  table.notes.push_back(
      kind + " of " + std::to_string(lines) + " lines x " + std::to_string(columns) + " samples x " +
      std::to_string(table.size().first) + " bands; features are " +
      (of_pixels ? "pixels, called r1c1 by line and sample; --features-are bands turns it" : "bands"));
}

}  // namespace disc::io
