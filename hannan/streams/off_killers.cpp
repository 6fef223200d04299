// The streams of off_killers.hpp against `off`. Those of ShadowStream run `off` itself on two experts, without its
// noise: the switches depend on losses alone, so the sequence is fixed and is extended as far as it is asked for. Cost:
// O(1) amortised a round, one byte of memory a round.
#include "hannan/streams/off_killers.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

#include "hannan/core/elementary.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

// The printed Theorem 1 at K = 2, N = 1, gamma = c = 1.
double printed_bound(double best) {
  const double lead = 8 * std::numbers::sqrt2 * std::numbers::ln2;
  const double root = std::sqrt(best + 1);
  return (lead + 4) * root + 8 * portable_log(root + 1) + 2 + lead;
}

// Against feed "next", by the cycles of the header.
class FeedKillerStream final : public LossStream {
 public:
  explicit FeedKillerStream(std::uint64_t rounds) : rounds_(rounds) {}
  std::size_t experts() const override { return 2; }
  std::uint64_t rounds() const override { return rounds_; }

  bool random() const override { return false; }
  void losses(std::uint64_t round, std::span<double> out) override {
    assert(round >= 1 && round <= rounds_ && out.size() == 2);
    // Rounds in order: `alternating` of them, one that pushes the regret kPush above B(0), two of (0, 1), and from then
    // on cycles of three. `step` counts from 0 after those, so it is not negative here.
    // The leader's regret is n after 2n-1 alternating rounds.
    const double start = std::floor(printed_bound(0));
    const std::uint64_t alternating = 2 * static_cast<std::uint64_t>(start) - 1;
    if (round <= alternating) return set(out, round % 2 == 1 ? 1 : 0, round % 2 == 1 ? 0 : 1);
    if (round == alternating + 1) return set(out, 1 - (printed_bound(0) - start + kPush), 0);
    if (round <= alternating + 3) return set(out, 0, 1);
    const std::uint64_t step = round - alternating - 4;
    const double cycle = static_cast<double>(step / 3);
    if (step % 3 == 0) return set(out, 1, kLeft);
    if (step % 3 == 2) return set(out, 0, 1);
    set(out, 1 - (printed_bound(kLeft * (cycle + 1)) - printed_bound(kLeft * cycle)), 0);
  }

 private:
  static constexpr double kPush = 0.001;  // how far the leader's regret is kept above the bound
  static constexpr double kLeft = 0.05;   // what L* of gftpl's own rounds grows by each cycle

  static void set(std::span<double> out, double first, double second) {
    out[0] = first;
    out[1] = second;
  }

  std::uint64_t rounds_;
};

// What `off` believes of its gftpl part, for M = 1/2 and gamma = c = 1. It never falls.
class PrintedEstimate {
 public:
  double value() const { return value_; }
  void played(double best) { value_ = std::max(value_, printed_bound(best)); }

 private:
  double value_ = printed_bound(0);
};

// The trajectory bound: with z_t = sqrt(L*_{t-1} + 1) and g_t = e^(1/z_t) - 1 the sum of g_t (growth of L* + M growth
// of z), and M (g_1 z_1 + z_t).
class TrajectoryEstimate {
 public:
  double value() const { return value_; }
  void played(double best) {
    const double z = std::sqrt(best_ + 1), growth = portable_exp(1 / z) - 1;
    if (value_ == 0) spread_ = kSize * growth * z;
    spread_ += growth * (best - best_ + kSize * (std::sqrt(best + 1) - z));
    best_ = best;
    value_ = spread_ + kSize * z;
  }

 private:
  static constexpr double kSize = 0.5;
  double value_ = 0;
  double spread_ = 0;
  double best_ = 0;
};

// Plays `off` against itself and writes down what hurts it.
enum class Aim { kBranch, kPart };

template <class Estimate>
class OffShadow {
 public:
  explicit OffShadow(Aim aim) : aim_(aim) {}

