// Threads in the place of processes: what divides features is tested without MPI, and under the sanitizers.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "disc/team.hpp"

namespace disc::test {

/// What is on its way from one member to another, in the order in which it was sent.
class Post {
 public:
  void send(int from, int to, std::span<const char> bytes) {
    const std::lock_guard lock(mutex_);
    waiting_[{from, to}].emplace_back(bytes.data(), bytes.size());
    arrived_.notify_all();
  }
  void receive(int from, int to, std::span<char> bytes) {
    std::unique_lock lock(mutex_);
    std::deque<std::string>& letters = waiting_[{from, to}];
    arrived_.wait(lock, [&] { return !letters.empty() || is_over_; });
    if (letters.empty() || letters.front().size() != bytes.size()) throw Error("the members of a team disagree");
    std::memcpy(bytes.data(), letters.front().data(), bytes.size());
    letters.pop_front();
  }
  /// Nobody waits any longer for one who failed.
  void give_up() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    arrived_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, int>, std::deque<std::string>> waiting_;
  bool is_over_ = false;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void transfer(std::span<const char> out, int to, std::span<char> in, int from) const override {
    if (!out.empty()) post_.send(rank_, to, out);
    if (!in.empty()) post_.receive(from, rank_, in);
  }

 private:
  Post& post_;
  int rank_, size_;
};

/// Calls work(context) in a thread for each of `size` members; context.team() is the team, whose first member keeps results in
/// `checkpoints`. The first exception is thrown on.
template <class Work>
void work_together(int size, Work&& work, const std::shared_ptr<Checkpoints>& checkpoints = nullptr) {
  Post post;
  std::vector<std::thread> members;
  std::mutex mutex;
  std::exception_ptr failure;
  for (int rank = 0; rank < size; ++rank) {
    members.emplace_back([&, rank] {
      try {
        Context::Settings settings;
        settings.threads = 1;
        work(Context(settings).with(std::make_shared<const ThreadTeam>(post, rank, size), checkpoints));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        post.give_up();
      }
    });
  }
  for (std::thread& member : members) member.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace disc::test
