// Settings that have a name. method section 4
#include "disc/options.hpp"

namespace disc {
namespace {

using Values = decltype(Preset::values);

// The values as they are, which the paper's formulas are for.
Values on_plain_values(Values values) {
  values.insert(
      {{"normalize", "none"}, {"select", "all"}, {"standardize-files", "no"}, {"remove-global-signal", "no"}});
  return values;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"paper-code", "what the paper's authors' code computes",
       on_plain_values({{"distance", "euclidean"},
                        {"kernel", "adaptive"},
                        {"density-exponent", "1"},
                        {"degree-regularization", "0"},
                        {"constant-vector", "drop"}})},
      {"paper-text", "the formulas printed in the paper",
       on_plain_values({{"distance", "euclidean"},
                        {"kernel", "self-tuning"},
                        {"density-exponent", "0"},
                        {"degree-regularization", "0"},
                        {"constant-vector", "keep"}})},
  };
  return all;
}

}  // namespace disc
