#include "graph/prepared_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "disc/team.hpp"
#include "matrix/normal_quantile.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

// Rows that are copied at once: with a million features one row takes 8 MB.
Index rows_at_once(Index features) { return std::clamp<Index>((Index{1} << 22) / std::max<Index>(1, features), 1, 64); }

// Columns of a matrix, one at a time: a sparse one is stored by rows, where a column is far to seek.
class ColumnReader {
 public:
  explicit ColumnReader(const SampleMatrix& values) : values_(values) {
    if (const SparseMatrix* by_rows = values.sparse()) by_columns_ = *by_rows;
  }
  Vector operator()(Index column) const {
    if (!values_.is_sparse()) {
      RowMatrix part;
      values_.copy_rows(0, values_.rows(), {&column, 1}, part);
      return part.col(0);
    }
    return by_columns_.col(column);
  }

 private:
  const SampleMatrix& values_;
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> by_columns_;
};

// What ranks 1, 3/2, 2, ... among n become (van der Waerden): the quantile of rank / (n + 1). Half ranks are those of ties.
std::vector<double> normal_scores(Index n) {
  std::vector<double> scores;
  for (Index twice = 0; twice < 2 * n - 1; ++twice) {
    const double above = (0.5 * static_cast<double>(twice) + 1.0) / static_cast<double>(n + 1);
    scores.push_back(-normal_upper_quantile(above));
  }
  return scores;
}

// Ranks of each column, or their normal scores; ties get their mean rank. Spearman's correlation is the correlation of ranks.
SampleMatrix rank_columns(const SampleMatrix& values, std::span<const Index> columns, bool to_normal,
                          const Context& context) {
  const Index n = values.rows();
  const Index p = static_cast<Index>(columns.size());
  RowMatrix ranks(n, p);
  const ColumnReader column(values);
  const std::vector<double> scores = to_normal ? normal_scores(n) : std::vector<double>();
  context.parallel_for(p, [&](Index feature) {
    const Vector part = column(columns[static_cast<std::size_t>(feature)]);
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return part[a] < part[b]; });
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first;
      while (last + 1 < order.size() && part[order[last + 1]] == part[order[first]]) ++last;
      const double rank = to_normal ? scores[first + last] : 0.5 * static_cast<double>(first + last);
      for (std::size_t k = first; k <= last; ++k) ranks(order[k], feature) = rank;
      first = last + 1;
    }
  });
  return SampleMatrix(std::move(ranks));
}

std::vector<Index> all_columns(Index count) {
  std::vector<Index> columns(static_cast<std::size_t>(count));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

DISC_SIMD void prepare_row(const double* row, const double* offset, const double* scale, Index count, double* out) {
  for (Index j = 0; j < count; ++j) out[j] = (row[j] - offset[j]) * scale[j];
}
DISC_SIMD void prepare_row(const double* row, const double* offset, const double* scale, Index count, float* out) {
  for (Index j = 0; j < count; ++j) out[j] = static_cast<float>((row[j] - offset[j]) * scale[j]);
}
DISC_SIMD void shift_row(const double* row, double shift, Index count, double* out) {
  for (Index j = 0; j < count; ++j) out[j] = row[j] - shift;
}
DISC_SIMD void shift_row(const double* row, double shift, Index count, float* out) {
  for (Index j = 0; j < count; ++j) out[j] = static_cast<float>(row[j] - shift);
}

double median(Vector values) {
  double* middle = values.data() + values.size() / 2;
  std::nth_element(values.data(), middle, values.data() + values.size());
  return *middle;
}

// Sums over samples of f(row of values), added in a fixed order whatever the number of threads.
template <class F>
Vector sum_over_samples(const SampleMatrix& values, std::span<const Index> columns, const Context& context,
                        F&& add_row) {
  const Index chunk = 1024;
  const Index chunks = (values.rows() + chunk - 1) / chunk;
  std::vector<Vector> partial(static_cast<std::size_t>(chunks));
  context.parallel_for(chunks, [&](Index c) {
    Vector sums = Vector::Zero(static_cast<Index>(columns.size()));
    RowMatrix rows;
    const Index end = std::min(values.rows(), (c + 1) * chunk);
    const Index at_once = rows_at_once(sums.size());
    for (Index row = c * chunk; row < end; row += at_once) {
      values.copy_rows(row, std::min(at_once, end - row), columns, rows);
      for (Index i = 0; i < rows.rows(); ++i) add_row(rows.row(i).transpose(), sums);
    }
    partial[static_cast<std::size_t>(c)] = std::move(sums);
  });
  Vector total = Vector::Zero(static_cast<Index>(columns.size()));
  for (const Vector& sums : partial) total += sums;
  return total;
}

}  // namespace

PreparedColumns::PreparedColumns(const Dataset& condition, std::span<const Index> columns, Distance distance,
                                 const Context& context)
    : values_(condition.values),
      columns_(columns.begin(), columns.end()),
      sign_free_(distance == Distance::abs_correlation) {
  switch (distance) {
    case Distance::euclidean:
      choose_sample_shift(context);
      break;
    case Distance::spearman:
    case Distance::normal_scores:
      values_ = rank_columns(values_, columns_, distance == Distance::normal_scores, context);
      columns_ = all_columns(features());
      center_and_scale(true, context);
      break;
    case Distance::correlation:
    case Distance::abs_correlation:
      center_and_scale(true, context);
      break;
    case Distance::cosine:
      center_and_scale(false, context);
      break;
  }
}

