// y = S x for a large symmetric S and a few interleaved columns x: the operation that decides the speed of the solvers.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

/// y = S x; every row of y is summed by one thread in a fixed order. y is resized and must not be x.
void thin_product(const SymmetricMatrix& s, const Block& x, Block& y, const Context& context);

}  // namespace disc
