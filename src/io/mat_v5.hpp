// MATLAB files of version 5 (also written by versions 6 and 7): a list of elements, each perhaps compressed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/variables.hpp"

namespace disc::io {

bool is_mat_v5(std::string_view bytes);

class MatV5File {
 public:
  /// The source must outlive it. Reads the descriptions of the variables, not their values.
  MatV5File(const Source& source, const Context& context);

  const std::vector<Variable>& variables() const { return variables_; }
  /// Values of a variable, dense or sparse.
  FileTable read(const std::string& name, const std::string& axes) const;

 private:
  struct Element {
    std::string_view bytes;
    bool compressed = false;
  };
  std::string contents(const Element& element, std::size_t limit) const;

  const Source& source_;
  const Context& context_;
  bool big_endian_ = false;
  std::vector<Variable> variables_;
  std::vector<Element> elements_;  // of the variables
};

}  // namespace disc::io
