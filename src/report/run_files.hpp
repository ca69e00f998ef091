// The files of a run, opened for reading.
#pragma once

#include <map>
#include <optional>

#include "io/bytes.hpp"
#include "report/report_data.hpp"

namespace disc::report {

class RunFiles {
 public:
  explicit RunFiles(std::map<std::string, io::Bytes> files) : files_(std::move(files)) {}

  bool has(const std::string& name) const { return files_.contains(name); }
  /// Whether an archive that is there holds an array of this name.
  bool has_array(const std::string& archive, const std::string& name) const;
  /// Each throws InputError naming the file when it is missing or damaged.
  Json json(const std::string& name) const;
  TextTable table(const std::string& name) const;
  std::string_view text(const std::string& name) const;
  /// A two-dimensional array of an archive.
  RowMatrix array(const std::string& archive, const std::string& name) const;
  /// The same for an array with one column of places below `limit`.
  std::vector<Index> places(const std::string& archive, const std::string& name, Index limit) const;
  /// The differential vectors of a condition; no columns where it has none.
  RowMatrix vectors(const std::string& key) const;

 private:
  std::map<std::string, io::Bytes> files_;
};

/// What belongs to a run; files on disk are mapped, not read.
RunFiles files_in_memory(const std::vector<OutputFile>& files);
RunFiles files_written(const OutputFolder& folder);
RunFiles files_of_run(const std::filesystem::path& folder);

}  // namespace disc::report
