// What a solution of `hannan solve` says, for people: losses as amounts, actions by name, and the certified sentence.
#pragma once

#include <string>

#include "hannan/io/amount_text.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// Losses of a solution as amounts: money where the solution says what a loss of 1 is, otherwise losses. Problems that
// earn are shown by what is earned, unless it is a regret.
class SolutionAmounts {
 public:
  explicit SolutionAmounts(const Json& solution, const Letters& letters = {});

  bool money() const { return money_; }
  bool earns() const { return money_ && reward_ && !regret_; }
  double amount(double loss) const;
  std::string text(double loss) const;
  // Of two losses: "+8.79 USD" is better for problems that earn.
  std::string difference(double loss, double than) const;
  const char* verb() const { return earns() ? "earns" : "loses"; }  // "the worst group earns ..."
  std::string unit() const;                                         // "USD", "money" or "loss"
  const char* better() const { return earns() ? "more" : "less"; }

 private:
  Letters letters_;
  bool regret_ = false, money_ = false, reward_ = false;
  double unit_ = 1, origin_ = 0;
  std::string currency_;
};

// What new rows bring for sure (`fresh` of the gain), in one sentence; empty: nothing is said of them.
std::string fresh_sentence(const Json& solution, const SolutionAmounts& amounts);

// "2^48" beyond what is written out.
std::string action_count_text(double ln_actions);
// "the worst of the 12 groups", "the mean of the worst 3 of 12 scenarios", "the worst 3 disruptions of 40 costs".
std::string opponent_text(const Json& solution);
// "group", "row" or "scenario".
std::string scenario_noun(const Json& solution);
std::size_t scenario_count(const Json& solution);

// "No mixture of the 27 actions keeps the worst of the 4 scenarios below L. This one keeps it at U."
std::string solution_sentence(const Json& solution, double ln_actions, const Letters& letters = {});

}  // namespace hannan::detail
