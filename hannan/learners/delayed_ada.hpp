// `ada` where outcomes come late and in any order (docs/theory-run.md, outcomes that come late).
//
//   x_t   = argmin of everything that has arrived + z_t * noise_t
//   x'_s  = argmin of rounds 1..s + z_s * noise_s, asked for when round s is settled
//   gap_s = the mix gap of the round if no earlier outcome was missing when it was played, otherwise
//           max(0, f(x_s,y_s) - f(x'_s,y_s))
//   S     = sum of the gaps of the settled rounds,   z_t = S / M.
//
// A round is settled once its outcome and all earlier ones have arrived, in the order of rounds. Mean regret at most
// S + M z, z the multiplier of the last round (docs/theory-run.md, measured). Where every outcome comes before the next
// round is played this is Ada with the rule mix, bit for bit.
//
// Two summaries are kept, of all that arrived and of the settled rounds; besides them each open round (played, not
// settled) has its decision and, once it is there, its outcome. Two oracle calls a round, the second one when it is
// settled: the cost of a round does not grow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

class DelayedAda {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
    double noise_size;  // M; 0 where there is nothing to perturb
  };
  struct SettledRound {
    AnyAction after;  // x'
    double loss = 0;
    double gap = 0;
  };
  struct Arrival {
    double loss = 0;                       // of the round whose outcome came
    std::span<const SettledRound> rounds;  // that it settled, in order; valid until the next outcome
  };
  // Over the rounds played so far: how many earlier outcomes had not arrived, how many earlier rounds were not settled.
  struct Delays {
    std::uint64_t missing_most = 0;
    std::uint64_t missing_total = 0;
    std::uint64_t open_most = 0;
  };
  // Bounds the memory: an outcome that never comes would hold back all later ones.
  static constexpr std::uint64_t kMostOpen = 1'000'000;

  explicit DelayedAda(Parts parts)
      : problem_(std::move(parts.problem)),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        arrived_(parts.oracle),
        prefix_(parts.oracle) {}

  // The next round, which this opens, or an open one again. Throws kOutOfRange for any other; one that throws leaves
  // everything as it was. The decision is valid until the round is settled.
  const Decision& act(std::uint64_t round);

  // The outcome of a round that was played. Throws kOutOfRange if it was not, or has its outcome.
  Arrival observe(std::uint64_t round, const AnyOutcome& y);
  // Throws what observe would throw.
  void expect_outcome(std::uint64_t round) const;

  std::uint64_t played() const { return settled() + open_.size(); }
  std::uint64_t settled() const { return prefix_.rounds(); }
  const SeenOutcomes& prefix() const { return prefix_; }  // the settled rounds
  const Game& problem() const { return *problem_; }
  double total() const { return total_.value(); }                    // loss of the settled rounds
  double stability() const { return stability_; }                    // S
  double settled_multiplier() const { return settled_multiplier_; }  // of the last settled round
  const Delays& delays() const { return delays_; }
  std::uint64_t oracle_calls() const { return calls_; }
  std::uint64_t search_nodes() const { return nodes_; }
  double oracle_gap() const { return gap_; }  // what all calls left unproven
  double left() const { return left_; }       // what the calls for x' left unproven

  void archive(Archive& a);

 private:
  struct OpenRound {
    Decision decision;
    std::uint64_t missing = 0;  // earlier outcomes when it was played
    bool arrived = false;
    AnyOutcome outcome;  // once it has arrived
  };

  double multiplier() const { return noise_size_ > 0 ? stability_ / noise_size_ : 0.0; }

  void play(std::uint64_t round);

  // The first open round, whose outcome is there.
  void settle();

  void count(const GameAnswer& answer) {
    calls_ += answer.calls;
    nodes_ += answer.nodes;
    gap_ += answer.unproven();
  }

  void archive_open(Archive& a);

  // Gaps and losses are in [0,1].
  void check_sums(Archive& a) const;
  void check_counts(Archive& a) const;

  // Outcomes are saved as the text of their JSON, which every problem can read.
  void archive_outcome(Archive& a, AnyOutcome& y) const;
  [[noreturn]] static void refuse(std::uint64_t round, const std::string& expected) {
    throw Error(Code::kOutOfRange, "found round " + std::to_string(round) + ", expected " + expected, "round");
  }

  std::shared_ptr<const Game> problem_;
  Perturber perturber_;
  double noise_size_;
  SeenOutcomes arrived_;
  SeenOutcomes prefix_;
  std::deque<OpenRound> open_;        // settled() + 1, ..., played()
  std::vector<SettledRound> rounds_;  // by the last outcome
  double stability_ = 0;
  double settled_multiplier_ = 0;
  double left_ = 0;
  double gap_ = 0;
  CarriedSum total_;
  Delays delays_;
  std::uint64_t calls_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace hannan::detail
