// A request is read and checked whole, then applied, then written as rows: what is refused changes nothing. A row has
// the request and its answer, so that a replay is the same calls again, compared with what was answered.
#include "service/hosted_combiner.hpp"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "hannan/compare/forecast_record.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "service/codes.hpp"
#include "service/hosted_learner.hpp"
#include "service/learner_config.hpp"
#include "service/outcome_request.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kRecordRowsAtATime = 500;
constexpr std::size_t kLongestOutcomeId = 128;  // as for other learners

CombineLearner combiner_of_state(const Json& state) {
  CombineLearner made = CombineLearner::load(state);
  for (std::uint64_t id = made.combiner().rounds(); id > 0; --id) {
    const CombinerRound* const open = made.combiner().open_round(id);
    if (!open) break;  // and so have all before it settled
    if (open->size() != 1)
      throw Error(Code::kUnavailable,
                  "found round " + std::to_string(id) + " of " + std::to_string(open->size()) +
                      " rows without all of its actuals, expected rounds of one row: tell the actuals first",
                  "state.state");
  }
  return made;
}

CombineLearner made_combiner(const Json& body) {
  Fields in(body, "");
  read_tags(in);
  if (const Json* state = in.maybe("state")) {
    in.done();
    return combiner_of_state(*state);
  }
  Fields problem = in.fields("problem");
  problem.need("kind");
  const Json none = Json::object();
  const Json* params = problem.maybe("params");
  problem.done();
  const Json* learner = in.maybe("learner");
  Fields chosen(learner ? *learner : none, "learner");
  const std::string kind = chosen.word("kind", kCombineKind);
  const Json* learner_params = chosen.maybe("params");
  chosen.done();
  in.done();
  if (kind != kCombineKind)
    throw Error(Code::kUnavailable, "found \"" + kind + "\", expected \"combine\": forecasts have no other learner",
                "learner.kind");
  return {forecasts_problem(params ? *params : none, "problem.params"), learner_params ? *learner_params : none,
          "learner.params"};
}

// The request of the pipe for a round of one row.
Json one_row(const Json& body) {
  Fields in(body, "");
  Json request = Json::object({{"forecasts", Json::array({in.need("forecasts")})}});
  if (const Json* context = in.maybe("context")) request.set("context", Json::array({*context}));
  if (const Json* weight = in.maybe("weight")) request.set("weight", Json::array({*weight}));
  in.done();
  return request;
}

}  // namespace

bool is_combiner_config(const Json& body) {
  if (const Json* const state = body.is_object() ? body.find("state") : nullptr) return is_combiner_state(*state);
  const Json* const problem = body.is_object() ? body.find("problem") : nullptr;
  const Json* const kind = problem && problem->is_object() ? problem->find("kind") : nullptr;
  return kind && *kind == Json(kForecastsKind);
}

HostedCombiner::HostedCombiner(const Json& body, LogName log) : log_(log), learner_(made_combiner(body)) {
  Fields in(body, "");
  config_ = Json::object({{"problem", Json::object({{"kind", kForecastsKind}, {"params", learner_.problem().params}})},
                          {"learner", Json::object({{"kind", kCombineKind}, {"params", learner_.params()}})},
                          {"tags", read_tags(in)}});
  if (const Json* state = in.maybe("state")) {
    state_ = *state;
    rounds_before_ = learner_.combiner().rounds();
    config_.set("from", begun_from(rounds_before_, state_));
  }
}

Json HostedCombiner::given() const {
  return state_.is_null() ? config_ : Json::object({{"state", state_}, {"tags", config_.at("tags")}});
}

