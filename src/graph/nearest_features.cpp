#include "graph/nearest_features.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "graph/cell_map.hpp"
#include "graph/comparison.hpp"
#include "matrix/blas.hpp"
#include "matrix/large_pages.hpp"

namespace disc {
namespace {

constexpr Index queries_at_once = 256;
constexpr Index points_between_stops = 16 * 1024;
// A feature is compared with the cells next to it, chosen among so many next to its own cell; with more where the nearest
// are spread so widely that these do not hold them.
constexpr Index cells_looked_at = 256;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> all_of(const FeaturePoints& points) {
  std::vector<Index> all(at(points.values.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

// Nearest of some features among all, by comparison with all.
std::vector<std::int32_t> nearest_of(const FeaturePoints& points, std::span<const Index> which, Index count,
                                     const Context& context) {
  const Comparison comparison(points);
  const auto queries = static_cast<Index>(which.size());
  std::vector<std::int32_t> result(at(queries * count));
  context.parallel_for((queries + queries_at_once - 1) / queries_at_once, [&](Index piece) {
    const Index first = piece * queries_at_once;
    const Index here = std::min(queries_at_once, queries - first);
    MatrixF picked(points.values.rows(), here);
    std::vector<std::int32_t> names(at(here));
    std::vector<BestMatches> best(at(here));
    for (Index q = 0; q < here; ++q) {
      picked.col(q) = points.values.col(which[at(first + q)]);
      names[at(q)] = static_cast<std::int32_t>(which[at(first + q)]);
      best[at(q)].reset(count);
    }
    const std::vector<BestMatches*> kept = pointers_to(best);
    MatrixF products;
    const Index all = points.values.cols();
    for (Index begin = 0; begin < all; begin += points_between_stops) {
      context.check_stop();
      comparison.offer(picked, names, begin, std::min(all, begin + points_between_stops), products, kept);
    }
    for (Index q = 0; q < here; ++q) best[at(q)].finish(result.data() + (first + q) * count);
  });
  return result;
}

// Features in the order of their cells. Everything within is called by its place in this order.
struct CellSearch {
  FeaturePoints ordered;
  Cells cells;
  CellMap map;
  Index count;  // neighbours of each feature
};

struct CellReach {
  Index looked_at = 0;  // cells next to a cell, among which each of its features chooses
  Index compared = 0;   // cells
  double recall = 1.0;
};

CellSearch prepare_search(const FeaturePoints& points, Cells&& cells, Index count, const Context& context) {
  FeaturePoints ordered{{}, points.sign_free};
  resize_in_large_pages(ordered.values, points.values.rows(), points.values.cols());
  context.parallel_for(cells.count(), [&](Index cell) {
    for (Index i = cells.begin[at(cell)]; i < cells.begin[at(cell) + 1]; ++i) {
      ordered.values.col(i) = points.values.col(cells.order[at(i)]);
    }
  });
  CellMap map(cell_centres(ordered.values, cells, context));
  return {std::move(ordered), std::move(cells), std::move(map), count};
}

// The numbers of the `most` smallest keys, from near to far.
std::vector<Index> smallest(const Eigen::Ref<const Eigen::VectorXf>& keys, Index most) {
  std::vector<Index> order(at(keys.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + std::min(most, keys.size());
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](Index a, Index b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
  order.erase(middle, order.end());
  return order;
}

// Every feature of a cell against the cells next to it, one cell after the other with all features that want it. There are
// matches enough, because the cells compared hold more features than asked for.
void search_cell(const CellSearch& search, const Comparison& comparison, const CellReach& reach, Index cell,
                 std::vector<std::int32_t>& lists) {
  const Cells& cells = search.cells;
  const bool sign_free = search.ordered.sign_free;
  const Index begin = cells.begin[at(cell)];
  const Index size = cells.size(cell);
  const MatrixF own = search.ordered.values.middleCols(begin, size);
  const std::vector<Index> near = search.map.from_near_to_far(cell, reach.looked_at, sign_free);
  const MatrixF keys = search.map.keys(near, own, sign_free);
  std::vector<BestMatches> best(at(size));
  std::vector<std::vector<Index>> wanted_by(near.size());
  for (Index q = 0; q < size; ++q) {
    best[at(q)].reset(search.count);
    for (const Index n : smallest(keys.col(q), reach.compared)) wanted_by[at(n)].push_back(q);
  }
  MatrixF queries;
  MatrixF products;
  std::vector<std::int32_t> names;
  std::vector<BestMatches*> kept;
  for (std::size_t n = 0; n < near.size(); ++n) {
    if (wanted_by[n].empty()) continue;
    queries.resize(own.rows(), static_cast<Index>(wanted_by[n].size()));
    names.clear();
    kept.clear();
    for (const Index q : wanted_by[n]) {
      queries.col(static_cast<Index>(names.size())) = own.col(q);
      names.push_back(static_cast<std::int32_t>(begin + q));
      kept.push_back(&best[at(q)]);
    }
    comparison.offer(queries, names, cells.begin[at(near[n])], cells.begin[at(near[n]) + 1], products, kept);
  }
  for (Index q = 0; q < size; ++q) best[at(q)].finish(lists.data() + (begin + q) * search.count);
}

std::vector<std::int32_t> search_cells(const CellSearch& search, const CellReach& reach, const Context& context) {
  std::vector<std::int32_t> lists(at(search.ordered.values.cols() * search.count));
  const Comparison comparison(search.ordered);
  const Index cells = search.cells.count();
  std::atomic<Index> done{0};
  context.parallel_for(cells, [&](Index cell) {
    search_cell(search, comparison, reach, cell, lists);
    const Index now = ++done;
    if (now % 64 == 0) context.progress("neighbors", static_cast<double>(now) / static_cast<double>(cells));
  });
  return lists;
}

// How many cells must be compared so that the share `recall` of the nearest is found: for some features they are known.
CellReach find_cell_reach(const CellSearch& search, double recall, const Context& context) {
  const std::vector<Index> sample = sample_for_recall(search.ordered.values.cols(), context);
  const std::vector<std::int32_t> truth = nearest_of(search.ordered, sample, search.count, context);
  const bool sign_free = search.ordered.sign_free;
  const double wanted = std::min(1.0, recall + recall_margin);
  CellReach result;
  for (result.looked_at = std::min(cells_looked_at, search.cells.count());; result.looked_at = search.cells.count()) {
    const auto near_of = [&](Index i) {
      const Index place = sample[at(i)];
      std::vector<Index> near = search.map.from_near_to_far(search.cells.cell_of(place), result.looked_at, sign_free);
      const MatrixF keys = search.map.keys(near, search.ordered.values.middleCols(place, 1), sign_free);
      std::vector<Index> ordered;
      for (const Index n : smallest(keys.col(0), keys.rows())) ordered.push_back(near[at(n)]);
      return ordered;
    };
    const Reach reach = find_reach(sample, truth, search.cells, wanted, near_of, context);
    result.compared = reach.cells;
    result.recall = reach.recall;
    if (reach.recall >= wanted || result.looked_at == search.cells.count()) return result;
  }
}

}  // namespace

NearestFeatures nearest_by_comparison(const FeaturePoints& points, Index count, const Context& context) {
  prepare_blas();
  NearestFeatures result;
  result.features = points.values.cols();
  result.count = std::min(count, result.features - 1);
  result.of = nearest_of(points, all_of(points), result.count, context);
  return result;
}

NearestFeatures nearest_by_cells(const FeaturePoints& points, Index count, double recall, const Context& context) {
  prepare_blas();
  Cells cells = make_cells(points.values, cell_size, context);
  // With so few cells, or so many neighbours, there is nothing to save.
  if (cells.count() <= 2 * min_cells_compared || count >= cell_size * min_cells_compared) {
    return nearest_by_comparison(points, count, context);
  }
  CellSearch search = prepare_search(points, std::move(cells), count, context);
  const CellReach reach = find_cell_reach(search, recall, context);
  NearestFeatures result;
  result.features = points.values.cols();
  result.count = count;
  // Where most cells are wanted, to compare with all costs no more and misses none: features without structure.
  result.exact = 3 * reach.compared > 2 * search.cells.count();
  result.recall = result.exact ? 1.0 : reach.recall;
  const std::vector<std::int32_t> lists =
      result.exact ? nearest_of(search.ordered, all_of(points), count, context) : search_cells(search, reach, context);
  result.locality_order = std::move(search.cells.order);
  const std::vector<Index>& feature_at = result.locality_order;
  result.of.resize(lists.size());
  for (Index place = 0; place < result.features; ++place) {
    for (Index k = 0; k < count; ++k) {
      result.of[at(feature_at[at(place)] * count + k)] =
          static_cast<std::int32_t>(feature_at[at(lists[at(place * count + k)])]);
    }
  }
  return result;
}

}  // namespace disc
