// What is in a file: counted in one pass over blocks of samples.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "io/format.hpp"
#include "io/name_hints.hpp"
#include "io/number.hpp"

namespace disc {
namespace {

// What one block of features tells; blocks are put together in their order.
struct Counts {
  Index zeros = 0, non_finite = 0, constant = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  bool whole_numbers = true;
};

Counts count_block(const SampleMatrix& values, std::span<const Index> columns) {
  constexpr Index rows_at_once = 256;
  Counts counts;
  RowMatrix rows, start;
  std::vector<char> varies(columns.size(), 0);
  for (Index first = 0; first < values.rows(); first += rows_at_once) {
    values.copy_rows(first, std::min(rows_at_once, values.rows() - first), columns, rows);
    if (first == 0) start = rows.topRows(1);
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index j = 0; j < rows.cols(); ++j) {
        const double value = rows(i, j);
        varies[static_cast<std::size_t>(j)] |= static_cast<char>(value != start(0, j));
        if (!std::isfinite(value)) {
          ++counts.non_finite;
          continue;
        }
        counts.zeros += value == 0 ? 1 : 0;
        counts.smallest = std::min(counts.smallest, value);
        counts.largest = std::max(counts.largest, value);
        counts.whole_numbers = counts.whole_numbers && value == std::floor(value);
      }
    }
  }
  counts.constant = std::count(varies.begin(), varies.end(), 0);
  return counts;
}

// Only what is stored is looked at: the cells of a sparse matrix may be too many to count one by one.
Counts count_stored(const SparseMatrix& values, const Context& context) {
  Counts counts;
  struct Column {
    Index stored = 0;
    double first = 0;
    bool varies = false;
  };
  std::vector<Column> columns(static_cast<std::size_t>(values.cols()));
  Index stored_zeros = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    if (i % 1024 == 0) context.check_stop();
    for (SparseMatrix::InnerIterator entry(values, i); entry; ++entry) {
      const double value = entry.value();
      Column& column = columns[static_cast<std::size_t>(entry.col())];
      if (column.stored++ == 0) column.first = value;
      column.varies = column.varies || value != column.first;
      if (!std::isfinite(value)) {
        ++counts.non_finite;
        continue;
      }
      stored_zeros += value == 0 ? 1 : 0;
      counts.smallest = std::min(counts.smallest, value);
      counts.largest = std::max(counts.largest, value);
      counts.whole_numbers = counts.whole_numbers && value == std::floor(value);
    }
  }
  counts.zeros = values.rows() * values.cols() - values.nonZeros() + stored_zeros;
  if (values.nonZeros() < values.rows() * values.cols()) {
    counts.smallest = std::min(counts.smallest, 0.0);
    counts.largest = std::max(counts.largest, 0.0);
  }
  counts.constant = std::ranges::count_if(columns, [&](const Column& column) {
    const bool has_both = column.stored > 0 && column.stored < values.rows() && column.first != 0;
    return !column.varies && !has_both;
  });
  return counts;
}

