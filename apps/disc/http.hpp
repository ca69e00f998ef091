// The part of HTTP/1.1 that a page served to this machine needs: requests of limited size, each answered once.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace disc::app {

struct Request {
  std::string method;                          ///< GET, HEAD or POST
  std::string path;                            ///< as it was sent, without what follows a question mark
  std::map<std::string, std::string> headers;  ///< names in small letters
  std::string body;

  /// Empty: there is none.
  std::string header(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// As it is sent; a HEAD request gets no body.
std::string encode(const Response& response, bool with_body);

/// What was sent is no request that is answered.
struct BadRequest {
  int status;
  std::string sentence;
};

/// The bytes of one request, as they arrive.
class RequestReader {
 public:
  static constexpr std::size_t max_head = 16 * 1024;
  static constexpr std::size_t max_body = 4 * 1024 * 1024;

  /// The request, once all of it is there. Throws BadRequest.
  std::optional<Request> add(std::string_view bytes);

 private:
  void read_head(std::string_view head);
  void read_field(std::string_view line);

  std::string bytes_;
  Request request_;
  std::size_t head_ = 0, body_ = 0;  // their sizes; no head yet: 0
};

}  // namespace disc::app
