// The weights between features at the size of a picture.
#include <algorithm>
#include <cmath>
#include <map>

#include "pipeline/entries.hpp"
#include "pipeline/figure_data.hpp"

namespace disc {
namespace {

constexpr Index max_lines = 400;
constexpr Index lines_of_the_rest = 100;  // large groups leave so many to features in no group, if these are as many
constexpr std::size_t max_members = 40;   // a graph of more cannot be read
constexpr std::size_t max_group_pictures = 60;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Features that stand side by side: the groups of all conditions, then communities that are no answer, then all others.
struct Blocks {
  std::vector<Index> order;
  std::vector<Index> ends;  // of the groups and communities within order
};

// Which groups hold a feature, by their places in the list.
using Membership = std::vector<std::size_t>;

// Features of one membership stand side by side, so that any group can be put together from whole blocks.
std::map<Membership, std::vector<Index>> by_membership(const std::vector<DrawnGroup>& groups, std::size_t features) {
  std::vector<Membership> groups_of(features);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Index member : groups[g].members) groups_of[at(member)].push_back(g);
  }
  std::map<Membership, std::vector<Index>> blocks;
  for (const DrawnGroup& group : groups) {  // members come by falling weight
    for (const Index member : group.members) {
      Membership& own = groups_of[at(member)];
      if (!own.empty()) blocks[own].push_back(member);
      own.clear();
    }
  }
  return blocks;
}

Blocks blocks_of(const Analysis& analysis) {
  constexpr std::size_t max_memberships = 120;  // more would leave a line or two to each
  Blocks blocks;
  std::vector<bool> placed(analysis.features.size(), false);
  const auto place = [&](const std::vector<Index>& members) {
    const std::size_t before = blocks.order.size();
    for (const Index member : members) {
      if (!placed[at(member)]) blocks.order.push_back(member);
      placed[at(member)] = true;
    }
    if (blocks.order.size() > before) blocks.ends.push_back(static_cast<Index>(blocks.order.size()));
  };
  const std::vector<DrawnGroup> groups = drawn_groups(analysis);
  const auto memberships = by_membership(groups, analysis.features.size());
  if (memberships.size() <= max_memberships) {
    for (const auto& [membership, members] : memberships) place(members);
  }
  for (const DrawnGroup& group : groups) place(group.members);
  for (const ConditionResult& condition : analysis.conditions) {
    for (const FeatureGroup& candidate : condition.candidates) place(candidate.features);
  }
  for (std::size_t j = 0; j < placed.size(); ++j) {
    if (!placed[j]) blocks.order.push_back(static_cast<Index>(j));
  }
  return blocks;
}

// Cuts [begin, end) into at most `pieces` parts whose sizes differ by at most one.
void cut_evenly(Index begin, Index end, Index pieces, std::vector<Index>& begins) {
  pieces = std::clamp<Index>(pieces, 1, std::max<Index>(1, end - begin));
  for (Index piece = 0; piece < pieces && begin < end; ++piece) {
    begins.push_back(begin + (end - begin) * piece / pieces);
  }
}

std::vector<Index> lines_of(const Blocks& blocks) {
  const Index features = static_cast<Index>(blocks.order.size());
  const Index grouped = blocks.ends.empty() ? 0 : blocks.ends.back();
  const Index rest = features - grouped;
  const Index share = rest == 0 ? 0 : std::max<Index>(1, max_lines * rest / features);
  const Index for_rest = std::min(rest, std::max(std::min(share, lines_of_the_rest), max_lines - grouped));
  const Index for_groups = max_lines - for_rest;
  std::vector<Index> begins;
  Index begin = 0;
  for (const Index end : blocks.ends) {
    const bool all_fit = grouped <= for_groups;
    // What rounding took from one block goes to the next: together they get all their lines, however many they are.
    const Index lines_left = end * for_groups / grouped - static_cast<Index>(begins.size());
    cut_evenly(begin, end, all_fit ? end - begin : lines_left, begins);
    begin = end;
  }
  cut_evenly(grouped, features, for_rest, begins);
  begins.push_back(features);
  return begins;
}

// From sums of the weights between lines to their means over pairs.
void divide_by_pairs(const WeightFigure& picture, RowMatrix& sums) {
  const auto width = [&](Index line) { return picture.bin_start[at(line) + 1] - picture.bin_start[at(line)]; };
  for (Index line = 0; line < sums.rows(); ++line) {
    for (Index other = 0; other < sums.cols(); ++other) {
      const Index pairs = width(line) * (other == line ? width(other) - 1 : width(other));
      if (pairs > 0) sums(line, other) /= static_cast<double>(pairs);
    }
  }
}

// Which line shows a feature.
std::vector<Index> lines_of_features(const WeightFigure& picture) {
  std::vector<Index> line_of(picture.order.size());
  for (std::size_t line = 0; line + 1 < picture.bin_start.size(); ++line) {
    for (Index place = picture.bin_start[line]; place < picture.bin_start[line + 1]; ++place) {
      line_of[at(picture.order[at(place)])] = static_cast<Index>(line);
    }
  }
  return line_of;
}

// Every process adds the rows of its features.
RowMatrix mean_weights(const RandomWalk& walk, const WeightFigure& picture, std::span<const Index> line_of,
                       const Context& context) {
  const Index lines = static_cast<Index>(picture.bin_start.size()) - 1;
  const Partition partition = context.team().partition_of(walk.degrees.size());
  const Vector root = context.team().rows_to_all(Vector(walk.degrees.cwiseSqrt()));
  RowMatrix means = RowMatrix::Zero(lines, lines);
  context.parallel_for(lines, [&](Index line) {
    const Index begin = picture.bin_start[at(line)];
    const Index end = picture.bin_start[at(line) + 1];
    for (Index place = begin; place < end; ++place) {
      const Index feature = picture.order[at(place)];
      if (!partition.is_own(feature)) continue;
      for_each_entry(walk.conjugate, feature - partition.first, [&](Index other, double value) {
        if (other != feature) means(line, line_of[at(other)]) += value * root[feature] * root[other];
      });
    }
  });
  context.team().sum(means.data(), means.size());
  divide_by_pairs(picture, means);
  return means;
}

