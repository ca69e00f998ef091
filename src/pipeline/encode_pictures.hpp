// The files that hold Analysis::pictures.
#pragma once

#include "disc/pipeline.hpp"

namespace disc {

/// One row per sample: its components, and the meta-feature of every group.
std::string samples_tsv(const Analysis& analysis);

/// Weights of features and groups. `keys` are the names of the conditions within archives.
std::string pictures_npz(const Analysis& analysis, const std::vector<std::string>& keys);

}  // namespace disc
