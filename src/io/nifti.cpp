// NIfTI brain images: volumes of voxels. With an atlas, the features are means over its parcels; without one, they are the voxels.
#include <algorithm>
#include <cmath>
#include <map>

#include "io/format.hpp"
#include "io/nifti_header.hpp"

namespace disc::io {
namespace {

void read_volume(const NiftiImage& image, Index volume, double* to, const Context& context) {
  const Index voxels = image.voxels();
  convert_numbers(image.type, image.begin + volume * voxels * image.type.size, voxels, to, context);
  if (image.slope == 1 && image.intercept == 0) return;
  for (Index v = 0; v < voxels; ++v) to[v] = to[v] * image.slope + image.intercept;
}

std::string grid_text(const NiftiImage& image) {
  return std::to_string(image.grid[0]) + " x " + std::to_string(image.grid[1]) + " x " + std::to_string(image.grid[2]);
}

// For every voxel the position of its parcel, or -1; parcels are called by their numbers.
struct Parcels {
  std::vector<Index> of_voxel;
  std::vector<std::string> names;
};

// From indices of voxels of the image to those of the atlas.
NiftiAffine image_to_atlas(const NiftiImage& image, const NiftiImage& atlas) {
  if (!image.place || !atlas.place) return NiftiAffine::Identity();
  return atlas.place->inverse() * *image.place;
}

// The voxels of both lie at the same places.
bool is_same_grid(const NiftiImage& image, const NiftiImage& atlas, const NiftiAffine& between) {
  constexpr double tolerance = 0.01;  // of a voxel, from one end of the image to the other
  if (image.grid != atlas.grid) return false;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector4d at(0, 0, 0, 1);
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(image.grid[static_cast<std::size_t>(axis)] - 1) : 0.0;
    if ((between * at - at).cwiseAbs().maxCoeff() > tolerance) return false;
  }
  return true;
}

// For every voxel of the image the number of the parcel at its place: that of the nearest voxel of the atlas.
std::vector<double> resampled(const std::vector<double>& labels, const NiftiImage& atlas, const NiftiImage& image,
                              const NiftiAffine& between) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(image.voxels()));
  for (Index z = 0; z < image.grid[2]; ++z) {
    for (Index y = 0; y < image.grid[1]; ++y) {
      for (Index x = 0; x < image.grid[0]; ++x) {
        const Eigen::Vector4d at =
            between * Eigen::Vector4d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z), 1);
        Index place = 0;
        bool is_inside = true;
        for (std::size_t axis = 3; axis-- > 0;) {
          const double nearest = std::floor(at[static_cast<Index>(axis)] + 0.5);
          is_inside = is_inside && nearest >= 0 && nearest < static_cast<double>(atlas.grid[axis]);
          place = place * atlas.grid[axis] + (is_inside ? static_cast<Index>(nearest) : 0);
        }
        result.push_back(is_inside ? labels[static_cast<std::size_t>(place)] : 0.0);
      }
    }
  }
  return result;
}

void check_label(double label, const std::string& file) {
  if (label == std::floor(label) && std::isfinite(label)) return;
  throw InputError({.file = file, .value = format_number(label)},
                   "a voxel of the atlas is " + format_number(label) + "; parcels are whole numbers, 0 is outside");
}

void check_atlas(const NiftiImage& atlas, const NiftiImage& image, const std::string& file,
                 const std::string& image_file) {
  const bool can_be_placed = atlas.place && image.place;
  if (atlas.volumes == 1 && (atlas.grid == image.grid || can_be_placed)) return;
  throw InputError({.file = file},
                   "the atlas has " + grid_text(atlas) + " voxels in " + std::to_string(atlas.volumes) +
                       " volumes, but " + image_file + " has " + grid_text(image) +
                       "; an atlas is one volume on the grid of the images, unless both say where their "
                       "voxels lie (sform or qform)");
}

