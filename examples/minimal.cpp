// Which features are connected in one condition and not in the other? The shortest useful program.
#include <cstdio>
#include <disc/disc.hpp>

int main() {
  try {
    const disc::Context context;

    // Two conditions whose answer is known. For data of your own: disc::read_dataset("control.csv", {}, context).
    const disc::Simulation data = disc::simulate({.problem = "newly-connected", .samples = 1000}, context);

    // The settings of the paper's authors for this problem; what is not set is chosen by the library.
    disc::RunOptions options =
        disc::make_options("paper-code", {{"bandwidth-neighbors", "30"}, {"eigenvectors", "20"}});
    options.groups.groups = 2;

    const disc::Analysis analysis = disc::run(data.conditions, options, context);

    for (const disc::ConditionResult& condition : analysis.conditions) {
      std::printf("%s: %zu groups of features\n", condition.name.c_str(), condition.groups.groups.size());
      int number = 0;
      for (const disc::FeatureGroup& group : condition.groups.groups) {
        std::printf("  group %d:", ++number);
        for (const disc::Index feature : group.features) std::printf(" %s", analysis.features[feature].c_str());
        std::printf("\n");
      }
    }
  } catch (const disc::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
