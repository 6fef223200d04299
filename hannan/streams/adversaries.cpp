// The adversaries of adversaries.hpp. HittingStream keeps the protocol: losses(t) is asked before saw(t), the target of
// round t is known before the action of round t, so the adversary uses earlier actions alone. Each derived class says
// whom to hit next. State is O(1); a stream of this kind cannot be resumed in the middle and cannot have segments.
#include "hannan/streams/adversaries.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "hannan/noise/laplace.hpp"

namespace hannan::detail {
namespace {

// A unit loss on one expert, decided before the round and after all earlier actions are known.
class HittingStream : public LossStream {
 public:
  HittingStream(std::size_t experts, std::uint64_t rounds) : experts_(experts), rounds_(rounds) {}
  std::size_t experts() const final { return experts_; }
  std::uint64_t rounds() const final { return rounds_; }
  bool adaptive() const final { return true; }

  void losses(std::uint64_t round, std::span<double> out) final {
    assert(round == told_ + 1 && round <= rounds_ && out.size() == experts_);
    static_cast<void>(round);
    std::ranges::fill(out, 0.0);
    out[target_] = 1;
  }

  void saw(std::uint64_t round, std::size_t action) final {
    assert(round == told_ + 1 && action < experts_);
    told_ = round;
    target_ = target_after(target_, action);
  }

 protected:
  // Whom to hit next; `hit` was hit in the round that the learner played `action`.
  virtual std::size_t target_after(std::size_t hit, std::size_t action) = 0;

 private:
  std::size_t experts_;
  std::uint64_t rounds_;
  std::uint64_t told_ = 0;  // rounds whose action is known
  std::size_t target_ = 0;
};

class AdaptiveStream final : public HittingStream {
 public:
  using HittingStream::HittingStream;

 private:
  std::size_t target_after(std::size_t, std::size_t action) override { return action; }
};

class InferStream final : public HittingStream {
 public:
  explicit InferStream(std::uint64_t rounds) : HittingStream(2, rounds) {}

 private:
  // alpha at which the learner is indifferent: below it plays 1, from it on 0.
  // In units of z, from the losses before the round: gftpl with c = gamma = 1 has z = max{1, sqrt(L* + 1)} = sqrt(L* +
  // 1).
  double threshold() const {
    const double scale = std::sqrt(static_cast<double>(std::min(total_[0], total_[1])) + 1);
    return (static_cast<double>(total_[0]) - static_cast<double>(total_[1])) / scale;
  }

  // First what the round taught, by the totals that the learner decided on, then the totals after it, for the next one.
  // The action that the larger part of the law of alpha, within the interval, would play is hit: P[alpha < at] against
  // P[alpha >= at].
  std::size_t target_after(std::size_t hit, std::size_t action) override {
    learn(action, threshold());
    ++total_[hit];
    const double at = threshold();
    if (at <= low_) return 0;
    if (at >= high_) return 1;
    return laplace_mass(low_, at) > laplace_mass(at, high_) ? 1 : 0;
  }

  void learn(std::size_t action, double at) {
    const double low = action == 1 ? -kInfinity : at;
    const double high = action == 1 ? at : kInfinity;
    low_ = std::max(low_, low);
    high_ = std::min(high_, high);
    if (low_ < high_) return;
    // No single alpha explains all actions: not a one-draw learner, or a tie decided by rounding.
    low_ = low;
    high_ = high;
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::array<std::uint64_t, 2> total_{};
  double low_ = -kInfinity;  // low_ <= alpha < high_
  double high_ = kInfinity;
};

}  // namespace

std::unique_ptr<LossStream> make_adaptive_stream(const StreamSpec& spec) {
  return std::make_unique<AdaptiveStream>(spec.experts, spec.rounds);
}

std::unique_ptr<LossStream> make_infer_stream(const StreamSpec& spec) {
  return std::make_unique<InferStream>(spec.rounds);
}

}  // namespace hannan::detail
