// Communities of a weighted graph by greedy modularity (Blondel et al. 2008).
#pragma once

#include "disc/matrix.hpp"

namespace disc {

/// Labels 0 .. of the nodes of a symmetric graph without self weights. Nodes are visited in their order and ties go to the
/// first community: no random numbers, the same labels for any number of threads.
/// Communities are put together until there are at most `enough` of more than one node; 0: as long as that is better. A larger
/// `resolution` gives smaller communities (Reichardt & Bornholdt 2006); 1 is modularity.
std::vector<Index> louvain(const SparseMatrix& weights, Index enough = 0, double resolution = 1.0);

}  // namespace disc
