#include <algorithm>
#include <numeric>
#include <utility>

#include "disc/matrix.hpp"

namespace disc {
namespace {

bool are_consecutive(std::span<const Index> columns) {
  for (std::size_t j = 1; j < columns.size(); ++j) {
    if (columns[j] != columns[0] + static_cast<Index>(j)) return false;
  }
  return !columns.empty();
}

// Some columns of as many rows as `out` has, in the order in which they lie in memory.
template <class Number>
void copy_strided(const Number* from, Index row_stride, Index col_stride, std::span<const Index> columns,
                  RowMatrix& out) {
  const Index width = out.cols();
  if (row_stride == 1) {  // features are contiguous
    for (Index j = 0; j < width; ++j) {
      const Number* feature = from + columns[static_cast<std::size_t>(j)] * col_stride;
      for (Index i = 0; i < out.rows(); ++i) out(i, j) = static_cast<double>(feature[i]);
    }
    return;
  }
  const bool in_one_piece = col_stride == 1 && are_consecutive(columns);
  for (Index i = 0; i < out.rows(); ++i) {
    const Number* row = from + i * row_stride;
    double* to = out.data() + i * width;
    if (in_one_piece) {
      std::copy_n(row + columns[0], width, to);
    } else {
      for (Index j = 0; j < width; ++j) {
        to[j] = static_cast<double>(row[columns[static_cast<std::size_t>(j)] * col_stride]);
      }
    }
  }
}

}  // namespace

SampleMatrix::SampleMatrix(RowMatrix values) {
  auto owned = std::make_shared<const RowMatrix>(std::move(values));
  rows_ = owned->rows();
  cols_ = owned->cols();
  values_ = owned->data();
  row_stride_ = cols_;
  col_stride_ = 1;
  owner_ = std::move(owned);
}

SampleMatrix::SampleMatrix(SparseMatrix values) {
  values.makeCompressed();
  rows_ = values.rows();
  cols_ = values.cols();
  auto owned = std::make_shared<SparseMatrix>();
  owned->swap(values);  // Eigen's sparse matrices copy where others move
  sparse_ = std::move(owned);
}

SampleMatrix::SampleMatrix(ValuesInPlace values, Index rows, Index cols, Index row_stride, Index col_stride,
                           std::shared_ptr<const void> owner)
    : rows_(rows),
      cols_(cols),
      values_(values),
      row_stride_(row_stride),
      col_stride_(col_stride),
      owner_(std::move(owner)) {}

Index SampleMatrix::stored() const { return sparse_ ? sparse_->nonZeros() : rows_ * cols_; }

double SampleMatrix::at(Index row, Index col) const {
  if (sparse_) return sparse_->coeff(row, col);
  const Index place = row * row_stride_ + col * col_stride_;
  return std::visit([&](const auto* values) { return static_cast<double>(values[place]); }, values_);
}

const double* SampleMatrix::contiguous_row(Index row, std::span<const Index> columns) const {
  const auto* doubles = std::get_if<const double*>(&values_);
  if (sparse_ || doubles == nullptr || col_stride_ != 1 || !are_consecutive(columns)) return nullptr;
  return *doubles + row * row_stride_ + columns[0];
}

void SampleMatrix::copy_rows(Index first, Index count, std::span<const Index> columns, RowMatrix& out) const {
  const Index width = static_cast<Index>(columns.size());
  out.resize(count, width);
  if (sparse_) {
    Eigen::RowVectorXd line(cols_);
    for (Index i = 0; i < count; ++i) {
      line.setZero();
      for (SparseMatrix::InnerIterator entry(*sparse_, first + i); entry; ++entry) line[entry.col()] = entry.value();
      for (Index j = 0; j < width; ++j) out(i, j) = line[columns[static_cast<std::size_t>(j)]];
    }
    return;
  }
  std::visit(
      [&](const auto* values) {
        if (values != nullptr) copy_strided(values + first * row_stride_, row_stride_, col_stride_, columns, out);
      },
      values_);
}

namespace {

SampleMatrix select_rows(const SampleMatrix& values, std::span<const Index> rows) {
  const auto count = static_cast<Index>(rows.size());
  if (const SparseMatrix* all = values.sparse()) {
    SparseMatrix some(count, values.cols());
    Index* starts = some.outerIndexPtr();
    for (Index i = 0; i < count; ++i) {
      starts[i + 1] = starts[i] + all->innerVector(rows[static_cast<std::size_t>(i)]).nonZeros();
    }
    some.resizeNonZeros(starts[count]);
    for (Index i = 0; i < count; ++i) {
      const Index from = all->outerIndexPtr()[rows[static_cast<std::size_t>(i)]], length = starts[i + 1] - starts[i];
      std::copy_n(all->innerIndexPtr() + from, length, some.innerIndexPtr() + starts[i]);
      std::copy_n(all->valuePtr() + from, length, some.valuePtr() + starts[i]);
    }
    return SampleMatrix(std::move(some));
  }
  std::vector<Index> columns(static_cast<std::size_t>(values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  RowMatrix some(count, values.cols()), row;
  for (Index i = 0; i < count; ++i) {
    values.copy_rows(rows[static_cast<std::size_t>(i)], 1, columns, row);
    some.row(i) = row;
  }
  return SampleMatrix(std::move(some));
}

}  // namespace

Dataset select_samples(const Dataset& dataset, std::span<const Index> rows) {
  Dataset some = dataset;
  some.values = select_rows(dataset.values, rows);
  const auto select = [&](const std::vector<std::string>& all) {
    std::vector<std::string> texts;
    for (const Index row : rows) texts.push_back(all[static_cast<std::size_t>(row)]);
    return texts;
  };
  some.samples = select(dataset.samples);
  for (LabelColumn& label : some.labels) label.values = select(label.values);
  return some;
}

Index SymmetricMatrix::size() const {
  return visit([](const auto& values) { return values.innerSize(); });
}

Index SymmetricMatrix::own_size() const {
  return visit([](const auto& values) { return values.outerSize(); });
}

double SymmetricMatrix::operator()(Index i, Index j) const {
  return visit([&](const auto& values) { return static_cast<double>(values.coeff(i, j)); });
}

}  // namespace disc
