#include "local_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "disc/base.hpp"

namespace disc::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_connections = 200;            // more wait until some are done
constexpr std::chrono::seconds patience{20};            // with somebody who sends or takes nothing
constexpr std::chrono::seconds patience_at_the_end{2};  // with somebody who still sends what nobody wants

Response failure(int status, const std::string& sentence) {
  return {status, "text/plain; charset=utf-8", sentence + "\n"};
}

/// What a thread does to wake a loop that waits for files.
class Bell {
 public:
  Bell() {
    if (pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() {
    close(ends_[0]);
    close(ends_[1]);
  }
  void ring() const {
    const char letter = 'r';
    [[maybe_unused]] const auto written = write(ends_[1], &letter, 1);  // full: it will wake all the same
  }
  void silence() const {
    std::array<char, 256> letters{};
    while (read(ends_[0], letters.data(), letters.size()) > 0) {
    }
  }
  int file() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The thread for what takes long.
class Workbench {
 public:
  explicit Workbench(const Bell& bell) : bell_(bell), thread_([this](const std::stop_token& stop) { work(stop); }) {}
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
  ~Workbench() = default;

  void give(std::uint64_t connection, Work work) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(connection, std::move(work));
    changed_.notify_one();
  }
  /// Nobody waits for the answer any more: it need not be begun.
  void forget(std::uint64_t connection) {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](const auto& one) { return one.first == connection; });
  }
  std::map<std::uint64_t, Response> take_done() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
  }

 private:
  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
      if (stop.stop_requested()) return;
      auto [connection, task] = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      Response response = done_by(task);
      lock.lock();
      done_.insert_or_assign(connection, std::move(response));
      bell_.ring();
    }
  }
  static Response done_by(const Work& task) {
    try {
      return task();
    } catch (const std::exception& error) {
      return failure(500, error.what());
    }
  }

  const Bell& bell_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::pair<std::uint64_t, Work>> waiting_;
  std::map<std::uint64_t, Response> done_;
  std::jthread thread_;  // last: it uses all others, and ends first
};

struct Connection {
  enum class Stage { reading, working, writing, leaving };
  int file = -1;
  std::uint64_t number = 0;
  Stage stage = Stage::reading;
  RequestReader reader{};
  bool with_body = true;
  std::string out{};
  std::size_t sent = 0;
  Clock::time_point until{};
};

class Loop {
 public:
  Loop(int listener, const std::function<Answer(const Request&)>& handler) : listener_(listener), handler_(handler) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    for (const Connection& one : connections_) close(one.file);
  }

  void run(const std::stop_token& stop) {
    const std::stop_callback wake(stop, [&] { bell_.ring(); });
    while (!stop.stop_requested()) {
      const std::vector<pollfd> files = wait();
      bell_.silence();
      for (auto& [number, response] : bench_.take_done()) {
        for (Connection& one : connections_) {
          if (one.number == number) respond(one, response);
        }
      }
      std::size_t k = 2;
      for (auto one = connections_.begin(); k < files.size(); ++k) {
        const auto next = std::next(one);
        if (!attend(*one, files[k].revents)) drop(one);
        one = next;
      }
      if ((files[1].revents & POLLIN) != 0) accept_one();
    }
  }

 private:
  std::vector<pollfd> wait() {
    // Full, or without files to give: whoever knocks waits.
    const bool is_open = connections_.size() < max_connections && !out_of_files_;
    std::vector<pollfd> files{{bell_.file(), POLLIN, 0}, {is_open ? listener_ : -1, POLLIN, 0}};
    for (const Connection& one : connections_) {
      files.push_back({one.file, static_cast<short>(one.stage == Connection::Stage::writing ? POLLOUT : POLLIN), 0});
    }
    constexpr int at_most_milliseconds = 500;  // times run out without a sound
    poll(files.data(), files.size(), connections_.empty() ? -1 : at_most_milliseconds);
    out_of_files_ = false;
    return files;
  }

  void accept_one() {
    const int file = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) {
      out_of_files_ = (errno == EMFILE || errno == ENFILE) && !connections_.empty();
      return;
    }
    connections_.push_back({.file = file, .number = ++last_number_, .until = Clock::now() + patience});
  }

  void drop(std::list<Connection>::iterator one) {
    bench_.forget(one->number);
    close(one->file);
    connections_.erase(one);
  }

  // False: it is over.
  bool attend(Connection& one, short events) {
    if (one.stage == Connection::Stage::writing) {
      if ((events & (POLLERR | POLLHUP)) != 0 || ((events & POLLOUT) != 0 && !send_more(one))) return false;
    } else if (events != 0 && !receive(one)) {
      return false;
    }
    return one.stage == Connection::Stage::working || Clock::now() < one.until;
  }

  bool receive(Connection& one) {
    std::array<char, 16384> bytes;
    const ssize_t count = recv(one.file, bytes.data(), bytes.size(), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    if (one.stage != Connection::Stage::reading) return true;  // a second request is not answered
    try {
      const std::optional<Request> request = one.reader.add({bytes.data(), static_cast<std::size_t>(count)});
      if (request) answer(one, *request);
    } catch (const BadRequest& bad) {
      respond(one, failure(bad.status, bad.sentence));
    }
    return true;
  }

  void answer(Connection& one, const Request& request) {
    one.with_body = request.method != "HEAD";
    try {
      Answer given = handler_(request);
      if (auto* work = std::get_if<Work>(&given)) {
        one.stage = Connection::Stage::working;
        bench_.give(one.number, std::move(*work));
      } else {
        respond(one, std::get<Response>(given));
      }
    } catch (const std::exception& error) {
      respond(one, failure(500, error.what()));
    }
  }

  void respond(Connection& one, const Response& response) {
    one.out = encode(response, one.with_body);
    one.stage = Connection::Stage::writing;
    one.until = Clock::now() + patience;
  }

  bool send_more(Connection& one) {
    const ssize_t count = send(one.file, one.out.data() + one.sent, one.out.size() - one.sent, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    one.sent += static_cast<std::size_t>(count);
    one.until = Clock::now() + patience;
    if (one.sent < one.out.size()) return true;
    // Closed at once, what was not read yet would make the system take back what was sent.
    shutdown(one.file, SHUT_WR);
    one.stage = Connection::Stage::leaving;
    one.until = Clock::now() + patience_at_the_end;
    return true;
  }

  int listener_;
  const std::function<Answer(const Request&)>& handler_;
  std::list<Connection> connections_;
  std::uint64_t last_number_ = 0;
  bool out_of_files_ = false;
  Bell bell_;
  Workbench bench_{bell_};
};

}  // namespace

LocalServer::LocalServer(int port) : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (listener_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the system
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, SOMAXCONN) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    const int problem = errno;
    close(listener_);
    throw OptionError("port", std::to_string(port), std::string("cannot be listened on: ") + std::strerror(problem));
  }
  port_ = ntohs(address.sin_port);
}

LocalServer::~LocalServer() { close(listener_); }

void LocalServer::serve(const std::function<Answer(const Request&)>& handler, const std::stop_token& stop) {
  Loop(listener_, handler).run(stop);
}

}  // namespace disc::app
