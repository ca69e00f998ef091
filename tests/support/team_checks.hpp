// What any team must do, whatever its members are; every member calls these.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "disc/matrix.hpp"
#include "disc/team.hpp"

namespace disc::test {

inline void check_sums(const Team& team) {
  std::vector<double> values{1.0, static_cast<double>(team.rank() + 1)};
  team.sum(values.data(), 2);
  EXPECT_EQ(values[0], team.size());
  EXPECT_EQ(values[1], 0.5 * team.size() * (team.size() + 1));
}

// The first one has nothing.
inline void check_gathering(const Team& team) {
  const std::vector<std::int32_t> own(static_cast<std::size_t>(team.rank()), team.rank());
  std::vector<std::int32_t> expected;
  for (int r = 0; r < team.size(); ++r) expected.insert(expected.end(), static_cast<std::size_t>(r), r);
  EXPECT_EQ(team.gather_all<std::int32_t>(own), expected);
  const Partition partition = team.partition_of(team.rank());
  EXPECT_EQ(partition.total(), static_cast<Index>(expected.size()));
  for (Index i = 0; i < partition.count; ++i) EXPECT_EQ(partition.owner(partition.first + i), team.rank());
}

inline void check_exchange(const Team& team) {
  std::vector<std::vector<int>> pieces(static_cast<std::size_t>(team.size()));
  for (int to = 0; to < team.size(); ++to) {
    pieces[static_cast<std::size_t>(to)].assign(static_cast<std::size_t>(to + 1), 10 * team.rank() + to);
  }
  std::vector<int> expected;
  for (int r = 0; r < team.size(); ++r) {
    expected.insert(expected.end(), static_cast<std::size_t>(team.rank() + 1), 10 * r + team.rank());
  }
  EXPECT_EQ(team.exchange(pieces), expected);
}

inline void check_rows(const Team& team) {
  const Matrix all = Matrix::NullaryExpr(7, 3, [](Index i, Index j) { return static_cast<double>(10 * i + j); });
  const Partition partition = team.even_partition(7);
  const Matrix own = all.middleRows(partition.first, partition.count);
  EXPECT_EQ(team.rows_to_all(own), all);
  EXPECT_EQ(team.rows_to_first(own), team.rank() == 0 ? all : Matrix(0, 3));
  const auto first = static_cast<std::size_t>(partition.first);
  const std::string letters = std::string("abcdefg").substr(first, static_cast<std::size_t>(partition.count));
  const std::string text = team.rows_to_first(">", letters);
  EXPECT_EQ(text, team.rank() == 0 ? ">abcdefg" : "");
  EXPECT_EQ(team.from_first(text), ">abcdefg");
  EXPECT_EQ(team.rows_from_first(std::string_view(text).substr(text.empty() ? 0 : 1), partition), letters);
}

inline void check_ring(const Team& team) {
  const Matrix own = Matrix::Constant(2, team.rank() + 1, team.rank());
  std::vector<int> visited;
  team.ring(own, [&](int from, const Matrix& visiting) {
    EXPECT_EQ(visiting, Matrix(Matrix::Constant(2, from + 1, from)));
    EXPECT_EQ(team.is_last_of_ring(from), static_cast<int>(visited.size()) + 1 == team.size());
    visited.push_back(from);
  });
  EXPECT_EQ(visited.front(), team.rank());
  std::ranges::sort(visited);
  std::vector<int> everybody(static_cast<std::size_t>(team.size()));
  std::iota(everybody.begin(), everybody.end(), 0);
  EXPECT_EQ(visited, everybody);
}

}  // namespace disc::test