  // The next round: which experts lose, as bits.
  // Invariant: own_, regret_, estimate_ and part_ are those of `off` after the rounds so far. row has bit k where
  // expert k loses, 1 to 3.
  std::uint8_t next() {
    const std::uint8_t row = choose();
    auto& own = own_[part_];
    own[0] += row & 1;
    own[1] += row >> 1;
    const double best = static_cast<double>(std::min(own[0], own[1]));
    if (part_ == kLeader) {
      // The leader is hit in each of its rounds, so its loss is their number.
      regret_ = static_cast<double>(++leader_rounds_) - best;
      if (regret_ > estimate_.value() + tie_window(regret_)) part_ = kGftpl;
    } else {
      ++gftpl_rounds_;
      estimate_.played(best);
      if (estimate_.value() > regret_ + tie_window(regret_)) part_ = kLeader;
    }
    return row;
  }

 private:
  enum Part : std::size_t { kLeader = 0, kGftpl = 1 };

  // A loss on the part's own leader; against gftpl, where the branch is aimed at, both experts lose after three rounds.
  std::uint8_t choose() const {
    if (part_ == kGftpl && aim_ == Aim::kBranch) return gftpl_rounds_ < 3 ? 2 : 3;
    return own_[part_][0] <= own_[part_][1] ? 1 : 2;
  }

  Aim aim_;
  Part part_ = kLeader;
  std::array<std::array<std::uint64_t, 2>, 2> own_{};  // losses of the experts on each part's rounds
  std::uint64_t leader_rounds_ = 0;
  std::uint64_t gftpl_rounds_ = 0;
  double regret_ = 0;  // of the leader on its own rounds
  Estimate estimate_;  // for gftpl on its own rounds
};

template <class Estimate>
class ShadowStream final : public LossStream {
 public:
  ShadowStream(std::uint64_t rounds, Aim aim) : rounds_(rounds), shadow_(aim) {}
  std::size_t experts() const override { return 2; }
  std::uint64_t rounds() const override { return rounds_; }

  bool random() const override { return false; }
  void losses(std::uint64_t round, std::span<double> out) override {
    assert(round >= 1 && round <= rounds_ && out.size() == 2);
    while (rows_.size() < round) rows_.push_back(shadow_.next());
    const std::uint8_t row = rows_[round - 1];
    out[0] = row & 1;
    out[1] = row >> 1;
  }

 private:
  std::uint64_t rounds_;
  OffShadow<Estimate> shadow_;
  std::vector<std::uint8_t> rows_;
};

// Expert 0, then 0, 1, 0, 1, ...
class AlternatingStream final : public LossStream {
 public:
  explicit AlternatingStream(std::uint64_t rounds) : rounds_(rounds) {}
  std::size_t experts() const override { return 2; }
  std::uint64_t rounds() const override { return rounds_; }
  bool random() const override { return false; }

  void losses(std::uint64_t round, std::span<double> out) override {
    assert(round >= 1 && round <= rounds_ && out.size() == 2);
    const bool first = round == 1 || round % 2 == 0;
    out[0] = first ? 1 : 0;
    out[1] = first ? 0 : 1;
  }

 private:
  std::uint64_t rounds_;
};

}  // namespace

std::unique_ptr<LossStream> make_feed_killer_stream(const StreamSpec& spec) {
  return std::make_unique<FeedKillerStream>(spec.rounds);
}

std::unique_ptr<LossStream> make_branch_killer_stream(const StreamSpec& spec) {
  return std::make_unique<ShadowStream<PrintedEstimate>>(spec.rounds, Aim::kBranch);
}

std::unique_ptr<LossStream> make_aimed_stream(const StreamSpec& spec) {
  return std::make_unique<ShadowStream<PrintedEstimate>>(spec.rounds, Aim::kPart);
}

std::unique_ptr<LossStream> make_aimed_trajectory_stream(const StreamSpec& spec) {
  return std::make_unique<ShadowStream<TrajectoryEstimate>>(spec.rounds, Aim::kPart);
}

std::unique_ptr<LossStream> make_aimed_regret_stream(const StreamSpec& spec) {
  return std::make_unique<AlternatingStream>(spec.rounds);
}

}  // namespace hannan::detail
