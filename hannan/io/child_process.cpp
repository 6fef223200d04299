// A child in a process group of its own, three non-blocking pipes and one poll loop. Invariants: id_ is 0 exactly when
// the child was reaped; until then its number cannot be given to another process, so kill() reaches the right one.
// Every way out of exchange() but an answer ends the child.
#include "hannan/io/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <vector>

extern char** environ;

namespace hannan::detail {
namespace {

using Clock = std::chrono::steady_clock;

// All three are chosen: enough for a last message, and a second for a program to flush its files.
constexpr std::size_t kMostWords = 4096;  // bytes of standard error that are kept
constexpr std::size_t kMostQuoted = 300;  // and that are quoted
constexpr double kPatience = 1.0;         // seconds to end after its input was closed

// On the steady clock: setting the machine's time changes no deadline.
Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void close_one(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

// A pipe whose ends stand above the standard three, so that placing them in the child cannot run over
// one another even where this process has a standard stream closed.
struct PipeEnds {
  int from = -1;
  int to = -1;
  PipeEnds() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw ChildFailure(ChildFailure::Kind::kStart, std::strerror(errno));
    from = raised(ends[0]);
    to = raised(ends[1]);
  }
  ~PipeEnds() {
    close_one(from);
    close_one(to);
  }
  PipeEnds(const PipeEnds&) = delete;
  PipeEnds& operator=(const PipeEnds&) = delete;

 private:
  static int raised(int fd) {
    if (fd > 2) return fd;
    const int higher = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    ::close(fd);
    return higher;
  }
};

// Non-blocking from here on, and owned by the caller.
int release(int& fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return std::exchange(fd, -1);
}

// Writing to a program that is gone raises SIGPIPE: held back for this thread, and taken out again.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalHeld() {
    const timespec now{};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

// Signals as a fresh program expects them, whatever this one has done to its own.
void set_plain_signals(posix_spawnattr_t& how) {
  sigset_t none, all;
  sigemptyset(&none);
  sigemptyset(&all);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&all, signal);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &all);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

// One read of what is there, appended; false at the end of the stream. A pipe holds no more than the
// buffer, so one read after its end gets all that was left.
bool read_available(int fd, std::string& into) {
  char buffer[1 << 16];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
}

}  // namespace

// posix_spawn, not fork: nothing of this process runs in the child, whatever threads it has. All descriptors but the
// three are closed by O_CLOEXEC.
ChildProcess::ChildProcess(Setting setting) : setting_(std::move(setting)) {
  PipeEnds input, output, errors;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_adddup2(&files, input.from, 0);
  posix_spawn_file_actions_adddup2(&files, output.to, 1);
  posix_spawn_file_actions_adddup2(&files, errors.to, 2);
  set_plain_signals(how);
  std::string shell = "sh", flag = "-c", command = setting_.command;
  char* const words[] = {shell.data(), flag.data(), command.data(), nullptr};
  pid_t id = 0;
  const int wrong = ::posix_spawn(&id, "/bin/sh", &files, &how, words, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (wrong != 0) throw ChildFailure(ChildFailure::Kind::kStart, std::strerror(wrong));
  id_ = id;
  input_ = release(input.to);
  output_ = release(output.from);
  errors_ = release(errors.from);
}

// Closing its input is how a program is told to end; one that does not within kPatience is killed.
ChildProcess::~ChildProcess() {
  close_one(input_);
  if (id_ != 0) wait_for_exit(kPatience);
  kill_and_reap();
  close_all();
}

// Writes and reads in one loop, so that a program that answers before it has read all cannot block both sides. held_
// has what was read and not given out; it never holds more than `longest` and one read.
std::string ChildProcess::exchange(std::string_view line) {
  const auto deadline = after(setting_.seconds);
  std::string whole(line);
  whole += '\n';
  std::string_view rest = whole;
  std::string answer;
  while (true) {
    // An answer counts once the question was read to its end.
    if (rest.empty() && take_line(answer)) return answer;
    if (std::min(held_.find('\n'), held_.size()) > setting_.longest) {
      fail(ChildFailure::Kind::kTooLong, "its answer is longer than " + std::to_string(setting_.longest) + " bytes");
    }
    if (input_closed_ || output_closed_) fail(ChildFailure::Kind::kEnded, how_it_ended());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left < 0) {
      fail(ChildFailure::Kind::kTimeout,
           std::string(rest.empty() ? "no answer" : "it does not read its input, and there is no answer"));
    }
    // poll() ignores entries with a negative descriptor.
    const int output = held_.size() > setting_.longest ? -1 : output_;  // enough for now: it must read first
    pollfd waits[] = {{output, POLLIN, 0}, {errors_, POLLIN, 0}, {rest.empty() ? -1 : input_, POLLOUT, 0}};
    if (::poll(waits, 3, static_cast<int>(std::min<long long>(left + 1, 1'000'000))) < 0 && errno != EINTR) {
      fail(ChildFailure::Kind::kEnded, std::strerror(errno));
    }
    if (waits[2].revents != 0) write_some(rest);
    if (waits[1].revents != 0) read_errors();
    if (waits[0].revents != 0) read_output();
  }
}

