// Fields in the order in which the API documents them; what is not known yet is left out or null. A record is written
// from the log and checked by hannan/verify, which shares no code with what wrote it: the cost of playing it once more.
#include "service/combiner_json.hpp"

#include <sstream>
#include <utility>

#include "hannan/runtime/pipe.hpp"
#include "hannan/verify/forecasts.hpp"
#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/outcome_request.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kLookedAtATime = 500;

}  // namespace

Json combiner_json(const CombinerEntry& entry) {
  const auto now = entry.now();
  Json answer =
      Json::object({{"name", entry.name()},
                    {"status", status_name(now.status)},
                    {"generation", entry.log().generation},
                    {"problem", kForecastsKind},
                    {"learner", kCombineKind},
                    {"tags", entry.tags()},
                    {"words", Json::object({{"title", "Forecasts"}, {"thing", "forecast"}, {"round", "forecast"}})}});
  if (!now.why.empty()) answer.set("why", now.why);
  if (!now.seen) return answer;
  return answer.set("rounds", now.seen->rounds)
      .set("settled", now.seen->settled)
      .set("rows", now.seen->rows)
      .set("total", now.seen->total)
      .set("today", now.seen->today_total)
      .set("decision", now.seen->decision.is_null() ? Json() : now.seen->decision.at("decision"));
}

Json without(const Json& object, std::string_view field) {
  Json made = Json::object();
  for (const auto& [name, value] : object.as_object()) {
    if (name != field) made.set(name, value);
  }
  return made;
}

// Decisions come in the order of their rounds, each at least as far down the log as its number, counted from the first
// that is in the log.
Json answer_of_decision(const HostedCombiner& learner, RowReader& log, const std::string& name) {
  const std::uint64_t round = read_decision(name, learner.log().generation, "id");
  if (round > learner.learner().combiner().rounds())
    throw Error(kUnknownDecision, "found a decision that was never made, expected an earlier one", "id");
  const std::uint64_t before = learner.rounds_before();
  for (std::uint64_t t = round > before ? round - before - 1 : learner.position(); t < learner.position();) {
    const auto rows = log.rows_after(learner.log(), t, kLookedAtATime);
    if (rows.empty()) break;
    for (const Row& row : rows) {
      t = row.t;
      if (row.decision != round || !row.id.starts_with('d')) continue;
      return parse_json(row.line).at("answer");
    }
  }
  throw Error(kTrimmed, "found a decision whose row is not in the log, expected a later one", "id");
}

Json begun_check(const CombinerEntry& entry) {
  return Json::object({{"state", "running"},
                       {"generation", entry.log().generation},
                       {"rounds", 0},
                       {"done", 0},
                       {"started", now_in_milliseconds()},
                       {"seconds", 0},
                       {"checked", Json::array()},
                       {"trusted", Json::array()},
                       {"error", Json()}});
}

Json check_record(const CombinerEntry& entry, Host& host) {
  Json state = begun_check(entry);
  const auto start = std::chrono::steady_clock::now();
  const auto failed = [&](const char* what, const Error& error) {
    state.set("state", what).set("error", error_answer(error).at("error"));
  };
  try {
    const auto reader = host.reader();
    const HostedCombiner learner(parse_json(entry.stored().config), entry.log());
    std::istringstream record(learner.record(*reader, reader->last_round(entry.log())));
    const VerifiedForecasts found = verify_forecasts(
        [&](std::string& line) { return static_cast<bool>(std::getline(record, line)); }, entry.name());
    state.set("state", "holds")
        .set("rounds", found.rounds)
        .set("done", found.rounds)
        .set("checked", Json::array({"members, weights, forecasts, losses, Deltas and certificates of every round",
                                     "value and floor of the best fixed mixture"}));
  } catch (const Error& error) {
    failed(error.code() == Code::kRejected ? "differs" : "unavailable", error);
  } catch (const std::exception& error) {
    failed("unavailable", Error(Code::kInternal, error.what()));
  }
  return state.set("seconds", seconds_since(start));
}

}  // namespace hannan::detail::service
