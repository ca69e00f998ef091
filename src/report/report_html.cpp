// The page: the html that was built into the library, with the data of a run in it.
#include <zlib.h>

#include <string_view>

#include "report/run_files.hpp"

namespace disc {

// Made by cmake/embed_page.cmake.
extern const unsigned char report_page_bytes[];
extern const unsigned long report_page_size;

namespace {

constexpr std::string_view place_of_data = "DISC_REPORT_DATA";
constexpr std::size_t plain_up_to = 100'000;  // bytes; small data stay readable

std::string_view page() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as text
  return {reinterpret_cast<const char*>(report_page_bytes), report_page_size};
}

// JSON in which nothing can end the element it stands in.
std::string escaped(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char letter : json) {
    switch (letter) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += letter;
    }
  }
  return text;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("zlib cannot compress");
  }
  std::string bytes(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast): zlib's interface
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int status = deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("zlib cannot compress");
  return bytes;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63U];
  }
  return text;
}

}  // namespace

bool has_report_page() { return report_page_size > 0; }

namespace {

// The page's policy lets it ask nobody; a page that is served may ask its server.
std::string allowed_to_ask(std::string_view head) {
  constexpr std::string_view none = "default-src 'none';";
  const std::size_t place = head.find(none);
  if (place == std::string_view::npos) throw Error("the report page has no policy");
  std::string text(head);
  return text.insert(place + none.size(), " connect-src 'self';");
}

std::string html_of(report::RunFiles files, const PageOptions& options = {}) {
  if (!has_report_page()) {
    throw NotCompiled("this disc was built without the report page; build it again after tools/build_report.sh");
  }
  using report::Json;
  Json data = report::report_data(std::move(files));
  if (options.asks) data["asks"] = true;
  const std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t place = page().find(place_of_data);
  if (place == std::string_view::npos) throw Error("the report page has no place for data");
  const std::string_view head = page().substr(0, place);
  std::string html = options.asks ? allowed_to_ask(head) : std::string(head);
  html += json.size() <= plain_up_to ? escaped(json) : base64(gzip(json));
  html += page().substr(place + place_of_data.size());
  return html;
}

}  // namespace

std::string report_html(const std::vector<OutputFile>& files) { return html_of(report::files_in_memory(files)); }

std::string report_html(const OutputFolder& files) { return html_of(report::files_written(files)); }

std::string report_html(const Analysis& analysis, const RunRecord& record) {
  return report_html(encode_outputs(analysis, record));
}

std::string report_html(const std::filesystem::path& folder, const PageOptions& options) {
  return html_of(report::files_of_run(folder), options);
}

}  // namespace disc
