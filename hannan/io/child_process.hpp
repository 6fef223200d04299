// A program of the user's as a child process: one line in, one line out, within a time limit.
//
// The command is run by `sh -c` in a process group of its own. Reading, writing and the program's
// standard error are served by one poll loop, so a program that writes much, reads late or answers in
// pieces cannot block us; nothing it does raises a signal here. This is the only limit of the house that
// is counted in seconds: the work of a foreign program cannot be counted.
//
// Whatever goes wrong is a ChildFailure that says what happened and quotes the end of the program's
// standard error. The child is then killed with its group and reaped, as it is by the destructor.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace hannan::detail {

class ChildFailure : public std::exception {
 public:
  enum class Kind {
    kStart,    // it could not be started at all
    kEnded,    // it ended, or closed its input or output, before it had answered
    kTimeout,  // no whole line within the limit
    kTooLong,  // a line beyond the limit
  };
  ChildFailure(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Kind kind_;
  std::string message_;
};

class ChildProcess {
 public:
  struct Setting {
    std::string command;
    double seconds = 30;                         // for each exchange
    std::size_t longest = std::size_t{1} << 20;  // bytes of an answer
  };
  explicit ChildProcess(Setting setting);
  // Closes its input, which asks it to end, and waits a moment before the kill.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Sends the line and its newline, and gives the next line of the answer without its end. After a
  // failure the child is gone and must not be used again.
  std::string exchange(std::string_view line);
  // The last lines of its standard error so far, on one line and quoted; empty where there are none.
  std::string last_words();
  int id() const { return id_; }

 private:
  [[noreturn]] void fail(ChildFailure::Kind kind, std::string what);
  bool take_line(std::string& line);
  void write_some(std::string_view& rest);
  void read_output();
  void read_errors();
  bool wait_for_exit(double seconds);
  std::string how_it_ended();
  void kill_and_reap();
  void close_all();

  Setting setting_;
  int id_ = 0;      // 0: reaped
  int input_ = -1;  // its standard input, ours to write
  int output_ = -1;
  int errors_ = -1;
  std::string held_;            // read and not yet handed out
  std::string words_;           // the tail of its standard error
  bool input_closed_ = false;   // it reads no more
  bool output_closed_ = false;  // it writes no more
};

}  // namespace hannan::detail