// The weight of a pair of features of two prototypes, or of two features of one.
double weight_of_pair(const RandomWalk& walk, Index a, Index b) {
  const double root = std::sqrt(walk.degrees[a] * walk.degrees[b]);
  const double pairs = a == b ? walk.sizes[a] - 1.0 : std::sqrt(walk.sizes[a] * walk.sizes[b]);
  return pairs > 0 ? walk.conjugate(a, b) * root / pairs : 0.0;
}

// The same from prototypes: a line has so many features of each.
RowMatrix mean_weights_of_prototypes(const RandomWalk& walk, std::span<const std::int32_t> row_of,
                                     const WeightFigure& picture, std::span<const Index> line_of) {
  const Index lines = static_cast<Index>(picture.bin_start.size()) - 1;
  Matrix count = Matrix::Zero(lines, walk.size());
  for (std::size_t j = 0; j < row_of.size(); ++j) count(line_of[j], row_of[j]) += 1;
  Matrix weights(walk.size(), walk.size());
  for (Index b = 0; b < walk.size(); ++b) {
    for (Index a = 0; a < walk.size(); ++a) weights(a, b) = weight_of_pair(walk, a, b);
  }
  RowMatrix means = count * weights * count.transpose();
  means.diagonal() -= count * weights.diagonal();  // a feature with itself
  divide_by_pairs(picture, means);
  return means;
}

// Of single features, from the rows of every process.
RowMatrix weights_within(const std::vector<Index>& members, const RandomWalk& walk, const Team& team) {
  const Partition partition = team.partition_of(walk.degrees.size());
  const auto count = static_cast<Index>(members.size());
  Vector degrees = Vector::Zero(count);
  for (Index i = 0; i < count; ++i) {
    const Index own = members[at(i)] - partition.first;
    if (partition.is_own(members[at(i)])) degrees[i] = walk.degrees[own];
  }
  team.sum(degrees.data(), count);
  RowMatrix weights = RowMatrix::Zero(count, count);
  for (Index i = 0; i < count; ++i) {
    if (!partition.is_own(members[at(i)])) continue;
    for (Index j = 0; j < count; ++j) {
      if (i == j) continue;
      const double entry = entry_of_row(walk.conjugate, members[at(i)] - partition.first, members[at(j)]);
      weights(i, j) = entry * std::sqrt(degrees[i] * degrees[j]);
    }
  }
  team.sum(weights.data(), weights.size());
  return weights;
}

RowMatrix weights_of_prototypes(const std::vector<Index>& members, const DrawnWalks& walks, const RandomWalk& walk) {
  const auto count = static_cast<Index>(members.size());
  RowMatrix weights = RowMatrix::Zero(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      if (i == j) continue;
      weights(i, j) = weight_of_pair(walk, walks.row_of[at(members[at(i)])], walks.row_of[at(members[at(j)])]);
    }
  }
  return weights;
}

}  // namespace

WeightFigure plan_of_weights(const Analysis& analysis) {
  WeightFigure picture;
  const Blocks blocks = blocks_of(analysis);
  picture.order = blocks.order;
  picture.bin_start = lines_of(blocks);
  for (DrawnGroup& group : drawn_groups(analysis)) {
    if (picture.groups.size() == max_group_pictures) break;
    group.members.resize(std::min(group.members.size(), max_members));
    picture.groups.push_back({group.condition, group.group, std::move(group.members), {}});
  }
  return picture;
}

void add_weights(const DrawnWalks& walks, WeightFigure& picture, const Context& context) {
  const std::vector<Index> line_of = lines_of_features(picture);
  for (const RandomWalk& walk : walks.walks) {
    picture.weights.push_back(walks.row_of.empty() ? mean_weights(walk, picture, line_of, context)
                                                   : mean_weights_of_prototypes(walk, walks.row_of, picture, line_of));
    for (GroupFigure& group : picture.groups) {
      group.weights.push_back(walks.row_of.empty() ? weights_within(group.features, walk, context.team())
                                                   : weights_of_prototypes(group.features, walks, walk));
    }
  }
}

std::vector<Index> columns_in_file(const Study& study, const FeatureMatch& match) {
  std::vector<Index> columns = match.columns.front();
  const std::vector<Index>& places = study.conditions.front().places;  // empty: no feature was excluded before
  for (Index& column : columns) column = places.empty() ? column : places[at(column)];
  return columns;
}

FigureData make_figure_data(const Study& study, const FeatureMatch& match, const DrawnWalks& walks,
                            const Analysis& analysis, const Context& context) {
  FigureData figure_data;
  figure_data.weights = plan_of_weights(analysis);
  figure_data.column = columns_in_file(study, match);
  if (analysis.used.graph.kernel != Kernel::precomputed) {
    add_samples(study.conditions, match, analysis, figure_data, context);
    add_units(study, match, analysis, figure_data, context);
    add_group_correlations(study.conditions, match, analysis, figure_data.weights, context);
    figure_data.values = figure_of_values(study.conditions, match, analysis, figure_data.weights);
    if (analysis.used.shape) figure_data.means = means_of_features(study.conditions, match, context);
  }
  add_weights(walks, figure_data.weights, context);
  if (walks.row_of.empty()) figure_data.partners = figure_of_partners(walks.walks, context);
  return figure_data;
}

}  // namespace disc
