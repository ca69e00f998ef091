// Names of choices: one table per enumeration.
#pragma once

#include <array>

#include "disc/pipeline.hpp"

namespace disc {

template <class Enum>
struct Choice {
  Enum value;
  const char* name;
};
template <class Enum>
Choice(Enum, const char*) -> Choice<Enum>;  // clang 14 needs to be told

inline constexpr std::array missing_names{
    Choice{Missing::error, "error"}, Choice{Missing::drop_samples, "drop-samples"},
    Choice{Missing::drop_features, "drop-features"}, Choice{Missing::mean, "mean"}};
inline constexpr std::array normalization_names{
    Choice{Normalization::none, "none"}, Choice{Normalization::log_cpm, "log-cpm"},
    Choice{Normalization::square_root, "sqrt"}, Choice{Normalization::rank, "rank"},
    Choice{Normalization::zscore, "zscore"}};
inline constexpr std::array distance_names{Choice{Distance::euclidean, "euclidean"},
                                           Choice{Distance::correlation, "correlation"},
                                           Choice{Distance::abs_correlation, "abs-correlation"},
                                           Choice{Distance::spearman, "spearman"},
                                           Choice{Distance::normal_scores, "normal-scores"},
                                           Choice{Distance::cosine, "cosine"}};
inline constexpr std::array scores_names{Choice{Scores::normal, "normal"}, Choice{Scores::values, "values"},
                                         Choice{Scores::ranks, "ranks"}};
inline constexpr std::array form_names{Choice{GraphForm::automatic, "auto"}, Choice{GraphForm::dense, "dense"},
                                       Choice{GraphForm::prototypes, "prototypes"}, Choice{GraphForm::knn, "knn"}};
inline constexpr std::array search_names{Choice{NeighborSearch::automatic, "auto"},
                                         Choice{NeighborSearch::exact, "exact"},
                                         Choice{NeighborSearch::approximate, "approximate"}};
inline constexpr std::array kernel_names{
    Choice{Kernel::self_tuning, "self-tuning"}, Choice{Kernel::adaptive, "adaptive"}, Choice{Kernel::rbf, "rbf"},
    Choice{Kernel::association, "association"}, Choice{Kernel::precomputed, "precomputed"}};
inline constexpr std::array cut_names{Choice{AssociationCut::soft, "soft"}, Choice{AssociationCut::hard, "hard"},
                                      Choice{AssociationCut::fdr, "fdr"}};
inline constexpr std::array negative_names{Choice{NegativeWeights::error, "error"},
                                           Choice{NegativeWeights::zero, "zero"},
                                           Choice{NegativeWeights::absolute, "absolute"}};
inline constexpr std::array precision_names{Choice{Precision::full, "double"}, Choice{Precision::single, "single"}};
inline constexpr std::array solver_names{Choice{Solver::automatic, "auto"}, Choice{Solver::lapack, "lapack"},
                                         Choice{Solver::lanczos, "lanczos"}, Choice{Solver::chebyshev, "chebyshev"}};
inline constexpr std::array method_names{Choice{Method::disc, "disc"},
                                         Choice{Method::generalized, "generalized"},
                                         Choice{Method::regularized_inverse, "regularized-inverse"},
                                         Choice{Method::whitened, "whitened"},
                                         Choice{Method::diffusion_maps, "diffusion-maps"},
                                         Choice{Method::changing_data, "changing-data"}};
inline constexpr std::array constant_names{Choice{ConstantVector::keep, "keep"}, Choice{ConstantVector::drop, "drop"}};
inline constexpr std::array grouping_names{Choice{Grouping::communities, "communities"},
                                           Choice{Grouping::kmeans, "kmeans"},
                                           Choice{Grouping::threshold, "threshold"}};
inline constexpr std::array engine_names{Choice{EngineKind::local, "local"}, Choice{EngineKind::mpi, "mpi"}};
inline constexpr std::array tail_names{Choice{Tail::counted, "counted"}, Choice{Tail::pareto, "pareto"}};
inline constexpr std::array yes_no_names{Choice{true, "yes"}, Choice{false, "no"}};

}  // namespace disc
