// What the run leaves in its result beside the answer: times, settings, what was excluded, warnings.
#pragma once

#include <chrono>

#include "pipeline/model_selection.hpp"

namespace disc {

/// "1 feature", "2 features".
std::string plural(Index count, const std::string& word);
/// A share, such as "12.3 %".
std::string in_percent(double share);

/// Times the stages of a run and announces them.
class Stopwatch {
 public:
  Stopwatch(Analysis& analysis, const Context& context) : analysis_(analysis), context_(context) {}
  void start(const std::string& stage);
  void stop();

 private:
  Analysis& analysis_;
  const Context& context_;
  std::string stage_;
  std::chrono::steady_clock::time_point began_;
};

void record_features(const FeatureMatch& match, const Study& study, Analysis& analysis);

void record_prototypes(const FormChoice& found, Analysis& analysis, const Context& context);
void record_graph(const FeatureGraph& graph, Index condition, Analysis& analysis);
void record_spectrum(Spectrum&& spectrum, Index condition, Analysis& analysis);
/// Vectors that are not known to the tolerance say nothing: none are kept then.
void drop_unless_converged(ConditionResult& result);
/// The largest number of eigenvectors chosen becomes the setting used.
void record_dimensions(Analysis& analysis);
/// Groups, candidates and pairs of every condition, and how their p-values were made.
void record_groups(TestResult&& tested, Analysis& analysis, const Context& context);
void collect_warnings(const Study& study, Analysis& analysis, const Context& context);

}  // namespace disc
