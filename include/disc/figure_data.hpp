// What a reader wants to look at and the other results do not hold: the weights between features, reduced to the size of a
// picture, and where the samples lie. Made at the end of a run, while the walks are still there.
#pragma once

#include <string>
#include <vector>

#include "disc/graph.hpp"

namespace disc {

/// Features that are the pixels of an image, line by line.
struct ImageShape {
  Index height = 0, width = 0;
};

/// The weights of the most typical members of one group, in every condition.
struct GroupFigure {
  Index condition = 0, group = 0;  ///< whose group; both from 0
  std::vector<Index> features;     ///< up to 40 members, the most typical first
  std::vector<RowMatrix> weights;  ///< per condition: members x members, 0 on the diagonal
};

/// Features of one group or community stand side by side. Where there are more features than a picture has lines, several
/// share a line, first those in no group; members of a group share one with each other only.
struct WeightFigure {
  std::vector<Index> order;       ///< features, as they are drawn
  std::vector<Index> line_begin;  ///< line l shows order[line_begin[l]] .. order[line_begin[l + 1] - 1]
  std::vector<RowMatrix>
      weights;  ///< per condition: lines x lines, the mean weight of the pairs; 0 where there is no pair
  std::vector<GroupFigure> groups;
};

/// Where the samples of one condition lie.
struct SampleFigure {
  std::vector<std::string> names;
  RowMatrix
      components;  ///< samples x 2: principal components of the features with the most energy, all conditions together
  RowMatrix
      meta_features;  ///< samples x groups of all conditions: mean of the group's standardised features. method (9)
};

struct FigureData {
  WeightFigure weights;
  std::vector<SampleFigure> samples;  ///< per condition; empty where the data are weights
  Index component_features = 0;       ///< how many features the components were computed from
  std::vector<Index> column;          ///< per feature: its place in the first file, for features that are pixels
};

}  // namespace disc
