// What is exchanged, and in which ways. method (16)
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "graph/prepared_columns.hpp"
#include "stats/units.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check_names(const std::vector<std::vector<std::string>>& names, std::span<const Dataset> conditions,
                 const std::string& what) {
  if (names.empty()) return;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const Index samples = conditions[m].values.rows();
    if (names.size() == conditions.size() && static_cast<Index>(names[m].size()) == samples) continue;
    throw InputError("the design names the " + what + " of " + std::to_string(m < names.size() ? names[m].size() : 0) +
                     " samples of condition '" + conditions[m].name + "', which has " + std::to_string(samples));
  }
}

std::vector<Unit> units_of(std::span<const Dataset> conditions, const Design& design) {
  std::vector<Unit> units;
  std::map<std::string, Index> stratum_number;  // by name, whichever condition has it first
  for (const auto& names : design.strata) {
    for (const std::string& name : names) stratum_number.emplace(name, 0);
  }
  Index strata = 0;
  for (auto& [name, number] : stratum_number) number = strata++;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    std::map<std::string, std::size_t> position;
    for (Index i = 0; i < conditions[m].values.rows(); ++i) {
      const std::string stratum = design.strata.empty() ? "" : design.strata[m][at(i)];
      const Index number = design.strata.empty() ? 0 : stratum_number.at(stratum);
      if (design.units.empty()) {
        units.push_back({static_cast<Index>(m), number, {i}});
        continue;
      }
      const std::string& name = design.units[m][at(i)];
      const auto [place, is_new] = position.try_emplace(name, units.size());
      if (is_new) units.push_back({static_cast<Index>(m), number, {}});
      Unit& unit = units[place->second];
      if (unit.stratum != number) {
        throw InputError("unit '" + name + "' of condition '" + conditions[m].name +
                         "' lies in two strata; all samples of a unit must be in one");
      }
      unit.samples.push_back(i);
    }
  }
  return units;
}

bool can_exchange(const std::vector<Unit>& units) {
  std::map<Index, Index> condition_of_stratum;
  return std::ranges::any_of(units, [&](const Unit& unit) {
    return condition_of_stratum.try_emplace(unit.stratum, unit.condition).first->second != unit.condition;
  });
}

// Puts units together at random until about `most` are left, within condition and stratum and in proportion: every new unit
// is made of the same number of old ones, give or take one.
std::vector<Unit> put_together(const std::vector<Unit>& units, Index most, std::uint64_t seed) {
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> cells;
  for (std::size_t u = 0; u < units.size(); ++u) cells[{units[u].condition, units[u].stratum}].push_back(u);
  const double share = static_cast<double>(most) / static_cast<double>(units.size());
  std::vector<Unit> result;
  std::uint64_t item = 0;
  for (auto& [place, members] : cells) {
    std::mt19937_64 random = random_stream(seed, "stats/units", item++);
    std::shuffle(members.begin(), members.end(), random);
    const auto size = static_cast<double>(members.size());
    const auto count = std::max<std::size_t>(std::min<std::size_t>(2, members.size()),
                                             static_cast<std::size_t>(std::lround(share * size)));
    const std::size_t first = result.size();
    result.resize(first + count, Unit{place.first, place.second, {}});
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::vector<Index>& into = result[first + i % count].samples;
      const std::vector<Index>& from = units[members[i]].samples;
      into.insert(into.end(), from.begin(), from.end());
    }
  }
  for (Unit& unit : result) std::ranges::sort(unit.samples);
  return result;
}

