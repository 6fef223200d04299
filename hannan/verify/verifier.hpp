// Checks the record of a run (docs/record.md) by computing everything in it again.
//
// It reads the file a line at a time and keeps its own totals: the loss of every action where
// they can be listed, otherwise the outcomes themselves. From those it re-derives each round's loss,
// learning rate or noise multiplier, L*, stability, estimates and switch; at the end the totals, the
// count of oracle calls and every bound of the certificate, and which bounds there must be. It shares
// no code with the learners, their schedules or their ledger; a problem is asked only what an action
// loses against an outcome, what its perturbations claim, and for the best action on a data set.
//
// The noise is drawn again (noise_draws.hpp) and every choice held against all actions while actions times rounds are
// at most VerifyLimits::work, whatever oracle the run had; beyond that, and where actions cannot be listed, against
// what a new search finds, every round while VerifyLimits::search_work lasts and then the rounds 1, 2, 4, 8, ... What
// could not be held against anything, or only against a search that did not prove its answer, or differs from the best
// as an inexact oracle may leave it, is on trust, and said to be (standing.hpp). Cost: O(K) a round and O(K) memory for
// listed actions; otherwise up to four searches a round within the limit, and the memory of the distinct outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/verify/record_lines.hpp"

namespace hannan::detail {

// How much is looked at action by action.
struct VerifyLimits {
  std::uint64_t always = 20'000;    // so many actions are looked at however many rounds there are
  std::uint64_t most = 10'000'000;  // more actions than these are never listed
  double work = 1e10;               // in between: actions times rounds
  double search_work = 1e8;         // of searches where actions are not listed, as search_budget.hpp counts it
};

struct Verification {
  std::uint64_t rounds = 0;
  std::string in_part;  // for people: what of the rounds was seen, where not all was: then the five below say nothing
  double total = 0;
  double best = 0;    // L*: added up where actions are listed, otherwise the least that was found
  double floor = 0;   // no action lost less; below `best` where that is not proven
  double regret = 0;  // against `best`
  // For people: what was derived again; what was not, and rests on trust; what is only counted or named, such as the
  // work of searches, and claims nothing.
  std::vector<std::string> checked, trusted, recorded;
  bool choices_on_trust = false;
  std::string data;  // for people: the file that the outcomes came from, as the record names it; empty: none
  // The bound on the regret of the first t rounds, at no more than 1024 rounds t where L* is known, and what it holds
  // for: every path, every round at once with the stated certainty, or the mean. What only the end of a record tells
  // (the leader's own regret, what an oracle fell short) is taken from there: neither shrinks as rounds go by, so what
  // is said of earlier rounds holds.
  std::vector<std::pair<std::uint64_t, double>> bound_path;
  enum class BoundOf { kPath, kLimit, kMean } bound_of = BoundOf::kMean;
};

// "verifies", or, where something is on trust, "is consistent, choices on trust" or "is consistent, in part on trust".
std::string verdict_of(const Verification& found);

// Takes a record line by line, for whoever reads it anyway.
class RecordVerifier {
 public:
  explicit RecordVerifier(const std::string& name, const VerifyLimits& limits = {});
  ~RecordVerifier();

  // Throws at the first line that does not hold, `at` being "name:line": kRejected where a value is not
  // what it must be, kMalformed or kTruncated where the file is no record. Not to be called after that.
  void line(const RecordLines& at);
  // The lines from here on are those of the next part (verify_parts), in which only the first `most` rows of all parts
  // together are looked at.
  void begin_part(const std::string& name, std::uint64_t most);
  // After the last line of a part: its rows beyond those.
  std::uint64_t passed_rows() const;
  // After the last line.
  const Verification& result() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

// All of a record. Throws as the two above do.
Verification verify_record(const LineSource& lines, const std::string& name, const VerifyLimits& limits = {});

// A record in several files, each with a header and an end: what comes after the first is of a learner that was made
// from a state of the one before. A part may have rows beyond those that the next one
// goes on from: they are another life of the learner, and the parts up to there are verified once more with them.
struct RecordPart {
  std::string name;
  std::function<LineSource()> open;  // from the beginning; called once for each time it is read
};
// Requires at least one part. The result is of all rounds together.
Verification verify_parts(const std::vector<RecordPart>& parts, const VerifyLimits& limits = {});

}  // namespace hannan::detail
