// Checkpoints as files: length, digest, bytes. A file that is not whole counts as none.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "disc/checkpoints.hpp"
#include "io/new_file.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

struct Header {
  char magic[8] = {'D', 'I', 'S', 'C', 'k', 'e', 'e', 'p'};
  std::uint64_t length = 0, digest = 0;
};

constexpr std::string_view note_mark = "disc run, format 1\n";  // then a digest of 16 digits, a line end, and the note
constexpr std::size_t digest_length = 16;
constexpr std::uintmax_t longest_note = 1 << 20;

bool is_plain(const fs::path& place, fs::file_type type) {
  std::error_code error;
  return fs::symlink_status(place, error).type() == type;
}

// Links lead elsewhere, and where others may write they can put them.
bool is_own_folder(const fs::path& folder) {
  struct stat status {};
  return is_plain(folder, fs::file_type::directory) && ::stat(folder.c_str(), &status) == 0 &&
         status.st_uid == ::geteuid();
}

void write_note(const fs::path& folder, const char* name, const std::string& note) {
  const fs::path unfinished = folder / (std::string(".") + name + ".part");
  const std::string bytes = std::string(note_mark) + hexadecimal(digest_of(note)) + "\n" + note;
  if (io::write_new_file(unfinished, bytes) != 0 || io::sync_to_disk(unfinished) != 0) return;
  fs::rename(unfinished, folder / name);
  io::sync_to_disk(folder);
}

}  // namespace

// A folder of that name that is somebody else's is left alone.
bool CheckpointFolder::may_be_used() const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder_, error))) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    return true;
  }
  return is_own_folder(folder_) && (fs::is_empty(folder_, error) || note(folder_));
}

std::optional<std::string> CheckpointFolder::find(const std::string& name) const {
  if (!is_own_folder(folder_)) return std::nullopt;
  std::ifstream file(folder_ / name, std::ios::binary);
  Header header;
  const Header expected;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  std::error_code error;
  const bool is_whole = std::equal(std::begin(header.magic), std::end(header.magic), expected.magic) &&
                        fs::file_size(folder_ / name, error) == sizeof header + header.length && !error;
  if (!is_whole) return std::nullopt;
  std::string bytes(header.length, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return std::nullopt;
  if (digest_of(bytes) != header.digest) return std::nullopt;
  return bytes;
}

bool CheckpointFolder::is_empty() const {
  std::error_code error;
  return fs::is_empty(folder_, error) || error;
}

void CheckpointFolder::keep(const std::string& name, std::string_view bytes) noexcept {
  try {
    if (!is_noted_) {
      if (!may_be_used()) return;
      write_note(folder_, note_name, note_);
      is_noted_ = true;
    }
    std::error_code error;
    const fs::path unfinished = folder_ / ("." + name + ".part");
    {
      std::ofstream file(unfinished, std::ios::binary);
      Header header;
      header.length = bytes.size();
      header.digest = digest_of(bytes);
      file.write(reinterpret_cast<const char*>(&header), sizeof header);
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      if (!file.flush()) {
        file.close();
        fs::remove(unfinished, error);
        return;
      }
    }
    fs::rename(unfinished, folder_ / name, error);
  } catch (const std::exception&) {
    return;  // a full disk: the run goes on, and would only begin further back
  }
}

std::optional<std::string> CheckpointFolder::note(const fs::path& folder) {
  const fs::path place = folder / note_name;
  std::error_code error;
  const bool is_note =
      is_own_folder(folder) && is_plain(place, fs::file_type::regular) && fs::file_size(place, error) <= longest_note;
  if (!is_note) return std::nullopt;
  std::ifstream file(place, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const std::size_t start = note_mark.size() + digest_length + 1;
  if (!bytes.starts_with(note_mark) || bytes.size() < start) return std::nullopt;
  std::string note = bytes.substr(start);
  if (bytes.substr(note_mark.size(), digest_length) != hexadecimal(digest_of(note))) return std::nullopt;
  return note;
}

void CheckpointFolder::remove() noexcept {
  std::error_code ignored;
  if (is_noted_ || is_there()) fs::remove_all(folder_, ignored);
}

}  // namespace disc
