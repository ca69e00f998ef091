#include "distributed/nearest.hpp"

#include <algorithm>
#include <numeric>

#include "graph/cell_map.hpp"
#include "graph/comparison.hpp"

namespace disc::distributed {
namespace {

using Match = BestMatches::Match;

constexpr Index queries_at_once = 256;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The best matches of many queries between two visits, as short as they can be kept.
class Candidates {
 public:
  Candidates(Index queries, Index count) : count_(count), found_(at(queries), 0), matches_(at(queries * count)) {}

  // Continues with queries first ..; `offer` is given their matches so far.
  template <class Offer>
  void go_on(Index first, Index queries, Offer&& offer) {
    std::vector<BestMatches> best(at(queries));
    for (Index q = 0; q < queries; ++q) best[at(q)].reset(count_, of(first + q));
    offer(best);
    for (Index q = 0; q < queries; ++q) {
      const std::vector<Match>& kept = best[at(q)].finish();
      found_[at(first + q)] = static_cast<std::int32_t>(kept.size());
      std::copy(kept.begin(), kept.end(), matches_.begin() + (first + q) * count_);
    }
  }
  std::span<const Match> of(Index query) const {
    return std::span(matches_).subspan(at(query * count_), at(found_[at(query)]));
  }
  const std::vector<Match>& all() const { return matches_; }

