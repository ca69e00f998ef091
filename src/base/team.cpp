#include "disc/team.hpp"

namespace disc {

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
