// Report, bounds and state of any learner, out of the facts of its run. A best that is not proven counts as a gap of
// the oracle, so that nothing that rests on L* is stated as proven. Keys of the report are public and keep their order.
#include "hannan/runtime/any_learner.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/runtime/ask_aside.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

// What the numbers of the run say of given noise.
constexpr const char* kIfDrawn = "; it binds only if the noise that was given was drawn fresh from the law";

Json bounds_json(const std::vector<BoundCheck>& checks) {
  Json bounds = Json::array();
  for (const auto& check : checks) {
    Json bound = Json::object({{"name", check.name},
                               {"value", check.value},
                               {"side", check.side == BoundCheck::Side::kUpper ? "upper" : "lower"},
                               {"holds", check.holds}});
    if (check.discounted) bound.set("discounted", true);
    if (!check.says.empty()) bound.set("says", check.says + (check.if_drawn ? kIfDrawn : ""));
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

// A best that is not proven counts as a gap of the oracle: what rests on L* is not proven either.
RunFacts proven_facts(AnyLearner& learner) {
  RunFacts run = learner.facts_aside();
  run.gap = left_unproven(run);
  return run;
}

// What is not stated, and why: a sentence each.
Json left_out_json(const RunFacts& run) {
  Json list = Json::array();
  for (std::string& why : left_out(run)) list.push_back(std::move(why));
  return list;
}

std::optional<double> value_of(const std::vector<BoundCheck>& checks, std::string_view name) {
  const BoundCheck* found = find_check(checks, name);
  return found ? std::optional(found->value) : std::nullopt;
}

}  // namespace

const AnyOutcome& AnyLearner::read(const Json& outcome, std::string_view path) {
  if (outcome.is_object() && outcome.find("seen")) {
    throw Error(Code::kBadOutcome,
                "found what an action showed, expected a whole outcome: the losses of the own elements alone are for "
                "\"feedback\": \"elements\"",
                std::string(path));
  }
  game().read_outcome(outcome, path, outcome_);
  return outcome_;
}

RunFacts AnyLearner::facts_aside() {
  if (has_looked()) return facts();
  RunFacts run;
  ask_aside(*this, [&] { run = facts(); });
  return run;
}

std::optional<StatedBound> AnyLearner::bound() { return stated_bound(certificate(proven_facts(*this))); }

// Two figures of the whole certificate; it costs as much as the whole, so callers ask where they show it.
AnyLearner::RunView AnyLearner::run_view() {
  const auto checks = certificate(proven_facts(*this));
  return {.run = value_of(checks, "run"), .limit = value_of(checks, "limit")};
}

Json AnyLearner::report() {
  RunFacts run;
  ReportFacts more;
  ask_aside(*this, [&] {
    run = facts();
    run.credit = credit();
    more = report_facts();
  });
  run.gap = left_unproven(run);
  const std::vector<BoundCheck> checks = certificate(run);
  const auto rounds = static_cast<double>(run.rounds);
  Json json = Json::object({{"problem", game().kind()},
                            {"learner", kind()},
                            {"params", params()},
                            {"rounds", run.rounds},
                            {"total", run.total},
                            {"best", run.best},
                            {"floor", run.floor},
                            {"regret", run.total - run.best},
                            {"best_action", std::move(more.best_action)},
                            {"oracle_calls", run.oracle_calls},
                            {"search_nodes", run.search_nodes},
                            {"oracle_gap", run.gap}});
  json.set("leader_regret", run.leader_regret);
  if (run.delays) json.set("played", run.delays->played);
  if (run.ranges) json.set("range", run.ranges->largest);
  if (run.discount != 1) {
    json.set("discounted", Json::object({{"total", run.discounted_total},
                                         {"best", run.discounted_best},
                                         {"floor", run.discounted_floor},
                                         {"regret", run.discounted_total - run.discounted_best}}));
  }
  if (setting_.certifies_run) {
    for (const char* name : {"run", "measured", "exact", "limit", "leaderless"}) json.set(name, value_of(checks, name));
    json.set("delta", run.delta);
    if (more.certificate_calls > 0) json.set("certificate_calls", more.certificate_calls);
  }
  const bool reward = game().form() == Form::kReward;
  const double zero = run.ranges ? 0.0 : rounds;  // the reward of a loss of 0
  const auto raw = [&](double loss) { return game().normaliser() * (reward ? zero - loss : loss); };
  json.set("raw",
           Json::object({{"unit", reward ? "reward" : "loss"}, {"total", raw(run.total)}, {"best", raw(run.best)}}));
  Json assumptions = Json::object();
  if (more.perturbs) {
    assumptions.set("columns", run.columns);
    assumptions.set("gamma", run.gamma);
    assumptions.set("M", run.noise_size);
    assumptions.set("data", more.draw == Freshness::kOnce ? "oblivious data only" : "any");
  }
  if (run.delays) {
    assumptions.set("missing", run.delays->missing);
    assumptions.set("missing_total", run.delays->missing_total);
    assumptions.set("open", run.delays->open);
    assumptions.set("outcomes", "each fixed in its own round, before any later action is seen");
    const bool all = run.delays->played == run.rounds;
    assumptions.set("delays", all ? "independent of later noise" : "independent of the learner's noise");
  }
  if (!more.claims.empty()) assumptions.set("oracle", more.claims);
  if (Json missing = left_out_json(run); missing.size() > 0) assumptions.set("left_out", std::move(missing));
  json.set("certificate", Json::object({{"bounds", bounds_json(checks)}, {"assumptions", std::move(assumptions)}}));
  add_rehearsed(json);
  return json;
}

void AnyLearner::check_rehearsal(std::string_view path) const {
  if (rounds() == rehearsed_.rounds) return;
  throw Error(Code::kOutOfRange,
              "found a rehearsal after " + std::to_string(rounds() - rehearsed_.rounds) +
                  " rounds that were played, expected it before the first of them",
              std::string(path));
}

void AnyLearner::count_as_rehearsed() {
  assert(rounds() == rehearsed_.rounds + 1);
  setting_.rehearsed = rehearsed_.rounds = rounds();
  rehearsed_.total = round_.total;
}

// What is said of the rounds that were rehearsed, and of the played ones alone; nothing without a rehearsal.
void AnyLearner::add_rehearsed(Json& report) const {
  if (rehearsed_.rounds == 0) return;
  const double total = report.at("total").as_number() - rehearsed_.total;
  const auto played = static_cast<double>(rounds() - rehearsed_.rounds);
  const bool reward = game().form() == Form::kReward;
  const double zero = game().loss_range() == LossRange::kUnitInterval ? played : 0.0;
  report.set("rehearsed", Json::object({{"rounds", rehearsed_.rounds},
                                        {"total", rehearsed_.total},
                                        {"played", rounds() - rehearsed_.rounds},
                                        {"played_total", total},
                                        {"played_raw", game().normaliser() * (reward ? zero - total : total)}}));
}

// A digest seals the state: one that was changed by hand is refused when it is loaded.
Json AnyLearner::save() { return sealed(state_head().set("state", snapshot())); }

Json AnyLearner::state_head() const {
  return Json::object({{"version", kStateVersion},
                       {"problem", Json::object({{"kind", game().kind()}, {"params", game().params()}})},
                       {"learner", Json::object({{"kind", kind()}, {"params", params()}})}});
}

// A learner without segments is one small value. That of many segments is archived twice: the digest stands last.
void AnyLearner::save_to(const TextSink& sink) {
  if (!setting_.tree) return sink(dump(save()));
  const Json head = state_head();
  std::string text = dump(head);
  text.back() = ',';
  sink(text + "\"state\":");
  TextWriter writer(sink);
  archive_all(writer);
  writer.finish();
  const std::string digest = digest_with(head, "state", [this](Archive& a) { archive_all(a); });
  sink(",\"digest\":" + dump(Json(digest)) + "}");
}

Json AnyLearner::snapshot() {
  JsonWriter writer;
  archive_all(writer);
  return writer.take();
}

void AnyLearner::archive_all(Archive& a) {
  archive(a);
  archive_rehearsal(a);
}

// Two fields behind all others, and none without a rehearsal: such states keep the bytes that they always had.
void AnyLearner::archive_rehearsal(Archive& a) {
  if (!a.reading() && rehearsed_.rounds == 0) return;
  a.later_count("rehearsed", rehearsed_.rounds, rounds());
  a.later_field("rehearsed_total", rehearsed_.total);
  setting_.rehearsed = rehearsed_.rounds;
}

// One archive() for both ways: fields are written and read in the same order by the same code. A state that is refused
// half way leaves the learner half read; callers either throw it away or read a state known to be good.
void AnyLearner::restore(const Json& state, std::string_view path) {
  JsonReader reader(state, std::string(path));
  archive_all(reader);
}

void AnyLearner::restore_text(std::string_view state, std::string_view path) {
  TextReader reader(state, std::string(path));
  archive_all(reader);
}

}  // namespace hannan::detail
