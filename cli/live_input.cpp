#include "live_input.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "hannan/core/error.hpp"

namespace hannan::cli {
namespace {

class LiveInput final : public ByteSource {
 public:
  std::size_t read(char* to, std::size_t most) override {
    for (;;) {
      const ssize_t got = ::read(STDIN_FILENO, to, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw Error(Code::kCannotRead, std::strerror(errno), "stdin");
    }
  }
};

}  // namespace

std::unique_ptr<ByteSource> live_standard_input() { return std::make_unique<LiveInput>(); }

}  // namespace hannan::cli
