// Reading members of a zip archive that is in memory.
#pragma once

#include <zip.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "disc/base.hpp"

namespace disc::io {

class ZipArchive {
 public:
  /// `bytes` must stay where they are. Throws InputError naming `file` if they are not an archive.
  ZipArchive(std::string_view bytes, std::string file);

  const std::vector<std::string>& members() const { return members_; }
  /// The bytes of a member, at most `limit` of them from its beginning.
  std::string read(std::size_t member, const Context& context,
                   std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  std::unique_ptr<zip_t, Discard> archive_;
  std::string file_;
  std::vector<std::string> members_;
};

}  // namespace disc::io
