// Decisions that a client plays for many rounds, throwing the coin of each round itself (docs/partial.md, coin client).
//
// A decision has a choice and a share that never change. Its looks come one by one, in any order among decisions; the
// client closes it with the number of its rounds and of its looks, lost ones included. It *counts* when it is closed,
// all its looks have come, and every decision issued before it counts: an order that does not depend on coins. Until
// then it enters no sum that is published. One that can never be closed is dropped, and is counted as such.
//
// Cost: the outcomes of looks that wait are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hannan/game/game.hpp"

namespace hannan::detail {

// What a client says of one of its decisions.
struct ClientMessage {
  std::uint64_t decision = 0;  // its number, from 1
  enum class Kind { kLook, kLost, kClose, kDrop } kind = Kind::kLook;
  const AnyOutcome* outcome = nullptr;  // of kLook
  std::uint64_t rounds = 0, looks = 0;  // of kClose
};

class ClientDecisions {
 public:
  struct Decision {
    AnyAction choice;
    double share = 1;
    std::vector<std::optional<AnyOutcome>> looks;  // in the order of their coming; none: lost
    bool closed = false, dropped = false;
    std::uint64_t rounds = 0, expected = 0;  // of a closed one: rounds, and looks among them
  };
  static constexpr std::uint64_t kMostRounds = 1'000'000'000;  // of a decision
  static constexpr std::size_t kMostWaiting = 100'000;         // decisions: bounds the memory

  // The next decision, which is the current one from now on.
  void issue(AnyAction choice, double share);
  std::uint64_t current() const { return counted_ + waiting_.size(); }  // its number; 0: none was issued
  const Decision& now() const { return waiting_.back(); }
  enum class Standing { kNeverMade, kOpen, kClosed, kCounts };
  Standing standing(std::uint64_t number) const;
  // Throws kOutOfRange, and changes nothing, for counts that contradict each other, for a decision that is closed
  // twice, and for one that was never made or counts already.
  void take(const ClientMessage& message);
  void check(const ClientMessage& message) const;  // throws what take would
  // The first decision that does not count yet, where it counts now; take it off with count().
  const Decision* complete() const;
  void count();

  std::uint64_t waiting() const;  // closed ones that do not count yet
  std::uint64_t first_waiting() const { return counted_ + 1; }
  std::uint64_t counted() const { return counted_; }  // dropped ones among them
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t messages() const { return messages_; }

  void archive(Archive& a, const Game& game);

 private:
  std::deque<Decision> waiting_;  // those that do not count, the current one last
  std::uint64_t counted_ = 0;     // decisions, dropped ones among them
  std::uint64_t dropped_ = 0, messages_ = 0;
};

}  // namespace hannan::detail
