#include "supervise.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <thread>

namespace disc::python {
namespace {

constexpr std::chrono::milliseconds between_looks(50);
// After this long without an end, a stopped run is left to itself: one call of LAPACK cannot be interrupted.
constexpr std::chrono::milliseconds patience(700);

// What the two threads share. It lives as long as the longer of them.
struct Desk {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
  std::stop_source stop;
  std::vector<std::pair<std::string, double>> news;  // stages in order, with the last fraction of each
  std::vector<std::string> warnings;

  void progress(std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    if (!news.empty() && news.back().first == stage) {
      news.back().second = fraction;
    } else {
      news.emplace_back(stage, fraction);
    }
  }
  void log(LogLevel level, std::string_view message) {
    const std::lock_guard lock(mutex);
    if (level == LogLevel::warning) warnings.emplace_back(message);
  }
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, time, [this] { return done; });
  }
};

void do_work(const std::shared_ptr<Desk>& desk, int threads, std::uint64_t seed,
             std::function<void(const Context&)> work) {
  std::exception_ptr failure;
  try {
    work(Context({.threads = threads,
                  .seed = seed,
                  .stop = desk->stop.get_token(),
                  .progress = [desk](std::string_view stage, double fraction) { desk->progress(stage, fraction); },
                  .log = [desk](LogLevel level, std::string_view message) { desk->log(level, message); }}));
  } catch (...) {
    failure = std::current_exception();
  }
  work = nullptr;  // its data go before the caller is told
  const std::lock_guard lock(desk->mutex);
  desk->failure = failure;
  desk->done = true;
  desk->changed.notify_all();
}

// With the interpreter lock: hands out news, runs signal handlers. Throws what they raise.
void attend(Desk& desk, const nb::object& progress) {
  std::vector<std::pair<std::string, double>> news;
  {
    const std::lock_guard lock(desk.mutex);
    news.swap(desk.news);
  }
  if (!progress.is_none()) {
    for (const auto& [stage, fraction] : news) progress(stage, fraction);
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

std::vector<std::string> supervise(const Session& session, std::function<void(const Context&)> work) {
  auto desk = std::make_shared<Desk>();
  std::exception_ptr raised;
  std::thread worker(do_work, desk, session.threads, session.seed, std::move(work));
  bool ended = false;
  {
    const nb::gil_scoped_release unlocked;
    while (!raised && !(ended = desk->wait(between_looks))) {
      const nb::gil_scoped_acquire locked;
      try {
        attend(*desk, session.progress);
      } catch (...) {
        raised = std::current_exception();
      }
    }
    if (raised) {
      desk->stop.request_stop();
      ended = desk->wait(patience);
    }
    ended ? worker.join() : worker.detach();
  }
  if (raised) std::rethrow_exception(raised);
  attend(*desk, session.progress);
  if (desk->failure) std::rethrow_exception(desk->failure);
  return desk->warnings;
}

}  // namespace disc::python