 private:
  Index count_;
  std::vector<std::int32_t> found_;
  std::vector<Match> matches_;
};

std::vector<std::int32_t> numbers_from(Index first, Index count) {
  std::vector<std::int32_t> numbers(at(count));
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(first));
  return numbers;
}

// Points in the order of cells of all processes, each process with its own cells. Places count over all of them.
struct PlacedPoints {
  FeaturePoints points;
  std::vector<std::int32_t> features;  // by own place
  Partition places;
  Cells own;               // places count from 0
  Cells all;               // only where they begin
  Partition cell_numbers;  // which of all cells are whose
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

// Centres of clusters, from a sample of the points of all processes; the same in every process.
MatrixF common_centres(const MatrixF& own, Index total, const MpiTeam& team, const Context& context) {
  const Index count = std::clamp<Index>(total / cell_size, 2, max_centres);
  const Index share = std::min(own.cols(), count * points_per_centre * own.cols() / total + 1);
  std::vector<Index> all(at(own.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> drawn;
  std::mt19937_64 random =
      random_stream(context.seed(), "distributed/centres", static_cast<std::uint64_t>(team.rank()));
  std::ranges::sample(all, std::back_inserter(drawn), share, random);
  const MatrixF picked = own(Eigen::all, drawn);
  const std::vector<float> values = team.gather_all<float>({picked.data(), at(picked.size())});
  const MatrixF sample =
      Eigen::Map<const MatrixF>(values.data(), own.rows(), static_cast<Index>(values.size()) / own.rows());
  std::vector<Index> order(at(sample.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 shuffle = random_stream(context.seed(), "distributed/shuffle");
  std::ranges::shuffle(order, shuffle);
  return find_centres(sample, order, std::min(count, sample.cols()));
}

// Moves points to the processes that take their clusters.
void move_points(PlacedPoints& placed, MatrixF&& own, const Partition& partition, const MpiTeam& team,
                 const Context& context) {
  const MatrixF centres = common_centres(own, partition.total(), team, context);
  std::vector<Index> all(at(own.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> label(all.size());
  assign_to_centres(own, all, centres, label);
  std::vector<double> sizes(at(centres.cols()), 0);
  for (const Index c : label) sizes[at(c)] += 1;
  sum_over(&team, sizes);
  const std::vector<int> taker = deal_clusters(sizes, team.size());
  const auto dimensions = own.rows();
  std::vector<std::vector<float>> values(at(team.size()));
  std::vector<std::vector<std::int32_t>> features(at(team.size()));
  for (Index i = 0; i < own.cols(); ++i) {
    const auto to = at(taker[at(label[at(i)])]);
    values[to].insert(values[to].end(), own.col(i).data(), own.col(i).data() + dimensions);
    features[to].push_back(static_cast<std::int32_t>(partition.first + i));
  }
  own.resize(0, 0);
  const std::vector<float> received = team.exchange(values);
  values.clear();
  placed.features = team.exchange(features);
  placed.points.values =
      Eigen::Map<const MatrixF>(received.data(), dimensions, static_cast<Index>(received.size()) / dimensions);
}

PlacedPoints place_points(FeaturePoints&& own, const Partition& partition, const MpiTeam& team,
                          const Context& context) {
  PlacedPoints placed;
  placed.points.sign_free = own.sign_free;
  move_points(placed, std::move(own.values), partition, team, context);
  MatrixF& values = placed.points.values;
  placed.own = make_cells(values, cell_size, context);
  values = values(Eigen::all, placed.own.order).eval();
  std::vector<std::int32_t> features;
  for (const Index i : placed.own.order) features.push_back(placed.features[at(i)]);
  placed.features = std::move(features);
  placed.places = team.partition_of(values.cols());
  const Index own_cells = values.cols() > 0 ? placed.own.count() : 0;
  placed.cell_numbers = team.partition_of(own_cells);
  std::vector<Index> begins;
  for (Index cell = 0; cell < own_cells; ++cell) begins.push_back(placed.places.first + placed.own.begin[at(cell)]);
  placed.all.begin = team.gather_all<Index>(begins);
  placed.all.begin.push_back(partition.total());
  return placed;
}

// The true nearest of a sample of places, as places: every process compares with its own, and the best of all are kept.
std::vector<std::int32_t> nearest_of_sample(const PlacedPoints& placed, std::span<const Index> sample, Index count,
                                            const MpiTeam& team) {
  std::vector<Index> own;
  for (const Index place : sample) {
    if (placed.places.owner(place) == team.rank()) own.push_back(place - placed.places.first);
  }
  const MatrixF picked = placed.points.values(Eigen::all, own);
  const std::vector<float> values = team.gather_all<float>({picked.data(), at(picked.size())});
  const auto queries = static_cast<Index>(sample.size());
  const MatrixF points = Eigen::Map<const MatrixF>(values.data(), picked.rows(), queries);
  std::vector<std::int32_t> names(sample.begin(), sample.end());
  Candidates candidates(queries, count);
  candidates.go_on(0, queries, [&](std::vector<BestMatches>& best) {
    MatrixF products;
    const Comparison comparison(placed.points, placed.places.first);
    comparison.offer(points, names, 0, placed.points.values.cols(), products, pointers_to(best));
  });
  std::vector<std::int32_t> truth;
  std::vector<Match> merged;
  for (Index q = 0; q < queries; ++q) {
    merged = team.gather_all<Match>(candidates.of(q));
    std::ranges::sort(merged, std::less<>());
    for (Index k = 0; k < count; ++k) truth.push_back(merged[at(k)].name);
  }
  return truth;
}

// From places to features, and back to the processes that the features belong to.
void send_home(const PlacedPoints& placed, const Candidates& candidates, const Partition& partition,
               const MpiTeam& team, OwnNearest& result) {
  const std::vector<std::int32_t> feature_of = team.gather_all<std::int32_t>(placed.features);
  std::vector<std::vector<std::int32_t>> rows(at(team.size()));
  for (Index q = 0; q < placed.places.count; ++q) {
    const std::int32_t feature = placed.features[at(q)];
    std::vector<std::int32_t>& row = rows[at(partition.owner(feature))];
    row.push_back(feature);
    for (const Match& match : candidates.of(q)) row.push_back(feature_of[at(match.name)]);
  }
  const std::vector<std::int32_t> received = team.exchange(rows);
  const Index length = result.count + 1;
  result.of.resize(at(partition.count * result.count));
  for (Index first = 0; first < static_cast<Index>(received.size()); first += length) {
    const Index row = received[at(first)] - partition.first;
    std::copy_n(received.begin() + first + 1, result.count, result.of.begin() + row * result.count);
  }
}

}  // namespace

OwnNearest nearest_by_ring(const FeaturePoints& own, Index count, const Partition& partition, const MpiTeam& team,
                           const Context& context) {
  OwnNearest result;
  result.count = std::min(count, partition.total() - 1);
  Candidates candidates(partition.count, result.count);
  team.ring(own.values, [&](int from, const MatrixF& visiting) {
    const Comparison comparison(visiting, own.sign_free, partition.begin[at(from)]);
    context.parallel_for((partition.count + queries_at_once - 1) / queries_at_once, [&](Index piece) {
      const Index first = piece * queries_at_once;
      const Index here = std::min(queries_at_once, partition.count - first);
      const MatrixF queries = own.values.middleCols(first, here);
      const std::vector<std::int32_t> names = numbers_from(partition.first + first, here);
      candidates.go_on(first, here, [&](std::vector<BestMatches>& best) {
        MatrixF products;
        comparison.offer(queries, names, 0, visiting.cols(), products, pointers_to(best));
      });
    });
  });
  for (const Match& match : candidates.all()) result.of.push_back(match.name);
  return result;
}

OwnNearest nearest_by_cells(FeaturePoints&& own, Index count, double recall, const Partition& partition,
                            const MpiTeam& team, const Context& context) {
  // With so few cells, or so many neighbours, there is nothing to save.
  if (partition.total() <= 2 * min_cells_compared * cell_size || count >= cell_size * min_cells_compared) {
    return nearest_by_ring(own, count, partition, team, context);
  }
  const bool sign_free = own.sign_free;
  const PlacedPoints placed = place_points(std::move(own), partition, team, context);
  const MatrixF own_centres = placed.cell_numbers.count > 0 ? cell_centres(placed.points.values, placed.own, context)
                                                            : MatrixF(placed.points.values.rows(), 0);
  const std::vector<float> centres = team.gather_all<float>({own_centres.data(), at(own_centres.size())});
  const CellMap map(Eigen::Map<const MatrixF>(centres.data(), placed.points.values.rows(), placed.all.count()));
  const std::vector<Index> sample = sample_for_recall(partition.total(), context);
  const std::vector<std::int32_t> truth = nearest_of_sample(placed, sample, count, team);
  const Reach reach = find_reach(
      sample, truth, placed.all, std::min(1.0, recall + recall_margin),
      [&](Index i) { return map.from_near_to_far(placed.all.cell_of(sample[at(i)]), placed.all.count(), sign_free); },
      context);

  std::vector<std::vector<Index>> near(at(placed.cell_numbers.count));
  context.parallel_for(placed.cell_numbers.count, [&](Index cell) {
    near[at(cell)] = map.from_near_to_far(placed.cell_numbers.first + cell, reach.cells, sign_free);
  });
  Candidates candidates(placed.places.count, count);
  Index visits = 0;
  team.ring(placed.points.values, [&](int from, const MatrixF& visiting) {
    const Index base = placed.places.begin[at(from)];
    const Comparison comparison(visiting, sign_free, base);
    context.parallel_for(placed.cell_numbers.count, [&](Index cell) {
      const Index first = placed.own.begin[at(cell)];
      const Index size = placed.own.size(cell);
      const MatrixF queries = placed.points.values.middleCols(first, size);
      const std::vector<std::int32_t> names = numbers_from(placed.places.first + first, size);
      candidates.go_on(first, size, [&](std::vector<BestMatches>& best) {
        MatrixF products;
        for (const Index other : near[at(cell)]) {
          if (placed.cell_numbers.owner(other) != from) continue;
          comparison.offer(queries, names, placed.all.begin[at(other)] - base, placed.all.begin[at(other) + 1] - base,
                           products, pointers_to(best));
        }
      });
    });
    context.progress("neighbors", static_cast<double>(++visits) / team.size());
  });
  OwnNearest result;
  result.count = count;
  result.exact = reach.cells == placed.all.count();
  result.recall = reach.recall;
  send_home(placed, candidates, partition, team, result);
  return result;
}

}  // namespace disc::distributed
