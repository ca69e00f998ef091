// The steps of a run, done by the processes of a job together.
#include <chrono>

#include "differential/finish.hpp"
#include "distributed/figure_data.hpp"
#include "distributed/graphs.hpp"
#include "distributed/groups.hpp"
#include "distributed/job.hpp"
#include "distributed/shared_study.hpp"
#include "distributed/solve.hpp"
#include "pipeline/engine.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class SlepcEngine final : public Engine {
 public:
  SlepcEngine(std::shared_ptr<const MpiTeam> team, const Inputs& inputs, const Context& context)
      : team_owner_(std::move(team)), team_(*team_owner_), inputs_(inputs), context_(context) {}
  Index processes() const override { return team_.size(); }

  void read(const RunOptions& options) override {
    if (options.differential.method != Method::disc) {
      throw OptionError("method", "other than disc", "is not in the engine mpi: use --engine local");
    }
    shared_ = read_study(inputs_, options, team_, context_);
    if (inputs_.checkpoints) {
      const std::string identity = team_.rank() == 0 ? inputs_.identity() : std::string();
      checkpoints_ = std::make_shared<TeamCheckpoints>(inputs_.checkpoints, identity, team_);
    }
  }
  void prepare(const RunOptions& options) override { prepare_shared(shared_, options, team_, context_); }
  void design(const RunOptions& options) override {
    design_shared(shared_, options, team_, context_);
    const std::size_t conditions = shared_.study.conditions.size();
    walks_.resize(conditions);
    eigenvectors_.resize(conditions);
    all_eigenvectors_.resize(conditions);
    edges_.resize(conditions);
  }
  const Study& study() const override { return shared_.study; }
  const FeatureMatch& match() const override { return shared_.match; }

  // All processes work on one condition at a time.
  void for_each_condition(const std::function<void(Index)>& step) const override {
    for (Index m = 0; m < conditions(); ++m) {
      context_.check_stop();
      step(m);
    }
  }

  FeatureGraph build_graph(Index m, const GraphOptions& options) override {
    if (shared_.is_divided && options.form == GraphForm::dense) {
      throw OptionError("graph", "dense",
                        "is too large for " + std::to_string(shared_.partition.total()) + " features; use --graph knn");
    }
    const Dataset& condition = shared_.study.conditions[at(m)];
    Graph graph = options.form == GraphForm::knn
                      ? neighbor_graph(condition, shared_.own_columns(m), options, kept("nearest", m), team_, context_)
                      : dense_graph(condition, shared_.match.columns[at(m)], options, team_, context_);
    walks_[at(m)] = std::move(graph.walk);
    return std::move(graph.facts);
  }

  Spectrum leading_spectrum(Index m, const RunOptions& used) override {
    const Walk& walk = *walks_[at(m)];
    const PairSolver solve = [&](Index count, const SolverOptions& solver) {
      const Kept place = kept("eigenpairs-" + std::to_string(count), m);
      return distributed::leading_eigenpairs(walk, count, solver, place, team_, context_);
    };
    std::optional<double> edge;
    if (used.graph.form == GraphForm::dense) {
      edge = noise_threshold_of(shared_.study.conditions[at(m)], shared_.match.columns[at(m)],
                                team_.rows_to_all(walk.degrees()), used, context_, &team_);
    }
    Spectrum spectrum = choose_spectrum(solve, edge, walk.size(), conditions(), used);
    all_eigenvectors_[at(m)] = right_eigenvectors(walk, spectrum.pairs.vectors);
    edges_[at(m)] = edge;
    spectrum.pairs.vectors.resize(0, 0);
    return spectrum;
  }

  HalfEigenvectors eigenvectors_of_halves(Index m, Index count, const RunOptions& used) const override {
    return disc::eigenvectors_of_halves(shared_.study.conditions[at(m)], shared_.match.columns[at(m)], count,
                                        used.graph, context_, &team_);
  }

  void keep_eigenvectors(Index m, const Dimensions& dimensions, const DifferentialOptions& options) override {
    eigenvectors_[at(m)] = basis_columns(all_eigenvectors_[at(m)], dimensions, options);
    if (walks_[at(m)]->is_sparse()) all_eigenvectors_[at(m)].resize(0, 0);  // there will be no path of sigma
  }

  DifferentialVectors differential_vectors(Index m, const DifferentialOptions& options,
                                           const SolverOptions& solver) override {
    const Walk& walk = *walks_[at(m)];
    Index taken = 0;
    for (std::size_t k = 0; k < eigenvectors_.size(); ++k) {
      if (static_cast<Index>(k) != m) taken += eigenvectors_[k].cols();
    }
    const Basis basis = distributed::basis_of_others(eigenvectors_, m, team_);
    const VectorSolver solve = [&](Index count) {
      const Kept place = kept("vectors-" + std::to_string(count), m);
      return distributed::singular_vectors(walk, basis, count, solver, place, team_, context_);
    };
    DifferentialVectors result = vectors_above_noise(solve, options, walk.size(), taken, edges_[at(m)]);
    result.vectors = team_.rows_to_first(result.vectors);
    if (team_.rank() == 0) fix_signs(result.vectors);
    result.leading = leading_vectors(options, result.sigma);
    return result;
  }

  std::vector<SigmaAtDimension> sigma_path(Index m) override {
    const SigmaSolver solve = [&](std::span<const Matrix> bases, Index count, const SolverOptions& solver) {
      const Basis basis = distributed::basis_of_others(bases, m, team_);
      if (walks_[at(m)]->size() - basis.vectors.cols() < count) return Vector();
      return distributed::singular_vectors(*walks_[at(m)], basis, count, solver, Kept(), team_, context_).sigma;
    };
    return disc::sigma_path(all_eigenvectors_, solve);
  }

  std::unique_ptr<GroupTest> group_test(const TestOptions& options) override {
    TestOptions together = options;
    together.team = team_owner_;
    together.checkpoints = checkpoints_;
    return distributed::group_test(shared_, together, team_, context_);
  }

  // The rows of the vectors are with the first process. The others must know the groups, too: figure_data are made together.
  FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options) override {
    FeatureGroups found;
    if (team_.rank() == 0) found = disc::group_features(vectors, options, context_);
    Packer pack;
    pack(static_cast<std::uint64_t>(found.groups.size()));
    for (const FeatureGroup& group : found.groups) pack(group.features);
    pack(found.energy);
    const std::string bytes = team_.from_first(pack.bytes());
    if (team_.rank() == 0) return found;
    Unpacker unpack(bytes);
    std::uint64_t count = 0;
    unpack(count);
    found.groups.resize(count);
    for (FeatureGroup& group : found.groups) unpack(group.features);
    unpack(found.energy);
    return found;
  }

  FigureData make_figure_data(const Analysis& analysis) override {
    return distributed::make_figure_data(shared_, walks_, analysis, team_, context_);
  }

  // The first process gets the rows of all: its graphs make room for them.
  Matrix take_eigenvectors(Index m) override {
    walks_[at(m)].reset();
    const Matrix own = std::move(eigenvectors_[at(m)]);
    return team_.rows_to_first(own);
  }

 private:
  Index conditions() const { return static_cast<Index>(walks_.size()); }

  // U = D^-1/2 Y, columns of unit length over all processes. method (5)
  Matrix right_eigenvectors(const Walk& walk, const Matrix& vectors) const {
    Matrix right = walk.degrees().array().rsqrt().matrix().asDiagonal() * vectors;
    Vector squares = right.colwise().squaredNorm();
    team_.sum(squares.data(), squares.size());
    return right * squares.array().rsqrt().matrix().asDiagonal();
  }

  Kept kept(const std::string& stage, Index condition) const {
    return {checkpoints_.get(), stage + "-" + std::to_string(condition)};
  }

  std::shared_ptr<const MpiTeam> team_owner_;
  const MpiTeam& team_;
  const Inputs& inputs_;
  const Context& context_;
  std::shared_ptr<TeamCheckpoints> checkpoints_;
  SharedStudy shared_;
  std::vector<std::unique_ptr<Walk>> walks_;
  std::vector<Matrix> eigenvectors_, all_eigenvectors_;  // rows of own features
  std::vector<std::optional<double>> edges_;             // of the noise
};

}  // namespace

Analysis run(const Job& job, const Inputs& inputs, const RunOptions& options, const Context& context) {
  const auto team = std::dynamic_pointer_cast<const MpiTeam>(job.team());
  SlepcEngine engine(team, inputs, context);
  return disc::run(engine, options, context);
}

}  // namespace disc::distributed
