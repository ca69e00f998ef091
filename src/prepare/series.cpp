// Within each file of a condition: trends over its samples, and its own level and scale.
#include <algorithm>

#include "prepare/steps.hpp"

namespace disc {
namespace {

// A variance from fewer samples is too uncertain to divide by.
constexpr Index enough_samples = 20;

// Samples that came from one file; they lie below each other.
struct FileRows {
  Index first = 0, count = 0;
};

// One entry per file of a condition that was put together of several, else one for all.
std::vector<FileRows> files_of(const Dataset& condition) {
  const auto column = std::ranges::find(condition.labels, "file", &LabelColumn::name);
  std::vector<FileRows> files;
  for (Index i = 0; i < condition.values.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool is_new = i == 0 || (column != condition.labels.end() && column->values[at] != column->values[at - 1]);
    if (is_new) files.push_back({i, 0});
    ++files.back().count;
  }
  return files;
}

// The mean stays, what grows steadily from the first sample to the last goes.
void remove_trend(Eigen::Ref<RowMatrix> series) {
  const Index samples = series.rows();
  const Vector time = Vector::LinSpaced(samples, 0.0, static_cast<double>(samples - 1)).array() -
                      0.5 * static_cast<double>(samples - 1);
  const double spread = time.squaredNorm();
  if (spread == 0) return;
  const Eigen::RowVectorXd slopes = time.transpose() * series / spread;
  series.noalias() -= time * slopes;
}

// A feature that is constant in a file becomes zero there: it says nothing about connections.
void standardize(Eigen::Ref<RowMatrix> series) {
  const Eigen::RowVectorXd mean = series.colwise().mean();
  series.rowwise() -= mean;
  const Eigen::RowVectorXd deviation =
      (series.colwise().squaredNorm() / static_cast<double>(series.rows())).cwiseSqrt();
  for (Index j = 0; j < series.cols(); ++j) {
    const bool is_constant = deviation[j] <= 1e-12 * std::abs(mean[j]);
    if (is_constant) {
      series.col(j).setZero();
    } else {
      series.col(j) /= deviation[j];
    }
  }
}

using Change = void (*)(Eigen::Ref<RowMatrix>);

void change_files(Dataset& condition, Change change, const Context& context) {
  const std::vector<FileRows> files = files_of(condition);
  RowMatrix values = dense_copy(condition.values);
  context.parallel_for(static_cast<Index>(files.size()), [&](Index f) {
    const FileRows& rows = files[static_cast<std::size_t>(f)];
    change(values.middleRows(rows.first, rows.count));
  });
  condition.values = SampleMatrix(std::move(values));
}

bool is_worth_standardizing(const Dataset& condition) {
  const std::vector<FileRows> files = files_of(condition);
  return files.size() > 1 && !condition.values.is_sparse() &&
         std::ranges::all_of(files, [](const FileRows& rows) { return rows.count >= enough_samples; });
}

void change_all(Preparation& work, const std::string& step, const std::string& changed, Change change,
                const Context& context) {
  for (Dataset& condition : work.conditions) {
    change_files(condition, change, context);
    work.steps.push_back({step, condition.name, changed, static_cast<Index>(files_of(condition).size())});
  }
}

}  // namespace

void remove_trends(Preparation& work, const Context& context) {
  change_all(work, "detrend", "files detrended", remove_trend, context);
}

void standardize_files(Preparation& work, const std::optional<bool>& wanted, const Context& context) {
  work.files_standardized = wanted.value_or(std::ranges::all_of(work.conditions, is_worth_standardizing));
  if (!work.files_standardized) return;
  change_all(work, "standardize-files", "files centered and scaled", standardize, context);
}

}  // namespace disc
