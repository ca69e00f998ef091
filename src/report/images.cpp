#include "report/images.hpp"

#include <charconv>
#include <cmath>

#include "disc/options.hpp"

namespace disc::report {
namespace {

constexpr Index max_pixels = 128;  // along a side
constexpr Index max_images = 4;    // vectors of one condition

// Where features lie on an image that was made smaller by `factor`.
class Grid {
 public:
  Grid(const ImageShape& shape, std::vector<Index> columns) : columns_(std::move(columns)), width_before_(shape.width) {
    factor_ = (std::max(shape.height, shape.width) + max_pixels - 1) / max_pixels;
    height_ = (shape.height + factor_ - 1) / factor_;
    width_ = (shape.width + factor_ - 1) / factor_;
  }
  Index height() const { return height_; }
  Index width() const { return width_; }
  Index factor() const { return factor_; }
  std::size_t pixel(Index feature) const {
    const Index column = columns_[static_cast<std::size_t>(feature)];
    return static_cast<std::size_t>(column / width_before_ / factor_ * width_ + column % width_before_ / factor_);
  }
  std::size_t pixels() const { return static_cast<std::size_t>(height_ * width_); }

 private:
  std::vector<Index> columns_;
  Index width_before_, height_ = 0, width_ = 0, factor_ = 1;
};

// Means over what shares a pixel; null where no feature took part.
Json image_of(const Grid& grid, const RowMatrix& vectors, Index column) {
  std::vector<double> sums(grid.pixels(), 0.0);
  std::vector<int> counts(grid.pixels(), 0);
  for (Index j = 0; j < vectors.rows(); ++j) {
    sums[grid.pixel(j)] += vectors(j, column);
    ++counts[grid.pixel(j)];
  }
  Json values = Json::array();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    values.push_back(counts[i] == 0 ? Json(nullptr) : rounded(sums[i] / counts[i], 3));
  }
  return values;
}

// The number of the group that a pixel belongs to, 0 for none, null where no feature took part.
Json map_of_groups(const Grid& grid, const std::vector<std::vector<Index>>& groups, Index features) {
  Json values(std::vector<Json>(grid.pixels(), nullptr));
  for (Index j = 0; j < features; ++j) values[grid.pixel(j)] = 0;
  for (std::size_t g = groups.size(); g-- > 0;) {
    for (const Index member : groups[g]) values[grid.pixel(member)] = g + 1;
  }
  return values;
}

}  // namespace

Json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  double short_value = 0;
  std::from_chars(text, end, short_value);
  if (short_value == std::floor(short_value) && std::abs(short_value) < 1e15)
    return static_cast<std::int64_t>(short_value);
  return short_value;
}

Json describe_images(const RunFiles& files, const std::vector<std::string>& keys,
                     const std::vector<std::vector<std::vector<Index>>>& members, const std::string& shape,
                     Index features) {
  RunOptions options;
  find_option("shape").set(options, shape);
  if (!options.shape) return nullptr;
  const Index pixels = options.shape->height * options.shape->width;
  const Grid grid(*options.shape, files.places("figure_data.npz", "column", pixels));
  Json conditions = Json::array();
  for (std::size_t m = 0; m < keys.size(); ++m) {
    const RowMatrix vectors = files.vectors(keys[m]);
    Json images = Json::array();
    for (Index i = 0; i < std::min(max_images, vectors.cols()); ++i) images.push_back(image_of(grid, vectors, i));
    const std::string means = "means_" + keys[m];
    const bool has_means = files.has_array("figure_data.npz", means);
    conditions.push_back(
        {{"vectors", std::move(images)},
         {"mean", has_means ? image_of(grid, files.array("figure_data.npz", means), 0) : Json(nullptr)},
         {"groups", map_of_groups(grid, members[m], features)}});
  }
  return {{"height", grid.height()},
          {"width", grid.width()},
          {"factor", grid.factor()},
          {"conditions", std::move(conditions)}};
}

}  // namespace disc::report
