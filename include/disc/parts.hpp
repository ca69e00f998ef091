// Some of the features of a file, read without the others: for processes that divide the features.
#pragma once

#include <filesystem>
#include <optional>

#include "disc/io.hpp"

namespace disc {

/// How many features a file has, if it can be read in parts: npy arrays of two dimensions as numpy writes them, and ENVI cubes whose
/// features are pixels, not compressed. Throws InputError as read_dataset does.
std::optional<Index> features_to_divide(const std::filesystem::path& file, const ReadOptions& options,
                                        const Context& context);

/// As read_dataset, the features first .. first + count - 1 of such a file, with the names they have among all.
Dataset read_features(const std::filesystem::path& file, const ReadOptions& options, Index first, Index count,
                      const Context& context);

}  // namespace disc
