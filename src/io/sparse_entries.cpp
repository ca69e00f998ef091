#include "io/sparse_entries.hpp"

#include <algorithm>
#include <numeric>

namespace disc::io {
namespace {

constexpr Index rows_at_once = 1024;

// Sorts one row by column and adds up what stands at the same place; returns how many values are left.
Index sort_row(Index* columns, double* values, Index count) {
  if (std::adjacent_find(columns, columns + count, std::greater_equal<>()) == columns + count) return count;
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return columns[a] < columns[b]; });
  std::vector<std::pair<Index, double>> sorted;
  sorted.reserve(order.size());
  for (const Index k : order) {
    if (!sorted.empty() && sorted.back().first == columns[k]) {
      sorted.back().second += values[k];
    } else {
      sorted.emplace_back(columns[k], values[k]);
    }
  }
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    columns[k] = sorted[k].first;
    values[k] = sorted[k].second;
  }
  return static_cast<Index>(sorted.size());
}

// Closes the gaps that adding up left behind.
void compact(SparseMatrix& matrix, const std::vector<Index>& kept) {
  Index* starts = matrix.outerIndexPtr();
  Index to = 0;
  for (Index row = 0; row < matrix.rows(); ++row) {
    const Index from = starts[row];
    const Index count = kept[static_cast<std::size_t>(row)];
    std::copy(matrix.innerIndexPtr() + from, matrix.innerIndexPtr() + from + count, matrix.innerIndexPtr() + to);
    std::copy(matrix.valuePtr() + from, matrix.valuePtr() + from + count, matrix.valuePtr() + to);
    starts[row] = to;
    to += count;
  }
  starts[matrix.rows()] = to;
  matrix.resizeNonZeros(to);
}

// Sorts all rows and adds up what is repeated.
void tidy(SparseMatrix& matrix, const Context& context) {
  const Index rows = matrix.rows();
  const Index* starts = matrix.outerIndexPtr();
  std::vector<Index> kept(static_cast<std::size_t>(rows));
  context.parallel_for((rows + rows_at_once - 1) / rows_at_once, [&](Index item) {
    const Index last = std::min((item + 1) * rows_at_once, rows);
    for (Index row = item * rows_at_once; row < last; ++row) {
      kept[static_cast<std::size_t>(row)] = sort_row(matrix.innerIndexPtr() + starts[row],
                                                     matrix.valuePtr() + starts[row], starts[row + 1] - starts[row]);
    }
  });
  if (std::accumulate(kept.begin(), kept.end(), Index{0}) < starts[rows]) compact(matrix, kept);
}

}  // namespace

std::shared_ptr<SparseMatrix> from_entries(Index rows, Index cols, std::vector<std::vector<Entry>> parts,
                                           const Context& context) {
  auto result = std::make_shared<SparseMatrix>(rows, cols);
  SparseMatrix& matrix = *result;
  Index* starts = matrix.outerIndexPtr();
  for (const auto& part : parts) {
    context.check_stop();
    for (const Entry& entry : part) ++starts[entry.row + 1];
  }
  std::partial_sum(starts, starts + rows + 1, starts);
  matrix.resizeNonZeros(starts[rows]);
  std::vector<Index> next(starts, starts + rows);
  for (auto& part : parts) {
    context.check_stop();
    for (const Entry& entry : part) {
      const Index place = next[static_cast<std::size_t>(entry.row)]++;
      matrix.innerIndexPtr()[place] = entry.col;
      matrix.valuePtr()[place] = entry.value;
    }
    part = {};
  }
  tidy(matrix, context);
  return result;
}

std::shared_ptr<SparseMatrix> from_compressed(Index lines, Index width, CompressedLines arrays, const std::string& file,
                                              const Context& context) {
  const auto stored = static_cast<Index>(arrays.data.size());
  const auto refuse = [&](const std::string& reason) {
    throw InputError({.file = file}, "the sparse matrix is damaged: " + reason);
  };
  if (lines < 0 || width < 0) refuse("its shape is negative: " + std::to_string(lines) + " x " + std::to_string(width));
  check_sparse_size(lines, width, stored, file);
  if (static_cast<Index>(arrays.indices.size()) != stored) {
    refuse("'indices' has " + std::to_string(arrays.indices.size()) + " values, 'data' " + std::to_string(stored));
  }
  if (static_cast<Index>(arrays.starts.size()) != lines + 1) {
    refuse("'indptr' has " + std::to_string(arrays.starts.size()) + " values, " + std::to_string(lines + 1) +
           " are needed");
  }
  if (!std::is_sorted(arrays.starts.begin(), arrays.starts.end())) refuse("'indptr' decreases");
  if (arrays.starts.front() != 0) refuse("'indptr' begins at " + std::to_string(arrays.starts.front()) + ", not at 0");
  if (arrays.starts.back() != stored) {
    refuse("'indptr' ends at " + std::to_string(arrays.starts.back()) + ", 'data' at " + std::to_string(stored));
  }
  for (const Index index : arrays.indices) {
    if (index < 0 || index >= width) {
      refuse("the index " + std::to_string(index) + " is not a whole number from 0 to " + std::to_string(width - 1));
    }
  }
  auto result = std::make_shared<SparseMatrix>(lines, width);
  result->resizeNonZeros(stored);
  std::copy(arrays.starts.begin(), arrays.starts.end(), result->outerIndexPtr());
  std::copy(arrays.indices.begin(), arrays.indices.end(), result->innerIndexPtr());
  arrays.indices = {};
  std::copy(arrays.data.begin(), arrays.data.end(), result->valuePtr());
  arrays.data = {};
  tidy(*result, context);
  return result;
}

std::shared_ptr<SparseMatrix> transposed(const SparseMatrix& matrix) {
  auto turned = std::make_shared<SparseMatrix>();
  *turned = matrix.transpose();
  return turned;
}

void check_sparse_size(Index rows, Index cols, Index stored, const std::string& file) {
  // Most rows and columns of a matrix worth analyzing hold a value; these bounds are far from any of them.
  constexpr Index always_allowed = 100'000;
  constexpr Index per_value = 100;
  if (std::max(rows, cols) <= always_allowed || std::max(rows, cols) / per_value <= stored) return;
  throw InputError({.file = file}, "claims " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                                       " columns but stores only " + std::to_string(stored) +
                                       " values; the size is probably damaged");
}

}  // namespace disc::io
