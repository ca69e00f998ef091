// Questions that need no search: are given sets of features connected more in one condition, do the groups of a run hold in other
// data, and how strongly does every new sample show them?
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "disc/options.hpp"
#include "disc/pipeline.hpp"
#include "disc/test_sets.hpp"

namespace disc {

// ---- Given sets ---------------------------------------------------------------------------------------------------------------

/// Data as a run would take them, ready to be asked about sets.
struct SetStudy {
  SetTester tester;
  std::vector<std::string> conditions{};
  std::vector<Index> samples{};  ///< of every condition
  std::vector<Excluded> excluded{};
  Index total_features = 0;
  std::vector<PreparationStep> preparation{};  ///< what was done to the data first
  std::vector<std::string> warnings{};
  RunOptions used{};  ///< what was chosen for preparation, design and scores
};
/// `sets`: those that will be asked about; none: any. Throws InputError and OptionError as `run` does, and OptionError where the options
/// ask for other than correlations of samples.
SetStudy prepare_sets(std::vector<Dataset> conditions, const RunOptions& options, std::span<const GivenSet> sets,
                      const Context& context);
/// Whether an option of a run decides anything here: those of data and design, of scores and permutations.
bool is_for_sets(const OptionField& option);

/// One row per test, then the sets that were not tested. docs/outputs.md
std::string sets_tsv(const SetStudy& study, std::span<const GivenSet> sets, const SetTests& tests);
/// How the tests were made.
std::string sets_json(const SetStudy& study, const SetTests& tests, const RunRecord& record);

// ---- The groups of a run ------------------------------------------------------------------------------------------------------

/// A group as the files of a run tell of it.
struct RunGroup {
  std::string condition, id;  ///< "1", or "1.1" for a part
  std::vector<std::string> members;
  std::vector<std::int8_t> sign;
  bool is_lost = false;
  bool is_set_apart = false;  ///< found by what it lost outside, not by what it gained within
};
/// What a run found, as far as others can be asked about it.
struct FoundGroups {
  std::vector<std::string> conditions;
  std::vector<RunGroup> groups;                ///< and their parts
  std::optional<Normalization> normalization;  ///< of its data
};
/// From the texts of groups.tsv and summary.json; `place` stands for them in messages.
FoundGroups read_groups(std::string_view groups, std::string_view summary, const std::string& place);
/// The same from the folder of a run.
FoundGroups read_groups(const std::filesystem::path& folder);
std::vector<GivenSet> sets_of(std::span<const RunGroup> groups);

/// Whether a group holds in other data: one-sided, in the direction that it had.
struct Replication {
  Index group = 0;
  Index condition = 0;   ///< of the new data, that stands for the group's
  Index found = 0;       ///< members that the new data have
  bool tested = false;   ///< not: too few members, or a group that was set apart
  double statistic = 0;  ///< (25), in the group's direction: positive if the new data agree
  double p = 1;          ///< one-sided
  double p_opposite = 1;
  double q = 1;                          ///< false discovery rate among the groups (Benjamini & Hochberg)
  std::vector<double> mean_correlation;  ///< between the members, in every condition of the new data
};
struct Replications {
  std::vector<Replication> groups;  ///< as they were given
  SetTests tests;                   ///< how it was done
};
/// The conditions of the new data are those of the groups by name, or if no name is the same by their order. Throws InputError where
/// they cannot be told apart.
Replications replicate(const SetStudy& study, const FoundGroups& run, const SetTestOptions& options,
                       const Context& context);
/// "holds", "not shown", "opposite" or "not tested".
std::string verdict(const Replication& replication, double level);
std::string replication_tsv(const SetStudy& study, std::span<const RunGroup> groups, const Replications& found);

/// How strongly new samples show the groups of a run: the mean of the standardized members, with their signs. Members are standardized
/// over all new samples, so that scores compare these with each other.
struct Projection {
  Matrix scores;                                  ///< samples x groups; NaN for groups without members
  std::vector<Index> found;                       ///< per group
  std::vector<std::vector<std::string>> missing;  ///< per group
};
Projection project(std::span<const Dataset> data, const FoundGroups& run, const Context& context);

}  // namespace disc
