// Which files make which condition: one each, several each, or as a table of files says.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "disc/io.hpp"

namespace disc {

/// One file of a condition, and what is known about it.
struct ManifestRow {
  std::filesystem::path file;
  std::string condition;
  std::vector<std::string> labels;  ///< as many as Manifest::label_names
};
struct Manifest {
  std::vector<std::string> label_names;
  std::vector<ManifestRow> rows;
};

/// Reads a table, tab- or comma-separated, with columns `file` (relative to the table), `condition`, and any others, which
/// become labels of the samples. Throws InputError where a file is missing or listed twice.
Manifest read_manifest(const std::filesystem::path& table);

/// From texts "A=one.csv,two.csv" or "A=scans/*.1D": the files of condition A; * and ? stand for parts of names. Throws
/// OptionError for a text without a name or a file, or a pattern that fits none.
Manifest manifest_of_conditions(std::span<const std::string> texts);

/// Reads all files of the manifest, in the order in which conditions appear. Files of a condition are put below each other, with the
/// features that all of them have; samples are then called "file:sample" and carry the label `file` and those of the manifest.
std::vector<Dataset> read_conditions(const Manifest& manifest, const ReadOptions& options, const Context& context);

}  // namespace disc