// The labels of the atlas for every voxel of the image.
std::vector<double> labels_on_grid(const NiftiImage& atlas, const NiftiImage& image, const std::string& file,
                                   const std::string& image_file, const Context& context) {
  check_atlas(atlas, image, file, image_file);
  std::vector<double> labels(static_cast<std::size_t>(atlas.voxels()));
  read_volume(atlas, 0, labels.data(), context);
  for (const double label : labels) check_label(label, file);
  const NiftiAffine between = image_to_atlas(image, atlas);
  if (is_same_grid(image, atlas, between)) return labels;
  context.warn(file + ": the voxels of the atlas lie at other places than those of " + image_file +
               " (another orientation, size or origin); each voxel gets the parcel at its place");
  return resampled(labels, atlas, image, between);
}

Parcels read_parcels(const std::string& file, const NiftiImage& like, const std::string& image_file,
                     const Context& context) {
  const Bytes bytes = decompressed(load_file(file, context), file, context);
  const NiftiImage atlas = parse_nifti(bytes.view, file);
  const std::vector<double> labels = labels_on_grid(atlas, like, file, image_file, context);
  std::map<double, Index> parcels;
  for (const double label : labels) {
    if (label != 0) parcels.emplace(label, 0);
  }
  if (parcels.empty()) {
    throw InputError({.file = file}, "the atlas has no parcels where " + image_file + " has voxels: all of them are 0");
  }
  Parcels result;
  for (auto& [label, place] : parcels) {
    place = static_cast<Index>(result.names.size());
    result.names.push_back(format_number(label));
  }
  for (const double label : labels) result.of_voxel.push_back(label == 0 ? -1 : parcels.at(label));
  return result;
}

// Means over parcels, volume by volume: the image is never held as doubles.
FileTable parcel_means(const NiftiImage& image, const Parcels& parcels, const Context& context) {
  const auto width = static_cast<Index>(parcels.names.size());
  const auto means = std::make_shared<std::vector<double>>(static_cast<std::size_t>(image.volumes * width), 0.0);
  std::vector<double> sizes(parcels.names.size(), 0.0);
  for (const Index parcel : parcels.of_voxel) {
    if (parcel >= 0) sizes[static_cast<std::size_t>(parcel)] += 1;
  }
  context.parallel_for(image.volumes, [&](Index volume) {
    std::vector<double> values(static_cast<std::size_t>(image.voxels()));
    read_volume(image, volume, values.data(), context);
    double* const row = means->data() + volume * width;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (parcels.of_voxel[v] >= 0) row[parcels.of_voxel[v]] += values[v];
    }
    for (Index j = 0; j < width; ++j) row[j] /= sizes[static_cast<std::size_t>(j)];
  });
  FileTable table;
  table.values = DenseValues{means->data(), image.volumes, width, width, 1, means};
  table.column_names = parcels.names;
  table.notes.push_back("means over " + std::to_string(width) + " parcels of the atlas");
  return table;
}

FileTable all_voxels(const NiftiImage& image, const Context& context) {
  const Index voxels = image.voxels();
  const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(image.volumes * voxels));
  context.parallel_for(image.volumes,
                       [&](Index volume) { read_volume(image, volume, values.get() + volume * voxels, context); });
  FileTable table;
  table.values = DenseValues{values.get(), image.volumes, voxels, voxels, 1, values};
  for (Index z = 1; z <= image.grid[2]; ++z) {
    for (Index y = 1; y <= image.grid[1]; ++y) {
      for (Index x = 1; x <= image.grid[0]; ++x) {
        table.column_names.push_back(std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z));
      }
    }
  }
  table.shape = {image.grid[2], image.grid[1], image.grid[0]};
  table.notes.emplace_back("features are voxels, named x,y,z; --atlas FILE takes means over its parcels");
  return table;
}

}  // namespace

FileTable read_nifti(const Source& source, const ReadOptions& options, const Context& context) {
  const NiftiImage image = parse_nifti(source.bytes.view, source.file);
  FileTable table = options.atlas.empty()
                        ? all_voxels(image, context)
                        : parcel_means(image, read_parcels(options.atlas, image, source.file, context), context);
  table.samples_in = SamplesIn::rows;
  table.notes.insert(table.notes.begin(), std::to_string(image.volumes) +
                                              (image.volumes == 1 ? " volume of " : " volumes of ") + grid_text(image) +
                                              " voxels; volumes are the samples");
  return table;
}

}  // namespace disc::io
