#include "stats/false_discovery.hpp"

#include <algorithm>

namespace disc {

void adjust_for_all(std::vector<std::pair<double, double*>> tests) {
  std::ranges::stable_sort(tests, {}, [](const auto& test) { return test.first; });
  double smallest = 1.0;
  for (std::size_t i = tests.size(); i-- > 0;) {
    smallest = std::min(smallest, tests[i].first * static_cast<double>(tests.size()) / static_cast<double>(i + 1));
    *tests[i].second = smallest;
  }
}

}  // namespace disc
