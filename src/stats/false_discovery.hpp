// The false discovery rate of a family of tests.
#pragma once

#include <utility>
#include <vector>

namespace disc {

/// Benjamini & Hochberg: writes the q-value of every test, given as its p-value and the place of its q-value.
void adjust_for_all(std::vector<std::pair<double, double*>> tests);

}  // namespace disc
