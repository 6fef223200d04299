// A handler may do little: it sets a lock-free flag and writes one byte into a pipe. Rounds ask the flag between two of
// them; reads that wait poll the pipe, so that a signal which comes just before poll() is not lost.
#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace hannan::detail::cli {
namespace {

std::atomic<bool> noticed{false};                       // read by every thread of an experiment
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch no other

int wake[2] = {-1, -1};  // a pipe: the handler writes, poll() in a waiting read sees it, whenever the signal came

void notice(int) {
  const int before = errno;
  noticed = true;
  // One byte is enough; a pipe that is full has woken the reader already.
  if (wake[1] >= 0 && ::write(wake[1], "!", 1) < 0) errno = before;
  errno = before;
}

void catch_signal(int signal) {
  struct sigaction action = {};
  action.sa_handler = notice;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // writes in progress go on; reads wait in poll(), which is never restarted
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  if (wake[0] < 0 && ::pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  struct sigaction hangup = {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) catch_signal(SIGHUP);
}

bool interrupted() { return noticed.load(std::memory_order_relaxed); }

int interrupt_descriptor() { return wake[0]; }

}  // namespace hannan::detail::cli
