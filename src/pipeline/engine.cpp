#include "pipeline/engine.hpp"

#include <algorithm>
#include <numeric>

#include "differential/finish.hpp"
#include "pipeline/figure_data.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

// With few features one condition cannot keep all threads busy, so the conditions run side by side; with many, each step
// uses all threads itself. The bits are the same either way.
constexpr Index side_by_side_below = 1500;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Prototypes as the features of a condition: their values are scores already, so that a plain correlation is left to take.
Dataset as_condition(const Prototypes& prototypes, Index m) {
  Dataset result;
  result.values = SampleMatrix(RowMatrix(prototypes.profiles[at(m)].cast<double>()));
  return result;
}

std::vector<Index> first_columns(Index count) {
  std::vector<Index> columns(at(count));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

RunOptions for_prototypes(RunOptions used) {
  used.graph.distance = Distance::correlation;
  return used;
}

}  // namespace

void Engine::read(const RunOptions& options) { study_ = choose_study(std::move(data_), options, context_); }

void Engine::prepare(const RunOptions& options) { prepare_study(study_, options, context_); }

void Engine::design(const RunOptions& options) {
  design_study(study_, options, context_);
  match_features(options);
  const std::size_t conditions = study_.conditions.size();
  walks_.resize(conditions);
  pairs_.resize(conditions);
  eigenvectors_.resize(conditions);
  edges_.resize(conditions);
  all_eigenvectors_.resize(conditions);
}

void Engine::match_features(const RunOptions& options) {
  const MatchOptions matching{options.prepare.missing, options.graph.kernel == Kernel::precomputed};
  match_ = disc::match_features(study_.conditions, matching, context_);
}

std::vector<Index> Engine::columns_of(Index m, GraphForm /*form*/) const { return match_.columns[at(m)]; }

SolverOptions Engine::with_solver(SolverOptions options, const std::string& stage) const {
  options.divided = solver_of(stage);
  return options;
}

void Engine::for_each_condition(const std::function<void(Index)>& step) const {
  const auto conditions = static_cast<Index>(walks_.size());
  if (team_ == nullptr && static_cast<Index>(match_.features.size()) < side_by_side_below) {
    context_.parallel_for(conditions, step);
    return;
  }
  for (Index m = 0; m < conditions; ++m) {
    context_.check_stop();
    step(m);
  }
}

std::optional<double> Engine::try_prototypes(const GraphOptions& options) {
  if (team_ != nullptr) return std::nullopt;
  distance_ = options.distance.value_or(correlation_of(options.scores));
  centers_ =
      find_prototypes(study_.conditions, match_, distance_, options.prototypes.value_or(policy::prototypes), context_);
  return centers_.loss;
}

FormChoice Engine::take_prototypes() {
  prototypes_ = assign_prototypes(study_.conditions, match_, distance_, centers_, context_);
  centers_ = {};
  return {{}, prototypes_.count(), prototypes_.loss};
}

FeatureGraph Engine::build_graph(Index m, const GraphOptions& options) {
  GraphOptions asked = options;
  if (team_ != nullptr) asked.precision = Precision::full;
  const Dataset& condition = study_.conditions[at(m)];
  FeatureGraph graph = has_prototypes()
                           ? graph_of_prototypes(correlations_of_prototypes(prototypes_, m), condition.values.rows(),
                                                 prototypes_.sizes, asked, context_)
                           : disc::build_graph(condition, columns_of(m, asked.form), asked, divided_);
  FeatureGraph facts;
  facts.used = graph.used;
  facts.used.precision = options.precision;
  facts.duplicates = graph.duplicates;
  facts.recomputed_pairs = graph.recomputed_pairs;
  facts.recall = graph.recall;
  walks_[at(m)] = make_walk(std::move(graph), divided_);
  return facts;
}

