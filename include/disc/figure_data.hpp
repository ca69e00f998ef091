// What a reader wants to look at and the other results do not hold: the weights between features, reduced to the size of a
// picture, and where the samples lie. Made at the end of a run, while the walks are still there.
#pragma once

#include <string>
#include <vector>

#include "disc/graph.hpp"
#include "disc/matrix.hpp"

namespace disc {

/// Features that are the pixels of an image, line by line.
struct ImageShape {
  Index height = 0, width = 0;
};

/// Some members of one group, in every condition.
struct GroupFigure {
  Index condition = 0, group = 0;  ///< whose group; both from 0
  /// Up to 40 members: those whose correlations with the others of the core changed most, first; the most typical where the
  /// values are not at hand.
  std::vector<Index> features;
  std::vector<RowMatrix> weights;          ///< per condition: members x members, 0 on the diagonal
  std::vector<RowMatrix> correlations{};   ///< the same with correlations; empty: the values are not at hand
  std::vector<double> core_correlation{};  ///< per condition: mean over the pairs of the core, or of all members
};

/// Features of one group or community stand side by side. Where there are more features than a picture has lines, several
/// share a line, first those in no group; members of a group share one with each other only.
struct WeightFigure {
  std::vector<Index> order;      ///< features, as they are drawn
  std::vector<Index> bin_start;  ///< line l shows order[bin_start[l]] .. order[bin_start[l + 1] - 1]
  std::vector<RowMatrix>
      weights;  ///< per condition: lines x lines, the mean weight of the pairs; 0 where there is no pair
  std::vector<GroupFigure> groups;
};

/// Values of a few features in a few samples, to show single pairs as they are.
struct ValueFigure {
  std::vector<Index> features;
  std::vector<std::vector<Index>> samples;  ///< per condition: which ones, evenly spaced
  std::vector<RowMatrix> values;            ///< per condition: samples x features
};

/// The features that a feature is connected with most strongly in one condition.
struct PartnerFigure {
  std::vector<std::vector<Index>>
      features;  ///< per feature, the strongest first; fewer where it has no more connections
  std::vector<std::vector<double>> weights;
};

/// Where the samples of one condition lie.
struct SampleFigure {
  std::vector<std::string> names;
  std::vector<LabelColumn> labels{};  ///< those with a few different values
  RowMatrix
      components;  ///< samples x 2: principal components of the features with the most energy, all conditions together
  RowMatrix
      meta_features;  ///< samples x groups of all conditions: mean of the group's standardized features. method (9)
};

/// How one unit (donor, subject) of a condition shows every group, in the order of `SampleFigure::meta_features`.
struct UnitFigure {
  Index condition = 0, samples = 0;
  std::string name;
  Vector score;        ///< mean over its samples of the mean of the group's standardized features, with their signs
  Vector variance;     ///< of the same; NaN for a single sample
  Vector correlation;  ///< mean within the group, over its samples; NaN for fewer than three
};

struct FigureData {
  WeightFigure weights;
  std::vector<SampleFigure> samples;    ///< per condition; empty where the data are weights
  std::vector<UnitFigure> units{};      ///< empty where every sample is a unit, or the data are weights or divided
  ValueFigure values;                   ///< empty where the data are weights or divided between processes
  std::vector<PartnerFigure> partners;  ///< per condition; empty with very many features or divided between processes
  std::vector<Vector> means;            ///< per condition: of every feature, where features are pixels
  Index component_features = 0;         ///< how many features the components were computed from
  std::vector<Index> column;            ///< per feature: its place in the first file, for features that are pixels
};

}  // namespace disc
