// All threads of the library start here.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "disc/team.hpp"

namespace disc {
namespace {

// One level of threads only: a parallel loop inside a parallel loop runs serially.
thread_local bool inside_parallel_loop = false;

// One parallel loop. Items are handed out one by one; which thread runs an item never changes its result.
struct Loop {
  const std::function<void(Index)>* body = nullptr;
  Index count = 0;
  std::atomic<Index> next{0};
  std::mutex mutex;
  Index failed_item = std::numeric_limits<Index>::max();
  std::exception_ptr failure;

  void work(const std::stop_token& stop) {
    inside_parallel_loop = true;
    for (;;) {
      const Index item = next.fetch_add(1, std::memory_order_relaxed);
      if (item >= count) break;
      try {
        if (stop.stop_requested()) throw Cancelled();
        (*body)(item);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (item < failed_item) {
          failed_item = item;
          failure = std::current_exception();
        }
        next.store(count, std::memory_order_relaxed);
      }
    }
    inside_parallel_loop = false;
  }
};

// Workers wait for a loop, help with it, and wait again. A worker looks for work for a moment before it sleeps: the
// solvers run thousands of short loops, and waking a thread takes longer than most of them.
class WorkerPool {
 public:
  explicit WorkerPool(int workers) {
    for (int w = 0; w < workers; ++w) {
      threads_.emplace_back([this](const std::stop_token& ended) { serve(ended); });
    }
  }

  void run(Loop& loop, const std::stop_token& stop) {
    {
      const std::lock_guard lock(mutex_);
      loop_ = &loop;
      stop_ = stop;
      generation_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    loop.work(stop);
    // Workers that wake up from here on find no loop; those that are in it are waited for.
    std::unique_lock lock(mutex_);
    loop_ = nullptr;
    if (helping_.load(std::memory_order_relaxed) > 0) {
      lock.unlock();
      for (int spin = 0; spin < spins && helping_.load(std::memory_order_acquire) > 0; ++spin) pause();
      lock.lock();
      done_.wait(lock, [this] { return helping_.load(std::memory_order_relaxed) == 0; });
    }
  }

  // One loop at a time; a second thread of the caller waits for its turn.
  std::mutex& turn() { return turn_; }

 private:
  static constexpr int spins = 4000;

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  void serve(const std::stop_token& ended) {
    std::uint64_t seen = 0;
    while (!ended.stop_requested()) {
      for (int spin = 0; spin < spins && generation_.load(std::memory_order_acquire) == seen; ++spin) pause();
      Loop* loop = nullptr;
      std::stop_token stop;
      {
        std::unique_lock lock(mutex_);
        if (!wake_.wait(lock, ended, [&] { return generation_.load(std::memory_order_relaxed) != seen; })) return;
        seen = generation_.load(std::memory_order_relaxed);
        loop = loop_;
        stop = stop_;
        if (loop == nullptr) continue;
        helping_.fetch_add(1, std::memory_order_relaxed);
      }
      loop->work(stop);
      const std::lock_guard lock(mutex_);
      if (helping_.fetch_sub(1, std::memory_order_release) == 1) done_.notify_one();
    }
  }

  std::mutex turn_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> helping_{0};
  Loop* loop_ = nullptr;
  std::stop_token stop_;
  std::vector<std::jthread> threads_;  // last: the threads end before what they use
};

}  // namespace

struct Context::State {
  Settings settings;
  std::mutex callback;
  std::once_flag pool_made;
  std::unique_ptr<WorkerPool> pool;
};

Context::Context(Settings settings) : state_(std::make_shared<State>()) {
  if (settings.threads <= 0) settings.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  state_->settings = std::move(settings);
}

int Context::threads() const { return state_->settings.threads; }
std::uint64_t Context::seed() const { return state_->settings.seed; }
Checkpoints* Context::checkpoints() const {
  return team_ ? checkpoints_of_team_.get() : state_->settings.checkpoints.get();
}

const Team& Context::team() const {
  static const Team alone;
  return team_ ? *team_ : alone;
}

Context Context::with(std::shared_ptr<const Team> team, std::shared_ptr<Checkpoints> checkpoints) const {
  Context context = *this;
  context.team_ = std::move(team);
  context.checkpoints_of_team_ = std::move(checkpoints);
  return context;
}

double Context::memory_limit() const { return state_->settings.memory_limit; }

void Context::check_stop() const {
  if (state_->settings.stop.stop_requested()) throw Cancelled();
}

void Context::progress(std::string_view stage, double fraction) const {
  if (!state_->settings.progress) return;
  const std::lock_guard lock(state_->callback);
  state_->settings.progress(stage, fraction);
}

void Context::info(std::string_view message) const {
  if (!state_->settings.log) return;
  const std::lock_guard lock(state_->callback);
  state_->settings.log(LogLevel::info, message);
}

void Context::warn(std::string_view message) const {
  if (!state_->settings.log) return;
  const std::lock_guard lock(state_->callback);
  state_->settings.log(LogLevel::warning, message);
}

void Context::parallel_for(Index count, const std::function<void(Index)>& body) const {
  if (inside_parallel_loop || threads() == 1 || count <= 1) {
    for (Index item = 0; item < count; ++item) {
      check_stop();
      body(item);
    }
    return;
  }
  std::call_once(state_->pool_made, [this] { state_->pool = std::make_unique<WorkerPool>(threads() - 1); });
  const std::lock_guard turn(state_->pool->turn());
  Loop loop;
  loop.body = &body;
  loop.count = count;
  state_->pool->run(loop, state_->settings.stop);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace disc
