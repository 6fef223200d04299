// Hit i is in round r_i = floor(i (T-1)/(n-1)) + 1, increasing in i as n <= T. Whether round t has one: the least i
// with i (T-1)/(n-1) >= t - 1 is ceil((t-1)(n-1)/(T-1)) <= n - 1; it is a hit of this round exactly if its floor is t -
// 1. O(1) a round beside the row itself, no state.
#include "hannan/streams/ordered_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// The passes may be any number of 64 bits: times at most 2^30 experts and 10 hits that is below 2^98.
__extension__ typedef unsigned __int128 Uint128;

constexpr std::uint64_t kHitsEach = 10;

class EliminationStream final : public LossStream {
 public:
  EliminationStream(const StreamSpec& spec, std::uint64_t count)
      : experts_(spec.experts), rounds_(spec.rounds), count_(count) {}
  std::size_t experts() const override { return experts_; }
  std::uint64_t rounds() const override { return rounds_; }

  bool random() const override { return false; }
  void losses(std::uint64_t round, std::span<double> out) override {
    assert(round >= 1 && round <= rounds_ && out.size() == experts_);
    std::ranges::fill(out, 0.0);
    if (count_ == 0) return;
    // The first hit not before this round; count >= 10 and T >= count, so no division by zero.
    const Uint128 steps = count_ - 1;
    const Uint128 span = rounds_ - 1;
    const Uint128 i = ((round - 1) * steps + span - 1) / span;
    if (i * span / steps == round - 1) out[static_cast<std::size_t>(i / kHitsEach % experts_)] = 1;
  }

 private:
  std::uint64_t experts_;
  std::uint64_t rounds_;
  std::uint64_t count_;  // a multiple of 10, at most rounds_
};

class KillerStream final : public LossStream {
 public:
  explicit KillerStream(std::uint64_t rounds) : rounds_(rounds) {}
  std::size_t experts() const override { return 2; }
  std::uint64_t rounds() const override { return rounds_; }

  bool random() const override { return false; }
  void losses(std::uint64_t round, std::span<double> out) override {
    assert(round >= 1 && round <= rounds_ && out.size() == 2);
    const bool even = round % 2 == 0;
    out[0] = round == 1 ? 0.5 : (even ? 0 : 1);
    out[1] = even;
  }

 private:
  std::uint64_t rounds_;
};

}  // namespace

std::unique_ptr<LossStream> make_elimination_stream(const StreamSpec& spec) {
  const Uint128 count = (static_cast<Uint128>(spec.hits) * spec.experts + spec.experts - 1) * kHitsEach;
  if (count > spec.rounds)
    throw Error(Code::kOutOfRange,
                fmt::format("hits: found {} passes over {} experts in {} rounds, expected 10 (K p + K - 1) "
                            "to be at most the rounds",
                            spec.hits, spec.experts, spec.rounds),
                "stream.hits");
  return std::make_unique<EliminationStream>(spec, static_cast<std::uint64_t>(count));
}

std::unique_ptr<LossStream> make_killer_stream(const StreamSpec& spec) {
  return std::make_unique<KillerStream>(spec.rounds);
}

}  // namespace hannan::detail
