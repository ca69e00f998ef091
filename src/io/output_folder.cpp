// Files that appear together or not at all.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "disc/io.hpp"
#include "io/bytes.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
  throw InputError("cannot write " + file.string() + ": " + reason);
}

// Beside its place, so that the renaming stays on one disk; with the process in the name, so that two runs do not meet.
fs::path temporary_path(const fs::path& folder, const std::string& name) {
  return folder / ("." + name + "." + std::to_string(::getpid()) + ".part");
}

// Removes folders made here, deepest first; those that are not empty stay.
void remove_folders(std::vector<fs::path>& created) {
  std::error_code ignored;
  while (!created.empty()) {
    fs::remove(created.back(), ignored);
    created.pop_back();
  }
}

// Returns what went wrong, or 0.
int write_all(const fs::path& file, std::string_view bytes) {
  const int output = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output < 0) return errno;
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t count = ::write(output, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (::close(output) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder) : folder_(folder) {
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error)) refuse(folder_, "it exists and is not a folder");
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(folder_); !fs::exists(at, error); at = at.parent_path()) {
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
  // Whether it can be written is known for sure only by writing.
  const fs::path probe = temporary_path(folder_, "probe");
  if (const int problem = write_all(probe, ""); problem != 0) {
    remove_folders(created_);
    refuse(folder_, io::system_message(problem));
  }
  fs::remove(probe, error);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  for (const std::string& name : pending_) fs::remove(temporary_path(folder_, name), ignored);
  remove_folders(created_);
}

fs::path OutputFolder::place(const std::string& name) {
  if (std::find(pending_.begin(), pending_.end(), name) == pending_.end()) pending_.push_back(name);
  return temporary_path(folder_, name);
}

std::optional<fs::path> OutputFolder::written(const std::string& name) const {
  if (std::find(pending_.begin(), pending_.end(), name) == pending_.end()) return std::nullopt;
  return temporary_path(folder_, name);
}

void OutputFolder::write(const std::string& name, std::string_view bytes) {
  const fs::path file = place(name);
  if (const int problem = write_all(file, bytes); problem != 0) refuse(folder_ / name, io::system_message(problem));
}

void OutputFolder::remove(const std::string& name) { outdated_.push_back(name); }

// What is written after it was called outdated is not.
void OutputFolder::remove_outdated() {
  std::error_code ignored;
  for (const std::string& name : outdated_) {
    if (fs::is_regular_file(fs::symlink_status(folder_ / name, ignored))) fs::remove(folder_ / name, ignored);
  }
  outdated_.clear();
}

void OutputFolder::commit() {
  std::erase_if(outdated_,
                [&](const std::string& name) { return std::ranges::find(pending_, name) != pending_.end(); });
  for (const std::string& name : pending_) {
    std::error_code error;
    if (fs::is_directory(folder_ / name, error)) refuse(folder_ / name, "a folder of that name is in the way");
  }
  while (!pending_.empty()) {
    const std::string name = pending_.front();
    std::error_code error;
    fs::rename(temporary_path(folder_, name), folder_ / name, error);
    if (error) refuse(folder_ / name, error.message());
    pending_.erase(pending_.begin());
    created_.clear();
  }
  remove_outdated();
}

}  // namespace disc
