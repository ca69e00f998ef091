#include "session.hpp"

#include <charconv>
#include <cstdint>
#include <limits>

#include "disc/options.hpp"

namespace disc::app {
namespace {

constexpr std::uint64_t max_threads = 1024;

CLI::Validator whole_number(std::uint64_t most) {
  return {[most](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool fits = error == std::errc() && end == text.data() + text.size() && value <= most;
            return fits ? std::string() : text + ": must be a whole number from 0 to " + std::to_string(most);
          },
          ""};
}

}  // namespace

void add_session_flags(CLI::App& app, SessionFlags& flags) {
  app.add_option("--threads", flags.threads,
                 "threads to use, 0 for all cores; the result does not depend on it (default: 0)")
      ->check(whole_number(max_threads))
      ->option_text("N");
  app.add_option("--seed", flags.seed, "seed of everything random (default: 0)")
      ->check(whole_number(std::numeric_limits<std::uint64_t>::max()))
      ->option_text("N");
  app.add_flag("-q,--quiet", flags.quiet, "print nothing but errors");
  app.add_flag("-v,--verbose", flags.verbose, "print a line with the time for every stage, and warnings as they come");
  app.add_option("--log", flags.log, "file that stages, warnings, result and errors are appended to, with the time")
      ->option_text("FILE");
}

namespace {

Console::Settings opened(const SessionFlags& flags) {
  if (!flags.log.empty() && !Log::is_open()) Log::open(flags.log);
  return {flags.quiet, flags.verbose};
}

}  // namespace

Session::Session(const SessionFlags& flags, std::shared_ptr<Checkpoints> checkpoints, double memory_limit)
    : console_(opened(flags)),
      context_(Context::Settings{
          .threads = flags.threads,
          .seed = flags.seed,
          .stop = interrupt_.token(),
          .progress = [this](std::string_view stage, double fraction) { console_.progress(stage, fraction); },
          .log = [this](LogLevel level, std::string_view message) { console_.log(level, message); },
          .checkpoints = std::move(checkpoints),
          .memory_limit = memory_limit}) {}

void add_read_flags(CLI::App& app, ReadFlags& flags) {
  for (const ReadField& field : read_option_table()) {
    // The library checks the value; here it is only collected.
    app.add_option_function<std::string>(
           "--" + field.name,
           [&given = flags.given, name = field.name](const std::string& value) { given[name] = value; }, field.help)
        ->option_text(field.placeholder)
        ->group("Reading");
  }
}

ReadOptions read_options(const ReadFlags& flags) { return make_read_options(flags.given); }

}  // namespace disc::app
