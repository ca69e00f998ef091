#include "io/name_hints.hpp"

#include <algorithm>

namespace disc::io {
namespace {

// Barcodes of single cells: eight or more of A, C, G and T, perhaps with "-1" behind.
bool looks_like_cell(const std::string& name) {
  const std::size_t length = std::min(name.find_first_not_of("ACGT"), name.size());
  return length >= 8 && (length == name.size() || name[length] == '-' || name[length] == '_');
}

bool looks_like_gene(const std::string& name) { return name.starts_with("ENS") && name.find('G') != std::string::npos; }

bool mostly(const std::vector<std::string>& names, bool (*test)(const std::string&)) {
  return 2 * std::count_if(names.begin(), names.end(), test) > static_cast<Index>(names.size());
}

}  // namespace

bool are_ensembl_genes(const std::vector<std::string>& names) { return mostly(names, looks_like_gene); }

bool looks_exchanged(const Dataset& dataset) {
  return mostly(dataset.features, looks_like_cell) || mostly(dataset.samples, looks_like_gene);
}

bool has_sample_names(const Dataset& dataset) { return dataset.samples != numbered_names("s", dataset.values.rows()); }

}  // namespace disc::io
