#include "distributed/divided_product.hpp"

#include <algorithm>
#include <numeric>

#include "matrix/large_pages.hpp"

namespace disc::distributed {
namespace {

std::size_t at(PetscInt i) { return static_cast<std::size_t>(i); }

// The entries of a matrix in one process, as PETSc keeps them.
class Entries {
 public:
  explicit Entries(Mat matrix) : matrix_(matrix) {
    PetscBool done = PETSC_FALSE;
    check(MatGetRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &count_, &begin_, &columns_, &done));
    check(MatSeqAIJGetArrayRead(matrix, &values_));
  }
  ~Entries() {
    PetscBool done = PETSC_FALSE;
    MatSeqAIJRestoreArrayRead(matrix_, &values_);
    MatRestoreRowIJ(matrix_, 0, PETSC_FALSE, PETSC_FALSE, &count_, &begin_, &columns_, &done);
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  PetscInt rows() const { return count_; }
  PetscInt total() const { return begin_[count_]; }
  template <class Use>
  void for_each_of_row(PetscInt row, Use&& use) const {
    for (PetscInt k = begin_[row]; k < begin_[row + 1]; ++k) use(columns_[k], values_[k]);
  }

 private:
  Mat matrix_;
  PetscInt count_ = 0;
  const PetscInt* begin_ = nullptr;
  const PetscInt* columns_ = nullptr;
  const PetscScalar* values_ = nullptr;
};

using Order = std::vector<PetscInt>;

Order places_of(const Order& order) {
  Order places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[at(order[i])] = static_cast<PetscInt>(i);
  return places;
}

// How far apart the features of an entry are, over all entries.
double distance_in(const Order& order, const Entries& entries) {
  const Order places = places_of(order);
  double sum = 0;
  for (PetscInt i = 0; i < entries.rows(); ++i) {
    entries.for_each_of_row(i, [&](PetscInt j, PetscScalar) { sum += std::abs(places[at(i)] - places[at(j)]); });
  }
  return sum;
}

// Breadth first: features joined with the same one are near each other.
Order breadth_first(const Entries& entries) {
  Order order;
  order.reserve(at(entries.rows()));
  std::vector<bool> seen(at(entries.rows()));
  const auto visit = [&](PetscInt feature) {
    if (seen[at(feature)]) return;
    seen[at(feature)] = true;
    order.push_back(feature);
  };
  std::size_t next = 0;
  for (PetscInt first = 0; first < entries.rows(); ++first) {
    visit(first);
    for (; next < order.size(); ++next)
      entries.for_each_of_row(order[next], [&](PetscInt j, PetscScalar) { visit(j); });
  }
  return order;
}

Order better_order(const Entries& entries) {
  Order as_they_are(at(entries.rows()));
  std::iota(as_they_are.begin(), as_they_are.end(), 0);
  Order order = breadth_first(entries);
  return distance_in(order, entries) < distance_in(as_they_are, entries) ? order : as_they_are;
}

template <class T>
void reserve(std::vector<T>& values, PetscInt count) {
  values.reserve(at(count));
  prefer_large_pages(values.data(), at(count) * sizeof(T));
}

}  // namespace

DividedProduct::DividedProduct(Mat matrix, const Vector& degrees, double uniform_weight, const Partition& partition,
                               const MpiTeam& team)
    : team_(team), uniform_weight_(uniform_weight), first_(partition.first) {
  Mat own = nullptr;
  Mat of_others = nullptr;
  const PetscInt* columns = nullptr;
  check(MatMPIAIJGetSeqAIJ(matrix, &own, &of_others, &columns));
  keep_own(own);
  degrees_ = degrees(order_);
  root_ = degrees_.cwiseSqrt();
  x_.resize(degrees.size());
  y_.resize(degrees.size());
  keep_others(of_others, columns);
  prepare_exchange(partition);
}

void DividedProduct::keep_own(Mat matrix) {
  const Entries entries(matrix);
  order_ = better_order(entries);
  const Order places = places_of(order_);
  reserve(upper_.columns, (entries.total() + entries.rows()) / 2);
  reserve(upper_.values, (entries.total() + entries.rows()) / 2);
  std::vector<std::pair<PetscInt, PetscScalar>> row;
  for (PetscInt i = 0; i < entries.rows(); ++i) {
    row.clear();
    entries.for_each_of_row(order_[at(i)], [&](PetscInt column, PetscScalar value) {
      if (places[at(column)] >= i) row.emplace_back(places[at(column)], value);
    });
    std::ranges::sort(row);
    for (const auto& [column, value] : row) {
      upper_.columns.push_back(column);
      upper_.values.push_back(value);
    }
    upper_.begin.push_back(static_cast<PetscInt>(upper_.columns.size()));
  }
}

// Column c is that of feature columns[c]. They get the order in which they are needed first.
void DividedProduct::keep_others(Mat matrix, const PetscInt* columns) {
  const Entries entries(matrix);
  PetscInt count = 0;
  check(MatGetSize(matrix, nullptr, &count));
  std::vector<PetscInt> place(at(count), -1);
  reserve(of_others_.columns, entries.total());
  reserve(of_others_.values, entries.total());
  for (const PetscInt feature : order_) {
    entries.for_each_of_row(feature, [&](PetscInt column, PetscScalar value) {
      if (place[at(column)] < 0) {
        place[at(column)] = static_cast<PetscInt>(others_.size());
        others_.push_back(columns[column]);
      }
      of_others_.columns.push_back(place[at(column)]);
      of_others_.values.push_back(value);
    });
    of_others_.begin.push_back(static_cast<PetscInt>(of_others_.columns.size()));
  }
}

// The values needed are those of features; where their processes keep them is asked once.
void DividedProduct::prepare_exchange(const Partition& partition) {
  const auto count = static_cast<PetscInt>(others_.size());
  on_x_ = vector_on(x_.data(), partition, team_);
  check(VecCreateSeq(PETSC_COMM_SELF, count, from_others_.place()));
  const auto exchange = [&](const std::vector<PetscInt>& places) {
    Owned<IS, ISDestroy> columns;
    check(ISCreateGeneral(PETSC_COMM_SELF, count, places.data(), PETSC_COPY_VALUES, columns.place()));
    OwnedScatter scatter;
    check(VecScatterCreate(on_x_, columns, from_others_, nullptr, scatter.place()));
    return scatter;
  };
  for (std::size_t i = 0; i < order_.size(); ++i) x_[order_[i]] = static_cast<double>(first_ + static_cast<Index>(i));
  const OwnedScatter ask = exchange(others_);
  check(VecScatterBegin(ask, on_x_, from_others_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(ask, on_x_, from_others_, INSERT_VALUES, SCATTER_FORWARD));
  const Vector answer = local_part(from_others_);
  std::vector<PetscInt> places(others_.size());
  std::ranges::transform(answer, places.begin(), [](double place) { return static_cast<PetscInt>(place); });
  scatter_ = exchange(places);
}

// Each entry stands for itself and for its mirror image; the diagonal, first of its row, for itself only.
void DividedProduct::multiply_own() const {
  const PetscInt* const begin = upper_.begin.data();
  const PetscInt* const columns = upper_.columns.data();
  const PetscScalar* const values = upper_.values.data();
  const double* const x = x_.data();
  double* const y = y_.data();
  y_.setZero();
  for (Index i = 0; i < y_.size(); ++i) {
    const double own = x[i];
    double sum = 0;
    PetscInt k = begin[i];
    if (k < begin[i + 1] && columns[k] == i) sum = values[k++] * own;
    for (; k < begin[i + 1]; ++k) {
      sum += values[k] * x[columns[k]];
      y[columns[k]] += values[k] * own;
    }
    y[i] += sum;
  }
}

void DividedProduct::add_others() const {
  const PetscInt* const begin = of_others_.begin.data();
  const PetscInt* const columns = of_others_.columns.data();
  const PetscScalar* const values = of_others_.values.data();
  const PetscScalar* x = nullptr;
  double* const y = y_.data();
  check(VecGetArrayRead(from_others_, &x));
  for (Index i = 0; i < y_.size(); ++i) {
    double sum = 0;
    for (PetscInt k = begin[i]; k < begin[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] += sum;
  }
  check(VecRestoreArrayRead(from_others_, &x));
}

// What others send arrives while the own part is done.
void DividedProduct::multiply() const {
  check(VecScatterBegin(scatter_, on_x_, from_others_, INSERT_VALUES, SCATTER_FORWARD));
  multiply_own();
  check(VecScatterEnd(scatter_, on_x_, from_others_, INSERT_VALUES, SCATTER_FORWARD));
  add_others();
  if (uniform_weight_ <= 0) return;
  const double share = uniform_weight_ * team_.sum(x_.cwiseQuotient(root_).sum());
  y_.array() += share / root_.array();
}

void DividedProduct::conjugate(Vec x, Vec y) const {
  const PetscScalar* in = nullptr;
  check(VecGetArrayRead(x, &in));
  for (Index i = 0; i < x_.size(); ++i) x_[i] = in[order_[static_cast<std::size_t>(i)]];
  check(VecRestoreArrayRead(x, &in));
  multiply();
  PetscScalar* out = nullptr;
  check(VecGetArrayWrite(y, &out));
  for (Index i = 0; i < y_.size(); ++i) out[order_[static_cast<std::size_t>(i)]] = y_[i];
  check(VecRestoreArrayWrite(y, &out));
}

void DividedProduct::normal(Vec x, Vec y) const {
  const PetscScalar* in = nullptr;
  check(VecGetArrayRead(x, &in));
  for (Index i = 0; i < x_.size(); ++i) x_[i] = root_[i] * in[order_[static_cast<std::size_t>(i)]];
  check(VecRestoreArrayRead(x, &in));
  multiply();
  x_ = y_.cwiseQuotient(degrees_);
  multiply();
  PetscScalar* out = nullptr;
  check(VecGetArrayWrite(y, &out));
  for (Index i = 0; i < y_.size(); ++i) out[order_[static_cast<std::size_t>(i)]] = root_[i] * y_[i];
  check(VecRestoreArrayWrite(y, &out));
}

}  // namespace disc::distributed
