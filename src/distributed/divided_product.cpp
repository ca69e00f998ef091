#include "distributed/divided_product.hpp"

#include <petscblaslapack.h>

#include <algorithm>
#include <numeric>

#include "matrix/large_pages.hpp"

namespace disc::distributed {
namespace {

using Order = std::vector<PetscInt>;

Order places_of(const Order& order) {
  Order places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[at(order[i])] = static_cast<PetscInt>(i);
  return places;
}

Order as_they_are(Index count) {
  Order order(at(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// The entries of own features with own ones: visit(column from 0, value).
template <class Visit>
void for_each_own(const SparseMatrix& rows, const Partition& partition, Index row, Visit&& visit) {
  for (SparseMatrix::InnerIterator entry(rows, row); entry; ++entry) {
    if (partition.is_own(entry.col())) visit(entry.col() - partition.first, entry.value());
  }
}

// How far apart the features of an entry are, over all entries.
double distance_in(const Order& order, const SparseMatrix& rows, const Partition& partition) {
  const Order places = places_of(order);
  double sum = 0;
  for (Index i = 0; i < partition.count; ++i) {
    for_each_own(rows, partition, i, [&](Index j, double) { sum += std::abs(places[at(i)] - places[at(j)]); });
  }
  return sum;
}

// Breadth first: features joined with the same one are near each other.
Order breadth_first(const SparseMatrix& rows, const Partition& partition) {
  Order order;
  order.reserve(at(partition.count));
  std::vector<bool> seen(at(partition.count));
  const auto visit = [&](Index feature, double) {
    if (seen[at(feature)]) return;
    seen[at(feature)] = true;
    order.push_back(static_cast<PetscInt>(feature));
  };
  std::size_t next = 0;
  for (Index first = 0; first < partition.count; ++first) {
    visit(first, 0);
    for (; next < order.size(); ++next) for_each_own(rows, partition, order[next], visit);
  }
  return order;
}

Order better_order(const SparseMatrix& rows, const Partition& partition) {
  Order plain = as_they_are(partition.count);
  Order order = breadth_first(rows, partition);
  return distance_in(order, rows, partition) < distance_in(plain, rows, partition) ? order : plain;
}

template <class T>
void reserve(std::vector<T>& values, Index count) {
  values.reserve(at(count));
  prefer_large_pages(values.data(), at(count) * sizeof(T));
}

class SparseProduct final : public DividedProduct {
 public:
  SparseProduct(const RandomWalk& walk, const SparseMatrix& rows, WalkProduct product, const MpiTeam& team)
      : DividedProduct(walk, product, team) {
    order_ = better_order(rows, walk.partition);
    degrees_ = walk.degrees(order_);
    root_ = degrees_.cwiseSqrt();
    keep_rows(rows, walk.partition);
    prepare_exchange(walk.partition);
  }

 private:
  // Own features with some of their columns, in the order of order_.
  struct Rows {
    std::vector<PetscInt> begin{0};
    std::vector<PetscInt> columns;
    std::vector<PetscScalar> values;
    void add(Index column, double value) {
      columns.push_back(static_cast<PetscInt>(column));
      values.push_back(value);
    }
    void end_row() { begin.push_back(static_cast<PetscInt>(columns.size())); }
  };
  void keep_rows(const SparseMatrix& rows, const Partition& partition);
  void prepare_exchange(const Partition& partition);
  void multiply_own() const override;

  Rows upper_;      // columns of this process, from the diagonal on
  Rows of_others_;  // columns of other processes, in the order of others_
  std::vector<PetscInt>
      others_;  // features of other processes that have entries here, in the order in which they are needed first
};

void SparseProduct::keep_rows(const SparseMatrix& rows, const Partition& partition) {
  const Order places = places_of(order_);
  Index inside = 0;
  for (Index i = 0; i < partition.count; ++i) for_each_own(rows, partition, i, [&](Index, double) { ++inside; });
  for (auto* const part : {&upper_, &of_others_}) {
    const Index count = part == &upper_ ? (inside + partition.count + 1) / 2 : rows.nonZeros() - inside;
    reserve(part->columns, count);
    reserve(part->values, count);
  }
  std::vector<PetscInt> place_of_other(at(partition.total()), -1);
  std::vector<std::pair<PetscInt, double>> row;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    row.clear();
    for (SparseMatrix::InnerIterator entry(rows, order_[i]); entry; ++entry) {
      if (partition.is_own(entry.col())) {
        const PetscInt place = places[at(entry.col() - partition.first)];
        if (place >= static_cast<PetscInt>(i)) row.emplace_back(place, entry.value());
        continue;
      }
      PetscInt& place = place_of_other[at(entry.col())];
      if (place < 0) {
        place = static_cast<PetscInt>(others_.size());
        others_.push_back(static_cast<PetscInt>(entry.col()));
      }
      of_others_.add(place, entry.value());
    }
    std::ranges::sort(row);
    for (const auto& [column, value] : row) upper_.add(column, value);
    upper_.end_row();
    of_others_.end_row();
  }
}

// The values needed are those of features; where their processes keep them is asked once.
void SparseProduct::prepare_exchange(const Partition& partition) {
  const auto count = static_cast<PetscInt>(others_.size());
  check(VecCreateSeq(PETSC_COMM_SELF, count, gathered_.place()));
  Vector place_of(partition.count);
  for (std::size_t i = 0; i < order_.size(); ++i)
    place_of[order_[i]] = static_cast<double>(partition.first) + static_cast<double>(i);
  const Vector all = team_.rows_to_all(place_of);
  std::vector<PetscInt> places;
  for (const PetscInt other : others_) places.push_back(static_cast<PetscInt>(all[other]));
  Owned<IS, ISDestroy> columns;
  check(ISCreateGeneral(PETSC_COMM_SELF, count, places.data(), PETSC_COPY_VALUES, columns.place()));
  check(VecScatterCreate(on_x_, columns, gathered_, nullptr, scatter_.place()));
}

// Each entry within stands for itself and for its mirror image; the diagonal, first of its row, for itself only. What others send
// arrives meanwhile.
void SparseProduct::multiply_own() const {
  const double* const x = x_.data();
  double* const y = y_.data();
  y_.setZero();
  check(VecScatterBegin(scatter_, on_x_, gathered_, INSERT_VALUES, SCATTER_FORWARD));
  const auto add = [](const Rows& rows, Index i, PetscInt k, double sum, auto&& each) {
    for (; k < rows.begin[at(i + 1)]; ++k) sum += each(rows.values.data()[k], rows.columns.data()[k]);
    return sum;
  };
  for (Index i = 0; i < y_.size(); ++i) {
    const double own = x[i];
    PetscInt k = upper_.begin[at(i)];
    const bool has_diagonal = k < upper_.begin[at(i + 1)] && upper_.columns[at(k)] == i;
    const double diagonal = has_diagonal ? upper_.values[at(k++)] * own : 0;
    y[i] += add(upper_, i, k, diagonal, [&](double value, PetscInt column) {
      y[column] += value * own;
      return value * x[column];
    });
  }
  check(VecScatterEnd(scatter_, on_x_, gathered_, INSERT_VALUES, SCATTER_FORWARD));
  const PetscScalar* others = nullptr;
  check(VecGetArrayRead(gathered_, &others));
  for (Index i = 0; i < y_.size(); ++i) {
    y[i] += add(of_others_, i, of_others_.begin[at(i)], 0,
                [&](double value, PetscInt column) { return value * others[column]; });
  }
  check(VecRestoreArrayRead(gathered_, &others));
}

class DenseProduct final : public DividedProduct {
 public:
  DenseProduct(const RandomWalk& walk, const Matrix& columns, WalkProduct product, const MpiTeam& team)
      : DividedProduct(walk, product, team), columns_(columns) {
    order_ = as_they_are(walk.partition.count);
    check(VecScatterCreateToAll(on_x_, scatter_.place(), gathered_.place()));
  }

 private:
  void multiply_own() const override {
    check(VecScatterBegin(scatter_, on_x_, gathered_, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(scatter_, on_x_, gathered_, INSERT_VALUES, SCATTER_FORWARD));
    const PetscScalar* x = nullptr;
    check(VecGetArrayRead(gathered_, &x));
    const auto rows = static_cast<PetscBLASInt>(columns_.rows());
    const auto own = static_cast<PetscBLASInt>(columns_.cols());
    const PetscBLASInt step = 1;
    const double one = 1;
    const double zero = 0;
    BLASgemv_("T", &rows, &own, &one, columns_.data(), &rows, x, &step, &zero, y_.data(), &step);
    check(VecRestoreArrayRead(gathered_, &x));
  }
  const Matrix& columns_;
};

}  // namespace

DividedProduct::DividedProduct(const RandomWalk& walk, WalkProduct product, const MpiTeam& team)
    : team_(team),
      degrees_(walk.degrees),
      root_(walk.degrees.cwiseSqrt()),
      x_(walk.degrees.size()),
      y_(walk.degrees.size()),
      on_x_(vector_on(x_.data(), walk.partition, team)),
      uniform_weight_(walk.uniform_weight),
      is_normal_(product == WalkProduct::normal),
      is_sparse_(walk.conjugate.is_sparse()),
      shell_(shell_of(this, &DividedProduct::apply, walk.partition, team)) {}

void DividedProduct::multiply() const {
  multiply_own();
  if (uniform_weight_ <= 0) return;
  const double share = uniform_weight_ * team_.sum(x_.cwiseQuotient(root_).sum());
  y_.array() += share / root_.array();
}

// Called by PETSc, which knows no exceptions: an error of PETSc below is handed on as it came.
PetscErrorCode DividedProduct::apply(Mat shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  auto& op = *static_cast<DividedProduct*>(context);
  ++op.applications_;
  const PetscScalar* in = nullptr;
  PetscCall(VecGetArrayRead(x, &in));
  for (Index i = 0; i < op.x_.size(); ++i) op.x_[i] = (op.is_normal_ ? op.root_[i] : 1.0) * in[op.order_[at(i)]];
  PetscCall(VecRestoreArrayRead(x, &in));
  try {
    op.multiply();
    if (op.is_normal_) {
      op.x_ = op.y_.cwiseQuotient(op.degrees_);
      op.multiply();
    }
  } catch (const Error&) {
    return PETSC_ERR_LIB;
  }
  PetscScalar* out = nullptr;
  PetscCall(VecGetArrayWrite(y, &out));
  for (Index i = 0; i < op.y_.size(); ++i) out[op.order_[at(i)]] = (op.is_normal_ ? op.root_[i] : 1.0) * op.y_[i];
  PetscCall(VecRestoreArrayWrite(y, &out));
  return 0;
}

std::unique_ptr<const DividedProduct> product_with(const RandomWalk& walk, WalkProduct product, const MpiTeam& team) {
  return walk.conjugate.visit([&](const auto& matrix) -> std::unique_ptr<const DividedProduct> {
    using Form = std::decay_t<decltype(matrix)>;
    if constexpr (std::is_same_v<Form, SparseMatrix>) {
      return std::make_unique<const SparseProduct>(walk, matrix, product, team);
    } else if constexpr (std::is_same_v<Form, Matrix>) {
      return std::make_unique<const DenseProduct>(walk, matrix, product, team);
    } else {
      throw Error("divided walks are in double");
    }
  });
}

}  // namespace disc::distributed
