// Fills in Analysis::figure_data.
#pragma once

#include <set>

#include "pipeline/study.hpp"

namespace disc {

/// The walks of all conditions, and whose rows they have.
struct DrawnWalks {
  std::span<const RandomWalk> walks;
  std::span<const std::int32_t> row_of{};  ///< per feature, its prototype; empty: every feature has a row of its own
};

FigureData make_figure_data(const Study& study, const FeatureMatch& match, const DrawnWalks& walks,
                            const Analysis& analysis, const Context& context);

/// Where every feature is in the first file.
std::vector<Index> columns_in_file(const Study& study, const FeatureMatch& match);

/// A group as the figures need it. drawn_groups() alone knows where an analysis holds its groups.
struct DrawnGroup {
  Index condition = 0, group = 0;
  std::vector<Index> members;  ///< the most typical first
  std::vector<Index> core;     ///< members whose connections are new; empty: not known
  std::set<Index> opposite;    ///< members that go against the others
};
std::vector<DrawnGroup> drawn_groups(const Analysis& analysis);

/// Correlations within the groups of the plan, and which members are drawn.
void add_group_correlations(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                            WeightFigure& picture, const Context& context);
/// Values of the features that are drawn in groups, and of the pairs that changed.
ValueFigure figure_of_values(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                             const WeightFigure& picture);
std::vector<PartnerFigure> figure_of_partners(std::span<const RandomWalk> walks, const Context& context);
std::vector<Vector> means_of_features(std::span<const Dataset> conditions, const FeatureMatch& match,
                                      const Context& context);

/// What is drawn where, before any weight is known.
WeightFigure plan_of_weights(const Analysis& analysis);
/// Fills in the weights of a plan, from walks of which every process of context.team() has its rows.
void add_weights(const DrawnWalks& walks, WeightFigure& picture, const Context& context);
void add_samples(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                 FigureData& figure_data, const Context& context);

/// What every unit shows of every group.
void add_units(const Study& study, const FeatureMatch& match, const Analysis& analysis, FigureData& figure_data,
               const Context& context);

/// The parts of add_samples: room for all of it; principal components of some features; a column of meta-features, or its part
/// that some of the members make, each with its sign over the number of all members.
void begin_samples(std::span<const Dataset> conditions, const Analysis& analysis, FigureData& figure_data);
std::vector<Index> features_with_most_energy(const Analysis& analysis);
void add_components(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> features,
                    FigureData& figure_data, const Context& context);
void add_meta_feature(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> members,
                      const Vector& weights, Index column, FigureData& figure_data, const Context& context);

}  // namespace disc
