// SHA-256 (FIPS 180-4): the digest by which a record names the bytes of its data file. Unlike core/digest.hpp it cannot
// be met by other bytes on purpose.
//
// One pass, 64 bytes at a time; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hannan::detail {

class Sha256 {
 public:
  void add(std::string_view bytes);
  // Of all bytes so far, 64 small hexadecimal digits; more may be added after it.
  std::string hex() const;

 private:
  void take_block(const unsigned char* block);

  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> held_{};  // the first size_ mod 64 of them are not yet in the state
  std::uint64_t size_ = 0;                // bytes so far
};

}  // namespace hannan::detail
