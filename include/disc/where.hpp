// Part of the samples: conditions on their labels, such as "cell_type == CD14 Mono and age >= 60".
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "disc/pipeline.hpp"

namespace disc {

/// An expression over labels of samples: comparisons (==, !=, <, <=, >, >=, in), joined by `and`, `or`, `not` and brackets. Values need
/// no quotes unless they hold one of these words or signs. A sample without a value of a label meets no comparison with it.
class SampleFilter {
 public:
  /// Throws OptionError (option `where`) that says where the expression cannot be understood.
  explicit SampleFilter(const std::string& expression);
  ~SampleFilter();
  SampleFilter(const SampleFilter&) = delete;
  SampleFilter& operator=(const SampleFilter&) = delete;

  /// The labels that are asked for, in the order in which they appear.
  const std::vector<std::string>& labels() const { return labels_; }

  /// The samples that meet the expression, for each of several sets of samples. `values(set, label)` gives one value per sample.
  /// Throws InputError for a value that no sample of any set has, with those that there are.
  std::vector<std::vector<Index>> rows(
      Index sets, const std::function<std::vector<std::string>(Index set, const std::string& label)>& values) const;

  struct Node;

 private:
  std::string expression_;
  std::unique_ptr<Node> root_;
  std::vector<std::string> labels_;
};

/// Those samples of every condition that meet `design.where`, which may speak of labels of the data, of columns of `design.metadata`,
/// and of `sample`, their names. Throws InputError where none of a condition are left. Without an expression all stay.
std::vector<Dataset> select_where(std::vector<Dataset> conditions, const DesignOptions& design, const Context& context);

}  // namespace disc
