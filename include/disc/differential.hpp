// What one condition's walk does that the others' cannot explain. method section 3.
#pragma once

#include <span>

#include "disc/spectral.hpp"

namespace disc {

enum class Method {
  disc,                 ///< singular vectors of P_m Q_m, method (8)
  generalized,          ///< method (10)
  regularized_inverse,  ///< method (11)
  whitened,             ///< method (12)
  diffusion_maps,       ///< the condition's own eigenvectors: baseline
  changing_data         ///< method (13): distance between diffusion representations: baseline
};

/// Whether the trivial eigenvector belongs to the bases. method (6)
enum class ConstantVector { keep, drop };

struct DifferentialOptions {
  Method method = Method::disc;
  /// d: eigenvectors of each other condition that count as explained, besides the trivial one. 1 .. p - 2. Unset: 20,
  /// but at most p / 4.
  std::optional<Index> eigenvectors;
  ConstantVector constant_vector = ConstantVector::keep;
  /// Differential vectors per condition, 1 .. p - 1. Unset: 10 are computed, or all up to 60 and p / 8 that are above the noise where that
  /// is known; those before the largest relative drop of sigma are used for grouping.
  std::optional<Index> vectors;
  double epsilon = 0.01;            ///< e of method (10), > 0, relative to the mean degree
  double inverse_strength = 1.0;    ///< l of method (11), > 0
  std::optional<double> whitening;  ///< g of method (12), > 0. Unset: the knee of the spectrum, at least 0.01
  double diffusion_time = 1.0;      ///< t of diffusion-maps and method (13), >= 0
};

/// Orthonormal basis of what the other conditions explain. method (6)
struct Basis {
  Matrix vectors;     ///< p x rank
  Index stacked = 0;  ///< columns before nearly dependent ones were dropped
};
/// Basis of span[U_k, k != condition]; each U_k holds right eigenvectors of P_k as columns.
Basis basis_of_others(std::span<const Matrix> eigenvectors, Index condition, const Context& context = {});

struct DifferentialVectors {
  Matrix vectors;     ///< p x r, unit columns; the entry of largest magnitude is positive
  Vector sigma;       ///< singular value (or eigenvalue, for the alternatives) per vector
  Index leading = 0;  ///< how many of them carry the difference (used for grouping)
  /// Per vector: those with the same number share their singular value, and only the subspace that they span is defined.
  std::vector<Index> degenerate_subspace;
  Index basis_rank = 0;  ///< dimensions that the other conditions explain
  Vector residual{};     ///< of the leading ones, see local_linear_residuals(); empty: not computed
  Convergence convergence;
};

/// P_m Q_m as an operator: x -> P (x - Z (Z' x)). method (7), (8)
class DifferentialOperator final : public LinearOperator {
 public:
  DifferentialOperator(const RandomWalk& walk, const Matrix& basis);
  Index rows() const override { return walk_.size(); }
  Index cols() const override { return walk_.size(); }
  void apply(const Block& x, Block& y, const Context& context) const override;
  void apply_transpose(const Block& x, Block& y, const Context& context) const override;

 private:
  const RandomWalk& walk_;
  const Matrix& basis_;
  Vector root_degrees_;
};

/// Leading right singular vectors of P_m Q_m. method (8)
DifferentialVectors singular_vectors(const RandomWalk& walk, const Basis& basis, Index count,
                                     const SolverOptions& options, const Context& context);

/// Everything the alternatives need to know about the conditions.
struct ConditionSpectra {
  std::span<const RandomWalk> walks;
  std::span<const Eigenpairs> pairs;     ///< d + 1 leading pairs each, the trivial one first
  std::span<const Matrix> eigenvectors;  ///< right eigenvectors that belong to the bases
  std::span<const std::optional<double>>
      noise{};  ///< largest eigenvalue of features without connection; unset: not known
};
/// The vectors of one condition by the chosen method. Where processes have rows of the walks each, the first one gets all rows of the
/// vectors and the others none.
DifferentialVectors differential_vectors(const ConditionSpectra& spectra, Index condition,
                                         const DifferentialOptions& options, const SolverOptions& solver,
                                         const Context& context);

/// Per vector, the share of it that no smooth function of the vectors before it explains (leave-one-out residual of local linear
/// fits, Dsilva et al. 2018): near 0 it is a harmonic of them and shows nothing new. The first has 1. method (20)
Vector local_linear_residuals(const Matrix& vectors, const Context& context);

/// method (13): per feature, how far its diffusion representation moved between two conditions.
Vector changing_data_distance(const Eigenpairs& a, const Eigenpairs& b, double time);

/// Meta-features: samples x vectors. method (9)
Matrix meta_features(const Dataset& condition, std::span<const Index> columns, const Matrix& vectors);

}  // namespace disc
