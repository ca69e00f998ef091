// disc run --settings summary.json: the words of an earlier run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace disc::app {

/// What to type to have a run done again, from its summary.json: its files and options, but for those that `given` names (options that
/// the user gave now, by long name) and for where it wrote. Files are left out if `has_files`. Throws InputError for other files.
std::vector<std::string> words_of_run(const std::filesystem::path& summary,
                                      const std::map<std::string, std::string>& given, bool has_files);

/// Which of the files of that run have another content now, or none.
std::vector<std::string> changed_files(const std::filesystem::path& summary);

}  // namespace disc::app
