// Do p-values hold on data like these? Random halves of one population have the same connections: what is found between them is false.
#pragma once

#include <string>
#include <vector>

#include "disc/pipeline.hpp"

namespace disc {

struct CalibrationOptions {
  Index repeats = 20;       ///< random halves, over all populations together, >= 1
  Index permutations = 99;  ///< of every run, >= 19
};

/// One population, cut in two at random.
struct RandomHalves {
  Index population = 0;
  double p = 1;       ///< the smallest of the run: 1 where nothing could be tested
  Index groups = 0;   ///< significant, parts not counted
  Index largest = 0;  ///< features of the largest of them
  Index samples[2] = {0, 0};
};

struct Calibration {
  std::vector<std::string> populations;
  std::vector<RandomHalves> halves;   ///< in the order in which they were drawn
  std::vector<std::string> warnings;  ///< of any run, each once
  double level = 0.05;
  Index permutations = 0;
  std::string unit;  ///< the label that units are told apart by; empty: samples
  /// Halves with any p at or below the level.
  Index found() const;
  /// The chance of so many or more, if every one has the chance `level`.
  double chance() const;
};

/// Cuts every population (condition) in halves, units whole, in turn until there are `repeats`, and runs the analysis on each pair with
/// the options given. Throws InputError where a population has fewer than four units.
Calibration calibrate(const std::vector<Dataset>& populations, const RunOptions& options,
                      const CalibrationOptions& calibration, const Context& context);

/// One row per pair of halves.
std::string calibration_tsv(const Calibration& calibration);
/// One page: the verdict in a sentence, observed against expected p-values, what was done.
std::string calibration_html(const Calibration& calibration, const RunRecord& record);

}  // namespace disc
