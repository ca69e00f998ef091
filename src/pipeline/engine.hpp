// The steps of a run, in this process or in several that divide the features (src/distributed).
#pragma once

#include <memory>

#include "disc/prototypes.hpp"
#include "pipeline/model_selection.hpp"
#include "stats/group_test.hpp"

namespace disc {

/// Keeps the data and the graphs; what it hands out is whole, whoever computed it. Where processes work together, each calls the same
/// steps in the same order, and the rows of vectors are handed to the first process only: the others get matrices of as many
/// columns without rows.
class Engine {
 public:
  /// All in this process, on its threads.
  Engine(std::vector<Dataset> data, const Context& context) : Engine(nullptr, context) { data_ = std::move(data); }
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// How many processes divide the features.
  Index processes() const { return divided_.team().size(); }

  /// Reads the data, where that has not been done, and chooses the conditions that are compared; comes first.
  virtual void read(const RunOptions& options);
  /// What is done to the values before they are compared.
  virtual void prepare(const RunOptions& options);
  /// Who may be exchanged with whom, without what covariates explain; then the features are matched.
  void design(const RunOptions& options);
  /// The conditions as they are analyzed. Of the values only the number of samples is known to everybody.
  const Study& study() const { return study_; }
  const FeatureMatch& match() const { return match_; }
  /// Calls step(0), step(1), ...: one after the other or side by side.
  void for_each_condition(const std::function<void(Index)>& step) const;

  /// Looks for prototypes of the features and says which share of the features' variance they lose, measured on features that had no
  /// part in the search. Unset: several processes make none.
  std::optional<double> try_prototypes(const GraphOptions& options);
  /// Puts every feature to one of them; says how many there are and what they lose over all features.
  FormChoice take_prototypes();

  /// method (1) to (4). The weights stay with the engine: the graph handed out has none.
  FeatureGraph build_graph(Index condition, const GraphOptions& options);
  /// method (5), (14)
  Spectrum leading_spectrum(Index condition, const RunOptions& used);
  /// The same eigenvectors from two halves of the samples, for method (15). Only in the dense form.
  HalfEigenvectors eigenvectors_of_halves(Index condition, Index count, const RunOptions& used) const;
  /// Drops the eigenvectors beyond those chosen.
  void keep_eigenvectors(Index condition, const Dimensions& dimensions, const DifferentialOptions& options);
  /// method (6) to (8)
  DifferentialVectors differential_vectors(Index condition, const DifferentialOptions& options,
                                           const SolverOptions& solver);
  /// sigma for growing numbers of eigenvectors of the others: the bases are nested.
  std::vector<SigmaAtDimension> sigma_path(Index condition);
  /// The test of groups, to be taken step by step. It must not outlive the engine.
  virtual std::unique_ptr<GroupTest> group_test(const TestOptions& options);
  /// method (18), the paper's way
  virtual FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options);
  virtual FigureData make_figure_data(const Analysis& analysis);
  /// U, the right eigenvectors of P that belong to the bases. Comes last: the graph is given up.
  Matrix take_eigenvectors(Index condition);

 protected:
  /// With processes that work together; nullptr: alone.
  Engine(std::shared_ptr<const Team> team, const Context& context)
      : team_(std::move(team)), context_(context), divided_(context.with(team_)) {
    if (team_ == nullptr) divided_ = context;
  }
  /// Fills in match_.
  virtual void match_features(const RunOptions& options);
  /// The columns that build_graph() of this process starts from.
  virtual std::vector<Index> columns_of(Index condition, GraphForm /*form*/) const;
  /// Who solves for the eigenpairs of divided walks; what it finds is kept under the name of the stage, if there is one.
  virtual std::shared_ptr<const WalkSolver> solver_of(const std::string& /*stage*/) const { return nullptr; }

  const std::shared_ptr<const Team> team_;
  const Context context_;  // of this process
  Context divided_;        // of all, which have their own rows each
  Study study_;
  FeatureMatch match_;
  std::vector<RandomWalk> walks_;

 private:
  bool has_prototypes() const { return prototypes_.count() > 0; }
  SolverOptions with_solver(SolverOptions options, const std::string& stage) const;

  std::vector<Dataset> data_;  // until the conditions are chosen
  PrototypeCenters centers_;   // until features are put to them
  Distance distance_ = Distance::normal_scores;
  Prototypes prototypes_;  // in the form `prototypes`: the walks and all that follows from them are of these
  std::vector<Eigenpairs> pairs_;
  std::vector<std::optional<double>> edges_;  // of the noise
  std::vector<Matrix> eigenvectors_;          // those that belong to the bases
  std::vector<Matrix> all_eigenvectors_;      // also those beyond: for the path of sigma
};

/// The method, by the steps of an engine.
Analysis run(Engine& engine, const RunOptions& options, const Context& context);

}  // namespace disc
