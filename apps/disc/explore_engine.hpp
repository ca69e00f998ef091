// What the page of disc explore asks the engine. Questions and answers are JSON: docs/explore.md.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "disc/follow_up.hpp"

namespace disc::app {

/// A run's data, read when the first question comes. Questions are asked one at a time; how far one is may be asked meanwhile.
class ExploreEngine {
 public:
  ExploreEngine(std::filesystem::path folder, int threads, std::stop_token stop);

  /// What can be asked: conditions, units, what is worth knowing about the data.
  std::string about(const std::string& question);
  /// Are given sets connected more in one condition? With some units left out, if the question says so.
  std::string test(const std::string& question);
  /// The same for one set with one unit after the other left out.
  std::string without_each(const std::string& question);
  /// How a set falls apart: its features joined two and two by their correlation in one condition.
  std::string tree(const std::string& question);
  /// Stage and fraction of what is being computed.
  std::string progress();

 private:
  const SetStudy& study();
  Context context(std::uint64_t seed);

  std::filesystem::path folder_;
  int threads_;
  std::stop_token stop_;
  std::optional<SetStudy> study_;
  std::optional<Context> context_;
  std::vector<std::string> warnings_;
  std::mutex mutex_;  // of what follows: it is written by the engine's threads
  std::string stage_;
  double fraction_ = 0;
};

}  // namespace disc::app
