#include "spectral/walk_eigenpairs.hpp"

#include "matrix/checkpoint.hpp"
#include "spectral/eigenpair_facts.hpp"
#include "spectral/filtered_subspace.hpp"
#include "spectral/tall_skinny.hpp"

namespace disc {

namespace {

// x -> P' P x = D^1/2 S D^-1 S D^1/2 x
class NormalOperator final : public LinearOperator {
 public:
  explicit NormalOperator(const RandomWalk& walk)
      : conjugate_(walk), root_degrees_(walk.degrees.cwiseSqrt()), inverse_degrees_(walk.degrees.cwiseInverse()) {}
  Index rows() const override { return conjugate_.rows(); }
  Index cols() const override { return conjugate_.cols(); }
  void apply(const Block& x, Block& y, const Context& context) const override {
    Block scaled = x;
    Block image;
    scale_rows(root_degrees_, scaled);
    conjugate_.apply(scaled, image, context);
    scale_rows(inverse_degrees_, image);
    conjugate_.apply(image, y, context);
    scale_rows(root_degrees_, y);
  }
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  ConjugateOperator conjugate_;
  Vector root_degrees_, inverse_degrees_;
};

Fingerprint fingerprint_of(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                           const SolverOptions& options, const Context& context) {
  Fingerprint print("eigenpairs");
  walk.conjugate.visit([&](const auto& matrix) {
    if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, SparseMatrix>) {
      const auto size = static_cast<std::size_t>(matrix.outerIndexPtr()[matrix.rows()]);
      print.add(std::span(matrix.innerIndexPtr(), size)).add(std::span(matrix.valuePtr(), size));
    } else {
      print.add(matrix);
    }
  });
  print.add(walk.degrees)
      .add(walk.sizes)
      .add(walk.uniform_weight)
      .add(product)
      .add(count)
      .add(known)
      .add(context.seed());
  // All fields by name: one that is added to the options does not compile here until it counts.
  const auto& [solver, tolerance, max_restarts, floor, divided] = options;
  print.add(divided != nullptr);
  return print.add(solver).add(tolerance).add(max_restarts).add(floor.value_or(-1.0));
}

Eigenpairs solve(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                 const SolverOptions& options, const Context& context) {
  if (use_filter(walk, options) && has_room_for_filter(walk.size() - known.cols(), count))
    return filtered_pairs({walk, product, known, count, options.tolerance, options.max_restarts}, context);
  if (product == WalkProduct::conjugate)
    return symmetric_eigenpairs(ConjugateOperator(walk), count, known, 1.0, options, context);
  return symmetric_eigenpairs(NormalOperator(walk), count, known, 1.0, options, context);
}

}  // namespace

Eigenpairs walk_eigenpairs(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                           const SolverOptions& options, const Context& context) {
  if (options.divided) return options.divided->solve(walk, product, count, known, options, context);
  constexpr Index long_from = 2000;  // features; with fewer a fingerprint takes as long
  if (walk.size() < long_from) return solve(walk, product, count, known, options, context);
  return load_or_compute(
      context, context.team().partition_of(walk.degrees.size()),
      [&] { return fingerprint_of(walk, product, count, known, options, context).name(); },
      [&] { return solve(walk, product, count, known, options, context); });
}

}  // namespace disc