// Columns of unit length, of mean zero if `center`: then |x - y|^2 = 2 (1 - r).
void PreparedColumns::center_and_scale(bool center, const Context& context) {
  if (center) {
    offset_ = sum_over_samples(values_, columns_, context, [](const auto& row, Vector& sums) { sums += row; }) /
              static_cast<double>(samples());
  } else {
    offset_ = Vector::Zero(features());
  }
  const Vector squares = sum_over_samples(values_, columns_, context, [this](const auto& row, Vector& sums) {
    sums.array() += (row - offset_).array().square();
  });
  scale_ = squares.unaryExpr([](double sum) { return sum > 0 ? 1.0 / std::sqrt(sum) : 0.0; });
}

// Subtracting the same number from every feature of a sample changes no distance but may save digits in
// |x|^2 + |y|^2 - 2 x'y. It helps when features share an offset and hurts when many features are near zero while others are
// not, so the data decide, by some hundred samples (docs/decisions/001-numerics.md).
void PreparedColumns::choose_sample_shift(const Context& context) {
  constexpr Index samples_looked_at = 256;
  const Team& team = context.team();
  const auto all = static_cast<double>(team.partition_of(features()).total());
  const Index step = std::max<Index>(1, samples() / samples_looked_at);
  Vector plain = Vector::Zero(features());
  Vector shifted = Vector::Zero(features());
  RowMatrix row;
  for (Index sample = 0; sample < samples(); sample += step) {
    values_.copy_rows(sample, 1, columns_, row);
    const double mean = team.sum(row.sum()) / all;
    plain.array() += row.row(0).transpose().array().square();
    shifted.array() += (row.row(0).transpose().array() - mean).square();
  }
  if (median(team.rows_to_all(shifted)) >= 0.25 * median(team.rows_to_all(plain))) return;
  sample_shift_.resize(samples());
  const Index at_once = rows_at_once(features());
  context.parallel_for((samples() + at_once - 1) / at_once, [&](Index block) {
    RowMatrix rows;
    const Index first = block * at_once;
    const Index count = std::min(at_once, samples() - first);
    values_.copy_rows(first, count, columns_, rows);
    sample_shift_.segment(first, count) = rows.rowwise().sum();
  });
  team.sum(sample_shift_.data(), samples());
  sample_shift_ /= all;
}

void PreparedColumns::fill(Index first, Index count, std::span<const Index> which, RowMatrix& out) const {
  std::vector<Index> sources(which.size());
  std::transform(which.begin(), which.end(), sources.begin(),
                 [this](Index feature) { return columns_[static_cast<std::size_t>(feature)]; });
  values_.copy_rows(first, count, sources, out);
  if (sample_shift_.size() > 0) out.colwise() -= sample_shift_.segment(first, count);
  if (scale_.size() == 0) return;
  for (Index j = 0; j < out.cols(); ++j) {
    const Index feature = which[static_cast<std::size_t>(j)];
    out.col(j).array() = (out.col(j).array() - offset_[feature]) * scale_[feature];
  }
}

template <class T>
void PreparedColumns::fill_all(Index first, Index count, T* out) const {
  RowMatrix copied;
  const double* in_place = values_.contiguous_row(first, columns_);
  if (in_place == nullptr) values_.copy_rows(first, count, columns_, copied);
  for (Index i = 0; i < count; ++i) {
    const double* row = in_place != nullptr ? in_place + i * values_.row_stride() : copied.data() + i * features();
    const double shift = sample_shift_.size() > 0 ? sample_shift_[first + i] : 0.0;
    if (scale_.size() > 0) {
      prepare_row(row, offset_.data(), scale_.data(), features(), out + i * features());
    } else {
      shift_row(row, shift, features(), out + i * features());
    }
  }
}

template <class T>
void PreparedColumns::fill_points(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& points, Index first,
                                  const Context& context) const {
  // A tile of samples, turned: values are read along samples and written along features, both a cache line at a time.
  constexpr Index tile = 16;
  context.parallel_for((samples() + tile - 1) / tile, [&](Index t) {
    const Index begin = t * tile;
    const Index count = std::min(tile, samples() - begin);
    std::vector<T> rows(static_cast<std::size_t>(count * features()));
    fill_all(begin, count, rows.data());
    for (Index j = 0; j < features(); ++j) {
      T* const out = points.data() + j * points.rows() + first + begin;
      for (Index i = 0; i < count; ++i) out[i] = rows[static_cast<std::size_t>(i * features() + j)];
    }
  });
}

template void PreparedColumns::fill_points<double>(Matrix&, Index, const Context&) const;
template void PreparedColumns::fill_points<float>(MatrixF&, Index, const Context&) const;
template void PreparedColumns::fill_all<double>(Index, Index, double*) const;
template void PreparedColumns::fill_all<float>(Index, Index, float*) const;

const double* PreparedColumns::as_they_are(Index first) const {
  return sample_shift_.size() == 0 && scale_.size() == 0 ? values_.contiguous_row(first, columns_) : nullptr;
}

}  // namespace disc
