#include <algorithm>
#include <numeric>

#include "differential/finish.hpp"
#include "disc/prototypes.hpp"
#include "pipeline/engine.hpp"
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

class LocalEngine final : public Engine {
 public:
  LocalEngine(std::vector<Dataset> data, const Context& context) : data_(std::move(data)), context_(context) {}

  void read(const RunOptions& options) override { study_ = choose_study(std::move(data_), options, context_); }
  void prepare(const RunOptions& options) override { prepare_study(study_, options, context_); }
  void design(const RunOptions& options) override {
    design_study(study_, options, context_);
    const MatchOptions matching{options.prepare.missing, options.graph.kernel == Kernel::precomputed};
    match_ = match_features(study_.conditions, matching, context_);
    walks_.resize(study_.conditions.size());
    pairs_.resize(study_.conditions.size());
    eigenvectors_.resize(study_.conditions.size());
    edges_.resize(study_.conditions.size());
    all_eigenvectors_.resize(study_.conditions.size());
  }
  const Study& study() const override { return study_; }
  const FeatureMatch& match() const override { return match_; }

  void for_each_condition(const std::function<void(Index)>& step) const override {
    const auto conditions = static_cast<Index>(walks_.size());
    if (static_cast<Index>(match_.features.size()) < side_by_side_below) {
      context_.parallel_for(conditions, step);
    } else {
      for (Index m = 0; m < conditions; ++m) step(m);
    }
  }

  std::optional<double> try_prototypes(const GraphOptions& options) override {
    distance_ = options.distance.value_or(correlation_of(options.scores));
    centres_ = find_prototypes(study_.conditions, match_, distance_, options.prototypes.value_or(policy::prototypes),
                               context_);
    return centres_.loss;
  }
  FormChoice take_prototypes() override {
    prototypes_ = assign_prototypes(study_.conditions, match_, distance_, centres_, context_);
    centres_ = {};
    return {{}, prototypes_.count(), prototypes_.loss};
  }

  FeatureGraph build_graph(Index m, const GraphOptions& options) override {
    FeatureGraph graph =
        has_prototypes()
            ? graph_of_prototypes(correlations_of_prototypes(prototypes_, m), study_.conditions[at(m)].values.rows(),
                                  prototypes_.sizes, options, context_)
            : disc::build_graph(study_.conditions[at(m)], match_.columns[at(m)], options, context_);
    FeatureGraph facts;
    facts.used = graph.used;
    facts.duplicates = graph.duplicates;
    facts.recomputed_pairs = graph.recomputed_pairs;
    facts.recall = graph.recall;
    walks_[at(m)] = make_walk(std::move(graph), context_);
    return facts;
  }

  Spectrum leading_spectrum(Index m, const RunOptions& used) override {
    const RandomWalk& walk = walks_[at(m)];
    const auto conditions = static_cast<Index>(walks_.size());
    const PairSolver solve = [&](Index count, const SolverOptions& solver) {
      return leading_eigenpairs(walk, count, solver, context_);
    };
    const std::optional<double> edge =
        has_prototypes()
            ? noise_threshold_of(as_condition(prototypes_, m), first_columns(walk.size()),
                                 walk.degrees.cwiseQuotient(walk.sizes), for_prototypes(used), context_)
            : noise_threshold_of(study_.conditions[at(m)], match_.columns[at(m)], walk.degrees, used, context_);
    Spectrum spectrum = choose_spectrum(solve, edge, walk.size(), conditions, used);
    all_eigenvectors_[at(m)] = walk_eigenvectors(walk, spectrum.pairs);
    edges_[at(m)] = edge;
    pairs_[at(m)] = spectrum.pairs;
    spectrum.pairs.vectors.resize(0, 0);  // U is handed out later instead
    return spectrum;
  }

  HalfEigenvectors eigenvectors_of_halves(Index m, Index count, const RunOptions& used) const override {
    if (has_prototypes())
      return disc::eigenvectors_of_halves(as_condition(prototypes_, m), first_columns(prototypes_.count()), count,
                                          for_prototypes(used).graph, context_, nullptr, prototypes_.sizes);
    return disc::eigenvectors_of_halves(study_.conditions[at(m)], match_.columns[at(m)], count, used.graph, context_);
  }

  void keep_eigenvectors(Index m, const Dimensions& dimensions, const DifferentialOptions& options) override {
    keep_chosen(pairs_[at(m)], dimensions);
    eigenvectors_[at(m)] = basis_columns(all_eigenvectors_[at(m)], dimensions, options);
    // Of a large graph the path of sigma is not asked for, and they are large too.
    if (walks_[at(m)].conjugate.is_sparse()) all_eigenvectors_[at(m)].resize(0, 0);
  }

  DifferentialVectors differential_vectors(Index m, const DifferentialOptions& options,
                                           const SolverOptions& solver) override {
    DifferentialVectors result =
        disc::differential_vectors({walks_, pairs_, eigenvectors_, edges_}, m, options, solver, context_);
    if (has_prototypes()) {
      result.vectors = lift_to_features(result.vectors, prototypes_);
      // The sigma of scenes fall without a clear drop: docs/decisions/015-prototypes.md
      if (!options.vectors) result.leading = std::min(result.sigma.size(), vectors_when_not_told);
    }
    return result;
  }

  std::vector<SigmaAtDimension> sigma_path(Index m) override {
    const SigmaSolver solve = [&](std::span<const Matrix> bases, Index count, const SolverOptions& solver) {
      const Basis basis = basis_of_others(bases, m);
      if (basis.vectors.rows() - basis.vectors.cols() < count) return Vector();
      return singular_vectors(walks_[at(m)], basis, count, solver, context_).sigma;
    };
    return disc::sigma_path(all_eigenvectors_, solve);
  }

  std::unique_ptr<GroupTest> group_test(const TestOptions& options) override {
    TestOptions own = options;
    own.representatives = prototypes_.representatives;
    return disc::group_test(study_.conditions, match_, study_.design, own, context_);
  }
  FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options) override {
    return disc::group_features(vectors, options, context_);
  }
  FigureData make_figure_data(const Analysis& analysis) override {
    return disc::make_figure_data(study_, match_, {walks_, prototypes_.of}, analysis, context_);
  }
  Matrix take_eigenvectors(Index m) override {
    if (has_prototypes()) return lift_to_features(eigenvectors_[at(m)], prototypes_);
    return std::move(eigenvectors_[at(m)]);
  }

 private:
  bool has_prototypes() const { return prototypes_.count() > 0; }

  std::vector<Dataset> data_;  // until the conditions are chosen
  const Context& context_;
  Study study_;
  FeatureMatch match_;
  PrototypeCentres centres_;  // until features are put to them
  Distance distance_ = Distance::normal_scores;
  Prototypes prototypes_;  // in the form `prototypes`: the walks and all that follows from them are of these
  std::vector<RandomWalk> walks_;
  std::vector<Eigenpairs> pairs_;
  std::vector<std::optional<double>> edges_;  // of the noise
  std::vector<Matrix> eigenvectors_;          // those that belong to the bases
  std::vector<Matrix> all_eigenvectors_;      // also those beyond: for the path of sigma
};

}  // namespace

std::unique_ptr<Engine> local_engine(std::vector<Dataset> data, const Context& context) {
  return std::make_unique<LocalEngine>(std::move(data), context);
}

}  // namespace disc