Counts count_values(const SampleMatrix& values, const Context& context) {
  if (const SparseMatrix* sparse = values.sparse()) return count_stored(*sparse, context);
  constexpr Index features_at_once = 512;
  std::vector<Index> columns(static_cast<std::size_t>(values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  std::vector<Counts> blocks(static_cast<std::size_t>((values.cols() + features_at_once - 1) / features_at_once));
  context.parallel_for(static_cast<Index>(blocks.size()), [&](Index block) {
    const Index first = block * features_at_once;
    const Index count = std::min(features_at_once, values.cols() - first);
    blocks[static_cast<std::size_t>(block)] = count_block(
        values,
        std::span<const Index>(columns).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  });
  Counts total;
  for (const Counts& block : blocks) {
    total.zeros += block.zeros;
    total.non_finite += block.non_finite;
    total.constant += block.constant;
    total.smallest = std::min(total.smallest, block.smallest);
    total.largest = std::max(total.largest, block.largest);
    total.whole_numbers = total.whole_numbers && block.whole_numbers;
  }
  return total;
}

void add_hints(Inspection& inspection, const Dataset& dataset, const Counts& counts, const ReadOptions& options) {
  const bool by_rows = options.samples_in == SamplesIn::rows;
  const bool samples_named = io::has_sample_names(dataset);
  if (io::looks_exchanged(dataset)) {
    inspection.notes.push_back(std::string("the names of samples and features look exchanged; try --samples-in ") +
                               (by_rows ? "columns" : "rows"));
  } else if (samples_named && !dataset.features_named && options.axes.empty()) {
    inspection.notes.push_back(
        std::string("samples have names and features have none; if these are the features' names, use "
                    "--samples-in ") +
        (by_rows ? "columns" : "rows"));
  }
  constexpr double many = 2;  // whole numbers up to this may be categories
  if (!dataset.is_image && counts.whole_numbers && counts.smallest >= 0 && counts.largest > many) {
    inspection.notes.emplace_back("all values are whole numbers and none is negative: they look like counts");
  }
  if (counts.non_finite > 0) {
    inspection.notes.emplace_back(
        "there are missing or infinite values; --missing drop-features, drop-samples or mean says what to do with "
        "them");
  }
  if (dataset.values.rows() < 2) inspection.notes.emplace_back("one sample is not enough for an analysis");
}

LabelSummary summarize(const LabelColumn& column) {
  constexpr std::size_t shown = 12;
  std::map<std::string, Index> counts;
  for (const std::string& value : column.values) ++counts[value];
  const std::vector<std::string> values = distinct_values(column);
  LabelSummary summary{column.name, static_cast<Index>(values.size()), counts[""], {}};
  for (std::size_t i = 0; i < std::min(shown, values.size()); ++i) {
    summary.first_values.emplace_back(values[i], counts[values[i]]);
  }
  return summary;
}

// The column that most looks like conditions: few values, each with several samples.
void suggest_command(Inspection& inspection, const std::string& file) {
  const LabelSummary* best = nullptr;
  for (const LabelSummary& label : inspection.labels) {
    const bool few = label.distinct >= 2 && 20 * label.distinct <= inspection.samples;
    if (few && (best == nullptr || label.distinct < best->distinct)) best = &label;
  }
  if (best != nullptr) {
    inspection.notes.push_back("to compare by label: disc run " + file + " --by " + best->name);
  }
}

}  // namespace

std::vector<std::string> distinct_values(const LabelColumn& column) {
  std::set<std::string> values(column.values.begin(), column.values.end());
  values.erase("");
  std::vector<std::string> sorted(values.begin(), values.end());
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& value : sorted) {
    double number = 0;
    const char* const end = value.data() + value.size();
    if (io::read_number(value.data(), end, number) != end || std::isnan(number)) return sorted;
    numbers.emplace_back(number, value);
  }
  std::stable_sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = numbers[i].second;
  return sorted;
}

Inspection inspect(const std::filesystem::path& file, const ReadOptions& options, const Context& context) {
  io::ReadResult read = io::read_file(file, options, context);
  const Dataset& dataset = read.dataset;
  const Counts counts = count_values(dataset.values, context);
  Inspection inspection;
  inspection.format = std::string(read.format);
  inspection.samples = dataset.values.rows();
  inspection.features = dataset.values.cols();
  inspection.sparse = dataset.values.is_sparse();
  inspection.stored = dataset.values.stored();
  inspection.zeros = counts.zeros;
  inspection.non_finite = counts.non_finite;
  inspection.constant_features = counts.constant;
  if (counts.smallest <= counts.largest) {
    inspection.smallest = counts.smallest;
    inspection.largest = counts.largest;
  }
  inspection.features_named = dataset.features_named;
  constexpr std::size_t shown = 5;
  const auto first_of = [&](const std::vector<std::string>& names) {
    return std::vector<std::string>(names.begin(), names.begin() + static_cast<Index>(std::min(shown, names.size())));
  };
  inspection.first_features = first_of(dataset.features);
  inspection.first_samples = first_of(dataset.samples);
  inspection.notes = std::move(read.notes);
  inspection.shape = dataset.shape;
  for (const LabelColumn& column : dataset.labels) inspection.labels.push_back(summarize(column));
  add_hints(inspection, dataset, counts, options);
  suggest_command(inspection, file.string());
  return inspection;
}

}  // namespace disc
