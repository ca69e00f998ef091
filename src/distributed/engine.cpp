// The steps of a run, done by the processes of a job together.
#include <numeric>

#include "pipeline/engine.hpp"

#include "distributed/checkpoints.hpp"
#include "distributed/job.hpp"
#include "distributed/shared_study.hpp"
#include "distributed/solve.hpp"
#include "matrix/checkpoint.hpp"
#include "stats/group_test.hpp"

namespace disc::distributed {
namespace {

class SlepcEngine final : public Engine {
 public:
  SlepcEngine(std::shared_ptr<const MpiTeam> team, const Inputs& inputs, const Context& context)
      : Engine(team, context), mpi_(*team), inputs_(inputs) {}

  void read(const RunOptions& options) override {
    if (options.differential.method != Method::disc) {
      throw OptionError("method", "other than disc", "is not in the engine mpi: use --engine local");
    }
    sharing_ = read_study(inputs_, options, divided_, study_);
    if (!inputs_.checkpoints) return;
    kept_ = std::make_shared<NamedCheckpoints>(inputs_.checkpoints, team_->rank() == 0 ? inputs_.identity() : "");
    divided_ = context_.with(team_, kept_);
  }
  void prepare(const RunOptions& options) override {
    prepare_study(study_, options, context_, sharing_.is_divided ? team_.get() : nullptr);
  }

  std::unique_ptr<GroupTest> group_test(const TestOptions& options) override {
    TestOptions together = options;
    together.team = team_;
    if (kept_) together.checkpoints = std::make_shared<TeamCheckpoints>(kept_, *team_);
    if (sharing_.is_divided) return test_of_drawn(together);
    return disc::group_test(study_.conditions, match_, study_.design, together, context_);
  }

  // The rows of the vectors are with the first process. The others must know the groups, too: figure_data are made together.
  FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options) override {
    FeatureGroups found;
    if (team_->rank() == 0) found = disc::group_features(vectors, options, context_);
    Packer pack;
    pack(static_cast<std::uint64_t>(found.groups.size()));
    for (const FeatureGroup& group : found.groups) pack(group.features);
    pack(found.energy);
    const std::string bytes = team_->from_first(pack.bytes());
    if (team_->rank() == 0) return found;
    Unpacker unpack(bytes);
    std::uint64_t count = 0;
    unpack(count);
    found.groups.resize(count);
    for (FeatureGroup& group : found.groups) unpack(group.features);
    unpack(found.energy);
    return found;
  }

  FigureData make_figure_data(const Analysis& analysis) override {
    return distributed::make_figure_data(study_, match_, sharing_, walks_, analysis, divided_);
  }

 protected:
  void match_features(const RunOptions& options) override {
    if (sharing_.is_divided) return match_divided(options, divided_, study_, sharing_, match_);
    Engine::match_features(options);
    sharing_.partition = team_->even_partition(static_cast<Index>(match_.features.size()));
  }

  std::vector<Index> columns_of(Index m, GraphForm form) const override {
    if (form == GraphForm::knn) return own_columns(match_, sharing_, m);
    if (!sharing_.is_divided) return match_.columns[static_cast<std::size_t>(m)];
    throw OptionError("graph", "dense",
                      "is too large for " + std::to_string(sharing_.partition.total()) + " features; use --graph knn");
  }

  std::shared_ptr<const WalkSolver> solver_of(const std::string& stage) const override {
    return std::make_shared<SlepcSolver>(mpi_, stage);
  }

 private:
  // Every process gets the values of the features that are tested and does its share of the permutations.
  std::unique_ptr<GroupTest> test_of_drawn(const TestOptions& options) {
    std::vector<Index> drawn = features_to_test(sharing_.partition.total(), options.graph, context_);
    if (drawn.empty()) {
      drawn.resize(match_.features.size());
      std::iota(drawn.begin(), drawn.end(), Index{0});
    }
    tested_ = gather_features(study_, sharing_, drawn, *team_);
    const OwnFeatures own{study_.conditions, sharing_.own.front().columns, sharing_.partition};
    return disc::group_test(tested_, own, std::move(drawn), match_, study_.design, options, divided_);
  }

  const MpiTeam& mpi_;
  const Inputs& inputs_;
  std::shared_ptr<Checkpoints> kept_;
  Sharing sharing_;
  std::vector<Dataset> tested_;  // the features drawn, where the values are divided
};

}  // namespace

Analysis run(const Job& job, const Inputs& inputs, const RunOptions& options, const Context& context) {
  SlepcEngine engine(std::dynamic_pointer_cast<const MpiTeam>(job.team()), inputs, context);
  return disc::run(engine, options, context);
}

}  // namespace disc::distributed