Spectrum Engine::leading_spectrum(Index m, const RunOptions& used) {
  const RandomWalk& walk = walks_[at(m)];
  const PairSolver solve = [&](Index count, const SolverOptions& solver) {
    const std::string stage = "eigenpairs-" + std::to_string(m);
    return leading_eigenpairs(walk, count, with_solver(solver, stage), divided_);
  };
  const std::optional<double> edge =
      has_prototypes() ? noise_threshold_of(as_condition(prototypes_, m), first_columns(walk.size()),
                                            walk.degrees.cwiseQuotient(walk.sizes), for_prototypes(used), context_)
                       : noise_threshold_of(study_.conditions[at(m)], match_.columns[at(m)],
                                            divided_.team().rows_to_all(walk.degrees), used, context_, team_.get());
  Spectrum spectrum = choose_spectrum(solve, edge, walk.size(), static_cast<Index>(walks_.size()), used);
  all_eigenvectors_[at(m)] = walk_eigenvectors(walk, spectrum.pairs, divided_);
  edges_[at(m)] = edge;
  pairs_[at(m)] = spectrum.pairs;
  spectrum.pairs.vectors.resize(0, 0);  // U is handed out later instead
  return spectrum;
}

HalfEigenvectors Engine::eigenvectors_of_halves(Index m, Index count, const RunOptions& used) const {
  if (has_prototypes())
    return disc::eigenvectors_of_halves(as_condition(prototypes_, m), first_columns(prototypes_.count()), count,
                                        for_prototypes(used).graph, context_, nullptr, prototypes_.sizes);
  return disc::eigenvectors_of_halves(study_.conditions[at(m)], match_.columns[at(m)], count, used.graph, context_,
                                      team_.get());
}

void Engine::keep_eigenvectors(Index m, const Dimensions& dimensions, const DifferentialOptions& options) {
  keep_chosen(pairs_[at(m)], dimensions);
  eigenvectors_[at(m)] = basis_columns(all_eigenvectors_[at(m)], dimensions, options);
  // Of a large graph the path of sigma is not asked for, and they are large too.
  if (walks_[at(m)].conjugate.is_sparse()) all_eigenvectors_[at(m)].resize(0, 0);
}

DifferentialVectors Engine::differential_vectors(Index m, const DifferentialOptions& options,
                                                 const SolverOptions& solver) {
  DifferentialVectors result =
      disc::differential_vectors({walks_, pairs_, eigenvectors_, edges_}, m, options,
                                 with_solver(solver, "vectors-" + std::to_string(m)), divided_);
  if (has_prototypes()) {
    result.vectors = lift_to_features(result.vectors, prototypes_);
    // The sigma of scenes fall without a clear drop: docs/decisions/015-prototypes.md
    if (!options.vectors) result.leading = std::min(result.sigma.size(), vectors_when_not_told);
  }
  return result;
}

std::vector<SigmaAtDimension> Engine::sigma_path(Index m) {
  const SigmaSolver solve = [&](std::span<const Matrix> bases, Index count, const SolverOptions& solver) {
    const Basis basis = basis_of_others(bases, m, divided_);
    if (walks_[at(m)].size() - basis.vectors.cols() < count) return Vector();
    return singular_vectors(walks_[at(m)], basis, count, with_solver(solver, ""), divided_).sigma;
  };
  return disc::sigma_path(all_eigenvectors_, solve);
}

std::unique_ptr<GroupTest> Engine::group_test(const TestOptions& options) {
  TestOptions own = options;
  own.representatives = prototypes_.representatives;
  return disc::group_test(study_.conditions, match_, study_.design, own, context_);
}

FeatureGroups Engine::group_features(const DifferentialVectors& vectors, const GroupOptions& options) {
  return disc::group_features(vectors, options, context_);
}

FigureData Engine::make_figure_data(const Analysis& analysis) {
  return disc::make_figure_data(study_, match_, {walks_, prototypes_.of}, analysis, context_);
}

Matrix Engine::take_eigenvectors(Index m) {
  if (has_prototypes()) return lift_to_features(eigenvectors_[at(m)], prototypes_);
  walks_[at(m)] = {};  // the first process gets the rows of all
  const Matrix own = std::move(eigenvectors_[at(m)]);
  return processes() > 1 ? team_->rows_to_first(own) : own;
}

}  // namespace disc
