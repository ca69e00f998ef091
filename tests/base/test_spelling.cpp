#include <gtest/gtest.h>

#include "disc/spelling.hpp"

namespace disc {
namespace {

const std::vector<std::string> options{"normalize", "bandwidth-neighbors", "genesets", "samples-in", "level"};
const std::vector<std::string> commands{"run", "simulate", "inspect", "convert", "score", "report"};

TEST(Spelling, BritishSpellingIsUnderstood) {
  EXPECT_EQ(closest_word("normalise", options), "normalize");
  EXPECT_EQ(closest_word("neighbours", options), "bandwidth-neighbors");
  EXPECT_EQ(closest_word("--neighbours", std::vector<std::string>{"--knn", "--bandwidth-neighbors"}),
            "--bandwidth-neighbors");
}

TEST(Spelling, SlipsOfTheFingerAreUnderstood) {
  EXPECT_EQ(closest_word("rnu", commands), "run");
  EXPECT_EQ(closest_word("genesset", options), "genesets");
  EXPECT_EQ(closest_word("samples_in", options), "samples-in");
  EXPECT_EQ(did_you_mean("Inspect", commands), "; did you mean 'inspect'?");
}

TEST(Spelling, OtherWordsAreNotTakenForKnownOnes) {
  EXPECT_EQ(closest_word("banana", commands), "");
  EXPECT_EQ(did_you_mean("x", commands), "");
  EXPECT_EQ(closest_word("", options), "");
}

}  // namespace
}  // namespace disc
