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
  app.add_option("--features-are", flags.features_are,
                 "whether the features of image cubes are their pixels or their bands (default: pixels)")
      ->check(CLI::IsMember({"pixels", "bands"}))
      ->option_text("pixels|bands")
      ->group(group);
  const auto text = [&](const char* flag, std::string& value, const char* help, const char* placeholder) {
    app.add_option(flag, value, help)->option_text(placeholder)->group(group);
  };
  text("--variable", flags.variable,
       "array to read from .npz, .mat and .hdf5 files, genome of 10x .h5 files (default: the only one)", "NAME");
  text("--axes", flags.axes,
       "what each axis of an array is, sample or feature; needed where there are more than two (default: a matrix, see "
       "--samples-in)",
       "sample,feature,...");
  text("--layer", flags.layer, "layer to read from .h5ad files, or raw (default: X)", "NAME");
  text(
      "--feature-names", flags.feature_names,
      "where features have several names: id or name for 10x data, a column of var for .h5ad (default: name, the index "
      "of var)",
      "COLUMN");
  text("--atlas", flags.atlas,
       "image of parcel numbers: features of .nii files are means over its parcels (default: voxels)", "FILE");
  text("--classes", flags.classes,
       ".cls file with the classes of the samples of a .gct file (default: that of the same name beside it)", "FILE");
}

ReadOptions read_options(const ReadFlags& flags) {
  return {.samples_in = flags.samples_in == "columns" ? SamplesIn::columns : SamplesIn::rows,
          .delimiter = delimiter_of(flags.delimiter),
          .header = yes_no_auto(flags.header),
          .row_names = yes_no_auto(flags.row_names),
          .features_are = flags.features_are == "bands" ? FeaturesAre::bands : FeaturesAre::pixels,
          .atlas = flags.atlas,
          .classes = flags.classes,
          .variable = flags.variable,
          .axes = flags.axes,
          .layer = flags.layer,
          .feature_names = flags.feature_names};
}

}  // namespace disc::app
