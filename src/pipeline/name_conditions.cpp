#include <algorithm>
#include <map>
#include <set>

#include "disc/pipeline.hpp"

namespace disc {
namespace {

std::string name_without_extension(const std::filesystem::path& file) {
  std::filesystem::path name = file.lexically_normal();
  name = name.has_filename() ? name.filename() : name.parent_path().filename();  // "ctrl/" is called ctrl
  if (name.extension() == ".gz") name = name.stem();
  return as_utf8(name.stem().string());
}

void check_given_names(std::span<const std::string> given, std::size_t files) {
  std::string list;
  for (const std::string& name : given) list += (list.empty() ? "" : ",") + name;
  if (given.size() != files) {
    throw OptionError("names", list,
                      "must name every condition: " + std::to_string(given.size()) + " names for " +
                          std::to_string(files) + " files");
  }
  std::set<std::string> seen;
  for (const std::string& name : given) {
    if (name.empty()) throw OptionError("names", list, "must not contain an empty name");
    if (!seen.insert(name).second) throw OptionError("names", list, "must not contain '" + name + "' twice");
  }
}

// Positions that share a name with another one.
std::vector<std::size_t> repeated(const std::vector<std::string>& names) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::vector<std::size_t> positions;
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (uses[names[m]] > 1) positions.push_back(m);
  }
  return positions;
}

}  // namespace

std::vector<std::string> name_conditions(std::span<const std::filesystem::path> files,
                                         std::span<const std::string> given) {
  if (!given.empty()) {
    check_given_names(given, files.size());
    std::vector<std::string> names;
    for (const std::string& name : given) names.push_back(as_utf8(name));
    return names;
  }
  std::vector<std::string> names;
  std::vector<std::filesystem::path> paths, folders;
  for (const auto& file : files) {
    if (file.empty()) throw InputError({.file = "''"}, "is not the name of a file");
    names.push_back(name_without_extension(file));
    paths.push_back(std::filesystem::absolute(file).lexically_normal());
    folders.push_back(paths.back().parent_path());
  }
  // No folder tells the same file from itself.
  for (std::size_t m = 0; m < paths.size(); ++m) {
    if (std::count(paths.begin(), paths.end(), paths[m]) > 1) folders[m].clear();
  }
  // One folder more in front, for as long as names repeat and there are folders left.
  for (bool longer = true; longer;) {
    longer = false;
    for (const std::size_t m : repeated(names)) {
      if (folders[m].filename().empty()) continue;
      names[m] = folders[m].filename().string() + "_" + names[m];
      folders[m] = folders[m].parent_path();
      longer = true;
    }
  }
  // The same file given twice is left: numbered, with a number that is free.
  std::set<std::string> taken;
  for (std::string& name : names) {
    const std::string plain = name;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = plain + "_" + std::to_string(copy);
  }
  return names;
}

}  // namespace disc
