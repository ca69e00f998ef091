#include "disc/team.hpp"

#include <algorithm>
#include <cstring>

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

int Partition::owner(Index feature) const {
  return static_cast<int>(std::upper_bound(begin.begin(), begin.end(), feature) - begin.begin()) - 1;
}

void Team::transfer(std::span<const char> out, int /*to*/, std::span<char> in, int /*from*/) const {
  if (!in.empty()) std::memcpy(in.data(), out.data(), in.size());
}

void Team::sum(double* values, Index count) const {
  if (size() == 1) return;
  const std::vector<double> all = gather_all<double>({values, at(count)});
  for (Index i = 0; i < count; ++i) {
    values[i] = 0;
    for (int r = 0; r < size(); ++r) values[i] += all[at(r * count + i)];
  }
}

double Team::sum(double value) const {
  sum(&value, 1);
  return value;
}

Partition Team::even_partition(Index total) const {
  Partition partition;
  for (int r = 0; r <= size(); ++r) partition.begin.push_back(total * r / size());
  partition.first = partition.begin[at(rank())];
  partition.count = partition.begin[at(rank()) + 1] - partition.first;
  return partition;
}

Partition Team::partition_of(Index own_count) const {
  Partition partition;
  partition.begin.assign(1, 0);
  for (const Index count : exchange_counts(std::vector<Index>(at(size()), own_count))) {
    partition.begin.push_back(partition.begin.back() + count);
  }
  partition.first = partition.begin[at(rank())];
  partition.count = own_count;
  return partition;
}

std::vector<Index> Team::exchange_counts(const std::vector<Index>& counts) const {
  std::vector<Index> received(counts.size());
  in_turns([&](std::size_t to, std::size_t from) {
    transfer(bytes_of(&counts[to], 1), static_cast<int>(to), bytes_of(&received[from], 1), static_cast<int>(from));
  });
  return received;
}

void Team::gather(const void* own, const Partition& places, std::size_t each, void* all) const {
  const std::span<const char> out(static_cast<const char*>(own), at(places.count) * each);
  in_turns([&](std::size_t to, std::size_t from) {
    char* const place = static_cast<char*>(all) + at(places.begin[from]) * each;
    const std::size_t size = at(places.begin[from + 1] - places.begin[from]) * each;
    transfer(out, static_cast<int>(to), {place, size}, static_cast<int>(from));
  });
}

std::string Team::from_first(std::string text) const {
  text.resize(at(partition_of(rank() == 0 ? static_cast<Index>(text.size()) : 0).total()));
  for (int r = 1; r < size() && rank() == 0; ++r) transfer(text, r, {}, r);
  if (rank() > 0) transfer({}, 0, text, 0);
  return text;
}

std::string Team::rows_to_first(std::string_view before, std::string_view own) const {
  const Partition pieces = partition_of(static_cast<Index>(own.size()));
  std::string all;
  if (rank() > 0) {
    transfer(own, 0, {}, 0);
    return all;
  }
  all.reserve(before.size() + at(pieces.total()));  // in one piece, and once: it may be large
  all.append(before).append(own).resize(before.size() + at(pieces.total()));
  for (int r = 1; r < size(); ++r) {
    const Index begin = pieces.begin[at(r)];
    transfer({}, 0, std::span(all).subspan(before.size() + at(begin), at(pieces.begin[at(r) + 1] - begin)), r);
  }
  return all;
}

std::string Team::rows_from_first(std::string_view all, const Partition& partition) const {
  const Index each = partition_of(rank() == 0 ? static_cast<Index>(all.size()) / partition.total() : 0).total();
  std::string own(at(each * partition.count), '\0');
  if (rank() > 0) {
    transfer({}, 0, own, 0);
    return own;
  }
  own = all.substr(0, own.size());
  for (int r = 1; r < size(); ++r) {
    const Index begin = partition.begin[at(r)];
    transfer(all.substr(at(each * begin), at(each * (partition.begin[at(r) + 1] - begin))), r, {}, r);
  }
  return own;
}

int processes(const Team* team) { return team != nullptr ? team->size() : 1; }

std::vector<Index> own_share(const Team* team, Index count) {
  std::vector<Index> items;
  for (Index item = team != nullptr ? team->rank() : 0; item < count; item += processes(team)) items.push_back(item);
  return items;
}

void sum_over(const Team* team, std::span<double> values) {
  if (team != nullptr) team->sum(values.data(), static_cast<Index>(values.size()));
}

}  // namespace disc
