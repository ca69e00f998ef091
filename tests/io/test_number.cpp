#include "io/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "disc/io.hpp"

namespace disc::io {
namespace {

double number(std::string_view text) {
  double value = -12345;
  EXPECT_EQ(read_number(text.data(), text.data() + text.size(), value), text.data() + text.size()) << text;
  return value;
}

TEST(Number, AgreesWithTheStandardLibraryToTheLastBit) {
  for (const char* text : {"0",
                           "-0",
                           "1",
                           "+1",
                           "-1.5",
                           ".5",
                           "5.",
                           "1e5",
                           "1E-5",
                           "0.1",
                           "123456.789",
                           "9007199254740993",
                           "9007199254740992",
                           "0.30000000000000004",
                           "1.7976931348623157e308",
                           "5e-324",
                           "12345678901234567890",
                           "0.0000000000000000001",
                           "1e22",
                           "1e23",
                           "184467440737095516161",
                           "18446744073709551616.5"}) {
    EXPECT_EQ(number(text), std::strtod(text, nullptr)) << text;
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(random() >> (random() % 64)) + ".";
    for (auto digits = random() % 20; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    EXPECT_EQ(number(text), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Number, FormatAndReadAreInverse) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(number(format_number(value)), value);
  }
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(NAN), "nan");
  EXPECT_EQ(format_number(INFINITY), "inf");
  EXPECT_EQ(format_number(-INFINITY), "-inf");
  EXPECT_TRUE(std::isnan(number("nan")));
}

TEST(Number, BeyondRange) {
  EXPECT_EQ(number("1e400"), INFINITY);
  EXPECT_EQ(number("-1e400"), -INFINITY);
  EXPECT_EQ(number("1e-400"), 0);
  EXPECT_EQ(number("1" + std::string(400, '0')), INFINITY);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
}

TEST(Number, TextIsNone) {
  for (const std::string_view text : {"x", "-", "+", ".", "+-1", "--1", "e5", "1x", "0x10", "1,5", "1 2"}) {
    double value = 0;
    EXPECT_FALSE(read_cell_number(text, value)) << text;
  }
}

TEST(Number, MissingCells) {
  for (const std::string_view text : {"", " ", "NA", "na", "N/A", "null", "None"}) {
    double value = 0;
    EXPECT_TRUE(is_missing(text)) << text;
    EXPECT_TRUE(read_cell_number(text, value) && std::isnan(value)) << text;
  }
  EXPECT_FALSE(is_missing("nana"));
  EXPECT_FALSE(is_missing("0"));
}

}  // namespace
}  // namespace disc::io
