// Hands out one byte at a time, so that what a reader makes of its input can be compared with what it
// makes of the same bytes in one piece.
#pragma once

#include <cstdlib>
#include <string_view>

#include "hannan/io/bytes.hpp"

namespace hannan::detail::fuzz {

class Drip : public ByteSource {
 public:
  explicit Drip(std::string_view bytes) : rest_(bytes) {}

  std::size_t read(char* to, std::size_t) override {
    if (rest_.empty()) return 0;
    *to = rest_.front();
    rest_.remove_prefix(1);
    return 1;
  }

 private:
  std::string_view rest_;
};

// Ends the run: the fuzzer keeps the input that led here.
inline void require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace hannan::detail::fuzz
