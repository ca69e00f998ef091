// Flags that several commands share, and the context they make.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "console.hpp"
#include "disc/base.hpp"
#include "disc/io.hpp"
#include "interrupt.hpp"

namespace disc::app {

struct SessionFlags {
  int threads = 0;
  std::uint64_t seed = 0;
  bool quiet = false;
  bool verbose = false;
  std::filesystem::path log;
};
void add_session_flags(CLI::App& app, SessionFlags& flags);

/// One command at work: its console, its way to be interrupted, and the context that knows both.
class Session {
 public:
  /// `memory_limit`: see Context.
  explicit Session(const SessionFlags& flags, std::shared_ptr<Checkpoints> checkpoints = nullptr,
                   double memory_limit = 0);
  Console& console() { return console_; }
  Interrupt& interrupt() { return interrupt_; }
  const Context& context() const { return context_; }

 private:
  Console console_;
  Interrupt interrupt_;
  Context context_;
};

/// Options of reading as the user wrote them, by name.
struct ReadFlags {
  std::map<std::string, std::string> given;
};
void add_read_flags(CLI::App& app, ReadFlags& flags);
/// Throws OptionError for values that are not allowed.
ReadOptions read_options(const ReadFlags& flags);

}  // namespace disc::app
