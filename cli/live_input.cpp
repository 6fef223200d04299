// Invariant: buffer_[begin_, end_) was read and not given out. Large reads pass the buffer by when it is empty.
#include "live_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "hannan/core/error.hpp"
#include "interrupt.hpp"

namespace hannan::detail::cli {
namespace {

class LiveInput final : public ByteSource {
 public:
  explicit LiveInput(const std::string& path) : name_(input_name(path)) {
    if (path == "-") return;
    do {  // opening a named pipe waits for its writer
      descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor_ < 0 && errno == EINTR && interrupted()) stop();
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) fail(errno);
  }
  ~LiveInput() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  LiveInput(const LiveInput&) = delete;
  LiveInput& operator=(const LiveInput&) = delete;

  std::size_t read(char* to, std::size_t most) override {
    if (begin_ == end_ && most >= buffer_.size()) return fetch(to, most);
    if (begin_ == end_) {
      begin_ = 0;
      end_ = fetch(buffer_.data(), buffer_.size());
    }
    const std::size_t count = std::min(most, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, to);
    begin_ += count;
    return count;
  }

 private:
  std::size_t fetch(char* to, std::size_t most) {
    for (;;) {
      wait();
      const ssize_t got = ::read(descriptor_, to, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR && errno != EAGAIN) fail(errno);
    }
  }
  [[noreturn]] void fail(int reason) const {
    throw Error(Code::kCannotRead, "cannot be read: " + std::generic_category().message(reason), name_);
  }
  [[noreturn]] void stop() const { throw Error(Code::kWorkLimit, "interrupted while waiting for input", name_); }

  // Until there is something to read, or the end. Bytes that are there are read even after an interrupt: the loop
  // over the rounds asks for it between two of them.
  void wait() const {
    pollfd both[] = {{.fd = descriptor_, .events = POLLIN, .revents = 0},
                     {.fd = interrupt_descriptor(), .events = POLLIN, .revents = 0}};  // -1 is passed over
    while (::poll(both, 2, -1) < 0) {
      if (errno != EINTR) fail(errno);
    }
    if (both[0].revents == 0 && both[1].revents != 0) stop();
  }

  std::string name_;
  int descriptor_ = STDIN_FILENO;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);  // few calls of the system for small reads
  std::size_t begin_ = 0, end_ = 0;                                     // what of it is still to be read
};

}  // namespace

std::unique_ptr<ByteSource> live_input(const std::string& path) { return std::make_unique<LiveInput>(path); }

std::string input_name(const std::string& path) { return path == "-" ? "stdin" : path; }

bool read_once(const std::string& path) {
  if (path == "-") return true;
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) return false;  // opening it gives the reason
  return !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

}  // namespace hannan::detail::cli
