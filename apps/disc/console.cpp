#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>

#include "terminal.hpp"

namespace disc::app {
namespace {

constexpr int bar_width = 30;
constexpr int stage_width = 34;
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

namespace {

std::ofstream& log_file() {
  static std::ofstream file;
  return file;
}

}  // namespace

void Log::open(const std::filesystem::path& file) {
  log_file().open(file, std::ios::app);
  if (!log_file()) throw InputError("cannot write the log " + file.string() + ": it cannot be opened");
}

bool Log::is_open() { return log_file().is_open(); }

void Log::write(std::string_view line) {
  if (!is_open()) return;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &local);
  log_file() << stamp << " " << line << std::endl;
}

Console::Console(const Settings& settings)
    : style_(settings.quiet               ? Style::silent
             : settings.verbose           ? Style::verbose
             : isatty(STDERR_FILENO) != 0 ? Style::moving
                                          : Style::lines) {}

std::size_t Console::update(std::string_view stage, double fraction) {
  std::size_t depth = 0;
  while (depth < stages_.size() && stages_[depth].name != stage) ++depth;
  // A stage that is over, or that begins again, has no others within it any more.
  if (depth < stages_.size() && (fraction >= 1 || fraction < stages_[depth].fraction)) {
    stages_.resize(depth + (fraction >= 1 ? 0 : 1));
  }
  if (fraction >= 1) return depth;
  if (depth == stages_.size()) stages_.push_back({std::string(stage), 0, Clock::now()});
  Stage& here = stages_[depth];
  if (fraction < here.fraction) here.start = Clock::now();
  here.fraction = fraction;
  return depth;
}

void Console::announce(std::string_view stage, std::size_t depth) {
  if (!announced_.insert(std::string(stage)).second) return;
  Log::write(std::string(2 * depth, ' ') + std::string(stage));
  if (style_ == Style::lines) std::cerr << "disc: " << stage << std::endl;
  if (style_ != Style::verbose) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  char text[32];
  std::snprintf(text, sizeof text, "[%8.2f s] ", seconds);
  std::cerr << text << std::string(2 * depth, ' ') << stage << std::endl;
}

void Console::progress(std::string_view stage, double fraction) {
  if (style_ == Style::silent && !Log::is_open()) return;
  const std::size_t before = stages_.size();
  const std::size_t depth = update(stage, std::clamp(fraction, 0.0, 1.0));
  announce(stage, depth);
  if (style_ != Style::moving || stages_.empty()) return;
  // What changes within the two outermost stages is not worth a new line.
  const bool is_new = stages_.size() != before && depth <= 1;
  if (is_new || Clock::now() - last_drawn_ >= redraw_every) draw();
}

// The outermost stage and the one within it, whose share is shown: what lies deeper begins anew all the time.
void Console::draw() {
  const Stage& shown = stages_[std::min<std::size_t>(1, stages_.size() - 1)];
  std::string name = stages_.front().name;
  if (stages_.size() > 1) name += ": " + shown.name;
  const double elapsed = std::chrono::duration<double>(Clock::now() - shown.start).count();
  std::string left;
  if (shown.fraction > settled_fraction && elapsed > settled_seconds) {
    left = duration(elapsed * (1 - shown.fraction) / shown.fraction) + " left";
  }
  const std::size_t columns = columns_of(STDERR_FILENO, 80);
  const int bar = columns >= 100 ? bar_width : 10;
  const int filled = static_cast<int>(std::lround(shown.fraction * bar));
  const std::string full =
      std::string(static_cast<std::size_t>(filled), '=') + std::string(static_cast<std::size_t>(bar - filled), ' ');
  std::fprintf(stderr, "\r\x1b[K%-*.*s [%s] %3.0f %%  %s", stage_width, stage_width, name.c_str(), full.c_str(),
               shown.fraction * 100, left.c_str());
  std::fflush(stderr);
  line_shown_ = true;
  last_drawn_ = Clock::now();
}

void Console::log(LogLevel level, std::string_view message) {
  Log::write((level == LogLevel::warning ? "warning: " : "") + std::string(message));
  if (level == LogLevel::warning) {
    warnings_.emplace_back(message);
    if (style_ == Style::verbose) std::cerr << "warning: " << clean_lines(message) << std::endl;
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