// As the service answers it: numbers by name.
Json HostedCombiner::act(const Json& body) {
  const Json request = one_row(body);
  Fields in(request, "");
  const Json said = learner_.act(in);
  const CombinerPlan& plan = learner_.combiner().plan();
  Json members = Json::object(), weights = Json::object();
  for (std::size_t j = 0; j < plan.members.size(); ++j) members.set(plan.members[j].name, said.at("members")[0][j]);
  std::size_t k = 0;
  for (const auto* names : {&plan.models, &plan.columns}) {
    for (const std::string& name : *names) weights.set(name, said.at("weights")[0][k++]);
  }
  Json answer = Json::object(
      {{"decision", decision_name(log_.generation, static_cast<std::uint64_t>(said.at("round").as_number()))},
       {"round", said.at("round")},
       {"forecast", said.at("forecast")[0]},
       {"members", std::move(members)},
       {"weights", std::move(weights)}});
  return answer.set("median_weight", said.at("weights")[0][k]);
}

Json HostedCombiner::observe(std::uint64_t round, const Json& outcome) {
  const Json request = Json::object({{"round", round}, {"outcome", Json::array({outcome})}});
  Fields in(request, "");
  return learner_.observe(in).at("loss");
}

Row HostedCombiner::next_row(std::string id, std::uint64_t round, const Json& line) {
  return {.log = log_, .t = ++position_, .id = std::move(id), .decision = round, .time = 0, .line = dump(line)};
}

HostedCombiner::Done HostedCombiner::decide(const std::string& key, const Json& body, const Find& find) {
  const std::string id = key.empty() ? "d#" + std::to_string(position_ + 1) : "d:" + key;
  if (const auto known = key.empty() ? std::nullopt : find(id)) {
    const Json line = parse_json(known->line);
    if (!(line.at("decide") == body))
      throw Error(kIdConflict, "found other forecasts with this Idempotency-Key, expected those of the first request",
                  "Idempotency-Key");
    return {.answer = line.at("answer"), .rows = {}, .duplicate = true};
  }
  Done done{.answer = act(body), .rows = {}};
  last_answer_ = done.answer;
  const auto round = static_cast<std::uint64_t>(done.answer.at("round").as_number());
  done.rows.push_back(next_row(id, round, Json::object({{"decide", body}, {"answer", done.answer}})));
  return done;
}

HostedCombiner::Outcome HostedCombiner::read_outcome(const Json& one, const std::string& path) const {
  Fields in(one, path);
  const std::string decision = in.word("decision");
  Outcome told{.id = in.word("id", decision),
               .round = read_decision(decision, log_.generation, in.at("decision")),
               .value = in.need("outcome")};
  in.done();
  if (told.id.empty() || told.id.size() > kLongestOutcomeId)
    throw Error(Code::kOutOfRange, "found an id of " + std::to_string(told.id.size()) + " bytes, expected 1 to 128",
                in.at("id"));
  const double y = told.value.is_null() ? kNotDelivered : to_number(told.value, in.at("outcome"));
  check_actual(learner_.combiner().plan().loss, y, in.at("outcome"));
  if (told.round > learner_.combiner().rounds())
    throw Error(kUnknownDecision,
                "found a decision that was never made, expected one of round " +
                    std::to_string(learner_.combiner().rounds()) + " at most",
                in.at("decision"));
  return told;
}

