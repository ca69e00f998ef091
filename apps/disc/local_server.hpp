// A server for the browser of the same machine: one loop over all connections, and one thread beside it for what takes long.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <variant>

#include "http.hpp"

namespace disc::app {

/// Work for the thread beside the loop; work is done in the order in which it was asked for.
using Work = std::function<Response()>;
/// What a request gets: a response at once, or what some work returns.
using Answer = std::variant<Response, Work>;

class LocalServer {
 public:
  /// Listens on 127.0.0.1 alone, which other machines cannot reach. Port 0: any that is free. Throws OptionError where the port is
  /// taken.
  explicit LocalServer(int port);
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer();

  int port() const { return port_; }

  /// Answers until `stop`; work that is under way should stop then, too, and is waited for. Whatever `handler` or work throws is
  /// answered as a failure.
  void serve(const std::function<Answer(const Request&)>& handler, const std::stop_token& stop);

 private:
  int listener_ = -1, port_ = 0;
};

}  // namespace disc::app
