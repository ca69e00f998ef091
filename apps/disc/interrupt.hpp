// Ctrl-C (and SIGTERM, and SIGHUP when the terminal goes away): the first asks the library to stop, the second ends the program at once.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace disc::app {

/// While it lives, signals trigger its stop token. One at a time per program.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  std::stop_token token() const { return stop_.get_token(); }

  /// While it lives, work that has not stopped soon after the signal (a long call into LAPACK cannot) is cut off: `clean_up` runs in
  /// another thread, what it returns is printed, and the program ends. Without one, stopping may take as long as it takes.
  class CutOff {
   public:
    CutOff(Interrupt& interrupt, std::function<std::string()> clean_up);
    CutOff(const CutOff&) = delete;
    CutOff& operator=(const CutOff&) = delete;
    ~CutOff();

   private:
    Interrupt& interrupt_;
  };

 private:
  void watch();

  std::stop_source stop_;
  std::mutex mutex_;
  std::function<std::string()> clean_up_;
  std::thread watcher_;
};

}  // namespace disc::app
