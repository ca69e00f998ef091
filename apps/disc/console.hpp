// What a running command shows on stderr: one line that moves on a terminal, plain lines in a pipe, nothing if quiet; and what it
// writes into a log.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "disc/base.hpp"

namespace disc::app {

/// A file that everything worth knowing about a command is appended to, with the time. One per program: errors go there, too.
class Log {
 public:
  /// Throws InputError where the file cannot be written.
  static void open(const std::filesystem::path& file);
  static bool is_open();
  static void write(std::string_view line);
};

class Console {
 public:
  struct Settings {
    bool quiet = false;
    bool verbose = false;  ///< a line with the time for every stage, in place of the moving one
  };
  explicit Console(const Settings& settings);
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
  enum class Style { silent, lines, verbose, moving };
  /// Stages lie within others: a run's stage "groups" holds "permutations", and those solve for eigenpairs each.
  struct Stage {
    std::string name;
    double fraction = 0;
    Clock::time_point start;
  };

  /// Returns how deep the stage lies.
  std::size_t update(std::string_view stage, double fraction);
  void announce(std::string_view stage, std::size_t depth);
  void draw();

  Style style_;
  std::vector<Stage> stages_;  // those at work, the outermost first
  std::set<std::string, std::less<>> announced_;
  Clock::time_point began_ = Clock::now(), last_drawn_;
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
