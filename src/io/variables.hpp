// Files that hold several arrays: which of them is meant, and what their axes are.
#pragma once

#include <string>
#include <vector>

#include "io/format.hpp"

namespace disc::io {

struct Variable {
  std::string name;
  std::vector<Index> shape;
  bool readable = true;  ///< holds numbers that can be read
};

/// The name asked for (empty: none), else the only matrix, else the only variable. Throws InputError with the list.
std::string choose_variable(const std::vector<Variable>& variables, const std::string& wanted, const std::string& file);

/// "(3, 4)"
std::string shape_text(const std::vector<Index>& shape);

/// Numbers with any number of axes.
struct NumberArray {
  std::vector<Index> shape;
  bool first_axis_fastest = false;  ///< as MATLAB and Fortran store them
  ValuesInPlace values;
  std::shared_ptr<const void> owner;
};
NumberArray number_array(std::vector<Index> shape, std::vector<double> values, bool first_axis_fastest);

/// A matrix as it is; with --axes, or more than two axes, samples x features. `what` stands for the array in messages.
FileTable table_of_array(const NumberArray& array, const std::string& axes, const std::string& what);

/// Names as scanpy makes them unique: the second "A" becomes "A-1", the third "A-2". Returns how many were changed.
Index make_unique(std::vector<std::string>& names);

}  // namespace disc::io
