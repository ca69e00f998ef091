#include "explore_site.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "disc/base.hpp"
#include "disc/pipeline.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::json;

constexpr const char* json_type = "application/json";

Response plain(int status, const std::string& sentence) {
  return {status, "text/plain; charset=utf-8", sentence + "\n"};
}

Response failure(int status, const std::string& sentence) {
  return {status, json_type, Json{{"error", sentence}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

// How long it takes does not depend on where two texts differ.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

std::string type_of(const std::string& name) {
  static const std::map<std::string, std::string> types{
      {".json", json_type}, {".tsv", "text/tab-separated-values; charset=utf-8"}, {".npz", "application/zip"}};
  const auto found = types.find(std::filesystem::path(name).extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4U];
    token += digits[byte & 15U];
  }
  return token;
}

Site::Site(std::filesystem::path folder, std::string page, std::string token, int port)
    : folder_(std::move(folder)),
      page_(std::move(page)),
      token_(std::move(token)),
      host_("127.0.0.1:" + std::to_string(port)),
      other_host_("localhost:" + std::to_string(port)) {}

std::string Site::address() const { return "http://" + host_ + "/" + token_ + "/"; }

// A page of another place can make a browser send requests here, under a name of its own that leads to this machine; then Host or Origin
// say so.
bool Site::is_for_us(const Request& request) const {
  const std::string host = request.header("host");
  if (host != host_ && host != other_host_) return false;
  const std::string origin = request.header("origin");
  return origin.empty() || origin == "http://" + host;
}

Response Site::file(const std::string& name) const {
  const auto& known = output_names();
  // Names are compared with those a run writes, never put together to a path first.
  if (std::ranges::find(known, name) == known.end()) return plain(404, "a run writes no file of this name");
  std::error_code ignored;
  // A link in the folder could lead anywhere.
  const bool is_there =
      std::filesystem::symlink_status(folder_ / name, ignored).type() == std::filesystem::file_type::regular;
  std::ifstream stream(folder_ / name, std::ios::binary);
  if (!is_there || !stream) return plain(404, "this run has no file of this name");
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return {
      200, type_of(name), std::move(bytes).str(), {{"Content-Disposition", "attachment; filename=\"" + name + "\""}}};
}

Answer Site::ask(const std::string& name, const Request& request) const {
  const auto found = questions_.find(name);
  if (found == questions_.end()) return plain(404, "there is no such question");
  if (request.method != "POST") return plain(405, "questions are asked by POST");
  if (request.header("content-type") != json_type) return plain(415, "questions are asked in application/json");
  return Work([question = found->second, body = request.body]() -> Response {
    try {
      return {200, json_type, question(body)};
    } catch (const Cancelled&) {
      return failure(503, "the program is being stopped");
    } catch (const Json::exception&) {
      return failure(400, "the question is not what the page asks");
    } catch (const Error& error) {
      return failure(422, error.what());
    }
  });
}

Answer Site::operator()(const Request& request) const {
  if (!is_for_us(request)) return plain(403, "only pages of this program itself are answered, at " + host_);
  const std::string inside = "/" + token_ + "/";
  if (is_same(request.path, inside.substr(0, inside.size() - 1)))
    return Response{303, "text/plain", "", {{"Location", inside}}};
  if (!is_same(request.path.substr(0, inside.size()), inside)) {
    return plain(403, "the address must be the one that disc explore has written");
  }
  const std::string rest = request.path.substr(inside.size());
  if (rest.starts_with("ask/")) return ask(rest.substr(4), request);
  if (request.method == "POST") return plain(405, "only questions are asked by POST");
  if (rest.empty()) return Response{200, "text/html; charset=utf-8", page_};
  if (rest.starts_with("files/")) return file(rest.substr(6));
  if (const auto quick = quick_.find(rest); quick != quick_.end()) return Response{200, json_type, quick->second()};
  return plain(404, "there is nothing here");
}

}  // namespace disc::app
