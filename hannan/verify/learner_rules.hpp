// The verifier's own table of learners: what a record of each must hold, and the rule that its rounds follow.
//
// A learner is one file of rules/: its facts, the parameters that it alone has, the fields of its rounds and its
// bounds. It is written apart from the learner (hannan/learners/), because what checks a run shares no code with what
// made it; a test demands a line of rules/all.hpp for every line of learners/all.hpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace hannan::detail {

class Fields;
class RoundRule;
struct RecordedSetting;
struct RuleInput;

// What a learner draws a number for.
enum class NoiseOn { kNothing, kColumns, kOutcomes, kActions };

// What the checks that all learners share ask of one.
struct RuleFacts {
  std::string_view name;
  NoiseOn noise = NoiseOn::kNothing;  // other than nothing: "draw", and "alpha" where it was given
  bool perturbs = false;              // a law that bounds rest on: "noise", "gamma", "M"
  bool certifies = false;             // has certificates of the run
  bool rated = false;                 // "eta" is a number in some rounds
  bool multiplies = false;            // "multiplier" in place of "eta"
  bool switches = false;              // between two parts
  bool lists = false;                 // keeps a number per action, so actions must be listed
  bool mixes = false;                 // plays a mixture: the loss is its mean
  bool leads = false;                 // plays the leader, so its regret is the leader's
  bool any_range = false;             // plays on losses of unknown range too
  bool by_context = false;            // can play the segments of contexts
  bool by_elements = false;           // can learn from the losses of the elements of its own actions
  bool sleeps = false;                // can play experts that sleep
  bool of_strategies = false;         // plays others' decisions: it has neither oracle nor noise of its own
};

// The rule of one learner with the parameters of one header. Outlives what it makes.
class LearnerRule {
 public:
  virtual ~LearnerRule() = default;
  virtual const RuleFacts& facts() const = 0;
  // Parameters of its own, after those that the facts name.
  virtual void read(Fields& in, RecordedSetting& s) = 0;
  virtual std::unique_ptr<RoundRule> make(const RuleInput& in) const = 0;
};

struct RuleRow {
  const RuleFacts* facts;
  std::unique_ptr<LearnerRule> (*make)();
};

// The rule of two types: Own has kFacts, the learner's own parameters and, where there are some, read(in, setting);
// Rounds is a RoundRule made of a RuleInput and, where it has use for it, an Own.
template <class Own, class Rounds>
class RuleOf final : public LearnerRule {
 public:
  const RuleFacts& facts() const override { return Own::kFacts; }
  void read([[maybe_unused]] Fields& in, [[maybe_unused]] RecordedSetting& s) override {
    if constexpr (requires { own_.read(in, s); }) own_.read(in, s);
  }
  std::unique_ptr<RoundRule> make(const RuleInput& in) const override {
    if constexpr (std::is_constructible_v<Rounds, const RuleInput&, const Own&>) {
      return std::make_unique<Rounds>(in, own_);
    } else {
      return std::make_unique<Rounds>(in);
    }
  }

 private:
  Own own_;
};
template <class Own, class Rounds>
RuleRow rule_row() {
  return {&Own::kFacts, []() -> std::unique_ptr<LearnerRule> { return std::make_unique<RuleOf<Own, Rounds>>(); }};
}

#define HANNAN_RULE(file) RuleRow file##_rule();
#include "hannan/verify/rules/all.hpp"
#undef HANNAN_RULE

std::span<const RuleRow> learner_rules();
// Null where there is none of that name.
std::unique_ptr<LearnerRule> find_rule(std::string_view name);

}  // namespace hannan::detail
