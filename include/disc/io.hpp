// Files in and files out. A format is one file in src/io/ and one row of the table in src/io/formats.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "disc/matrix.hpp"

namespace disc {

enum class SamplesIn { rows, columns };
/// What the features of an image cube are; the other is the samples.
enum class FeaturesAre { pixels, bands };

struct ReadOptions {
  SamplesIn samples_in = SamplesIn::rows;  ///< columns: a features x samples file; not asked where the format says
  std::optional<char> delimiter{};         ///< csv only; unset = detected
  std::optional<bool> header{};            ///< csv only: first line holds names; unset = detected
  std::optional<bool> row_names{};         ///< csv only: first column holds names; unset = detected
  FeaturesAre features_are = FeaturesAre::pixels;  ///< image cubes only
  bool decimal_comma = false;                      ///< text tables only: decimals are written with a comma
  std::vector<std::string>
      labels{};            ///< text tables only: columns that describe the samples, beside those that hold words
  std::string atlas{};     ///< nifti only: image of parcel numbers; features are means over parcels
  std::string classes{};   ///< gct only: its .cls file; empty = the one of the same name beside it
  std::string variable{};  ///< npz, mat, hdf5: which array; empty = the only two-dimensional one. 10x: which genome
  std::string axes{};      ///< arrays: what each axis is, "sample,feature,feature"; empty = a matrix, see samples_in
  std::string layer{};     ///< h5ad: a layer's name, or "raw"; empty = X
  std::string
      feature_names{};  ///< h5ad: a column of var; loom: a row attribute; 10x: "id" or "name"; empty = the names the
                        ///< format puts first
};

/// Reads one condition; its name is the file's name without extension(s). The format is found by content, then by
/// extension. Values that are not finite are read as they are. Throws InputError naming file, line, column, value.
Dataset read_dataset(const std::filesystem::path& file, const ReadOptions& options, const Context& context);

/// The same from memory, for tests, fuzzing and callers that have no file; `name` stands for the file in messages and
/// gives the extension.
Dataset read_dataset_from_memory(std::string_view bytes, const std::string& name, const ReadOptions& options,
                                 const Context& context);

/// The different values of a column of labels, empty ones excluded: numbers by size, words by letters.
std::vector<std::string> distinct_values(const LabelColumn& column);

/// A column of labels in short.
struct LabelSummary {
  std::string name;
  Index distinct = 0, missing = 0;                          ///< values that differ, and samples without one
  std::vector<std::pair<std::string, Index>> first_values;  ///< up to twelve, with the number of samples
};

/// What `disc inspect` shows.
struct Inspection {
  std::string format;  ///< name of the format, "csv", "npy", ...
  Index samples = 0, features = 0;
  bool sparse = false;
  Index stored = 0;      ///< stored values
  Index zeros = 0;       ///< values equal to zero, stored or not
  Index non_finite = 0;  ///< NaN and infinities
  Index constant_features = 0;
  double smallest = 0, largest = 0;  ///< over finite values
  bool features_named = false;
  std::vector<std::string> first_features, first_samples;  ///< up to five
  std::vector<LabelSummary> labels;
  std::vector<Index> shape;        ///< of the features where they form a picture
  std::vector<std::string> notes;  ///< what was detected, and hints: looks transposed, looks like counts, ...
};
Inspection inspect(const std::filesystem::path& file, const ReadOptions& options, const Context& context);

/// Names of all formats that can be read, with the extensions they use, for help texts.
struct FormatDescription {
  std::string name, extensions, description;
};
std::vector<FormatDescription> readable_formats();

/// Several files that appear together: they are written into a hidden folder beside their places, of a name that nobody can guess;
/// commit() makes them the results in one step, once they are on the disk, and moves them. Without commit() the destructor removes
/// them. Whatever ends the process, finish_outputs() finds the old files or all of the new ones.
class OutputFolder {
 public:
  /// Creates the folder (and its parents) if needed; throws InputError if that is impossible or it cannot be written.
  explicit OutputFolder(const std::filesystem::path& folder);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Writes one file of the set. Throws InputError when the disk is full or the folder vanished.
  void write(const std::string& name, std::string_view bytes);
  /// Where to write one file of the set by other means.
  std::filesystem::path place(const std::string& name);
  /// Where a file of the set is until commit(), if it was written.
  std::optional<std::filesystem::path> written(const std::string& name) const;
  /// Makes all files written so far appear under their names. Of the files named here those that were not written are removed: they
  /// belong to earlier results.
  void commit(std::span<const std::string> no_longer_there = {});
  const std::filesystem::path& path() const { return folder_; }

 private:
  void open_staging();

  std::filesystem::path folder_, staging_;
  std::shared_ptr<void> lock_;                  // on staging_: tells others that this process is alive
  std::vector<std::filesystem::path> created_;  // folders made here, removed again if nothing is committed
  std::vector<std::string> pending_;
};

/// Finishes what a process that was killed within commit() began, and removes what killed processes left in a folder of results.
void finish_outputs(const std::filesystem::path& folder);

/// An array for an .npz archive: doubles or whole numbers of any shape, or text.
struct NamedArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> numbers;       ///< row-major; used when the others are empty
  std::vector<std::string> texts;    ///< written as a numpy unicode array
  std::vector<Index> integers = {};  ///< written as 64-bit integers
};
std::string encode_npy(const NamedArray& array);
std::string encode_npz(std::vector<NamedArray> arrays);
/// A dataset with its names and labels as an .npz archive that read_dataset and numpy (sparse: scipy) read.
std::string encode_dataset(const Dataset& dataset);
NamedArray to_array(const std::string& name, const Matrix& values);
NamedArray to_array(const std::string& name, const RowMatrix& values);

/// A tab-separated table with a header. Cells must not contain tabs or line ends: encode_tsv replaces them by spaces.
struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  /// Index of a column; throws InputError naming the file and the columns there are.
  Index column(std::string_view name, const std::string& file) const;
};
std::string encode_tsv(const TextTable& table);
/// Reads a table with a header, separated by tabs, or by commas where the header has no tab.
TextTable read_tsv(const std::filesystem::path& file);
/// The same from memory; `file` stands for it in messages.
TextTable decode_tsv(std::string_view text, const std::string& file);

/// The lines of a text that are not blank, up to the first tab of each.
std::vector<std::string> read_names(const std::filesystem::path& file);

/// A set of features that has a name.
struct NamedSet {
  std::string name, description;
  std::vector<std::string> members;
};
/// Reads a .gmt file: per line a name, a description and the members, separated by tabs.
std::vector<NamedSet> read_gmt(const std::filesystem::path& file);

/// Shortest text that reads back as the same double; "nan", "inf" and "-inf" otherwise.
std::string format_number(double value);

/// For programs that only read: at their end libraries say nothing about what a damaged file left open in them.
void keep_libraries_quiet_at_exit();

/// Enough to recognize an input, not to resist an attacker: a 64-bit digest of the bytes, as 16 hex digits. Of a
/// folder: of the names and digests of its files.
std::string file_digest(const std::filesystem::path& file);

}  // namespace disc
