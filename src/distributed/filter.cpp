#include "distributed/filter.hpp"

#include <algorithm>
#include <cmath>

namespace disc::distributed {
namespace {

constexpr double growth = 2.0;      // the largest value becomes about cosh of it
constexpr Index lowest_degree = 5;  // below, orthogonality costs more than products
constexpr Index highest_degree = 151;

}  // namespace

double FilterShape::filtered(double value) const {
  if (value <= cut) return std::isfinite(value) ? 1 : value;
  return std::cosh(static_cast<double>(degree) * std::acosh((value - center()) / half_width()));
}

double FilterShape::unfiltered(double filtered) const {
  if (filtered <= 1) return cut;
  return center() + half_width() * std::cosh(std::acosh(filtered) / static_cast<double>(degree));
}

FilterShape filter_for(const std::vector<double>& rough, Index above, double low) {
  FilterShape shape;
  shape.low = low;
  shape.cut = rough[std::min(rough.size() - 1, static_cast<std::size_t>(above))];
  const double largest = (rough.front() - shape.center()) / shape.half_width();
  const double degree = growth / std::acosh(std::max(largest, 1 + 1e-9));
  shape.degree = std::clamp(static_cast<Index>(degree), lowest_degree, highest_degree) | 1;
  return shape;
}

FilteredOperator::FilteredOperator(const DividedProduct& op, const FilterShape* shape, const Matrix* projected,
                                   const Partition& partition, const MpiTeam& team)
    : op_(op),
      shape_(shape),
      projected_(projected),
      team_(team),
      shell_(shell_of(this, &FilteredOperator::apply, partition, team)),
      before_(new_vector(partition, team)),
      image_(new_vector(partition, team)) {}

void FilteredOperator::multiply(Vec x, Vec y) const {
  check(MatMult(op_.matrix(), x, y));
  if (projected_ == nullptr || projected_->cols() == 0) return;
  PetscScalar* values = nullptr;
  check(VecGetArray(y, &values));
  Eigen::Map<Vector> own(values, projected_->rows());
  leave_out(*projected_, own, team_);
  check(VecRestoreArray(y, &values));
}

// T_k+1 = 2 t T_k - T_k-1, where t is the operator with [low, cut] moved to [-1, 1]. Called by PETSc, which knows no exceptions.
PetscErrorCode FilteredOperator::apply(Mat shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  const auto& filter = *static_cast<FilteredOperator*>(context);
  const double scale = 1 / filter.shape_->half_width();
  const double shift = filter.shape_->center() * scale;
  try {
    check(VecCopy(x, filter.before_));
    filter.multiply(x, y);
    check(VecAXPBY(y, -shift, scale, x));
    Vec last = filter.before_;
    Vec now = y;
    for (Index k = 1; k < filter.shape_->degree; ++k) {
      filter.multiply(now, filter.image_);
      check(VecAXPBYPCZ(last, 2 * scale, -2 * shift, -1, filter.image_, now));
      std::swap(last, now);
    }
    if (now != y) check(VecCopy(now, y));
  } catch (const Error&) {
    return PETSC_ERR_LIB;
  }
  return 0;
}

}  // namespace disc::distributed
