// Amounts of memory as users write them, and what runs are expected to take.
#include <gtest/gtest.h>

#include "pipeline/memory.hpp"

namespace disc {
namespace {

TEST(Memory, Amounts) {
  EXPECT_EQ(parse_memory("8G"), 8 * gibibyte);
  EXPECT_EQ(parse_memory("8"), 8 * gibibyte);
  EXPECT_EQ(parse_memory("2.5GiB"), 2.5 * gibibyte);
  EXPECT_EQ(parse_memory("512M"), gibibyte / 2);
  for (const char* wrong : {"", "G", "8X", "-1G", "0", "8 G", "infG", "nan"})
    EXPECT_FALSE(parse_memory(wrong)) << wrong;
  EXPECT_EQ(memory_text(7.5 * gibibyte), "7.5 GiB");
  EXPECT_EQ(memory_text(gibibyte / 4), "256 MiB");
}

TEST(Memory, MatricesGrowWithTheSquareAndGraphsOfNeighborsDoNot) {
  const MemoryProblem small{10'000, 200, 2};
  const MemoryProblem large{100'000, 200, 2};
  EXPECT_GT(memory_needed(large, GraphForm::dense), 90 * memory_needed(small, GraphForm::dense));
  EXPECT_LT(memory_needed(large, GraphForm::knn), 11 * memory_needed(small, GraphForm::knn));
  EXPECT_LT(memory_needed(large, GraphForm::knn), memory_needed(large, GraphForm::dense));
}

}  // namespace
}  // namespace disc
