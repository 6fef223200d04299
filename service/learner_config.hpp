// The configuration of a learner of the service: the body of PUT /v1/learners/{name}, checked, with every default.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/game/money.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {
class Fields;
}

namespace hannan::detail::service {

enum class ExternalOracles { kRefused, kAllowed };  // they run commands

struct LearnerConfig {
  std::string problem_kind, learner_kind;
  Json problem_params, learner_params;                                                // with every default
  Json given_problem_params = Json::object(), given_learner_params = Json::object();  // as they were sent
  std::shared_ptr<const Money> money;  // what the problem says of it; null: nothing
  FloorProblem floors_of() const { return {problem_kind, money}; }
  std::vector<std::string> slots;  // the bidders' names, "*" for the pooled slot; empty: not known
  std::optional<double> cap;       // what a bid of 1 stands for; none: outcomes cannot come in money
  bool in_money() const;           // the numbers of the problem are money as they are, and a cap says nothing
  std::string currency;
  Json tags = Json::object();
  std::vector<std::vector<std::string>> orders;  // of the context's columns; none: there is no context
  std::uint64_t rehearsed = 0;                   // the first rounds of a portfolio that asks for a rehearsal
  std::string feedback;                          // "looks" or "elements" where a part of the rounds is seen
  bool client_coins = false;                     // of looks: the client throws them
  bool coins_told = false;                       // messages say the coin: the client's, or that of a log
  bool delayed = false;                          // decisions are made by POST, outcomes come in any order
  Json state;                                    // that it begins with; null: none
  std::uint64_t first_rounds = 0;                // that the state has
  bool public_floors = false;                    // floors are given to those without a token
  std::uint64_t keep_rounds = 0;                 // of the log; 0: all
  std::uint64_t max_age = 0;                     // seconds that a decision may be cached
  std::uint64_t floors_age = 600;                // and floors
  std::vector<std::string> floor_fields;         // "column=field", or the field of the bidders
  bool floors_drop_empty = false;                // segments with an empty value, which no rule can match

  Json json() const;   // with every default: two bodies mean the same learner where these are equal
  Json given() const;  // a body that makes it again: what is computed from the rest is not stated
  LogFacts facts() const;

 private:
  Json parts(const Json& of_problem, const Json& of_learner) const;
  Json with_facts(Json all) const;
};

// A problem and a learner made from a configuration, whose parameters it completes.
struct MadeLearner {
  LearnerConfig config;
  std::shared_ptr<const AnyProblem> problem;
  AnyTurn learner;
};
// Throws the errors of the pipe, with paths in the body.
MadeLearner make_learner(const Json& body, ExternalOracles oracles);

// The field `tags`, words of the user's own by which lists are searched; empty where there is none.
Json read_tags(Fields& in);
Json begun_from(std::uint64_t rounds, const Json& state);  // how a configuration shows the state that it begins with

// [A-Za-z0-9._-], 1 to 64 characters; kOutOfRange otherwise.
void check_learner_name(const std::string& name);

// Bytes that histories and noise of such a problem may take, roughly: for a limit, not for an account.
double estimated_bytes(const AnyProblem& problem);

}  // namespace hannan::detail::service
