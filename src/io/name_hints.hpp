// What names look like: barcodes of cells, identifiers of genes.
#pragma once

#include <string>
#include <vector>

#include "disc/matrix.hpp"

namespace disc::io {

/// Identifiers of the Ensembl database.
bool are_ensembl_genes(const std::vector<std::string>& names);
/// Features are called like cells, or samples like genes: the table was meant to be read the other way round.
bool looks_exchanged(const Dataset& dataset);
/// The names of the samples were not made up.
bool has_sample_names(const Dataset& dataset);

}  // namespace disc::io
