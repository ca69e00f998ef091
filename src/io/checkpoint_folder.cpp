// Checkpoints as files: length, digest, bytes. A file that is not whole counts as none.
#include <algorithm>
#include <fstream>

#include "disc/checkpoints.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

struct Header {
  char magic[8] = {'D', 'I', 'S', 'C', 'k', 'e', 'e', 'p'};
  std::uint64_t length = 0, digest = 0;
};

}  // namespace

std::optional<std::string> CheckpointFolder::find(const std::string& name) const {
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
      fs::create_directories(folder_);
      std::ofstream(folder_ / note_name) << note_;
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
  std::ifstream file(folder / note_name);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void CheckpointFolder::remove() noexcept {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace disc
