// Formats that are not read, but known: what to do with them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace disc::io {

/// What the content is and how to save it so that it can be read; empty for what is not known.
std::string advice_for_content(std::string_view bytes, const std::string& file);
/// The same by the extension, for content that is no text and that nobody recognizes.
std::string advice_for_name(std::string_view bytes, const std::string& file);
/// The same for a folder.
std::string advice_for_folder(const std::filesystem::path& folder);

}  // namespace disc::io