// All distinct orders of the labels, the true one first.
std::vector<std::vector<Index>> all_orders(const std::vector<Index>& truth) {
  std::vector<std::vector<Index>> orders{truth};
  std::vector<Index> order = truth;
  std::ranges::sort(order);
  do {
    if (order != truth) orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

// Number of distinct orders of the labels, or infinity-like when above `enough`.
double count_orders(std::vector<Index> labels, double enough) {
  std::ranges::sort(labels);
  double count = 1;
  Index run = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {  // product of (i + 1) / (place in its run)
    run = i > 0 && labels[i] == labels[i - 1] ? run + 1 : 1;
    count *= static_cast<double>(i + 1) / static_cast<double>(run);
    if (count > 1e6 * (enough + 1)) break;
  }
  return count;
}

}  // namespace

Units make_units(std::span<const Dataset> conditions, const Design& design, Index most, const Context& context) {
  check_names(design.units, conditions, "units");
  check_names(design.strata, conditions, "strata");
  Units result;
  result.samples_are_units = design.units.empty();
  result.units = units_of(conditions, design);
  result.named = static_cast<Index>(result.units.size());
  if (!can_exchange(result.units)) {
    throw InputError(
        "no unit can be exchanged: every stratum lies in one condition; strata and pairs must have units in several "
        "conditions");
  }
  if (result.named > most) result.units = put_together(result.units, most, context.seed());
  return result;
}

void order_by_content(std::span<const PreparedColumns> conditions, Units& units, const Context& context) {
  const auto count = static_cast<Index>(units.units.size());
  std::vector<std::uint64_t> digest(units.units.size());
  context.parallel_for(count, [&](Index u) {
    const Unit& unit = units.units[at(u)];
    const PreparedColumns& condition = conditions[at(unit.condition)];
    std::vector<float> row(at(condition.features()));
    std::string digests;
    for (const Index sample : unit.samples) {
      condition.fill_all(sample, 1, row.data());
      digests += hexadecimal(digest_of({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)}));
    }
    digest[at(u)] = digest_of(digests);
  });
  std::vector<std::size_t> order(units.units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return digest[a] < digest[b]; });
  std::vector<Unit> sorted;
  for (const std::size_t u : order) sorted.push_back(std::move(units.units[u]));
  units.units = std::move(sorted);
}

Permutations::Permutations(const Units& units, Index wanted, const Context& context) : seed_(context.seed()) {
  Index strata = 0;
  for (const Unit& unit : units.units) {
    truth_.push_back(unit.condition);
    strata = std::max(strata, unit.stratum + 1);
  }
  units_of_stratum_.resize(at(strata));
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    units_of_stratum_[at(units.units[u].stratum)].push_back(static_cast<Index>(u));
  }
  const auto enough = static_cast<double>(wanted);
  double total = 1;
  const auto labels_in = [&](const std::vector<Index>& members) {
    std::vector<Index> labels;
    labels.reserve(members.size());
    for (const Index u : members) labels.push_back(truth_[at(u)]);
    return labels;
  };
  for (const auto& members : units_of_stratum_)
    total = std::min(total * count_orders(labels_in(members), enough), 1e15);
  are_all_ = total <= enough + 1;
  size_ = are_all_ ? std::lround(total) - 1 : wanted;
  if (!are_all_) return;
  for (const auto& members : units_of_stratum_) arrangements_.push_back(all_orders(labels_in(members)));
}

Index Permutations::mirror_images(Index conditions) const {
  std::vector<Index> order(at(conditions));
  std::iota(order.begin(), order.end(), Index{0});
  Matrix counts = Matrix::Zero(static_cast<Index>(units_of_stratum_.size()), conditions);
  for (std::size_t s = 0; s < units_of_stratum_.size(); ++s) {
    for (const Index u : units_of_stratum_[s]) counts(static_cast<Index>(s), truth_[at(u)]) += 1;
  }
  Index same = 0;
  do {
    same += counts(Eigen::all, order) == counts ? 1 : 0;
  } while (std::next_permutation(order.begin(), order.end()));
  return same;
}

std::vector<Index> Permutations::labels(Index number) const {
  std::vector<Index> labels = truth_;
  if (number == 0) return labels;
  std::mt19937_64 random = random_stream(seed_, "stats/permutation", static_cast<std::uint64_t>(number));
  Index rest = number;
  for (std::size_t s = 0; s < units_of_stratum_.size(); ++s) {
    const std::vector<Index>& members = units_of_stratum_[s];
    std::vector<Index> order;
    if (are_all_) {
      const Index choices = static_cast<Index>(arrangements_[s].size());
      order = arrangements_[s][at(rest % choices)];
      rest /= choices;
    } else {
      for (const Index u : members) order.push_back(truth_[at(u)]);
      std::shuffle(order.begin(), order.end(), random);
    }
    for (std::size_t i = 0; i < members.size(); ++i) labels[at(members[i])] = order[i];
  }
  return labels;
}

MatrixF Permutations::weights(Index first, Index count, Index conditions) const {
  std::vector<Index> numbers(at(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return weights(numbers, conditions);
}

MatrixF Permutations::weights(std::span<const Index> numbers, Index conditions) const {
  const auto units = static_cast<Index>(truth_.size());
  const auto count = static_cast<Index>(numbers.size());
  MatrixF weights = MatrixF::Zero(units, count * conditions);
  for (Index b = 0; b < count; ++b) {
    const std::vector<Index> own = labels(numbers[at(b)]);
    for (Index u = 0; u < units; ++u) weights(u, b * conditions + own[at(u)]) = 1.0F;
  }
  return weights;
}

}  // namespace disc
