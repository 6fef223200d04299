// Streams of losses for experts: who generates the rounds of a game, by name.
//
//   iid           one expert Bernoulli(best), all others Bernoulli(others)
//   small-loss    one expert loses in exactly `hits` rounds, the others at rates in [0.05, 0.5]
//   drift         the good expert changes smoothly, one crossfade every `period` rounds
//   elimination   unit losses, one expert after another; the last one is spared a pass
//   killer        alternates against follow the leader
//   feed-killer   breaks `off` with the printed feeding line          (docs/errata.md)
//   branch-killer breaks the printed leader branch of the OFF theorem (docs/errata.md)
//   aimed*        hits the leader of whichever part of `off` is in charge, for three of its estimators
//   adaptive      hits what the learner played last
//   infer         learns a one-draw learner's noise from its actions, then hits what it will play
//   threshold-*   labelled points on a line, the experts being thresholds   (threshold_streams.hpp)
//
// All losses are in [0,1]; experts count from 0, rounds from 1. A stream is a function of its spec:
// randomness comes from Purpose::kStream under spec.key, round 0 serving what is drawn once. Streams
// that are not adaptive give any round without the ones before it. Cost: O(K) a round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {

// The parameter of a stream that says how many actions its rows are of; no problem is meant.
inline constexpr const char* kStreamActions = "experts";

// Every field has a default; which ones a stream reads is in its description (loss_streams()).
struct StreamSpec {
  std::string name = "iid";
  std::uint64_t experts = 64;    // K, 1 .. 2^30; the two-expert streams do not read it
  std::uint64_t rounds = 10000;  // T, 1 .. 2^40
  Key key = {};
  double best = 0.4;            // iid, drift: mean of the best expert
  double others = 0.5;          // iid, drift: mean of the others, at least `best`
  std::uint64_t hits = 10;      // small-loss: L* of the best expert; elimination: passes p, L* = 10 p
  std::uint64_t period = 1000;  // drift: rounds from one good expert to the next, at least 1
};

class LossStream {
 public:
  virtual ~LossStream() = default;
  virtual std::size_t experts() const = 0;
  virtual std::uint64_t rounds() const = 0;

  // The losses of a round, 1 <= round <= rounds(); out has experts() places. An adaptive stream must
  // have been told the actions of all rounds before, and answers for the next round only.
  virtual void losses(std::uint64_t round, std::span<double> out) = 0;

  // The action of the round just played; only adaptive streams listen.
  virtual void saw([[maybe_unused]] std::uint64_t round, [[maybe_unused]] std::size_t action) {}
  virtual bool adaptive() const { return false; }
  virtual bool random() const { return true; }  // false: the same losses under every key
};

// Throws kUnknownName or kOutOfRange, at "stream.<field>".
std::unique_ptr<LossStream> make_loss_stream(const StreamSpec& spec);

struct StreamFact {
  std::string_view name;
  std::string_view about;  // one sentence, with the fields it reads
};

// All streams, for help texts.
std::span<const StreamFact> loss_streams();

}  // namespace hannan::detail
