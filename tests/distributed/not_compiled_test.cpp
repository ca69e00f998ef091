// A build without the engine for several machines says so, and how to get it.
#include <gtest/gtest.h>

#include "disc/distributed.hpp"

namespace disc::distributed {
namespace {

TEST(WithoutTheEngine, AJobSaysHowToGetIt) {
  EXPECT_FALSE(is_compiled());
  EXPECT_EQ(agree_on_error(), Ending::alone);
  try {
    const Job job("");
    FAIL() << "there is no engine to start";
  } catch (const NotCompiled& error) {
    EXPECT_NE(std::string(error.what()).find("slepc-dev"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("DISC_WITH_SLEPC"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace disc::distributed
