// Small groups of weak correlation among many noise features: EXPERIMENTS, hard family.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "simulate/problems.hpp"

namespace disc {
namespace {

constexpr Index kFeatures = 1000;
constexpr Index kGroupSize = 20;
constexpr Index kSharedGroups = 6;
constexpr Index kOwnGroups = 3;       // only in A, and as many only in B
constexpr Index kCommonFeatures = 5;  // of neighboring groups, variant overlapping
constexpr double kLargestLoading = 0.99;
constexpr double kLeastResidual = 0.02;  // variance that is not explained by factors
constexpr double kDegrees = 3;           // of freedom, variant heavy-tails
constexpr double kWeakening = 0.5;       // of the correlation in B, variant strength
constexpr double kLargestScale = 100;    // and its inverse, variant scales
// Variant counts: rate = mean exp(spread x - spread^2 / 2) times a gamma variable of mean 1 and this dispersion.
constexpr double kSpread = 0.7;
constexpr double kDispersion = 0.2;

/// Features of one group, one factor each. A group is present in A, in B, or in both.
struct FactorGroup {
  Index first = 0;
  bool in_a = true, in_b = true;
  bool weaker_in_b = false;
  /// Connected in this condition, and less or not at all in the other.
  bool is_answer(bool is_a) const { return is_a ? in_a && (!in_b || weaker_in_b) : in_b && !in_a; }
};

/// Noise first, then shared groups, groups only in A, groups only in B.
std::vector<FactorGroup> make_groups(const std::string& variant) {
  const Index step = variant == "overlapping" ? kGroupSize - kCommonFeatures : kGroupSize;
  const auto span = [&](Index count) { return (count - 1) * step + kGroupSize; };
  std::vector<FactorGroup> groups;
  Index first = kFeatures - span(kSharedGroups) - 2 * span(kOwnGroups);
  const auto add = [&](Index count, bool in_a, bool in_b) {
    for (Index g = 0; g < count; ++g) groups.push_back({first + g * step, in_a, in_b});
    first += span(count);
  };
  add(kSharedGroups, true, true);
  add(kOwnGroups, true, false);
  add(kOwnGroups, false, true);
  if (variant == "strength") groups.front().weaker_in_b = true;
  return groups;
}

/// Unequal loadings whose mean product over pairs is `rho`. The mean grows with the common factor: bisection.
Vector loadings_for(double rho, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  const Vector shape = Vector::NullaryExpr(kGroupSize, [&] { return uniform(random); });
  const auto loadings = [&](double factor) { return Vector((factor * shape).cwiseMin(kLargestLoading)); };
  const auto mean_product = [](const Vector& values) {
    const double sum = values.sum();
    return (sum * sum - values.squaredNorm()) / static_cast<double>(kGroupSize * (kGroupSize - 1));
  };
  double low = 0;
  double high = 2;  // all loadings are at their largest
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (mean_product(loadings(middle)) < rho ? low : high) = middle;
  }
  return loadings(high);
}

/// The factor model of one condition: x = loadings f + residual e, unit variance.
struct FactorModel {
  Eigen::SparseMatrix<double, Eigen::RowMajor> loadings;  ///< features x factors
  Vector residual;                                        ///< standard deviations
};

/// Loadings of a group are the same in all conditions that have it.
FactorModel make_model(const std::vector<FactorGroup>& groups, bool is_a, const SimulateOptions& options,
                       const Context& context) {
  Matrix loadings = Matrix::Zero(kFeatures, static_cast<Index>(groups.size()));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const FactorGroup& group = groups[g];
    if (!(is_a ? group.in_a : group.in_b)) continue;
    std::mt19937_64 random = random_stream(context.seed(), "simulate/hard/loadings", g);
    Vector own = loadings_for(options.rho, random);
    if (group.weaker_in_b && !is_a) own *= std::sqrt(kWeakening);
    loadings.col(static_cast<Index>(g)).segment(group.first, kGroupSize) = own;
  }
  const Vector explained = loadings.rowwise().squaredNorm();
  const Vector residual = (1 - explained.array()).max(kLeastResidual);
  // Only a feature of two strong groups can need this: its variance is brought back to 1.
  const Vector norm = (explained + residual).cwiseSqrt().cwiseInverse();
  FactorModel model;
  model.loadings = (norm.asDiagonal() * loadings).sparseView();
  model.residual = norm.cwiseProduct(residual.cwiseSqrt());
  return model;
}

