// A learner of any problem behind virtual calls, which is given outcomes that its problem has read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/noise_size.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/draw.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/delayed_rounds.hpp"

namespace hannan::detail {

struct ObserveView {
  double loss = 0;
  double total = 0;
  std::optional<double> best;
  std::optional<double> regret;
  std::uint64_t oracle_calls = 0;
  bool switched = false;
  bool has_after = false;
  Stability stability;
  std::optional<Estimates> estimates;
  // Of a learner with a discount: a round of age i counts discount^i.
  struct Discounted {
    double total = 0;
    std::optional<double> best;
  };
  std::optional<Discounted> discounted;
  std::optional<double> gap;  // the mix gap of the round, where it is known
};

class ContextLearner;   // context_learner.hpp
class SleepingLearner;  // sleeping_learner.hpp

class AnyLearner {
 public:
  virtual ~AnyLearner() = default;
  virtual const Game& game() const = 0;  // what it plays
  virtual const std::string& kind() const = 0;
  virtual const Json& params() const = 0;      // every default filled in
  virtual bool adapts_multiplier() const = 0;  // act says multiplier, not eta
  virtual bool switches() const = 0;
  virtual bool certifies_run() const { return false; }  // observe says gap, run and limit
  virtual bool records_gap() const { return false; }    // a line of a record has the gap

  // For a learner whose outcomes come late: its rounds, each by its number. It refuses act, action and observe below,
  // which are for rounds in turn. Null for all others.
  virtual DelayedRounds* delayed_rounds() { return nullptr; }
  // For a learner that is told a context before each round: itself. It too refuses act, action and observe below.
  virtual ContextLearner* by_context() { return nullptr; }
  // For a learner of experts that sleep: itself. It is told who is awake before act.
  virtual SleepingLearner* sleeping() { return nullptr; }

  // Before the first round: both will be given the same outcomes, each after both have acted. Saves time where it can.
  virtual void share([[maybe_unused]] const AnyLearner& other) {}
  virtual std::uint64_t rounds() const = 0;  // played so far
  virtual ActView act() = 0;
  virtual Json action() = 0;  // of act
  // The same as whole numbers, written over `into`, without JSON: an index, or a vector. False where the actions of
  // the problem are neither.
  virtual bool action_row([[maybe_unused]] std::vector<std::int32_t>& into) { return false; }
  virtual ObserveView observe(const AnyOutcome& outcome) = 0;       // one that game() has read
  ObserveView observe(const Json& outcome, std::string_view path);  // reads it and observes it
  virtual Json after() = 0;                                         // x' of the last round, where has_after

  virtual RunFacts facts() = 0;  // for the certificate; looks for L* if need be
  // M with its interval, once it was computed, and the way to hand it to another learner of the same kind and problem:
  // it may cost thousands of searches.
  virtual std::optional<NoiseSize> known_noise_size() const { return std::nullopt; }
  virtual void take_noise_size(const NoiseSize&) {}
  // For the certificate `exact`: what the noise in use at the end is worth in the mean. Costs oracle calls.
  virtual std::optional<double> credit() { return std::nullopt; }
  virtual std::optional<StatedBound> bound();  // what may be called the bound now, if there is one
  // The certificates of the run so far, where they apply; looks for L* if need be.
  struct RunView {
    std::optional<double> run;
    std::optional<double> limit;
  };
  RunView run_view();
  virtual Json report();
  Json save();
  // Takes over the state that save() wrote, whose field "state" this is.
  void restore(const Json& state, std::string_view path);

 protected:
  // What a report says besides facts().
  struct ReportFacts {
    Json best_action;
    std::uint64_t certificate_calls = 0;  // made for the certificate alone
    std::string_view claims;              // of an oracle of the user's own
    bool perturbs = false;                // there is a matrix
    Freshness draw = Freshness::kFresh;
  };
  virtual ReportFacts report_facts() = 0;
  virtual void archive(Archive& a) = 0;
  Json snapshot();  // what archive() writes

 private:
  AnyOutcome outcome_;  // the buffer of observe(Json)
};

}  // namespace hannan::detail
