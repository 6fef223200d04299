// FNV-1a, 64 bits: a fingerprint of text, so that a record shows when a byte of it was changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hannan::detail {

class Digest {
 public:
  void add(std::string_view text) {
    for (const unsigned char c : text) {
      state_ ^= c;
      state_ *= 1099511628211ULL;
    }
  }
  std::uint64_t value() const { return state_; }
  std::string hex() const {
    std::string out(16, '0');
    for (int i = 0; i < 16; ++i) out[static_cast<std::size_t>(i)] = "0123456789abcdef"[(state_ >> (60 - 4 * i)) & 15U];
    return out;
  }

 private:
  std::uint64_t state_ = 14695981039346656037ULL;
};

}  // namespace hannan::detail
