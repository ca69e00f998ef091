// Leading eigenpairs of the walk on a lattice, whose eigenvalues are known and repeated: SLEPc's Krylov-Schur as it is, with products of PETSc, and ours, which
// must find every copy. Then singular vectors of this walk in the complement of the eigenvectors of another one, whose weights are
// those of the lattice times random numbers: Krylov-Schur on the normal operator, and ours.
//
//   mpirun -n 2 build/release/bench_distributed_solver SIDE|GRAPH [PAIRS] [TOLERANCE]
//
// GRAPH: a file as bench/sparse_solver.cpp reads it (bench/scaling.py --graphs writes them), instead of a lattice; its eigenvalues are not known.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

#include "disc/differential.hpp"
#include "distributed/job.hpp"
#include "distributed/solve.hpp"

namespace {

using namespace disc;
using namespace disc::distributed;

const double neighbor = std::exp(-1.0);  // weight of the four next to a point; its own is 1

// A number from 1 to 1 + spread that belongs to a pair, whichever of the two asks.
double factor_of(Index i, Index j, double spread) {
  std::mt19937_64 random(static_cast<std::uint64_t>(std::min(i, j)) << 32 | static_cast<std::uint64_t>(std::max(i, j)));
  return 1 + spread * std::uniform_real_distribution<double>()(random);
}

// Own rows of a matrix, one after the other.
class RowsBuilder {
 public:
  explicit RowsBuilder(const Partition& partition) : partition_(partition) {}
  void add(Index row, std::vector<std::pair<Index, double>>& entries) {
    std::ranges::sort(entries);
    for (const auto& [other, weight] : entries) triplets_.emplace_back(row - partition_.first, other, weight);
  }
  SparseMatrix rows() const {
    SparseMatrix matrix(partition_.count, partition_.total());
    matrix.setFromTriplets(triplets_.begin(), triplets_.end());
    return matrix;
  }

 private:
  const Partition& partition_;
  std::vector<Eigen::Triplet<double, Index>> triplets_;
};

SparseMatrix torus_rows(Index side, double spread, const Partition& partition) {
  RowsBuilder rows(partition);
  for (Index i = partition.first; i < partition.first + partition.count; ++i) {
    const Index line = i / side;
    const Index column = i % side;
    std::vector<std::pair<Index, double>> entries{{i, 1.0}};
    for (const Index step : {Index{1}, side - 1}) {
      entries.emplace_back(line * side + (column + step) % side, neighbor);
      entries.emplace_back((line + step) % side * side + column, neighbor);
    }
    for (auto& [other, weight] : entries) weight *= factor_of(i, other, spread);
    rows.add(i, entries);
  }
  return rows.rows();
}

// The same rows for PETSc.
OwnedMat matrix_of(const SparseMatrix& rows, const Partition& partition, const MpiTeam& team) {
  const std::vector<PetscInt> begin(rows.outerIndexPtr(), rows.outerIndexPtr() + rows.rows() + 1);
  const std::vector<PetscInt> columns(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros());
  OwnedMat matrix;
  check(MatCreateMPIAIJWithArrays(team.communicator(), partition.count, partition.count, partition.total(),
                                  partition.total(), begin.data(), columns.data(), rows.valuePtr(), matrix.place()));
  return matrix;
}

RandomWalk walk_of(SparseMatrix rows, const Context& context) {
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(std::move(rows));
  return make_walk(std::move(graph), context);
}

// Own rows of a graph in a file; the diagonal is added where it is not there.
SparseMatrix graph_rows(std::ifstream& file, double spread, const Partition& partition) {
  const auto read = [&](Index first, auto& values) {
    using Number = typename std::decay_t<decltype(values)>::value_type;
    file.seekg(first * static_cast<Index>(sizeof(Number)));  // all numbers have eight bytes
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(Number)));
  };
  std::vector<Index> size(2), begin(static_cast<std::size_t>(partition.count) + 1);
  read(0, size);
  read(2 + partition.first, begin);
  std::vector<Index> others(static_cast<std::size_t>(begin.back() - begin.front()));
  std::vector<double> weights(others.size());
  read(3 + size[0] + begin.front(), others);
  read(3 + size[0] + size[1] + begin.front(), weights);
  RowsBuilder rows(partition);
  for (Index i = 0; i < partition.count; ++i) {
    std::vector<std::pair<Index, double>> entries{{partition.first + i, 0.0}};
    for (Index k = begin[static_cast<std::size_t>(i)]; k < begin[static_cast<std::size_t>(i) + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k - begin.front());
      const Index other = others[place];
      if (other == partition.first + i) entries.front().second = weights[place];
      if (other != partition.first + i) {
        entries.emplace_back(other, weights[place] * factor_of(partition.first + i, other, spread));
      }
    }
    rows.add(partition.first + i, entries);
  }
  return rows.rows();
}

