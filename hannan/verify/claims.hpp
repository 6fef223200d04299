// Complaints of the verifier: what was found, what was expected, in which field of which line; and how the choices of
// the record were held against the best.
//
// An oracle that may stop before it has proven its answer can be above L* and still be honest: the
// record then shows a gap. So what depends on an answer being the best is only *suspected* until the
// end of the record says whether any oracle fell short; an oracle that looks at every action never does.
// Where one did, what was suspected rests on trust: nothing tells a search that stopped early from another choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {

// How many choices were held against what. A round of ada and flipflop has two: x_t and x'_t.
struct ChoiceCounts {
  std::uint64_t listed = 0;    // against all actions
  std::uint64_t proven = 0;    // against a new search that proved its answer
  std::uint64_t unproven = 0;  // against a new search that did not
  std::uint64_t skipped = 0;   // against nothing
  std::uint64_t above = 0;     // of the first three: clearly above the best that is known
  std::uint64_t larger = 0;    // of the first: as good as the best, and not the smallest of them
};

// Values that follow from choices or from L* and were taken as recorded, because a search for them was not made or not
// proven.
struct TakenOver {
  std::uint64_t best = 0;   // L* of a round
  std::uint64_t rates = 0;  // rates that follow from L*; within what L* may be
  std::uint64_t gaps = 0;   // gaps and stabilities; within what a round can cost
};

class Claims {
 public:
  explicit Claims(std::string name) : name_(std::move(name)) {}

  // The next file.
  void begin(std::string name) {
    name_ = std::move(name);
    line_ = 0;
  }
  const std::string& name() const { return name_; }
  void next_line() { ++line_; }
  std::string place() const;
  // What fields are named by from here on: "nodes[2]." for those of a node; "" for those of the line.
  void within(std::string prefix) { prefix_ = std::move(prefix); }
  bool placed(const Error& e) const { return e.at().starts_with(name_ + ":"); }
  void trust_no_gap(bool exact) { exact_ = exact; }

  [[noreturn]] void reject(std::string_view field, const std::string& message) const;
  [[noreturn]] void reject_number(std::string_view field, double found, double expected) const;
  // The two agree up to rounding: numbers in units of losses, and plain ones such as M.
  void expect(std::string_view field, double found, double expected) const;
  void expect_plain(std::string_view field, double found, double expected) const;
  // In what losses are measured from here on.
  void measure(const Precision& precision) { precision_ = precision; }
  const Precision& precision() const { return precision_; }
  void expect_count(std::string_view field, std::int64_t found, std::uint64_t expected) const;

  // Wrong, unless an oracle fell short.
  void suspect(std::string_view field, const std::string& message);
  void expect_of_oracle(std::string_view field, double found, double expected);
  // The same of a best that a search found: one that did not prove its answer refutes only what is worse.
  struct FoundBest {
    double value;
    bool proven;
  };
  void expect_best(std::string_view field, double found, const FoundBest& ours) {
    if (ours.proven || found > ours.value) expect_of_oracle(field, found, ours.value);
  }
  // A choice is above the best by this much. All of them together are at most the gap that the end shows.
  void fell_short(double amount) { shortfall_ += amount; }
  double shortfall() const { return shortfall_; }
  // The call behind a choice can have left at most this much unproven: the spread of its values.
  void may_leave(double amount) { possible_gap_ += amount; }
  double possible_gap() const { return possible_gap_; }
  // The record shows no gap anywhere: the first suspicion, if there is one, stands.
  void settle() const;
  // Where it shows one: the first suspicion, and how many there are.
  const std::optional<Error>& suspicion() const { return suspicion_; }
  std::uint64_t suspicions() const { return suspicions_; }

  ChoiceCounts& choices() { return choices_; }
  TakenOver& taken_over() { return taken_over_; }

 private:
  Error complaint(std::string_view field, const std::string& message) const;

  std::string name_, prefix_;
  std::uint64_t line_ = 0;
  bool exact_ = true;
  Precision precision_;
  double shortfall_ = 0;
  double possible_gap_ = 0;
  std::optional<Error> suspicion_;
  std::uint64_t suspicions_ = 0;
  ChoiceCounts choices_;
  TakenOver taken_over_;
};

// The place of an action in the list; none where actions are not listed. Rejects what is no action of the problem.
std::optional<std::size_t> place_of(const ListedActions& list, const Json& action, std::string_view field,
                                    const Claims& claims);

}  // namespace hannan::detail
