// Building and reading a walk. starts_[k] is where hypothesis k's flips begin in flips_, which end where the next one's
// begin; kept_ is what the last hypothesis says and now_ what the present classifier says, so a point flipped twice
// since costs nothing. Cost: O(flips since the last stop) for stop, O(all flips) for values.
#include "hannan/problems/classification/hypothesis_walk.hpp"

#include <cassert>
#include <cmath>

#include "hannan/core/interruption.hpp"

namespace hannan::detail {

namespace {

// A bijection of 64-bit words with good avalanche (the finaliser of SplitMix64).
std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr std::size_t kHypothesesBetweenPoints = 4096;  // where the walk can be left

}  // namespace

void SetPrint::flip(std::size_t point) {
  low ^= mix(2 * point);
  high ^= mix(2 * point + 1);
}

HypothesisWalk::HypothesisWalk(std::size_t points, Equals equals)
    : equals_(equals), now_(points, 0), kept_(points, 0) {}

void HypothesisWalk::flip(std::size_t point) {
  now_[point] ^= 1;
  print_.flip(point);
  touched_.push_back(static_cast<std::uint32_t>(point));
}

// The classifier at hand becomes a hypothesis, unless an equal one is there: then its flips wait for the next one.
bool HypothesisWalk::stop() {
  if (equals_ == Equals::kMerged && !index_.emplace(print_, static_cast<std::uint32_t>(starts_.size())).second)
    return false;
  starts_.push_back(flips_.size());
  for (const auto point : touched_) {
    if (kept_[point] == now_[point]) continue;
    kept_[point] = now_[point];
    flips_.push_back(point);
  }
  touched_.clear();
  return true;
}

// What only building needs is given back.
void HypothesisWalk::finish() {
  kept_ = {};
  touched_ = {};
  flips_.shrink_to_fit();
  starts_.shrink_to_fit();
}

std::optional<std::uint64_t> HypothesisWalk::find(const SetPrint& print) const {
  assert(equals_ == Equals::kMerged);
  const auto found = index_.find(print);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

void HypothesisWalk::values(const Errors& errors, std::span<double> out) const {
  std::vector<char> says(now_.size(), 0);
  double sum = errors.constant, lost = 0;  // the true sum is sum + lost
  for (std::size_t k = 0; k < starts_.size(); ++k) {
    if (k % kHypothesesBetweenPoints == 0) interruption_point();
    const std::size_t end = k + 1 < starts_.size() ? starts_[k + 1] : flips_.size();
    for (std::size_t f = starts_[k]; f < end; ++f) {
      const auto point = flips_[f];
      const double change = says[point] ? -errors.gain[point] : errors.gain[point];
      says[point] ^= 1;
      // Neumaier's step: what the addition lost, exactly, whichever term is the larger.
      const double next = sum + change;
      lost += std::abs(sum) >= std::abs(change) ? (sum - next) + change : (change - next) + sum;
      sum = next;
    }
    out[k] = sum + lost;
  }
}

}  // namespace hannan::detail