std::vector<double> true_values(Index side, Index count) {
  std::vector<double> values;
  for (Index a = 0; a < side; ++a) {
    for (Index b = 0; b < side; ++b) {
      const auto cosine = [&](Index k) {
        return std::cos(2 * M_PI * static_cast<double>(k) / static_cast<double>(side));
      };
      values.push_back((1 + 2 * neighbor * (cosine(a) + cosine(b))) / (1 + 4 * neighbor));
    }
  }
  std::partial_sort(values.begin(), values.begin() + count, values.end(), std::greater<>());
  values.resize(static_cast<std::size_t>(count));
  return values;
}

// SLEPc with its own settings.
std::vector<double> plain(Mat matrix, const Matrix& known, Index count, double tolerance, const Partition& partition,
                          const MpiTeam& team) {
  std::vector<OwnedVec> held;
  std::vector<Vec> deflated;
  for (Index c = 0; c < known.cols(); ++c) {
    held.push_back(vector_on(known.col(c).data(), partition, team));
    deflated.push_back(held.back());
  }
  OwnedSolver solver;
  check(EPSCreate(team.communicator(), solver.place()));
  check(EPSSetOperators(solver, matrix, nullptr));
  check(EPSSetProblemType(solver, EPS_HEP));
  check(EPSSetWhichEigenpairs(solver, EPS_LARGEST_REAL));
  check(EPSSetDimensions(solver, static_cast<PetscInt>(count), PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(solver, tolerance, 100000));
  check(EPSSetConvergenceTest(solver, EPS_CONV_ABS));
  if (!deflated.empty()) {
    check(EPSSetDeflationSpace(solver, static_cast<PetscInt>(deflated.size()), deflated.data()));
  }
  check(EPSSolve(solver));
  PetscInt converged = 0;
  check(EPSGetConverged(solver, &converged));
  std::vector<double> values;
  for (PetscInt k = 0; k < std::min<PetscInt>(converged, static_cast<PetscInt>(count)); ++k) {
    PetscScalar value = 0;
    check(EPSGetEigenvalue(solver, k, &value, nullptr));
    values.push_back(value);
  }
  return values;
}

// P' P = D^1/2 S D^-1 S D^1/2 with products of PETSc.
class PlainNormal {
 public:
  PlainNormal(Mat conjugate, const RandomWalk& walk, const MpiTeam& team) : conjugate_(conjugate) {
    const Partition& partition = walk.partition;
    for (OwnedVec* vector : {&root_, &inverse_degrees_, &scaled_, &image_}) *vector = new_vector(partition, team);
    check(VecCopy(vector_on(Vector(walk.degrees.cwiseSqrt()).data(), partition, team), root_));
    check(VecCopy(vector_on(Vector(walk.degrees.cwiseInverse()).data(), partition, team), inverse_degrees_));
    shell_ = shell_of(this, &PlainNormal::apply, partition, team);
  }
  Mat matrix() const { return shell_; }

 private:
  static PetscErrorCode apply(Mat shell, Vec x, Vec y) {
    void* context = nullptr;
    PetscCall(MatShellGetContext(shell, &context));
    const auto& op = *static_cast<const PlainNormal*>(context);
    PetscCall(VecPointwiseMult(op.scaled_, op.root_, x));
    PetscCall(MatMult(op.conjugate_, op.scaled_, op.image_));
    PetscCall(VecPointwiseMult(op.image_, op.inverse_degrees_, op.image_));
    PetscCall(MatMult(op.conjugate_, op.image_, y));
    PetscCall(VecPointwiseMult(y, op.root_, y));
    return 0;
  }

  Mat conjugate_;
  OwnedMat shell_;
  OwnedVec root_, inverse_degrees_, scaled_, image_;
};

Index copies_missed(const std::vector<double>& found, const std::vector<double>& truth) {
  Index missed = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    missed += k >= found.size() || std::abs(found[k] - truth[k]) > 1e-7 ? 1 : 0;
  }
  return missed;
}