// Everything is checked before anything is told.
HostedCombiner::Done HostedCombiner::tell(std::span<const Line> lines, const Find& find) {
  struct Told {
    Outcome outcome;
    Json loss;  // of one that is known
    bool known;
  };
  std::vector<Told> all;
  std::map<std::string, std::size_t> ids;  // of this request
  std::set<std::uint64_t> rounds;
  for (const Line& line : lines) {
    Outcome outcome = read_outcome(line.told, line.path);
    const auto require_same = [&](std::uint64_t round, const Json& value) {
      if (round == outcome.round && value == outcome.value) return;
      throw Error(kIdConflict, "found another outcome of the id \"" + outcome.id + "\", expected the same",
                  path_of(line.path, "id"));
    };
    if (const auto known = find("o:" + outcome.id)) {
      const Json kept = parse_json(known->line);
      require_same(known->decision, kept.at("outcome"));
      all.push_back({std::move(outcome), kept.at("loss"), true});
      continue;
    }
    if (const auto before = ids.find(outcome.id); before != ids.end()) {
      require_same(all[before->second].outcome.round, all[before->second].outcome.value);
      all.push_back({std::move(outcome), Json(), true});
      continue;
    }
    if (!learner_.combiner().waits(outcome.round, 0) || !rounds.insert(outcome.round).second)
      throw Error(Code::kOutOfRange,
                  "found a decision that has had its actual, or waits for none any more, expected one that waits",
                  path_of(line.path, "decision"));
    ids[outcome.id] = all.size();
    all.push_back({std::move(outcome), Json(), false});
  }
  Done done;
  Json each = Json::array();
  for (Told& told : all) {
    if (!told.known) {
      told.loss = observe(told.outcome.round, told.outcome.value);
      done.rows.push_back(next_row("o:" + told.outcome.id, told.outcome.round,
                                   Json::object({{"outcome", told.outcome.value}, {"loss", told.loss}})));
    } else if (const auto first = ids.find(told.outcome.id); first != ids.end()) {
      told.loss = all[first->second].loss;
    }
    each.push_back(Json::object({{"round", told.outcome.round}, {"loss", told.loss}, {"duplicate", told.known}}));
  }
  done.duplicate = done.rows.empty();
  done.accepted = done.rows.size();
  const Combiner& combiner = learner_.combiner();
  done.answer = Json::object({{"accepted", done.rows.size()},
                              {"duplicates", all.size() - done.rows.size()},
                              {"rounds", combiner.rounds()},
                              {"settled", combiner.settled()},
                              {"rows", combiner.rows()},
                              {"total", combiner.total()},
                              {"each", std::move(each)}});
  return done;
}

void HostedCombiner::replay(const Row& row) {
  const Json line = parse_json(row.line);
  const Json* const body = line.find("decide");
  const Json again = body ? act(*body) : observe(row.decision, line.at("outcome"));
  if (body) last_answer_ = again;
  if (row.t != ++position_ || !(again == (body ? line.at("answer") : line.at("loss"))))
    throw Error(Code::kInternal,
                "row " + std::to_string(row.t) +
                    " of the log comes out otherwise than it is: damage, or the work of "
                    "another version",
                "log");
}

Json HostedCombiner::save() { return learner_.save(); }

void HostedCombiner::load(const Json& state, std::uint64_t position) {
  CombineLearner restored = CombineLearner::load(state);
  if (!(restored.params() == learner_.params()) || !(restored.problem().params == learner_.problem().params))
    throw Error(Code::kBadState, "found the state of another configuration", "state");
  learner_ = std::move(restored);
  position_ = position;
}

std::string HostedCombiner::record(RowReader& log, std::uint64_t to) const {
  if (rounds_before_ > 0)
    throw Error(Code::kUnavailable,
                "found a learner that began from a state of " + std::to_string(rounds_before_) +
                    " rounds, expected one that began with round 1: the rounds before are not in its log",
                "name");
  const CombinerPlan& plan = learner_.combiner().plan();
  ForecastLog again(plan);
  for (std::uint64_t t = 0; t < to;) {
    const auto rows = log.rows_after(log_, t, kRecordRowsAtATime);
    if (rows.empty()) throw Error(Code::kInternal, "found fewer rows in the log than the learner has", "log");
    for (const Row& row : rows) {
      t = row.t;
      if (t > to) break;
      const Json line = parse_json(row.line);
      const Json* const body = line.find("decide");
      if (!body) {
        const Json& outcome = line.at("outcome");
        again.tell(row.decision, 0, outcome.is_null() ? kNotDelivered : to_number(outcome, "outcome"));
        continue;
      }
      const Json request = one_row(*body);
      const CombineLearner::Asked asked = learner_.read_request(request);
      const ForecastRow one{.x = asked.x, .weight = asked.weight[0], .by = asked.by};
      again.forecast({&one, 1});
    }
  }
  return again.record();
}

}  // namespace hannan::detail::service
