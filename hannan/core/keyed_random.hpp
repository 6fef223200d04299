// Keyed, counter-based randomness: a draw is a pure function of (seed, run, purpose, round, column).
//
// There is no state to advance, so the order of draws, the number of threads and the draws of other
// parts of the program change nothing. The bits are Philox4x32-10 (Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", 2011), a bijection of 128-bit counters for each 64-bit key:
//
//   key      mix(mix(seed) + run), mix a bijection of 64-bit words. One-to-one in run for a fixed
//            seed and in seed for a fixed run; two pairs that differ in both collide with chance 2^-64.
//   counter  low word   column / 2 (40 bits) | attempt (24 bits)
//            high word  round      (56 bits) | purpose  (8 bits)
//            One-to-one, so under one key two different draws never share bits.
//
// A block of four 32-bit lanes serves two columns: lanes 0 and 1 the even one, 2 and 3 the odd one,
// low lane first. `attempt` is the sub-counter of methods that reject and try again.
// Cost: one Philox block (about 6 ns) per single draw, half a block per filled column. A KeyedRandom does not change:
// any number of threads may draw from it. Nothing throws.
#pragma once

#include <cstdint>
#include <span>

namespace hannan {

// What all draws of a run share.
struct Key {
  std::uint64_t seed = 0;
  std::uint64_t run = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

// What a draw is for. Values are part of every recorded result: append, never renumber.
enum class Purpose : std::uint8_t {
  kNoise = 0,       // the learner's perturbation
  kMonteCarlo = 1,  // estimates of a learner's own expected regret
  kMixture = 2,     // picking an action from a distribution
  kAdversary = 3,   // an adversary's coins
  kStream = 4,      // generated outcomes
  kNoiseSize = 5,   // estimates of E max <row, alpha>
  kTest = 6,        // random instances in tests
  kCredit = 7,      // estimates of the credit of the noise in use
  kLook = 8,        // the coin that decides whether a round is seen in full
  kResample = 9,    // choices drawn again, for how likely an element was to be seen
  kGhost = 10,      // a choice that nothing was learned from, for what the noise costs
  kPortfolio = 11,  // picking a strategy
};

// A uniform number in the open interval (0,1) from the top 52 bits: (b + 1/2) * 2^-52.
// 52 and not 53, because b + 1/2 with 53-bit b is rounded, up to 1 itself for the largest b. Here
// every value and its complement 1 - u are exact, and -ln(u), -ln(1-u) are always finite.
constexpr double unit_from_bits(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

// The draws of one round for one purpose.
class KeyedRandom {
 public:
  // The largest arguments that the counter has bits for.
  static constexpr std::uint64_t kMaxColumn = (std::uint64_t{1} << 41) - 1;
  static constexpr std::uint32_t kMaxAttempt = (std::uint32_t{1} << 24) - 1;
  static constexpr std::uint64_t kMaxRound = (std::uint64_t{1} << 56) - 1;

  // Requires round <= kMaxRound.
  KeyedRandom(Key key, Purpose purpose, std::uint64_t round);

  // 64 random bits. Requires column <= kMaxColumn and attempt <= kMaxAttempt.
  std::uint64_t bits(std::uint64_t column, std::uint32_t attempt = 0) const;

  // unit_from_bits of the same bits.
  double uniform(std::uint64_t column, std::uint32_t attempt = 0) const;

  // out[j] = uniform(first_column + j), two columns per block.
  void fill_uniform(std::span<double> out, std::uint64_t first_column = 0) const;

  // A fair integer in {0, ..., n-1}: multiply and shift, rejecting the short interval that would be
  // counted once too often (Lemire 2019). Requires n > 0.
  std::uint64_t below(std::uint64_t column, std::uint64_t n) const;

 private:
  struct Block {
    std::uint64_t even;
    std::uint64_t odd;
  };
  Block block(std::uint64_t index, std::uint32_t attempt) const;

  std::uint64_t key_;
  std::uint64_t high_;  // the counter's high word: purpose and round
};

}  // namespace hannan