// The first whole line of what was read, without its end. False: none yet.
bool ChildProcess::take_line(std::string& line) {
  const auto end = held_.find('\n');
  if (end == std::string::npos || end > setting_.longest) return false;  // too long: exchange() says so
  line = held_.substr(0, end);
  if (line.ends_with('\r')) line.pop_back();
  held_.erase(0, end + 1);
  return true;
}

// As much as the pipe takes. EAGAIN leaves rest as it is, and poll() says when to go on.
void ChildProcess::write_some(std::string_view& rest) {
  const PipeSignalHeld held;
  const ssize_t sent = ::write(input_, rest.data(), rest.size());
  if (sent > 0) {
    rest.remove_prefix(static_cast<std::size_t>(sent));
  } else if (errno == EPIPE) {
    input_closed_ = true;
  }
}

// At the end of its output the descriptor is closed; a line that is held may still be the answer.
void ChildProcess::read_output() {
  if (read_available(output_, held_)) return;
  output_closed_ = true;
  close_one(output_);
}

// Only the last kMostWords bytes are kept: the reason for an end stands at the end.
void ChildProcess::read_errors() {
  const bool more = read_available(errors_, words_);
  if (words_.size() > kMostWords) words_.erase(0, words_.size() - kMostWords);
  if (!more) close_one(errors_);
}

// True once it has ended. It is not reaped here: until then no other process can get its number, or its group's.
bool ChildProcess::wait_for_exit(double seconds) {
  const auto deadline = after(seconds);
  timespec pause{0, 200'000};
  while (true) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0)
      return true;
    if (Clock::now() >= deadline) return false;
    if (errors_ >= 0) read_errors();  // it may be waiting for us to read them
    ::nanosleep(&pause, nullptr);
    pause.tv_nsec = std::min(pause.tv_nsec * 2, 10'000'000L);
  }
}

// A short wait, since a program closes its output a moment before it can be reaped.
std::string ChildProcess::how_it_ended() {
  if (!wait_for_exit(kPatience / 4))
    return output_closed_ ? "it closed its output without an answer" : "it closed its input";
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  const std::string status = std::to_string(info.si_status);
  return info.si_code == CLD_EXITED ? "it ended with status " + status + " before it answered"
                                    : "it was ended by signal " + status + " before it answered";
}

// What it wrote to standard error last, on one line and without control characters, for a message.
std::string ChildProcess::last_words() {
  if (errors_ >= 0) read_errors();
  std::string text;
  for (const char c : words_) {
    const bool space = c == '\n' || c == '\r' || c == '\t';
    if (space && (text.empty() || text.back() == ' ')) continue;
    text += space ? ' ' : static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  }
  while (text.ends_with(' ')) text.pop_back();
  if (text.size() > kMostQuoted) text = "..." + text.substr(text.size() - kMostQuoted);
  return text.empty() ? text : "\"" + text + "\"";
}

// The child is reaped before the exception leaves: no caller has to clean up.
void ChildProcess::fail(ChildFailure::Kind kind, std::string what) {
  const std::string words = last_words();
  if (!words.empty()) what += "; its standard error ends with " + words;
  kill_and_reap();
  close_all();
  throw ChildFailure(kind, std::move(what));
}

// Safe to call twice: id_ is 0 afterwards.
void ChildProcess::kill_and_reap() {
  if (id_ == 0) return;
  ::kill(-id_, SIGKILL);  // the group: a shell's children too
  ::kill(id_, SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
}

void ChildProcess::close_all() {
  close_one(input_);
  close_one(output_);
  close_one(errors_);
}

}  // namespace hannan::detail
