// Arrays of Python as data of the engine.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <map>
#include <string>

#include "disc/matrix.hpp"

namespace disc::python {

namespace nb = nanobind;

using Texts = std::map<std::string, std::string>;  // options as they would be written on the command line

using DoubleArray2 = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;  // any strides: nothing is copied
using DoubleArray1 = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndexArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Values stay where they are, in any strided layout; the array is kept alive.
Dataset dense_dataset(nb::object array);
/// Values of a matrix in compressed rows are copied. Throws InputError where the arrays are no such matrix.
Dataset sparse_dataset(Index rows, Index cols, const DoubleArray1& values, const IndexArray& columns,
                       const IndexArray& row_starts);

/// A matrix of the engine as an array that owns it.
using OwnedArray = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
OwnedArray to_numpy(Matrix values);

void bind_datasets(nb::module_& module);
void bind_follow_up(nb::module_& module);

}  // namespace disc::python
