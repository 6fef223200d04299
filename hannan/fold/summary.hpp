// Outcomes of a problem, summed exactly: parts of a log are summed anywhere, added up, and searched once.
//
// summary(a and b) = summary(a) + summary(b) to the bit, in any order, on any machine: the unit of map and reduce. Its
// size does not grow with the outcomes where the oracle's history does not (tables, curves); where that is a list of
// distinct outcomes (branch and bound) it is their number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hannan/fold/exact_sums.hpp"
#include "hannan/fold/history_sums.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/best_answer.hpp"

namespace hannan::detail {

inline constexpr Code kPartMissing{411};  // docs/errors.md
inline constexpr Code kPartTwice{412};
inline constexpr Code kPartDamaged{413};
inline constexpr Code kOtherSums{414};

class Summary {
 public:
  // `oracle`: by whose history outcomes are summed, one of the problem's own; empty: its first; "outcomes": as a list
  // of distinct ones (outcome_list.hpp). Throws kUnavailable for an oracle from outside, whose history is what it says.
  Summary(std::shared_ptr<const AnyProblem> problem, const std::string& oracle);

  const AnyProblem& problem() const { return *problem_; }
  const std::shared_ptr<const AnyProblem>& shared_problem() const { return problem_; }
  const std::string& oracle() const { return oracle_->name(); }
  std::uint64_t rounds() const { return rounds_; }
  std::size_t numbers() const { return sums_.numbers(); }
  std::size_t keys() const { return sums_.keys(); }
  // None of the same problem, so that nothing has to be read again.
  Summary nothing() const { return Summary(problem_, oracle()); }

  // Throws kUnavailable for a negative weight that the oracle does not take, kOutOfRange for one with which the
  // absolute weights add up to too much; so does adding a summary.
  void add(const AnyOutcome& y, double weight);
  // Throws kOtherSums at `path` where the other is of another problem or oracle.
  void add(const Summary& other, const std::string& path);

  // {problem, params, oracle, rounds, range, weights, numbers, lists}: the same bytes for the same outcomes. weights is
  // the sum of the absolute weights, as [sum]; it is left out where it is the number of rounds.
  Json json() const;
  // Throws kPartDamaged at `path`.
  static Summary read(const Json& json, const std::string& path);

  // What AnyProblem::best answers for all of the outcomes. `oracle` may give another work limit.
  Json best(std::uint64_t keep, const std::string& oracle) const;
  // The distinct outcomes, where they are kept ("outcomes"); kUnavailable where they are not.
  Json outcomes() const;
  // The history itself, in losses.
  std::unique_ptr<GameHistory> history() const { return sums_.history("sums"); }

 private:
  std::shared_ptr<const AnyProblem> problem_;
  std::shared_ptr<const GameOracle> oracle_;
  HistorySums sums_;
  ExactSums weights_{1};  // one sum, of absolute weights
  std::uint64_t rounds_ = 0;
  SeenRange range_;
};

}  // namespace hannan::detail
