// Leading eigenpairs of the walk, without missing copies of repeated eigenvalues. method (5)
#pragma once

#include <optional>

#include "disc/graph.hpp"

namespace disc {

/// A block of vectors, one per column. Row-major: the products with a large matrix want the columns interleaved.
using Block = RowMatrix;

/// The only thing solvers see.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  /// y = A x; y is resized.
  virtual void apply(const Block& x, Block& y, const Context& context) const = 0;
  /// y = A' x; y is resized.
  virtual void apply_transpose(const Block& x, Block& y, const Context& context) const = 0;
};

/// Whether a solver reached its tolerance, and what it took.
struct Convergence {
  bool converged = true;
  Index iterations = 0;    ///< restarts of the block method; 1 for LAPACK
  Index applications = 0;  ///< products of the operator with one vector; 0 for LAPACK
  double residual = 0;     ///< largest |A v - lambda v| of the pairs returned
};

enum class Solver {
  automatic,  ///< LAPACK for few features, the block method for many
  lapack,     ///< all pairs, dense: the reference
  lanczos,    ///< block Lanczos with thick restart, deflation, and a search of the complement
  chebyshev   ///< a block of vectors filtered by polynomials, for sparse graphs of very many features
};

class WalkSolver;

struct SolverOptions {
  Solver solver = Solver::automatic;
  double tolerance =
      1e-10;  ///< residual relative to the largest value, in [1e-14, 1e-2]; single precision stops at 1e-6
  Index max_restarts = 300;  ///< > 0
  /// Pairs that are certainly below this value are of no interest: the block method returns them as they are. Unset: all count.
  std::optional<double> floor{};
  /// Who finds them where the rows are divided over the processes of context.team(); not for the user.
  std::shared_ptr<const WalkSolver> divided{};
};

/// Eigenpairs in falling order.
struct Eigenpairs {
  Vector values;
  Matrix vectors;        ///< orthonormal columns
  Index components = 1;  ///< connected components of the graph: as many eigenvalues are exactly 1
  double gap = 0;        ///< last value minus the next one; near 0 the last vectors are not defined by the data
  Convergence convergence;
};

/// The `count` leading eigenpairs of the conjugate S. The first is the trivial one, (1, D^1/2 1 / norm), exactly.
/// Of walks whose rows are divided, the rows of this process. Where the graph falls apart, the other vectors of the components follow, each orthogonal to the trivial one.
Eigenpairs leading_eigenpairs(const RandomWalk& walk, Index count, const SolverOptions& options,
                              const Context& context);

/// The `count` leading eigenpairs (largest values) of a symmetric operator in the complement of the orthonormal columns
/// of `known`. `scale` is the size of the operator's norm, for the tolerance; 0 = taken from the values found.
Eigenpairs symmetric_eigenpairs(const LinearOperator& op, Index count, const Matrix& known, double scale,
                                const SolverOptions& options, const Context& context);

/// Right eigenvectors of P: U = D^-1/2 Y, columns of unit length. method (5)
Matrix walk_eigenvectors(const RandomWalk& walk, const Eigenpairs& pairs, const Context& context = {});

/// Products with S, and with P and P'.
class ConjugateOperator final : public LinearOperator {
 public:
  explicit ConjugateOperator(const RandomWalk& walk) : walk_(walk) {}
  Index rows() const override { return walk_.size(); }
  Index cols() const override { return walk_.size(); }
  void apply(const Block& x, Block& y, const Context& context) const override;
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  const RandomWalk& walk_;
};

/// component[i] of each feature, numbered by falling size (then by first feature), and how many there are.
struct Components {
  std::vector<Index> labels;
  Index count = 0;
};
/// Connected components of all features, as far as they are here: features joined by a chain of positive weights.
Components find_components(const RandomWalk& walk, const Context& context = {});

}  // namespace disc
