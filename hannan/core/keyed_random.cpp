// Philox behind keys and counters (keyed_random.hpp has the layout). All functions are pure; a draw costs one block.
#include "hannan/core/keyed_random.hpp"

#include <cassert>
#include <cstddef>

#include <Random123/philox.h>

namespace hannan {
namespace {

__extension__ typedef unsigned __int128 Uint128;

// Xor-shifts and odd multipliers are each invertible, hence a bijection. Multipliers: the finaliser of
// SplitMix64. mix(0) = 0, so the draw with everything zero is Philox's published zero vector.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 31;
  return x;
}

std::uint32_t low_half(std::uint64_t x) { return static_cast<std::uint32_t>(x & 0xffffffffu); }
std::uint32_t high_half(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
std::uint64_t join(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

}  // namespace

KeyedRandom::KeyedRandom(Key key, Purpose purpose, std::uint64_t round)
    : key_(mix(mix(key.seed) + key.run)), high_(round | std::uint64_t{static_cast<std::uint8_t>(purpose)} << 56) {
  assert(round <= kMaxRound);
}

KeyedRandom::Block KeyedRandom::block(std::uint64_t index, std::uint32_t attempt) const {
  assert(index <= kMaxColumn / 2 && attempt <= kMaxAttempt);
  const std::uint64_t low = index | std::uint64_t{attempt} << 40;
  const r123::Philox4x32::ctr_type counter = {{low_half(low), high_half(low), low_half(high_), high_half(high_)}};
  const r123::Philox4x32::key_type key = {{low_half(key_), high_half(key_)}};
  const r123::Philox4x32::ctr_type lane = r123::Philox4x32()(counter, key);
  return {join(lane[0], lane[1]), join(lane[2], lane[3])};
}

std::uint64_t KeyedRandom::bits(std::uint64_t column, std::uint32_t attempt) const {
  const Block pair = block(column / 2, attempt);
  return column % 2 == 0 ? pair.even : pair.odd;
}

double KeyedRandom::uniform(std::uint64_t column, std::uint32_t attempt) const {
  return unit_from_bits(bits(column, attempt));
}

void KeyedRandom::fill_uniform(std::span<double> out, std::uint64_t first_column) const {
  std::size_t j = 0;
  if (j < out.size() && first_column % 2 == 1) out[j++] = uniform(first_column);
  for (; j + 1 < out.size(); j += 2) {
    const Block pair = block((first_column + j) / 2, 0);
    out[j] = unit_from_bits(pair.even);
    out[j + 1] = unit_from_bits(pair.odd);
  }
  if (j < out.size()) out[j] = uniform(first_column + j);
}

std::uint64_t KeyedRandom::below(std::uint64_t column, std::uint64_t n) const {
  assert(n > 0);
  // 2^64 mod n low products are surplus; rejecting them leaves floor(2^64 / n) words for each value.
  const std::uint64_t surplus = (0 - n) % n;
  for (std::uint32_t attempt = 0;; ++attempt) {
    // The high word is the draw; the low word says whether it lies in the interval that is counted once too often. A
    // try fails with probability below n / 2^64, so kMaxAttempt is never reached in practice.
    const Uint128 product = static_cast<Uint128>(bits(column, attempt)) * n;
    if (static_cast<std::uint64_t>(product) >= surplus) return static_cast<std::uint64_t>(product >> 64);
  }
}

}  // namespace hannan
