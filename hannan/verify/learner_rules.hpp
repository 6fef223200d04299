// The verifier's own table of learners: what a record of each must hold and which rule its rounds follow.
//
// It is written apart from the table that makes learners (hannan/learners/all.hpp), because what checks a run
// shares no code with what made it; a test demands a row here for every line there.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hannan::detail {

class Fields;
class RoundRule;
struct BoundFacts;
struct ExpectedBound;
struct RecordedSetting;
struct RuleInput;

struct LearnerRule {
  std::string_view name;

  // What its header holds.
  bool draws = false;                                 // noise: "draw", and "alpha" where it was given
  bool columns = false;                               // the matrix of its noise: "perturbation"
  bool own_columns = false;                           // it has a matrix, but none that a header names
  bool perturbs = false;                              // a law that bounds rest on: "noise", "gamma", "M"
  bool needs_gamma = false;                           // plays by gamma, so one must be there
  bool needs_size = false;                            // plays by M, so one must be there
  void (*read)(Fields&, RecordedSetting&) = nullptr;  // parameters of its own

  // What its rounds hold.
  bool multiplier = false;  // "multiplier" and "after" in place of "eta"
  bool rated = false;       // "eta" is a number in some rounds
  bool switches = false;    // "regime" and "switched"
  bool estimates = false;   // "estimates"
  int stability = 0;        // how many numbers of "stability"
  bool gap = false;         // it has certificates of the run, and but for the leader "gap"

  // How it plays.
  bool lists = false;         // keeps a number per action, so actions must be listed
  bool mixes = false;         // plays a mixture: the loss is its mean
  bool leads = false;         // plays the leader, so its regret is the leader's
  bool follows_path = false;  // has a bound along the path of L*
  bool any_range = false;     // plays on losses of unknown range too
  bool by_context = false;    // can play the segments of contexts

  std::unique_ptr<RoundRule> (*make)(const RuleInput&) = nullptr;
  std::vector<ExpectedBound> (*bounds)(const BoundFacts&) = nullptr;  // null: no bound is proven
};

std::span<const LearnerRule> learner_rules();
// Null where there is none of that name.
const LearnerRule* find_rule(std::string_view name);

}  // namespace hannan::detail
