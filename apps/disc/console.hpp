// What a running command shows on stderr: one line that moves on a terminal, plain lines in a pipe, nothing if quiet.
#pragma once

#include <chrono>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "disc/base.hpp"

namespace disc::app {

class Console {
 public:
  explicit Console(bool quiet);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { erase_line(); }

  void progress(std::string_view stage, double fraction);
  /// Warnings are kept for the result instead of scrolling by.
  void log(LogLevel level, std::string_view message);
  void erase_line();
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style { silent, lines, moving };

  void draw(double fraction);

  Style style_;
  std::string stage_;
  std::set<std::string, std::less<>> announced_;
  Clock::time_point stage_start_, last_drawn_;
  bool line_shown_ = false;
  std::vector<std::string> warnings_;
};

/// While it lives, what is written to the standard output is kept; then it is written without characters that a terminal would obey.
/// Names come from files, and files from anywhere.
class CleanOutput {
 public:
  CleanOutput();
  CleanOutput(const CleanOutput&) = delete;
  CleanOutput& operator=(const CleanOutput&) = delete;
  ~CleanOutput();

 private:
  std::stringbuf kept_;
  std::streambuf* before_;
};

/// Text of several lines without such characters.
std::string clean_lines(std::string_view text);

}  // namespace disc::app
