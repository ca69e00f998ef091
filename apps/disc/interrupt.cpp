#include "interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "commands.hpp"

namespace disc::app {
namespace {

// A handler and a pipe rather than sigwait: OpenBLAS starts threads before main, which no mask set here would reach.
int pipe_ends[2] = {-1, -1};
std::atomic<int> signals_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may use lock-free atomics only");

constexpr char signal_arrived = 's';
// What is received when the other end is closed.
constexpr char program_ends = 'e';
constexpr int patience_milliseconds = 700;

extern "C" void on_signal(int) {
  const int saved = errno;
  if (signals_seen.fetch_add(1) > 0) _exit(interrupted);
  while (write(pipe_ends[1], &signal_arrived, 1) < 0 && errno == EINTR) {
  }
  errno = saved;
}

char receive() {
  char what = program_ends;
  while (read(pipe_ends[0], &what, 1) < 0 && errno == EINTR) {
  }
  return what;
}

bool anything_within(int milliseconds) {
  pollfd end{.fd = pipe_ends[0], .events = POLLIN, .revents = 0};
  return poll(&end, 1, milliseconds) > 0;
}

void handle_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup means it
  }
}

}  // namespace

Interrupt::Interrupt() {
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  signals_seen = 0;
  watcher_ = std::thread([this] { watch(); });
  handle_signals(on_signal);
}

Interrupt::~Interrupt() {
  handle_signals(SIG_DFL);
  close(pipe_ends[1]);  // this cannot fail to be noticed, as a word that is written could
  watcher_.join();
  close(pipe_ends[0]);
}

void Interrupt::watch() {
  if (receive() != signal_arrived) return;
  stop_.request_stop();
  while (!anything_within(patience_milliseconds)) {
    const std::lock_guard lock(mutex_);
    if (!clean_up_) continue;
    const std::string message = clean_up_();
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
    _exit(interrupted);
  }
}

Interrupt::CutOff::CutOff(Interrupt& interrupt, std::function<std::string()> clean_up) : interrupt_(interrupt) {
  const std::lock_guard lock(interrupt_.mutex_);
  interrupt_.clean_up_ = std::move(clean_up);
}

Interrupt::CutOff::~CutOff() {
  const std::lock_guard lock(interrupt_.mutex_);
  interrupt_.clean_up_ = nullptr;
}

}  // namespace disc::app
