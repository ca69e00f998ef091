#include "http.hpp"

#include <algorithm>
#include <charconv>

namespace disc::app {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_end = "\r\n\r\n";

std::string small(std::string_view text) {
  std::string letters(text);
  for (char& letter : letters) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return letters;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char letter) { return letter == ' ' || letter == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_plain(char letter) {
  return static_cast<unsigned char>(letter) > ' ' && static_cast<unsigned char>(letter) < 127;
}

std::string_view reason(int status) {
  static const std::map<int, std::string_view> reasons{{200, "OK"},
                                                       {303, "See Other"},
                                                       {400, "Bad Request"},
                                                       {403, "Forbidden"},
                                                       {404, "Not Found"},
                                                       {405, "Method Not Allowed"},
                                                       {408, "Request Timeout"},
                                                       {413, "Content Too Large"},
                                                       {415, "Unsupported Media Type"},
                                                       {422, "Unprocessable Content"},
                                                       {431, "Request Header Fields Too Large"},
                                                       {500, "Internal Server Error"},
                                                       {501, "Not Implemented"},
                                                       {503, "Service Unavailable"}};
  const auto found = reasons.find(status);
  return found == reasons.end() ? "Unknown" : found->second;
}

}  // namespace

std::string Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string encode(const Response& response, bool with_body) {
  std::string bytes =
      "HTTP/1.1 " + std::to_string(response.status) + " " + std::string(reason(response.status)) + "\r\n";
  bytes += "Content-Type: " + response.type + "\r\nContent-Length: " + std::to_string(response.body.size()) + "\r\n";
  // One answer per connection. Nothing is kept by the browser, guessed from the content or told to other places.
  bytes +=
      "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: "
      "no-referrer\r\n";
  for (const auto& [name, value] : response.headers) bytes += name + ": " + value + "\r\n";
  bytes += "\r\n";
  if (with_body) bytes += response.body;
  return bytes;
}

void RequestReader::read_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || name.empty() || !std::ranges::all_of(name, is_plain)) {
    throw BadRequest{400, "a header field has no name"};
  }
  // Two of a kind are how one program is made to read another request than the next.
  if (!request_.headers.emplace(small(name), trimmed(line.substr(colon + 1))).second) {
    throw BadRequest{400, "a header field stands there twice"};
  }
}

void RequestReader::read_head(std::string_view head) {
  const std::size_t first_end = std::min(head.find(line_end), head.size());
  const std::string_view first = head.substr(0, first_end);
  const std::size_t space = first.find(' ');
  const std::size_t second = space == std::string_view::npos ? space : first.find(' ', space + 1);
  if (second == std::string_view::npos) throw BadRequest{400, "this is no request"};
  request_.method = first.substr(0, space);
  const std::string_view target = first.substr(space + 1, second - space - 1);
  const std::string_view version = first.substr(second + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") throw BadRequest{400, "only HTTP/1.1 is spoken here"};
  if (!target.starts_with('/') || !std::ranges::all_of(target, is_plain)) throw BadRequest{400, "the address is none"};
  request_.path = target.substr(0, target.find('?'));
  for (std::size_t begin = first_end + line_end.size(); begin < head.size();) {
    const std::size_t end = std::min(head.find(line_end, begin), head.size());
    read_field(head.substr(begin, end - begin));
    begin = end + line_end.size();
  }
  if (request_.method != "GET" && request_.method != "HEAD" && request_.method != "POST") {
    throw BadRequest{405, "only GET, HEAD and POST are answered"};
  }
  if (request_.headers.contains("transfer-encoding")) throw BadRequest{501, "a body must come with its length"};
  const std::string length = request_.header("content-length");
  if (length.empty()) return;
  const auto [end, failure] = std::from_chars(length.data(), length.data() + length.size(), body_);
  if (failure != std::errc() || end != length.data() + length.size()) throw BadRequest{400, "the length is no number"};
  if (body_ > max_body) throw BadRequest{413, "the request is larger than 4 MiB"};
}

std::optional<Request> RequestReader::add(std::string_view bytes) {
  bytes_ += bytes;
  if (head_ == 0) {
    const std::size_t end = bytes_.find(head_end);
    if (std::min(end, bytes_.size()) > max_head) throw BadRequest{431, "the head of the request is larger than 16 KiB"};
    if (end == std::string::npos) return std::nullopt;
    head_ = end + head_end.size();
    read_head(std::string_view(bytes_).substr(0, end));
  }
  if (bytes_.size() < head_ + body_) return std::nullopt;
  request_.body = bytes_.substr(head_, body_);
  return std::move(request_);
}

}  // namespace disc::app
