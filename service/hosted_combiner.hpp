// A learner that combines forecasts, as it lives in the service: forecasts in, one forecast out, actuals in any order.
//
// Its log has a row for each forecast and each actual, with the request and the answer; what it knows is a function of
// its configuration and these rows, so that it is built again from them, and every answer must come out as it is in the
// log. A decision is one round with one quantity (hannan/runtime/combine_learner.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/runtime/combine_learner.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {

// Whether a body of PUT, or a stored configuration, is of this kind.
bool is_combiner_config(const Json& body);

class HostedCombiner {
 public:
  // {"problem": {"kind": "forecasts", "params"}, "learner": {"kind": "combine", "params"}, "tags"}, or {"state",
  // "tags"} with what save of the pipe or save() gave. Throws the errors of the pipe, with paths in the body, and
  // kUnavailable for a state with an open round of several rows: a decision is of one.
  HostedCombiner(const Json& body, LogName log);

  const Json& config() const { return config_; }  // with every default; a state by its rounds and digest
  Json given() const;                             // for the store: what it is made of again at every start
  std::uint64_t rounds_before() const { return rounds_before_; }  // of the state that it was made from, in no log
  LogName log() const { return log_; }
  void set_log(LogName log) { log_ = log; }
  std::uint64_t position() const { return position_; }  // the last row of the log
  const CombineLearner& learner() const { return learner_; }

  // What a request makes: the answer, and rows that are to be written before it is given.
  struct Done {
    Json answer;
    std::vector<Row> rows;
    bool duplicate = false;
    std::size_t accepted = 0;  // outcomes, for figures of the service
  };
  using Find = std::function<std::optional<Row>(const std::string& id)>;
  // {"forecasts": {model: number, ...} [, "context", "weight"]}; a key that was used before answers as then. Throws
  // kIdConflict where it was used with other forecasts.
  Done decide(const std::string& key, const Json& body, const Find& find);
  // {"decision", "outcome" [, "id"]} and where it stands in the request, for errors.
  struct Line {
    Json told;
    std::string path;
  };
  // All or none. The id is the decision's name unless one is given; null: the actual never comes. Throws
  // kUnknownDecision, kOldGeneration, kIdConflict, and kOutOfRange for a decision that does not wait for an actual. The
  // answer has `each`, a round, its loss and whether it was known, in the order of the lines.
  Done tell(std::span<const Line> lines, const Find& find);
  // The last answer of decide(); null: there was none since it was made or loaded.
  const Json& last_answer() const { return last_answer_; }
  void set_last_answer(Json answer) { last_answer_ = std::move(answer); }
  // A row of the log once more. Throws kInternal where it comes out otherwise.
  void replay(const Row& row);

  Json save();
  void load(const Json& state, std::uint64_t position);
  // The record of the log up to row `to` (docs/record.md, forecasts), for hannan verify. Throws kUnavailable where it
  // was made from a state: the rounds before are not in the log.
  std::string record(RowReader& log, std::uint64_t to) const;

 private:
  struct Outcome {
    std::string id;
    std::uint64_t round;
    Json value;
  };
  Outcome read_outcome(const Json& one, const std::string& path) const;
  Json act(const Json& body);
  Json observe(std::uint64_t round, const Json& outcome);
  Row next_row(std::string id, std::uint64_t round, const Json& line);

  Json config_, state_;  // state_: that it was made from; null: none
  LogName log_;
  CombineLearner learner_;
  std::uint64_t rounds_before_ = 0;
  std::uint64_t position_ = 0;
  Json last_answer_;
};

}  // namespace hannan::detail::service
