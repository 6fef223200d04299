// The turn of a learner that is not told every outcome (docs/partial.md): it acts, and is told what was seen.
//
//   LooksLearner     a coin decides which rounds are seen in full; of the others nothing is seen
//   ElementsLearner  of every round the losses of the elements of the own action are seen
//
// Regret and L* are not seen and are never stated: they are null. What is stated are counts, sums of what was seen,
// estimates called so, and limits that hold with a stated certainty.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "hannan/io/fields.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/client_decisions.hpp"

namespace hannan::detail {

class PartLearner : public AnyLearner {
 public:
  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  // What to play. Asked again it answers the same.
  virtual const Round& act() = 0;

  // What came of the round.
  struct Seen {
    const AnyOutcome* outcome = nullptr;  // of a look; null: none was seen
    bool lost = false;                    // it was a look, and its outcome is gone
    std::optional<double> raw;            // what the client got; booked and never learned from
    // Where coins come from a log: those of this round, or of so many without a look.
    double share = 1;
    bool look = false;
    std::uint64_t rounds = 1;
    // The losses of the elements of the action, in its order.
    std::optional<std::span<const double>> parts;
    // Where the client throws the coins: what it says of one of its decisions, and nothing else of these.
    std::optional<ClientMessage> message;
  };
  // Throws kBadOutcome where that is not what the turn shows, and then nothing changes.
  virtual const Round& observe(const Seen& seen) = 0;
  // Throws what observe would throw of it now, and changes nothing.
  virtual void check_seen(const Seen& seen) = 0;
  // From the fields of a client's message, all of which it reads. Valid until the next one is read.
  virtual Seen read_seen(Fields& in) = 0;
  // What a round shows of an outcome that is known in full, as in a replay. Valid until the next one.
  virtual Seen shown(const AnyOutcome& y) = 0;
  // The coins come from elsewhere, a log or a client: no round can be played without what that says of it.
  virtual bool coins_from_elsewhere() const { return false; }
  // The decision that act() gives, by its number, and what was told so far: a round each, unless a client throws the
  // coins, whose decisions serve many rounds and take many messages.
  virtual std::uint64_t decision() const { return rounds() + 1; }
  virtual std::uint64_t messages() const { return rounds(); }
  // Of such a client.
  virtual const ClientDecisions* decisions() const { return nullptr; }
  // What its last message made of the learner inside, for its log (docs/record.md); null: coins are not a client's.
  virtual const Json* steps() const { return nullptr; }

  // What may be said of the regret so far, in losses of the problem: the estimate whose mean bounds the mean regret,
  // and the limit. May cost an oracle call.
  virtual RunView said_of_regret() = 0;
  // Of what was seen alone: nothing that rests on L*.
  std::optional<StatedBound> bound() override { return std::nullopt; }
  void check_rehearsal(std::string_view path) const override;  // never: a rehearsal sees everything

 protected:
  using AnyLearner::AnyLearner;
  // A statement of a certificate, whose truth in this run is not seen.
  static Json stated(std::string_view name, const std::optional<double>& value, std::string_view says);
};

// The learner that the parameters ask for.
struct LearnerParams;
std::unique_ptr<PartLearner> part_learner(std::shared_ptr<const Game> game, LearnerParams params);

}  // namespace hannan::detail
