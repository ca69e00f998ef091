#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/markup.hpp"
#include "disc/base.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using testing_support::threads;

TEST(Errors, InputErrorNamesThePlace) {
  const InputError error({.file = "a.csv", .line = 3, .column = 7, .value = "x"}, "'x' is not a number");
  EXPECT_STREQ(error.what(), "a.csv:3:7: 'x' is not a number");
  EXPECT_STREQ(InputError({.file = "a.csv"}, "is empty").what(), "a.csv: is empty");
  EXPECT_EQ(error.place().value, "x");
}

TEST(Errors, OptionErrorNamesOptionValueAndRule) {
  EXPECT_STREQ(OptionError("bandwidth-neighbors", "0", "must be at least 1").what(),
               "--bandwidth-neighbors 0: must be at least 1");
}

TEST(ParallelFor, RunsEveryItemOnceForAnyNumberOfThreads) {
  for (const int count : {1, 2, 4, 7}) {
    const Context context = threads(count);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<std::atomic<int>> seen(97);
      context.parallel_for(97, [&](Index i) { ++seen[static_cast<std::size_t>(i)]; });
      for (const auto& times : seen) ASSERT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, NestedLoopsRunSerially) {
  std::atomic<Index> sum{0};
  const Context context = threads(4);
  context.parallel_for(10, [&](Index i) {
    const auto outer = std::this_thread::get_id();
    context.parallel_for(10, [&](Index j) {
      EXPECT_EQ(std::this_thread::get_id(), outer);
      sum += i * j;
    });
  });
  EXPECT_EQ(sum, 45 * 45);
}

TEST(ParallelFor, ThrowsWhatAnItemThrows) {
  const Context context = threads(4);
  EXPECT_THROW(context.parallel_for(100,
                                    [](Index i) {
                                      if (i == 37) throw InputError("37");
                                    }),
               InputError);
  std::atomic<int> after{0};
  context.parallel_for(8, [&](Index) { ++after; });  // the pool goes on working
  EXPECT_EQ(after, 8);
}

TEST(ParallelFor, StopsWhenAsked) {
  std::stop_source source;
  Context::Settings settings;
  settings.threads = 2;
  settings.stop = source.get_token();
  const Context context(settings);
  EXPECT_THROW(context.parallel_for(1000,
                                    [&](Index i) {
                                      if (i == 5) source.request_stop();
                                    }),
               Cancelled);
  EXPECT_THROW(context.check_stop(), Cancelled);
}

TEST(ParallelFor, SeveralCallersTakeTurns) {
  const Context context = threads(3);
  std::atomic<int> total{0};
  std::vector<std::jthread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) context.parallel_for(20, [&](Index) { ++total; });
    });
  }
  callers.clear();
  EXPECT_EQ(total, 4 * 50 * 20);
}

TEST(RandomStream, IsKeyedBySeedStageAndItem) {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {0, 1}) {
    for (const char* stage : {"a", "b"}) {
      for (const std::uint64_t item : {0, 1}) first.insert(random_stream(seed, stage, item)());
    }
  }
  EXPECT_EQ(first.size(), 8U);
  EXPECT_EQ(random_stream(5, "a", 3)(), random_stream(5, "a", 3)());
}

TEST(Text, ForTheTerminalHasNoControlCharacters) {
  EXPECT_EQ(for_terminal("plain \xc3\xa9 \xe6\x97\xa5"), "plain \xc3\xa9 \xe6\x97\xa5");
  EXPECT_EQ(for_terminal("\x1b]0;t\x07\t\x7f"), "?]0;t???");
  EXPECT_EQ(for_terminal("\xc2\x9b"
                         "31m"),
            "?31m");                                                   // C1, as UTF-8
  EXPECT_EQ(for_terminal("\x9b\xe9\xc0\x80\xed\xa0\x80"), "???????");  // not UTF-8: alone, too long, half of a pair
  EXPECT_EQ(for_terminal("\xe6\x97"), "??");
}

TEST(Text, MarkupIsTextBetweenTagsAndInQuotes) {
  EXPECT_EQ(escape_markup("<b a=\"1\">&amp;"), "&lt;b a=&quot;1&quot;&gt;&amp;amp;");
  EXPECT_EQ(escape_markup("plain \xc3\xa9"), "plain \xc3\xa9");
}

TEST(Text, OtherEncodingsBecomeUtf8AndStayDifferent) {
  EXPECT_EQ(as_utf8("contr\xc3\xb4le"), "contr\xc3\xb4le");
  EXPECT_EQ(as_utf8("contr\xf4le"), "contr\xc3\xb4le");
  EXPECT_NE(as_utf8("prot\xe9ine"), as_utf8("prot\xe8ine"));
}

}  // namespace
}  // namespace disc
