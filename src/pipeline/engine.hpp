// Who does the work of a run: this process (local_engine.cpp), or several machines together (src/distributed).
#pragma once

#include <memory>

#include "pipeline/choices.hpp"
#include "stats/group_test.hpp"

namespace disc {

/// The steps of a run. An engine keeps the data and the graphs; what it hands out is whole, whoever computed it. Where processes
/// work together, each calls the same steps in the same order, and the rows of vectors are handed to the first process only: the
/// others get matrices of as many columns without rows.
class Engine {
 public:
  virtual ~Engine() = default;

  /// How many processes divide the features.
  virtual Index processes() const { return 1; }

  /// Reads the data, where that has not been done, and chooses the conditions that are compared; comes first.
  virtual void read(const RunOptions& options) = 0;
  /// What is done to the values before they are compared.
  virtual void prepare(const RunOptions& options) = 0;
  /// Who may be exchanged with whom, without what covariates explain; then the features can be matched.
  virtual void design(const RunOptions& options) = 0;
  /// The conditions as they are analysed. Of the values only the number of samples is known to everybody.
  virtual const Study& study() const = 0;
  virtual const FeatureMatch& match() const = 0;
  /// Calls step(0), step(1), ...: one after the other or side by side.
  virtual void for_each_condition(const std::function<void(Index)>& step) const = 0;

  /// Looks for prototypes of the features and says which share of the features' variance they lose, measured on features that had no
  /// part in the search. Unset: this engine makes none.
  virtual std::optional<double> try_prototypes(const GraphOptions& /*options*/) { return std::nullopt; }
  /// Puts every feature to one of them; says how many there are and what they lose over all features.
  virtual FormChoice take_prototypes() { return {}; }

  /// method (1) to (4). The weights stay with the engine: the graph handed out has none.
  virtual FeatureGraph build_graph(Index condition, const GraphOptions& options) = 0;
  /// method (5), (14)
  virtual Spectrum leading_spectrum(Index condition, const RunOptions& used) = 0;
  /// The same eigenvectors from two halves of the samples, for method (15). Only in the dense form.
  virtual HalfEigenvectors eigenvectors_of_halves(Index condition, Index count, const RunOptions& used) const = 0;
  /// Drops the eigenvectors beyond those chosen.
  virtual void keep_eigenvectors(Index condition, const Dimensions& dimensions, const DifferentialOptions& options) = 0;
  /// method (6) to (8)
  virtual DifferentialVectors differential_vectors(Index condition, const DifferentialOptions& options,
                                                   const SolverOptions& solver) = 0;
  /// sigma for growing numbers of eigenvectors of the others: the bases are nested.
  virtual std::vector<SigmaAtDimension> sigma_path(Index condition) = 0;
  /// The test of groups, to be taken step by step. It must not outlive the engine.
  virtual std::unique_ptr<GroupTest> group_test(const TestOptions& options) = 0;
  /// method (18), the paper's way
  virtual FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options) = 0;
  virtual FigureData make_figure_data(const Analysis& analysis) = 0;
  /// U, the right eigenvectors of P that belong to the bases. Comes last: the engine need not keep them or the graph any longer.
  virtual Matrix take_eigenvectors(Index condition) = 0;
};

/// All in this process, on its threads.
std::unique_ptr<Engine> local_engine(std::vector<Dataset> data, const Context& context);

/// The method, by the steps of an engine.
Analysis run(Engine& engine, const RunOptions& options, const Context& context);

}  // namespace disc
