// disc run --settings summary.json: the words of an earlier run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "disc/manifest.hpp"
#include "disc/pipeline.hpp"

namespace disc::app {

/// What to type to have a run done again, from its summary.json: its files and options, but for those that `given` names (options that
/// the user gave now, by long name) and for where it wrote. Files are left out if `has_files`. Throws InputError for other files.
std::vector<std::string> words_of_run(const std::filesystem::path& summary,
                                      const std::map<std::string, std::string>& given, bool has_files);

/// What a run read, and how.
struct RecordedRun {
  Manifest manifest;
  ReadOptions reading;
  RunOptions options;
  std::vector<std::string> wanted{};  ///< names of conditions, where a label has them
  std::uint64_t seed = 0;
};
/// From its summary.json. Throws InputError where the files that it read are not known or not there any more.
RecordedRun recorded_run(const std::filesystem::path& summary);
/// Its data, as it read them.
std::vector<Dataset> read_again(const RecordedRun& run, const Context& context);

/// Which of the files of that run have another content now, or none.
std::vector<std::string> changed_files(const std::filesystem::path& summary);

/// Digests of the files that a run read.
std::set<std::string> digests_of_run(const std::filesystem::path& summary);

}  // namespace disc::app