template <class Work>
double seconds(const MpiTeam& team, Work&& work) {
  team.sum(0.0);  // all start together
  const auto began = std::chrono::steady_clock::now();
  work();
  team.sum(0.0);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main(int count, char** words) {
  std::ifstream file(count > 1 ? words[1] : "", std::ios::binary);
  Index size = 0;
  const Index side = count > 1 ? std::atol(words[1]) : 300;
  if (!file.read(reinterpret_cast<char*>(&size), sizeof size)) size = side * side;
  const Index pairs = count > 2 ? std::atol(words[2]) : 21;
  const double tolerance = count > 3 ? std::atof(words[3]) : 1e-10;
  const Job job("");
  const auto team = std::dynamic_pointer_cast<const MpiTeam>(job.team());
  const Partition partition = team->even_partition(size);
  const auto rows = [&](double spread) {
    return file ? graph_rows(file, spread, partition) : torus_rows(side, spread, partition);
  };
  const Context context = Context(Context::Settings{.threads = 1}).with(team);
  const RandomWalk walk = walk_of(rows(0), context);
  const OwnedMat conjugate = matrix_of(rows(0), partition, *team);
  const Vector scale = walk.degrees.array().rsqrt();
  const OwnedVec factors = vector_on(scale.data(), partition, *team);
  check(MatDiagonalScale(conjugate, factors, factors));
  const std::vector<double> truth = file ? std::vector<double>() : true_values(side, pairs);
  SolverOptions solver;
  solver.divided = std::make_shared<const SlepcSolver>(*team, "");
  solver.tolerance = tolerance;
  solver.max_restarts = 100000;
  const auto say = [&](const char* who, double time, const char* format, auto... numbers) {
    if (team->rank() != 0) return;
    std::printf("%-24s%8.2f s, ", who, time);
    std::printf(format, numbers...);
    std::fflush(stdout);
  };
  if (team->rank() == 0) std::printf("%td features, %td pairs, %d processes\n", size, pairs, team->size());

  std::vector<double> values;
  double time = seconds(*team, [&] { values = plain(conjugate, Matrix(), pairs, tolerance, partition, *team); });
  say("Krylov-Schur as it is:", time, "%td of %td values missed, the last is %.9f\n", copies_missed(values, truth),
      pairs, values.back());
  time = seconds(*team, [&] {
    const Vector found = leading_eigenpairs(walk, pairs, solver, context).values;
    values.assign(found.begin(), found.end());
  });
  say("ours:", time, "%td of %td values missed, the last is %.9f\n", copies_missed(values, truth), pairs,
      values.back());

  const RandomWalk other = walk_of(rows(3), context);
  const Matrix of_others[] = {Matrix(partition.count, 0), leading_eigenpairs(other, pairs, solver, context).vectors};
  const Basis basis = basis_of_others(of_others, 0, context);
  const Index vectors = 10;
  time = seconds(*team, [&] {
    const PlainNormal op(conjugate, walk, *team);
    values = plain(op.matrix(), basis.vectors, vectors, tolerance, partition, *team);
  });
  say("vectors, Krylov-Schur:", time, "sigma %.9f to %.9f\n", std::sqrt(values.front()), std::sqrt(values.back()));
  Vector sigma;
  time = seconds(*team, [&] { sigma = singular_vectors(walk, basis, vectors, solver, context).sigma; });
  say("vectors, ours:", time, "sigma %.9f to %.9f\n", sigma[0], sigma[sigma.size() - 1]);
  return 0;
}
