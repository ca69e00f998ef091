#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace disc::app {
namespace {

constexpr int bar_width = 30;
constexpr int stage_width = 26;
constexpr std::chrono::milliseconds redraw_every(100);
// Before this, how fast the stage goes is a guess.
constexpr double settled_fraction = 0.02;
constexpr double settled_seconds = 0.5;

std::string duration(double seconds) {
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace

Console::Console(bool quiet)
    : style_(quiet                        ? Style::silent
             : isatty(STDERR_FILENO) != 0 ? Style::moving
                                          : Style::lines) {}

void Console::progress(std::string_view stage, double fraction) {
  if (style_ == Style::silent) return;
  const bool new_stage = stage != stage_;
  if (new_stage) {
    stage_ = stage;
    stage_start_ = Clock::now();
  }
  if (style_ == Style::lines) {
    if (announced_.insert(stage_).second) std::cerr << "disc: " << stage_ << std::endl;
    return;
  }
  if (new_stage || Clock::now() - last_drawn_ >= redraw_every) draw(std::clamp(fraction, 0.0, 1.0));
}

void Console::draw(double fraction) {
  const int filled = static_cast<int>(std::lround(fraction * bar_width));
  const std::string bar = std::string(static_cast<std::size_t>(filled), '=') +
                          std::string(static_cast<std::size_t>(bar_width - filled), ' ');
  const double elapsed = std::chrono::duration<double>(Clock::now() - stage_start_).count();
  std::string left;
  if (fraction > settled_fraction && elapsed > settled_seconds) {
    left = duration(elapsed * (1 - fraction) / fraction) + " left";
  }
  std::fprintf(stderr, "\r\x1b[K%-*.*s [%s] %3.0f %%  %s", stage_width, stage_width, stage_.c_str(), bar.c_str(),
               fraction * 100, left.c_str());
  std::fflush(stderr);
  line_shown_ = true;
  last_drawn_ = Clock::now();
}

void Console::log(LogLevel level, std::string_view message) {
  if (level == LogLevel::warning) {
    warnings_.emplace_back(message);
    return;
  }
  if (style_ == Style::silent) return;
  erase_line();
  std::cerr << "disc: " << clean_lines(message) << std::endl;
}

std::string clean_lines(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    clean += for_terminal(text.substr(0, end));
    if (end == std::string_view::npos) break;
    clean += '\n';
    text.remove_prefix(end + 1);
  }
  return clean;
}

CleanOutput::CleanOutput() : before_(std::cout.rdbuf(&kept_)) {}

CleanOutput::~CleanOutput() {
  std::cout.rdbuf(before_);
  std::cout << clean_lines(kept_.str());
}

void Console::erase_line() {
  if (!line_shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  line_shown_ = false;
}

}  // namespace disc::app
