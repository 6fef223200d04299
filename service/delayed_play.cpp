// Counts: settled_ <= played_, open_ has exactly the rounds settled_ + 1 to played_, and position_ counts rows
// (decisions and outcomes). A round is settled when it and all before it have their outcomes.
#include "service/delayed_play.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/play/record_writer.hpp"

namespace hannan::detail::service {

// From a learner that was made from a state: open rounds and their losses are read out of it.
DelayedPlay::DelayedPlay(DelayedLearner& learner, const AnyProblem& problem) : played_(learner.rounds()) {
  if (played_ == 0) return;
  const Json all = learner.save();
  const Json& saved = all.at("state");
  settled_ = static_cast<std::uint64_t>(saved.at("settled").at("rounds").as_number());
  // The sum of settled rounds; those that have arrived and wait for earlier ones are added below.
  arrived_total_.value = saved.at("total").as_number();
  const Json& open = saved.at("open");
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::uint64_t round = settled_ + 1 + i;
    const Json* outcome = open[i].find("outcome");
    open_[round].arrived = outcome != nullptr;
    if (!outcome) continue;
    const Json action = learner.action(round);
    const double loss = problem.loss(action, parse_json(outcome->at("json").as_string())).loss;
    add_carried(arrived_total_.value, arrived_total_.carry, loss);
  }
}

std::uint64_t DelayedPlay::arrived() const {
  return settled_ + static_cast<std::uint64_t>(
                        std::count_if(open_.begin(), open_.end(), [](const auto& one) { return one.second.arrived; }));
}

DelayedPlay::Standing DelayedPlay::standing(std::uint64_t round) const {
  if (round == 0 || round > played_) return Standing::kNeverMade;
  const auto found = open_.find(round);
  return found == open_.end() || found->second.arrived ? Standing::kHasOutcome : Standing::kAwaited;
}

std::uint64_t DelayedPlay::opened_with(const std::string& key) const {
  const auto found = keys_.find(key);
  return key.empty() || found == keys_.end() ? 0 : found->second;
}

// Opens the next round; `key` makes it repeatable: the same key again is answered with the same round.
std::string DelayedPlay::decide(DelayedLearner& learner, const std::string& key) {
  const Round& round = learner.act(played_ + 1);
  ++played_;
  ++position_;
  open_[played_].key = key;
  if (!key.empty()) keys_[key] = played_;
  Json line = decision_line(position_, round);
  if (!key.empty()) line.set("key", key);
  return dump(line);
}

// One outcome may settle several rounds; the figures of the answer are those after all of them.
DelayedPlay::Arrived DelayedPlay::observe(DelayedLearner& learner, std::uint64_t round, const AnyOutcome& outcome) {
  const Round& seen = learner.observe(round, outcome);
  ++position_;
  open_[round].arrived = true;
  // Late: a newer decision had been made before this outcome came.
  if (round < played_) ++late_;
  add_carried(arrived_total_.value, arrived_total_.carry, seen.loss);
  Arrived arrived;
  arrived.settled = seen.settled > settled_;
  settled_ = seen.settled;
  drop_settled();
  arrived.line = dump(arrival_line(position_, seen));
  return arrived;
}

// Settled rounds and their keys are forgotten: a repetition that late is no longer recognised by its key.
void DelayedPlay::drop_settled() {
  while (!open_.empty() && open_.begin()->first <= settled_) {
    if (!open_.begin()->second.key.empty()) keys_.erase(open_.begin()->second.key);
    open_.erase(open_.begin());
  }
}

Json DelayedPlay::json() const {
  Json open = Json::array();
  for (const auto& [round, one] : open_)
    open.push_back(Json::object({{"round", round}, {"key", one.key}, {"arrived", one.arrived}}));
  return Json::object({{"position", position_},
                       {"played", played_},
                       {"settled", settled_},
                       {"late", late_},
                       {"arrived_total", Json::array({Json(arrived_total_.value), Json(arrived_total_.carry)})},
                       {"open", std::move(open)}});
}

// Counts must agree with the learner, which is restored on its own: otherwise the two belong to different states.
void DelayedPlay::load(const Json& json, DelayedLearner& learner, const std::string& path) {
  Fields in(json, path);
  const auto count = [&](std::string_view name) { return static_cast<std::uint64_t>(in.integer(name, kNatural)); };
  position_ = count("position");
  played_ = count("played");
  settled_ = count("settled");
  late_ = count("late");
  const auto sum = in.numbers("arrived_total");
  const auto& open = in.list("open");
  in.done();
  if (sum.size() != 2 || played_ != learner.rounds() || open.size() != played_ - settled_)
    throw Error(Code::kBadState, "found counts of rounds that are not those of the learner, expected its own", path);
  arrived_total_ = {sum[0], sum[1]};
  open_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < open.size(); ++i) {
    Fields one(open[i], path_of(in.at("open"), i));
    const auto round = static_cast<std::uint64_t>(one.integer("round", kNatural));
    OpenRound& into = open_[round];
    into.key = one.word("key");
    into.arrived = one.flag("arrived");
    one.done();
    if (!into.key.empty()) keys_[into.key] = round;
  }
}

}  // namespace hannan::detail::service
