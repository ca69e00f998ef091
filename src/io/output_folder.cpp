// Files that appear together or not at all. They are written into a folder of their own beside their places, which is then renamed:
// from that moment they are the results, and whoever looks next finishes moving them if this process cannot.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "disc/io.hpp"
#include "io/bytes.hpp"
#include "io/new_file.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view staging_prefix = ".disc-output-";
constexpr std::string_view whole_suffix = ".whole";       // of a folder whose files are all there
constexpr const char* removed_name = ".no-longer-there";  // in it: names of files to be removed, one per line

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
  throw InputError("cannot write " + file.string() + ": " + reason);
}

// Removes folders made here, deepest first; those that are not empty stay.
void remove_folders(std::vector<fs::path>& created) {
  std::error_code ignored;
  while (!created.empty()) {
    fs::remove(created.back(), ignored);
    created.pop_back();
  }
}

// A folder that one process at a time has; the system takes it back when the process ends, however it ends.
class FolderLock {
 public:
  FolderLock(const fs::path& folder, bool wait)
      : opened_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    if (opened_ >= 0) held_ = ::flock(opened_, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0;
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (opened_ >= 0) ::close(opened_);
  }
  bool is_held() const { return held_; }

 private:
  int opened_;
  bool held_ = false;
};

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  try {  // increment(error) may not throw, and takes memory
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  } catch (const fs::filesystem_error&) {
    // What cannot be listed has no entries.
  }
  std::ranges::sort(entries);
  return entries;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

// Moves what is in a whole folder to where it belongs. Done twice, or by somebody else, it does the same.
void move_into_place(const fs::path& whole, const fs::path& folder) {
  std::error_code error;
  std::ifstream removed(whole / removed_name);
  for (std::string name; std::getline(removed, name);) {
    if (is_plain_name(name) && !fs::is_directory(folder / name, error)) fs::remove(folder / name, error);
  }
  for (const fs::path& file : entries_of(whole)) {
    if (file.filename() == removed_name) continue;
    fs::rename(file, folder / file.filename(), error);
    if (error) {
      refuse(folder / file.filename(), error.message() + "; the results are whole in " + whole.string() +
                                           ", and disc report " + folder.string() + " will move them");
    }
  }
  io::sync_to_disk(folder);
  fs::remove_all(whole, error);
}

}  // namespace

void finish_outputs(const fs::path& folder) {
  const auto is_left = [&](const fs::path& place) {
    std::error_code error;
    return place.filename().string().starts_with(staging_prefix) &&
           fs::symlink_status(place, error).type() == fs::file_type::directory;
  };
  std::vector<fs::path> left = entries_of(folder);
  std::erase_if(left, [&](const fs::path& place) { return !is_left(place); });
  if (left.empty()) return;
  const FolderLock lock(folder, true);
  for (const fs::path& place : left) {
    const FolderLock owner(place, false);
    if (!owner.is_held()) continue;  // its process is at work, or another one was faster
    std::error_code ignored;
    if (place.filename().string().ends_with(whole_suffix)) {
      move_into_place(place, folder);
    } else {
      fs::remove_all(place, ignored);
    }
  }
}

OutputFolder::OutputFolder(const fs::path& folder) : folder_(folder) {
  if (folder_.empty()) throw OptionError("output", "", "is empty; a folder is needed");
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error)) refuse(folder_, "it exists and is not a folder");
  std::vector<fs::path> missing;
  const fs::path start = fs::absolute(folder_, error);
  if (error) refuse(folder_, "the working folder is not there: " + error.message());
  for (fs::path at = start; !fs::exists(at, error); at = at.parent_path()) {
    if (!at.filename().empty()) missing.push_back(at);  // "out/" has an empty last part
    if (at == at.parent_path()) break;
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    error.clear();
    if (fs::create_directory(*at, error)) created_.push_back(*at);
    if (error) {
      remove_folders(created_);
      refuse(folder_, "the folder cannot be created: " + error.message());
    }
  }
  finish_outputs(folder_);
  open_staging();
}

// Whether the folder can be written is known for sure only by writing.
void OutputFolder::open_staging() {
  const FolderLock lock(folder_, true);  // nobody takes it for a left-over before it is locked
  std::string pattern = (folder_ / staging_prefix).string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    const int problem = errno;
    remove_folders(created_);
    refuse(folder_, io::system_message(problem));
  }
  staging_ = pattern;
  lock_ = std::make_shared<FolderLock>(staging_, false);
}

OutputFolder::~OutputFolder() {
  try {
    std::error_code ignored;
    if (!staging_.empty()) fs::remove_all(staging_, ignored);
    remove_folders(created_);
  } catch (...) {  // out of memory: the next run removes what is left
  }
}

fs::path OutputFolder::place(const std::string& name) {
  if (std::find(pending_.begin(), pending_.end(), name) == pending_.end()) pending_.push_back(name);
  return staging_ / name;
}

std::optional<fs::path> OutputFolder::written(const std::string& name) const {
  if (std::find(pending_.begin(), pending_.end(), name) == pending_.end()) return std::nullopt;
  return staging_ / name;
}

void OutputFolder::write(const std::string& name, std::string_view bytes) {
  const fs::path file = place(name);
  if (const int problem = io::write_new_file(file, bytes); problem != 0)
    refuse(folder_ / name, io::system_message(problem));
}

void OutputFolder::commit(std::span<const std::string> no_longer_there) {
  if (pending_.empty()) return;
  std::string removed;
  for (const std::string& name : no_longer_there) {
    if (std::find(pending_.begin(), pending_.end(), name) == pending_.end()) removed += name + "\n";
  }
  write(removed_name, removed);
  for (const std::string& name : pending_) {
    std::error_code error;
    if (fs::is_directory(folder_ / name, error)) refuse(folder_ / name, "a folder of that name is in the way");
    if (const int problem = io::sync_to_disk(staging_ / name); problem != 0) {
      refuse(folder_ / name, io::system_message(problem));
    }
  }
  if (const int problem = io::sync_to_disk(staging_); problem != 0) refuse(folder_, io::system_message(problem));
  const FolderLock lock(folder_, true);
  const fs::path whole = staging_.string() + std::string(whole_suffix);
  std::error_code error;
  fs::rename(staging_, whole, error);  // from here on the new files are the results
  if (error) refuse(folder_, error.message());
  staging_.clear();
  pending_.clear();
  created_.clear();
  if (const int problem = io::sync_to_disk(folder_); problem != 0) refuse(folder_, io::system_message(problem));
  move_into_place(whole, folder_);
}

}  // namespace disc
