// What is known about the samples: columns of a table, or labels that the data bring along.
#pragma once

#include <map>
#include <optional>

#include "disc/pipeline.hpp"

namespace disc {

class SampleColumns {
 public:
  /// `table`: a file, or empty. `by_condition`: where it has a column "condition", this and the sample's name make a row.
  SampleColumns(const std::string& table, bool by_condition);

  /// One text per sample: the column of the table, or the label of that name. A sample without a row in the table has an empty
  /// text, or is an error if `every_sample`. `option` asked for the column, for messages. "NAME:_" is the part before the last '_' of
  /// each value, and `sample` the names of the samples.
  std::vector<std::string> of(const Dataset& dataset, const std::string& column, const std::string& option,
                              bool every_sample = true) const;

  /// The columns of the table become labels of the data, where they have none of that name.
  void add_labels(Dataset& dataset) const;

 private:
  std::vector<std::string> whole(const Dataset& dataset, const std::string& column, const std::string& option,
                                 bool every_sample) const;

  std::string file_;
  TextTable table_;
  bool by_condition_ = false;
  std::map<std::pair<std::string, std::string>, std::size_t> row_of_;  // condition (or nothing) and sample
};

}  // namespace disc
