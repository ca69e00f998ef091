// What every stage shares: the index type, errors, and the context a verb runs in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

namespace disc {

/// The one index type of the public interface (the same type as Eigen::Index).
using Index = std::ptrdiff_t;

/// Base of everything the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data cannot be used as they are. `what()` is one sentence for the user; the fields say where.
class InputError : public Error {
 public:
  /// Where in the input the problem was found; empty or 0 when it does not apply.
  struct Place {
    std::string file{};
    Index line = 0;       ///< 1-based; 0 = not a matter of lines
    Index column = 0;     ///< 1-based; 0 = not a matter of columns
    std::string value{};  ///< the offending value as the user wrote it
  };
  explicit InputError(const std::string& message) : Error(message) {}
  /// The sentence becomes "file:line:column: message".
  InputError(Place place, const std::string& message);
  const Place& place() const { return place_; }

 private:
  Place place_;
};

/// An option has a value that is not allowed: names the option, the value and the rule.
class OptionError : public Error {
 public:
  OptionError(const std::string& option, const std::string& value, const std::string& rule);
  const std::string& option() const { return option_; }

 private:
  std::string option_;
};

/// The feature exists but this build was made without it.
class NotCompiled : public Error {
 public:
  using Error::Error;
};

/// The stop token of the context was triggered.
class Cancelled : public Error {
 public:
  Cancelled() : Error("interrupted") {}
};

enum class LogLevel { info, warning };

/// What long stages found, kept so that a run that was cut off goes on from there. A name tells the stage and a digest of all
/// that decides its result, so what is found under it is right.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  virtual std::optional<std::string> find(const std::string& name) const = 0;
  /// Nothing is there to be found: a digest need not be made for it.
  virtual bool is_empty() const { return false; }
  /// What took fewer seconds is sooner done again than read.
  virtual double checkpoint_after() const = 0;
  /// Keeping is a convenience: what goes wrong with it must not end the run.
  virtual void keep(const std::string& name, std::string_view bytes) noexcept = 0;
};

class Team;  // disc/team.hpp

/// How a verb runs: threads, seed, stopping, progress and log. Passed last to every verb. Cheap to copy: copies share
/// one set of worker threads. The library never prints; it calls `progress` and `log` (one call at a time, from any thread).
class Context {
 public:
  struct Settings {
    int threads = 0;         ///< 0 = all cores of the machine
    std::uint64_t seed = 0;  ///< every random stream is keyed by (seed, stage, item)
    std::stop_token stop;    ///< triggered: the verb throws Cancelled soon
    std::function<void(std::string_view stage, double fraction)> progress;
    std::function<void(LogLevel level, std::string_view message)> log;
    std::shared_ptr<Checkpoints> checkpoints{};  ///< unset: nothing is kept
    double memory_limit = 0;                     ///< bytes that reading may take; 0: what the machine has
  };

  Context() : Context(Settings{}) {}
  explicit Context(Settings settings);

  int threads() const;
  std::uint64_t seed() const;

  double memory_limit() const;
  /// nullptr: nothing is kept.
  Checkpoints* checkpoints() const;
  /// The processes over which features are divided: each has its own columns of the data and its own rows of graphs and vectors.
  const Team& team() const;
  /// The same with such processes, and with what the first of them keeps.
  Context with(std::shared_ptr<const Team> team, std::shared_ptr<Checkpoints> checkpoints = nullptr) const;

  /// Throws Cancelled once the stop token was triggered. Verbs call it at least several times a second.
  void check_stop() const;

  /// Reports how far a stage is, as a fraction in [0, 1].
  void progress(std::string_view stage, double fraction) const;
  void info(std::string_view message) const;
  void warn(std::string_view message) const;

  /// Runs body(0) .. body(count - 1) in any order on all threads. The decomposition into items must not depend on the
  /// number of threads: that is what makes results the same for any number of them. Inside another parallel_for it runs
  /// serially (one level of threads only). Checks for stopping between items. Of several exceptions the first item's is thrown.
  void parallel_for(Index count, const std::function<void(Index)>& body) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::shared_ptr<const Team> team_;  // unset: alone
  std::shared_ptr<Checkpoints> checkpoints_of_team_;
};

/// The random stream of one item of one stage: independent of thread count and of what ran before.
std::mt19937_64 random_stream(std::uint64_t seed, std::string_view stage, std::uint64_t item = 0);

/// A fast digest of bytes, for telling contents apart; not against people who want them confused.
std::uint64_t digest_of(std::string_view bytes);
/// 16 digits.
std::string hexadecimal(std::uint64_t digest);

/// A name or path for people to read on a terminal: control characters and bytes that are not UTF-8 become question marks.
std::string for_terminal(std::string_view text);
/// The same text as UTF-8: one that is not is taken to be in Latin-1, where different texts stay different.
std::string as_utf8(std::string_view text);

/// The version of the library, as "major.minor.patch".
std::string_view version();

}  // namespace disc
