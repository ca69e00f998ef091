#include "disc/where.hpp"

#include <gtest/gtest.h>

#include <map>

namespace disc {
namespace {

using Rows = std::vector<Index>;
const std::map<std::string, std::vector<std::string>> labels{
    {"type", {"CD14 Mono", "B", "T", ""}}, {"age", {"1", "2.0", "", "10"}}, {"and so on", {"x", "y", "x", "y"}}};

Rows rows(const std::string& expression) {
  return SampleFilter(expression).rows(1, [](Index, const std::string& label) { return labels.at(label); }).front();
}

TEST(Where, AndBindsMoreTightlyThanOr) {
  EXPECT_EQ(rows("type == B or type == T and age == 1"), (Rows{1}));
  EXPECT_EQ(rows("(type == B or type == T) and age == 2"), (Rows{1}));
  EXPECT_EQ(rows("not (type == B or type == T)"), (Rows{0, 3}));
}

TEST(Where, ValuesNeedNoQuotesAndMayHaveThem) {
  EXPECT_EQ(rows("type == CD14  Mono"), (Rows{0}));
  EXPECT_EQ(rows("type == \"CD14 Mono\""), (Rows{0}));
  EXPECT_EQ(rows("'and so on' == y"), (Rows{1, 3}));
}

TEST(Where, NumbersAreComparedAsNumbers) {
  EXPECT_EQ(rows("age > 1.5"), (Rows{1, 3}));
  EXPECT_EQ(rows("age == 2"), (Rows{1}));
}

TEST(Where, MissingValuesMeetNoComparison) {
  EXPECT_EQ(rows("age != 1"), (Rows{1, 3}));
  EXPECT_EQ(rows("type in (B, T)"), (Rows{1, 2}));
  EXPECT_EQ(rows("type not in (B, T)"), (Rows{0}));
}

TEST(Where, LabelsAreListedOnce) {
  EXPECT_EQ(SampleFilter("a == 1 and (b > 2 or a == 3)").labels(), (std::vector<std::string>{"a", "b"}));
}

TEST(Where, AnExpressionThatIsNoneIsRefused) {
  for (const char* text : {"", "type", "type ==", "== B", "type == B and", "type == B type == C ==", "type in ()",
                           "((type == B)", "'type == B"}) {
    EXPECT_THROW(SampleFilter{text}, OptionError) << text;
  }
}

TEST(Where, AValueThatNoSampleHasIsAnError) {
  EXPECT_THROW(rows("type == b"), InputError);
  EXPECT_THROW(rows("type > 3"), InputError);
}

}  // namespace
}  // namespace disc
