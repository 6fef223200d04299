// `portfolio`: parameters of a learner that plays one of several strategies in each round, today's decision first.
//
// A strategy is an object {"name", "kind", "params", "shadow"}; parameters may stand beside "kind" as well, and a word
// alone is a kind. Kinds: "fixed" with an "action"; "logged", what is done today, whose loss comes with the outcome;
// "given", what others propose for each round; a rule of the problem (game/rivals.hpp), such as "monopoly"; any other
// learner with its parameters. "tied": "all" restricts a learner or rule to the actions that are equal in every
// coordinate. What the parameters mean for a problem is settled where the learner is made
// (runtime/portfolio_learner.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/game/rivals.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/learner_params.hpp"

namespace hannan::detail {

struct StrategyParams {
  std::string name;
  std::string kind;
  Tied tied = Tied::kNo;
  bool shadow = false;           // scored and reported, never played
  Json params = Json::object();  // of the learner; of a fixed action its "action"
  Json problem;                  // of a tied learner: that of the losses of its actions, as a record has it
  std::string path;              // of the object, for errors

  Json json() const;  // as a record has it
};

struct PortfolioOptions : LearnerOptions {
  static constexpr std::size_t kMostStrategies = 64;

  std::optional<std::vector<StrategyParams>> strategies;  // none: those that suit the problem
  Json today;                                             // an action, for the default strategies; null: not given
  std::string track;                                      // of its learners, unless they say another; empty: theirs
  Json columns;                 // "by", "open" and "most" of a tree among the default strategies
  std::optional<double> risk;   // none: four times `largest`
  bool states_largest = false;  // it was given: a number, or null where none is known
  std::optional<double> largest;
  std::optional<double> hard;
  std::uint64_t warm = 0;                // rounds at the beginning that are rehearsed
  double delta = 0.05;                   // of the limit that holds at every round
  std::optional<std::vector<double>> u;  // handed in for tests: a number a played round

  void parse(Fields& fields, const LearnerParams& shared);
  void print(Json& json) const override;
};

}  // namespace hannan::detail