/// What belongs to a feature and not to a condition: its scale, or its mean count.
Vector feature_traits(const std::string& variant, const Context& context) {
  std::mt19937_64 random = random_stream(context.seed(), "simulate/hard/features");
  if (variant == "scales") {
    std::uniform_real_distribution<double> exponent(-std::log(kLargestScale), std::log(kLargestScale));
    return Vector::NullaryExpr(kFeatures, [&] { return std::exp(exponent(random)); });
  }
  if (variant == "counts") {
    std::gamma_distribution<double> excess(2.0, 4.5);  // means of 1 and more, 10 on average: few features are all zero
    return Vector::NullaryExpr(kFeatures, [&] { return 1 + excess(random); });
  }
  return Vector::Ones(kFeatures);
}

/// Gamma-Poisson with dropout; `latent` moves the rate, features of a small mean are lost more often.
double draw_count(double latent, double mean, std::mt19937_64& random) {
  std::gamma_distribution<double> overdispersion(1 / kDispersion, kDispersion);
  const double rate = mean * std::exp(kSpread * latent - kSpread * kSpread / 2) * overdispersion(random);
  const double count = rate > 0 ? static_cast<double>(std::poisson_distribution<std::int64_t>(rate)(random)) : 0.0;
  const double kept = std::uniform_real_distribution<double>(0.0, 1.0)(random);
  return kept * (1 + mean) < 1 ? 0.0 : count;
}

/// Draws standardized normal or heavy-tailed values.
class Standardized {
 public:
  explicit Standardized(bool heavy_tails) : heavy_tails_(heavy_tails) {}
  double operator()(std::mt19937_64& random) {
    return heavy_tails_ ? student_(random) * std::sqrt((kDegrees - 2) / kDegrees) : normal_(random);
  }

 private:
  bool heavy_tails_;
  std::normal_distribution<double> normal_;
  std::student_t_distribution<double> student_{kDegrees};
};

RowMatrix draw_condition(const FactorModel& model, const Vector& traits, const std::string& condition, Index samples,
                         const std::string& variant, const Context& context) {
  RowMatrix values(samples, kFeatures);
  context.parallel_for(stream_count(samples), [&](Index chunk) {
    std::mt19937_64 random =
        random_stream(context.seed(), "simulate/hard/" + condition + "/all", static_cast<std::uint64_t>(chunk));
    Standardized standardized(variant == "heavy-tails");
    Vector factors(model.loadings.cols());
    const Index end = std::min(samples, (chunk + 1) * kSamplesPerStream);
    for (Index i = chunk * kSamplesPerStream; i < end; ++i) {
      for (Index f = 0; f < factors.size(); ++f) factors[f] = standardized(random);
      Vector sample = model.loadings * factors;
      for (Index j = 0; j < kFeatures; ++j) sample[j] += model.residual[j] * standardized(random);
      if (variant == "counts") {
        for (Index j = 0; j < kFeatures; ++j) sample[j] = draw_count(sample[j], traits[j], random);
      } else {
        sample.array() *= traits.array();
      }
      values.row(i) = sample.transpose();
    }
  });
  return values;
}

}  // namespace

Simulation simulate_hard(const SimulateOptions& options, const Context& context) {
  const std::vector<FactorGroup> groups = make_groups(options.variant);
  const Vector traits = feature_traits(options.variant, context);
  Simulation simulation;
  for (const bool is_a : {true, false}) {
    const std::string name = is_a ? "A" : "B";
    const bool fewer = !is_a && options.variant == "unequal-n";
    const Index samples = fewer ? std::max<Index>(2, *options.samples / 4) : *options.samples;
    const FactorModel model = make_model(groups, is_a, options, context);
    simulation.conditions.push_back(
        make_dataset(name, draw_condition(model, traits, name, samples, options.variant, context)));
    Index number = 0;
    for (const FactorGroup& group : groups) {
      if (!group.is_answer(is_a)) continue;
      add_truth(simulation.truth, name, ++number, group.first, kGroupSize);
    }
  }
  return simulation;
}

}  // namespace disc
