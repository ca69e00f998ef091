// How files are read: one row per option, as in the table of options.cpp.
#include <algorithm>
#include <map>

#include "disc/options.hpp"
#include "disc/spelling.hpp"

namespace disc {
namespace {

using Words = std::vector<std::string>;

// Any text.
ReadField text(const char* name, const char* placeholder, std::string ReadOptions::*field, const char* help) {
  return {name, placeholder, help, [field](ReadOptions& options, const std::string& value) { options.*field = value; }};
}

// One of some words.
template <class Store>
ReadField word(const char* name, const Words& words, Store store, const char* help) {
  std::string placeholder, rule = "must be one of ";
  for (const std::string& known : words) {
    placeholder += (placeholder.empty() ? "" : "|") + known;
    rule += (known == words.front() ? "" : ", ") + known;
  }
  return {name, placeholder, help, [name, words, rule, store](ReadOptions& options, const std::string& value) {
            if (std::ranges::find(words, value) == words.end())
              throw OptionError(name, value, rule + did_you_mean(value, words));
            store(options, value);
          }};
}

ReadField yes_no_auto(const char* name, std::optional<bool> ReadOptions::*field, const char* help) {
  return word(
      name, {"yes", "no", "auto"},
      [field](ReadOptions& options, const std::string& value) {
        options.*field = value == "auto" ? std::nullopt : std::optional<bool>(value == "yes");
      },
      help);
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

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<ReadField> make_table() {
  using Read = ReadOptions;
  return {
      word(
          "samples-in", {"rows", "columns"},
          [](Read& options, const std::string& value) {
            options.samples_in = value == "columns" ? SamplesIn::columns : SamplesIn::rows;
          },
          "whether samples are the rows or the columns of the files (default: rows)"),
      {"delimiter", "CHARACTER",
       "what separates cells of text tables: one character, or tab, comma, semicolon, space (default: auto)",
       [](Read& options, const std::string& value) { options.delimiter = delimiter_of(value); }},
      word(
          "decimal", {"point", "comma"},
          [](Read& options, const std::string& value) { options.decimal_comma = value == "comma"; },
          "what decimals are written with in text tables (default: point)"),
      {"labels", "COLUMN,...",
       "columns of text tables that describe the samples and are no features, beside those that hold words; columns "
       "that "
       "--by, --unit and the like name are such columns by themselves (default: none)",
       [](Read& options, const std::string& value) { options.labels = split_at_commas(value); }},
      yes_no_auto("header", &Read::header, "whether the first line of text tables holds names (default: auto)"),
      yes_no_auto("row-names", &Read::row_names, "whether the first column of text tables holds names (default: auto)"),
      word(
          "features-are", {"pixels", "bands"},
          [](Read& options, const std::string& value) {
            options.features_are = value == "bands" ? FeaturesAre::bands : FeaturesAre::pixels;
          },
          "whether the features of image cubes are their pixels or their bands (default: pixels)"),
      text("variable", "NAME", &Read::variable,
           "array to read from .npz, .mat and .hdf5 files, genome of 10x .h5 files (default: the only one)"),
      text("axes", "sample,feature,...", &Read::axes,
           "what each axis of an array is, sample or feature; needed where there are more than two (default: a matrix, "
           "see --samples-in)"),
      text("layer", "NAME", &Read::layer, "layer to read from .h5ad, zarr and .loom files, or raw (default: X)"),
      text("feature-names", "COLUMN", &Read::feature_names,
           "where features have several names: id or name for 10x data, a column of var for .h5ad, a row attribute for "
           ".loom (default: name, the index of var, Gene)"),
      text("atlas", "FILE", &Read::atlas,
           "image of parcel numbers: features of .nii files are means over its parcels (default: voxels)"),
      text("classes", "FILE", &Read::classes,
           ".cls file with the classes of the samples of a .gct file (default: that of the same name beside it)"),
  };
}

}  // namespace

const std::vector<ReadField>& read_option_table() {
  static const std::vector<ReadField> table = make_table();
  return table;
}

namespace {

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& value) {
  std::vector<std::string> known;
  for (const ReadField& field : read_option_table()) known.push_back(field.name);
  throw OptionError(name, value, "there is no option of this name" + did_you_mean(name, known));
}

}  // namespace

ReadOptions make_read_options(const std::map<std::string, std::string>& given) {
  ReadOptions options;
  for (const auto& [name, value] : given) {
    const auto& table = read_option_table();
    const auto field = std::ranges::find(table, name, &ReadField::name);
    if (field == table.end()) refuse_unknown(name, value);
    field->set(options, value);
  }
  return options;
}

}  // namespace disc
