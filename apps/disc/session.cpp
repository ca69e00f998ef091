#include "session.hpp"

#include <map>
#include <optional>

namespace disc::app {
namespace {

constexpr int most_threads = 1024;

std::optional<bool> yes_no_auto(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional<bool>(text == "yes");
}

std::optional<char> delimiter_of(const std::string& text) {
  static const std::map<std::string, char> words = {
      {"tab", '\t'}, {"\\t", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"space", ' '}};
  if (text == "auto") return std::nullopt;
  if (const auto word = words.find(text); word != words.end()) return word->second;
  if (text.size() != 1) {
    throw OptionError("delimiter", text, "must be one character, or tab, comma, semicolon, space, auto");
  }
  return text.front();
}

}  // namespace

void add_session_flags(CLI::App& app, SessionFlags& flags) {
  app.add_option("--threads", flags.threads,
                 "threads to use, 0 for all cores; the result does not depend on it (default: 0)")
      ->check(CLI::Range(0, most_threads))
      ->option_text("N");
  app.add_option("--seed", flags.seed, "seed of everything random (default: 0)")
      ->check(CLI::NonNegativeNumber)
      ->option_text("N");
  app.add_flag("-q,--quiet", flags.quiet, "print nothing but errors");
}

Session::Session(const SessionFlags& flags)
    : console_(flags.quiet),
      context_(Context::Settings{
          .threads = flags.threads,
          .seed = flags.seed,
          .stop = interrupt_.token(),
          .progress = [this](std::string_view stage, double fraction) { console_.progress(stage, fraction); },
          .log = [this](LogLevel level, std::string_view message) { console_.log(level, message); }}) {}

void add_read_flags(CLI::App& app, ReadFlags& flags) {
  constexpr const char* group = "Reading";
  const auto yes_no = CLI::IsMember({"yes", "no", "auto"});
  app.add_option("--samples-in", flags.samples_in,
                 "whether samples are the rows or the columns of the files (default: rows)")
      ->check(CLI::IsMember({"rows", "columns"}))
      ->option_text("rows|columns")
      ->group(group);
  app.add_option("--delimiter", flags.delimiter,
                 "what separates cells of text tables: one character, or tab, comma, semicolon, space (default: auto)")
      ->option_text("CHARACTER")
      ->group(group);
  app.add_option("--header", flags.header, "whether the first line of text tables holds names (default: auto)")
      ->check(yes_no)
      ->option_text("yes|no|auto")
      ->group(group);
  app.add_option("--row-names", flags.row_names, "whether the first column of text tables holds names (default: auto)")
      ->check(yes_no)
      ->option_text("yes|no|auto")
      ->group(group);
  app.add_option("--variable", flags.variable, "array to read from .npz files (default: the only matrix in it)")
      ->option_text("NAME")
      ->group(group);
}

ReadOptions read_options(const ReadFlags& flags) {
  return {.samples_in = flags.samples_in == "columns" ? SamplesIn::columns : SamplesIn::rows,
          .delimiter = delimiter_of(flags.delimiter),
          .header = yes_no_auto(flags.header),
          .row_names = yes_no_auto(flags.row_names),
          .variable = flags.variable};
}

}  // namespace disc::app
