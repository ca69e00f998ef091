// The headers of NIfTI images, versions 1 and 2.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "disc/base.hpp"
#include "io/raw_numbers.hpp"

namespace disc::io {

using NiftiAffine = Eigen::Matrix4d;

struct NiftiImage {
  std::array<Index, 3> grid{};  ///< voxels along x, y, z
  Index volumes = 0;
  RawType type;
  const char* begin = nullptr;  ///< of the values
  double slope = 1, intercept = 0;
  std::optional<NiftiAffine> place{};  ///< from indices of voxels to millimetres; unset: the file does not say
  Index voxels() const { return grid[0] * grid[1] * grid[2]; }
};

/// Believes nothing: sizes are held against the bytes there are. Throws InputError.
NiftiImage parse_nifti(std::string_view bytes, const std::string& file);

}  // namespace disc::io
