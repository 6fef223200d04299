// Standard output may close before the program ends (`| head`) or be full. The first failure is remembered with its
// reason; a reader that is gone is no error of this program and has an exit status of its own.
#include "standard_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"

namespace hannan::detail::cli {
namespace {

int reason = 0;  // errno of the first write that failed

void do_nothing(int) {}

// A pipe without a reader reports an error to poll(); a full disk does not.
bool reader_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return reason == EPIPE || (::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0);
}

}  // namespace

// A handler, not SIG_IGN: programs that are started would inherit that. SIGXFSZ comes with a write beyond the limit
// on the size of files.
void outlive_readers() {
  struct sigaction action = {};
  action.sa_handler = do_nothing;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

bool flush_output() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (failed && reason == 0) reason = errno;
  return !failed;
}

int report_error(const Error& error) {
  if (error.code() == Code::kCannotWrite && error.at() == "stdout" && reader_gone()) return kReaderGone;
  std::fprintf(stderr, "hannan: %s\n", printable(error.what()).c_str());
  return exit_status(error.code());
}

int finish_output(int status) {
  if (flush_output()) return status;
  if (reader_gone()) return status == 0 ? kReaderGone : status;
  const std::string why = reason == 0 ? "it cannot be written" : std::generic_category().message(reason);
  const Error error(Code::kCannotWrite, why, "stdout");
  std::fprintf(stderr, "hannan: %s\n", printable(error.what()).c_str());
  return status > 1 ? status : exit_status(error.code());
}

}  // namespace hannan::detail::cli
