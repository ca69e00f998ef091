#include "graph/nearest_features.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <ranges>

#include "graph/cell_map.hpp"
#include "graph/comparison.hpp"
#include "matrix/blas.hpp"
#include "matrix/large_pages.hpp"

namespace disc {
namespace {

using Match = BestMatches::Match;

constexpr Index queries_at_once = 256;
constexpr Index points_between_stops = 16 * 1024;
// A feature is compared with the cells next to it, chosen among so many next to its own cell; with more where the nearest
// are spread so widely that these do not hold them.
constexpr Index cells_looked_at = 256;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> numbers_to(Index count) {
  std::vector<Index> numbers(at(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

// The best matches of some queries while the points of one process after the other come by, as short as they can be kept.
class Candidates {
 public:
  // `offers`: how often points will be offered.
  Candidates(Index queries, Index count, int offers) : count_(count), names_(at(queries * count)) {
    if (offers == 1) return;
    found_.resize(at(queries), 0);
    matches_.resize(names_.size(), {std::numeric_limits<float>::infinity(), -1});
  }

  // Offers points to queries first .. ; after the last offer only the names are left.
  template <class Offer>
  void go_on(Index first, Index queries, bool is_last, Offer&& offer) {
    std::vector<BestMatches> best(at(queries));
    for (Index q = 0; q < queries; ++q) best[at(q)].reset(count_, of(first + q));
    offer(pointers_to(best));
    for (Index q = 0; q < queries; ++q) {
      if (is_last) {
        best[at(q)].finish(names_.data() + (first + q) * count_);
      } else {
        const std::vector<Match>& kept = best[at(q)].finish();
        found_[at(first + q)] = static_cast<std::int32_t>(kept.size());
        std::ranges::copy(kept, matches_.begin() + (first + q) * count_);
      }
    }
  }
  std::span<const Match> of(Index query) const {
    if (matches_.empty()) return {};
    return std::span(matches_).subspan(at(query * count_), at(found_[at(query)]));
  }
  const std::vector<Match>& matches() const { return matches_; }
  std::vector<std::int32_t>& names() { return names_; }

 private:
  Index count_;
  std::vector<std::int32_t> names_;
  std::vector<std::int32_t> found_;
  std::vector<Match> matches_;
};

// Compares queries first .. with all the points of a comparison. `pick` gives the values of a query, `name` what it is called.
template <class Pick, class Name>
void compare_with_all(const Comparison& comparison, Index queries, bool is_last, Candidates& candidates,
                      const Context& context, Pick&& pick, Name&& name) {
  context.parallel_for((queries + queries_at_once - 1) / queries_at_once, [&](Index piece) {
    const Index first = piece * queries_at_once;
    const Index here = std::min(queries_at_once, queries - first);
    MatrixF picked(comparison.dimensions(), here);
    std::vector<std::int32_t> names(at(here));
    for (Index q = 0; q < here; ++q) {
      picked.col(q) = pick(first + q);
      names[at(q)] = static_cast<std::int32_t>(name(first + q));
    }
    candidates.go_on(first, here, is_last, [&](std::span<BestMatches* const> best) {
      MatrixF products;
      const Index all = comparison.points();
      for (Index begin = 0; begin < all; begin += points_between_stops) {
        context.check_stop();
        comparison.offer(picked, names, begin, std::min(all, begin + points_between_stops), products, best);
      }
    });
  });
}

// Nearest of the points of this process among those of all, as places over all processes.
std::vector<std::int32_t> nearest_of_all(const FeaturePoints& points, Index count, const Partition& places,
                                         const Context& context) {
  const Team& team = context.team();
  Candidates candidates(places.count, count, team.size());
  team.ring(points.values, [&](int from, const MatrixF& visiting) {
    compare_with_all(
        Comparison(visiting, points.sign_free, places.begin[at(from)]), places.count, team.is_last_of_ring(from),
        candidates, context, [&](Index q) { return points.values.col(q); }, [&](Index q) { return places.first + q; });
  });
  return std::move(candidates.names());
}

// Points in the order of cells, each process with its own cells. All within is called by its place in this order, which counts over
// all processes.
struct CellSearch {
  FeaturePoints ordered;
  std::vector<std::int32_t> features;  // by own place
  Cells own;                           // places count from 0
  Cells all;                           // of all processes, only where they begin
  Partition places, numbers;           // which places and which of all cells are whose
  CellMap map;
  Index count;  // neighbors of each feature
};

struct CellReach {
  Index looked_at = 0;  // cells next to a cell, among which each of its features chooses
  Index compared = 0;   // cells
  double recall = 1.0;
};

// Which process takes which cluster: the largest first, each to the process that has the fewest points so far.
std::vector<int> deal_clusters(const std::vector<double>& sizes, int processes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t c) { return sizes[c]; });
  std::vector<double> load(at(processes), 0);
  std::vector<int> taker(sizes.size());
  for (const std::size_t c : order) {
    const auto least = std::ranges::min_element(load) - load.begin();
    taker[c] = static_cast<int>(least);
    load[at(least)] += sizes[c];
  }
  return taker;
}

// Columns of all processes side by side, in every process.
MatrixF columns_to_all(const MatrixF& own, const Team& team) {
  const std::vector<float> values = team.gather_all<float>({own.data(), at(own.size())});
  return Eigen::Map<const MatrixF>(values.data(), own.rows(), static_cast<Index>(values.size()) / own.rows());
}

// Centers of clusters, from a sample of the points of all processes; the same in every process.
MatrixF common_centers(const MatrixF& own, Index total, const Context& context) {
  const Team& team = context.team();
  const Index count = std::clamp<Index>(total / cell_size, 2, max_centers);
  const Index share = std::min(own.cols(), count * points_per_center * own.cols() / total + 1);
  const std::vector<Index> all = numbers_to(own.cols());
  std::vector<Index> drawn;
  std::mt19937_64 random =
      random_stream(context.seed(), "distributed/centres", static_cast<std::uint64_t>(team.rank()));
  std::ranges::sample(all, std::back_inserter(drawn), share, random);
  const MatrixF sample = columns_to_all(own(Eigen::all, drawn), team);
  std::vector<Index> order = numbers_to(sample.cols());
  std::mt19937_64 shuffle = random_stream(context.seed(), "distributed/shuffle");
  std::ranges::shuffle(order, shuffle);
  return find_centers(sample, order, std::min(count, sample.cols()));
}

// Gives points to the processes that take their clusters; returns those that come here, and what they are called.
MatrixF gather_near_ones(const MatrixF& own, const Partition& partition, const Context& context,
                         std::vector<std::int32_t>& features) {
  const Team& team = context.team();
  const MatrixF centers = common_centers(own, partition.total(), context);
  std::vector<Index> label(at(own.cols()));
  assign_to_centers(own, numbers_to(own.cols()), centers, label);
  std::vector<double> sizes(at(centers.cols()), 0);
  for (const Index c : label) sizes[at(c)] += 1;
  team.sum(sizes.data(), centers.cols());
  const std::vector<int> taker = deal_clusters(sizes, team.size());
  std::vector<std::vector<float>> values(at(team.size()));
  std::vector<std::vector<std::int32_t>> names(at(team.size()));
  for (Index i = 0; i < own.cols(); ++i) {
    const auto to = at(taker[at(label[at(i)])]);
    values[to].insert(values[to].end(), own.col(i).data(), own.col(i).data() + own.rows());
    names[to].push_back(static_cast<std::int32_t>(partition.first + i));
  }
  features = team.exchange(names);
  const std::vector<float> received = team.exchange(values);
  return Eigen::Map<const MatrixF>(received.data(), own.rows(), static_cast<Index>(features.size()));
}

CellSearch prepare_search(const FeaturePoints& points, Index count, const Partition& partition,
                          const Context& context) {
  const Team& team = context.team();
  MatrixF moved;
  std::vector<std::int32_t> features;
  if (team.size() > 1) moved = gather_near_ones(points.values, partition, context, features);
  const MatrixF& values = team.size() > 1 ? moved : points.values;
  Cells own = make_cells(values, cell_size, context);
  if (values.cols() == 0) own.begin.assign(1, 0);
  FeaturePoints ordered{{}, points.sign_free};
  resize_in_large_pages(ordered.values, values.rows(), values.cols());
  context.parallel_for(own.count(), [&](Index cell) {
    for (Index i = own.begin[at(cell)]; i < own.begin[at(cell) + 1]; ++i) {
      ordered.values.col(i) = values.col(own.order[at(i)]);
    }
  });
  std::vector<std::int32_t> names;
  for (const Index i : own.order) {
    names.push_back(team.size() > 1 ? features[at(i)] : static_cast<std::int32_t>(i));
  }
  Partition places = team.partition_of(values.cols());
  Partition numbers = team.partition_of(own.count());
  std::vector<Index> begins(own.begin.begin(), own.begin.end() - 1);
  for (Index& begin : begins) begin += places.first;
  Cells all{{}, team.gather_all<Index>(begins)};
  all.begin.push_back(places.total());
  MatrixF centers = own.count() > 0 ? cell_centers(ordered.values, own, context) : MatrixF(values.rows(), 0);
  CellMap map(team.size() > 1 ? columns_to_all(centers, team) : std::move(centers));
  return {std::move(ordered), std::move(names),   std::move(own), std::move(all),
          std::move(places),  std::move(numbers), std::move(map), count};
}

// The numbers of the `most` smallest keys, from near to far.
std::vector<Index> smallest(const Eigen::Ref<const Eigen::VectorXf>& keys, Index most) {
  std::vector<Index> order = numbers_to(keys.size());
  const auto middle = order.begin() + std::min(most, keys.size());
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](Index a, Index b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
  order.erase(middle, order.end());
  return order;
}

// What a cell is compared with: cells next to it, and of each the own features that want it.
struct CellPlan {
  std::vector<Index> near;
  std::vector<std::vector<std::int32_t>> wanted_by;
};

CellPlan plan_of_cell(const CellSearch& search, const CellReach& reach, Index cell) {
  const bool sign_free = search.ordered.sign_free;
  const Index size = search.own.size(cell);
  CellPlan plan;
  plan.near = search.map.from_near_to_far(search.numbers.first + cell, reach.looked_at, sign_free);
  plan.wanted_by.resize(plan.near.size());
  const auto own = search.ordered.values.middleCols(search.own.begin[at(cell)], size);
  const MatrixF keys = search.map.keys(plan.near, own, sign_free);
  for (Index q = 0; q < size; ++q) {
    for (const Index n : smallest(keys.col(q), reach.compared)) {
      plan.wanted_by[at(n)].push_back(static_cast<std::int32_t>(q));
    }
  }
  return plan;
}

// Every feature of a cell against the cells next to it that process `from` has, one cell after the other with all features that want
// it. There are matches enough, because the cells compared hold more features than asked for.
void search_cell(const CellSearch& search, const Comparison& comparison, const CellPlan& plan, Index cell, int from,
                 std::span<BestMatches* const> best) {
  const Index begin = search.own.begin[at(cell)];
  const Index base = search.places.begin[at(from)];
  const MatrixF own = search.ordered.values.middleCols(begin, search.own.size(cell));
  MatrixF queries;
  MatrixF products;
  std::vector<std::int32_t> names;
  std::vector<BestMatches*> kept;
  for (std::size_t n = 0; n < plan.near.size(); ++n) {
    const Index other = plan.near[n];
    if (plan.wanted_by[n].empty() || search.numbers.owner(other) != from) continue;
    queries.resize(own.rows(), static_cast<Index>(plan.wanted_by[n].size()));
    names.clear();
    kept.clear();
    for (const std::int32_t q : plan.wanted_by[n]) {
      queries.col(static_cast<Index>(names.size())) = own.col(q);
      names.push_back(static_cast<std::int32_t>(search.places.first + begin + q));
      kept.push_back(best[at(q)]);
    }
    comparison.offer(queries, names, search.all.begin[at(other)] - base, search.all.begin[at(other) + 1] - base,
                     products, kept);
  }
}

std::vector<std::int32_t> search_cells(const CellSearch& search, const CellReach& reach, const Context& context) {
  const Team& team = context.team();
  const Index cells = search.own.count();
  Candidates candidates(search.places.count, search.count, team.size());
  std::vector<CellPlan> plans(at(cells));  // from the first visit to the last
  std::atomic<Index> done{0};
  team.ring(search.ordered.values, [&](int from, const MatrixF& visiting) {
    const Comparison comparison(visiting, search.ordered.sign_free, search.places.begin[at(from)]);
    const bool is_last = team.is_last_of_ring(from);
    context.parallel_for(cells, [&](Index cell) {
      CellPlan& plan = plans[at(cell)];
      if (plan.near.empty()) plan = plan_of_cell(search, reach, cell);
      candidates.go_on(
          search.own.begin[at(cell)], search.own.size(cell), is_last,
          [&](std::span<BestMatches* const> best) { search_cell(search, comparison, plan, cell, from, best); });
      if (is_last) plan = {};
      const Index now = ++done;
      if (now % 64 == 0)
        context.progress("neighbors", static_cast<double>(now) / static_cast<double>(cells * team.size()));
    });
  });
  return std::move(candidates.names());
}

// The points of a sample of places, in every process.
MatrixF points_of(const CellSearch& search, std::span<const Index> sample, const Team& team) {
  std::vector<Index> own;
  for (const Index place : sample) {
    if (search.places.is_own(place)) own.push_back(place - search.places.first);
  }
  return columns_to_all(search.ordered.values(Eigen::all, own), team);
}

// Their true nearest, as places: every process compares with its own points, and the best of all are kept.
std::vector<std::int32_t> nearest_of_sample(const CellSearch& search, std::span<const Index> sample,
                                            const MatrixF& points, const Context& context) {
  const Team& team = context.team();
  Candidates candidates(points.cols(), search.count, team.size());
  compare_with_all(
      Comparison(search.ordered.values, search.ordered.sign_free, search.places.first), points.cols(), team.size() == 1,
      candidates, context, [&](Index q) { return points.col(q); }, [&](Index q) { return sample[at(q)]; });
  if (team.size() == 1) return std::move(candidates.names());
  const std::vector<Match> found = team.gather_all<Match>(candidates.matches());
  std::vector<std::int32_t> nearest;
  std::vector<Match> of_one;
  for (Index q = 0; q < points.cols(); ++q) {
    of_one.clear();
    for (Index r = 0; r < team.size(); ++r) {
      const auto first = found.begin() + (r * points.cols() + q) * search.count;
      of_one.insert(of_one.end(), first, first + search.count);
    }
    std::ranges::sort(of_one, std::less<>());
    for (Index k = 0; k < search.count; ++k) nearest.push_back(of_one[at(k)].name);
  }
  return nearest;
}

// How many cells must be compared so that the share `recall` of the nearest is found: for some features they are known.
CellReach find_cell_reach(const CellSearch& search, double recall, const Context& context) {
  const std::vector<Index> sample = sample_for_recall(search.places.total(), context);
  const MatrixF points = points_of(search, sample, context.team());
  const std::vector<std::int32_t> truth = nearest_of_sample(search, sample, points, context);
  const bool sign_free = search.ordered.sign_free;
  const double wanted = std::min(1.0, recall + recall_margin);
  CellReach result;
  for (result.looked_at = std::min(cells_looked_at, search.all.count());; result.looked_at = search.all.count()) {
    const auto near_of = [&](Index i) {
      const Index cell = search.all.cell_of(sample[at(i)]);
      std::vector<Index> near = search.map.from_near_to_far(cell, result.looked_at, sign_free);
      const MatrixF keys = search.map.keys(near, points.middleCols(i, 1), sign_free);
      std::vector<Index> ordered;
      for (const Index n : smallest(keys.col(0), keys.rows())) ordered.push_back(near[at(n)]);
      return ordered;
    };
    const Reach reach = find_reach(sample, truth, search.all, wanted, near_of, context);
    result.compared = reach.cells;
    result.recall = reach.recall;
    if (reach.recall >= wanted || result.looked_at == search.all.count()) return result;
  }
}

// From places to features, and back to the processes that the features belong to.
void send_home(const CellSearch& search, const std::vector<std::int32_t>& lists, const Partition& partition,
               const Team& team, NearestFeatures& result) {
  const std::vector<std::int32_t> feature_at = team.gather_all<std::int32_t>(search.features);
  result.of.resize(at(partition.count * result.count));
  std::vector<std::vector<std::int32_t>> rows(at(team.size()));  // of others: a feature, and its nearest
  for (Index place = 0; place < search.places.count; ++place) {
    const std::int32_t feature = search.features[at(place)];
    const auto of_place = std::span(lists).subspan(at(place * result.count), at(result.count));
    const auto named = std::views::transform(of_place, [&](std::int32_t other) { return feature_at[at(other)]; });
    if (partition.is_own(feature)) {
      std::ranges::copy(named, result.of.begin() + (feature - partition.first) * result.count);
      continue;
    }
    std::vector<std::int32_t>& row = rows[at(partition.owner(feature))];
    row.push_back(feature);
    std::ranges::copy(named, std::back_inserter(row));
  }
  const std::vector<std::int32_t> received = team.exchange(rows);
  for (auto row = received.begin(); row != received.end(); row += result.count + 1) {
    std::copy_n(row + 1, result.count, result.of.begin() + (*row - partition.first) * result.count);
  }
}

}  // namespace

std::string rows_of(const NearestFeatures& nearest) {
  return {reinterpret_cast<const char*>(nearest.of.data()), nearest.of.size() * sizeof(std::int32_t)};
}

void set_rows(NearestFeatures& nearest, std::string_view rows, Index features) {
  nearest.features = features;
  nearest.of.resize(at(features * nearest.count));
  if (rows.size() != nearest.of.size() * sizeof(std::int32_t)) throw Error("a checkpoint does not fit the features");
  if (!rows.empty()) std::memcpy(nearest.of.data(), rows.data(), rows.size());
}

NearestFeatures nearest_by_comparison(const FeaturePoints& points, Index count, const Context& context) {
  prepare_blas();
  const Partition partition = context.team().partition_of(points.values.cols());
  NearestFeatures result;
  result.features = partition.count;
  result.count = std::min(count, partition.total() - 1);
  result.of = nearest_of_all(points, result.count, partition, context);
  return result;
}

NearestFeatures nearest_by_cells(const FeaturePoints& points, Index count, double recall, const Context& context) {
  prepare_blas();
  const Team& team = context.team();
  const Partition partition = team.partition_of(points.values.cols());
  CellSearch search = prepare_search(points, count, partition, context);
  // With so few cells, or so many neighbors, there is nothing to save.
  if (search.all.count() <= 2 * min_cells_compared || count >= cell_size * min_cells_compared) {
    return nearest_by_comparison(points, count, context);
  }
  const CellReach reach = find_cell_reach(search, recall, context);
  NearestFeatures result;
  result.features = partition.count;
  result.count = count;
  // Where most cells are wanted, to compare with all costs no more and misses none: features without structure.
  result.exact = 3 * reach.compared > 2 * search.all.count();
  result.recall = result.exact ? 1.0 : reach.recall;
  const std::vector<std::int32_t> lists = result.exact ? nearest_of_all(search.ordered, count, search.places, context)
                                                       : search_cells(search, reach, context);
  send_home(search, lists, partition, team, result);
  if (team.size() == 1) result.locality_order = std::move(search.own.order);
  return result;
}

}  // namespace disc
