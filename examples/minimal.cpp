// Which features are connected under treatment and not in the control? The default run on data in memory, with p-values.
#include <cstdio>
#include <disc/disc.hpp>
#include <random>

// Stands for data of your own: 120 samples of 30 genes that vary independently, except that genes 11 to 16 follow a common signal
// in the treated samples. Any strided array can also be used where it lies: see the constructors of disc::SampleMatrix.
disc::Dataset measured(const char* condition, bool treated, unsigned seed) {
  constexpr int samples = 120;
  constexpr int genes = 30;
  std::mt19937 random(seed);
  std::normal_distribution<double> noise;
  disc::RowMatrix values(samples, genes);
  for (int i = 0; i < samples; ++i) {
    const double signal = noise(random);
    for (int j = 0; j < genes; ++j) values(i, j) = noise(random) + (treated && j >= 10 && j < 16 ? 1.5 * signal : 0.0);
  }
  disc::Dataset data;
  data.name = condition;
  data.features = disc::numbered_names("gene", genes);  // matched by name; the order may differ between conditions
  data.samples = disc::numbered_names("sample", samples);
  data.values = disc::SampleMatrix(std::move(values));
  return data;
}

int main() {
  try {
    const disc::Context context;     // all cores, seed 0; the result does not depend on the number of threads
    const disc::RunOptions options;  // the defaults: 199 permutations of the samples between the conditions
    const disc::Analysis analysis =
        disc::run({measured("control", false, 1), measured("treated", true, 2)}, options, context);

    for (const disc::ConditionResult& condition : analysis.conditions) {
      std::printf("groups that only %s has: %zu\n", condition.name.c_str(), condition.groups.groups.size());
      for (const disc::FeatureGroup& group : condition.groups.groups) {
        std::printf("  p = %.3f:", group.p);
        for (const disc::Index feature : group.features) {
          std::printf(" %s", analysis.features[static_cast<std::size_t>(feature)].c_str());
        }
        std::printf("\n");
      }
    }
  } catch (
      const disc::Error& error) {  // data or options that cannot be used: one sentence that says what, where and why
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
