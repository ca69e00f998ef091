// The files of a run, opened for reading.
#pragma once

#include <optional>

#include "report/report_data.hpp"

namespace disc::report {

class RunFiles {
 public:
  explicit RunFiles(const std::vector<OutputFile>& files) : files_(files) {}

  bool has(const std::string& name) const { return find(name) != nullptr; }
  /// Each throws InputError naming the file when it is missing or damaged.
  Json json(const std::string& name) const;
  TextTable table(const std::string& name) const;
  const std::string& text(const std::string& name) const { return at(name).bytes; }
  /// A two-dimensional array of an archive.
  RowMatrix array(const std::string& archive, const std::string& name) const;
  /// The same for an array with one column of places below `limit`.
  std::vector<Index> places(const std::string& archive, const std::string& name, Index limit) const;

 private:
  const OutputFile* find(const std::string& name) const;
  const OutputFile& at(const std::string& name) const;
  const std::vector<OutputFile>& files_;
};

/// Reads what belongs to a run from a folder.
std::vector<OutputFile> read_run(const std::filesystem::path& folder);

}  // namespace disc::report
