// The bytes of an input, whatever they come from: a mapped file, a pipe, a compressed file, or the caller's memory.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "disc/base.hpp"

namespace disc::io {

struct Bytes {
  std::string_view view;
  std::shared_ptr<const void> owner;  ///< null: the caller's memory, valid only until the reader returns
};

/// Maps a regular file, reads anything else to its end. Throws InputError if it cannot be opened or is a directory.
Bytes load_file(const std::filesystem::path& file, const Context& context);

/// Decompresses gzip data, several members included; other bytes come back as they are.
Bytes decompressed(Bytes bytes, const std::string& file, const Context& context);

/// Decompresses zlib data, which are a part of some formats; at most `limit` bytes of them.
std::string inflated(std::string_view bytes, const std::string& file, const Context& context, std::size_t limit);

/// Throws InputError where `more` bytes would take this process beyond the memory limit of the context: called before what a file
/// claims, or unfolds to, is allocated.
void require_memory(std::size_t more, const std::string& file, const Context& context);

/// What the system says about an errno value.
std::string system_message(int error);

/// A value for a message: control characters and long texts are made fit for one line.
std::string printable(std::string_view value);

}  // namespace disc::io
