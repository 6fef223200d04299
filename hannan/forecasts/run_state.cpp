// The saved state of a run: its plan, so that another table is refused, and each combiner with the rounds that wait.
#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/forecasts/record_line.hpp"
#include "hannan/forecasts/run.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {
namespace {

Json plan_json(const CombinerPlan& plan, const ForecastTable& table, const ForecastTerms& terms) {
  Json members = Json::array();
  for (const ForecastMember& member : plan.members) members.push_back(member.name);
  return Json::object({{"models", plan.models},
                       {"columns", plan.columns},
                       {"members", std::move(members)},
                       {"by", plan.by},
                       {"loss", table.levels.empty() ? terms.loss.name() : std::string("pinball")},
                       {"levels", table.levels},
                       {"patience", plan.patience},
                       {"lag", terms.lag},
                       {"keys", table.key_names}});
}

// Says which name differs, where one does.
void same_plan(const Json& saved, const Json& now) {
  if (saved == now) return;
  const auto names = [](const Json& of, const char* field) {
    std::vector<std::string> made;
    for (const Json& one : of.at(field).as_array()) made.push_back(one.as_string());
    return made;
  };
  const auto before = names(saved, "models"), here = names(now, "models");
  for (const std::string& name : here) {
    if (std::ranges::find(before, name) == before.end())
      throw Error(Code::kBadState,
                  "found the model \"" + name +
                      "\", which the saved run does not know; start anew, or leave it out with "
                      "--drop",
                  "--resume");
  }
  for (const char* field : {"models", "columns", "members", "by", "loss", "levels", "patience", "lag", "keys"}) {
    if (saved.at(field) == now.at(field)) continue;
    throw Error(Code::kBadState,
                std::string("found ") + field + " " + dump(now.at(field)) + ", expected " + dump(saved.at(field)) +
                    " as in the saved run",
                "--resume");
  }
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> made;
  for (const Json& one : list.as_array()) made.push_back(one.is_null() ? kNotDelivered : one.as_number());
  return made;
}

}  // namespace

void ForecastRun::record_round(ForecastStream& stream, const CombinerRound& made,
                               const ForecastStream::Waiting& wait) const {
  std::vector<RecordedRow> rows(made.size());
  const std::size_t by = table_.by.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].by = {table_.values.data() + wait.rows[i] * by, by};
    if (recorded_as_lines()) continue;
    rows[i].y = wait.y[i];
    rows[i].never = wait.never[i] != 0;
  }
  stream.record.push_back(dump(recorded_round(*stream.combiner, made, wait.time, rows)));
}

void ForecastRun::record_lines(std::vector<std::vector<std::string>> earlier) {
  recording_ = Recording::kLines;
  for (std::size_t i = 0; i < earlier.size(); ++i) streams_[i].record = std::move(earlier[i]);
}

Json ForecastRun::state() const {
  Json streams = Json::array();
  for (const ForecastStream& stream : streams_) {
    Json waiting = Json::array();
    for (const auto& round : stream.waiting) {
      if (!stream.combiner->open_round(round.id)) continue;
      Json y = Json::array();
      for (const double one : round.y) y.push_back(std::isnan(one) ? Json() : Json(one));
      Json never = Json::array();
      for (const unsigned char one : round.never) never.push_back(one != 0 ? 1 : 0);
      Json keys = Json::array();
      for (std::size_t i = 0; i < round.rows.size(); ++i)
        keys.push_back(round.rows[i] == kEarlierRow ? round.keys[i] : key_of(table_, round.rows[i]));
      waiting.push_back(Json::object({{"id", round.id},
                                      {"time", round.time},
                                      {"keys", std::move(keys)},
                                      {"y", std::move(y)},
                                      {"never", std::move(never)}}));
    }
    JsonWriter writer;
    stream.combiner->archive(writer);
    streams.push_back(Json::object({{"horizon", stream.horizon},
                                    {"level", stream.level},
                                    {"waiting", std::move(waiting)},
                                    {"combiner", writer.take()}}));
  }
  return Json::object({{"forecasts", 1},
                       {"plan", plan_json(plan(), table_, terms_)},
                       {"times", times_before_},
                       {"last", last_time_},
                       {"streams", std::move(streams)}});
}

ForecastRun::ForecastRun(const ForecastTable& table, const ForecastTerms& terms, const Json& state)
    : table_(table), terms_(terms) {
  try {
    if (!state.find("forecasts"))
      throw Error(Code::kBadState, "found no saved run of forecasts, expected what --save wrote", "--resume");
    same_plan(state.at("plan"), plan_json(plan_of(table, terms), table, terms));
    times_before_ = static_cast<std::uint64_t>(state.at("times").as_number());
    if (const Json& last = state.at("last"); last.is_number()) last_time_ = last.as_number();
    for (const Json& saved : state.at("streams").as_array()) {
      const auto level = static_cast<std::size_t>(saved.at("level").as_number());
      if (level >= table.depth()) throw Error(Code::kBadState, "found a level that is not there", "streams");
      ForecastStream stream = make_stream(static_cast<std::uint64_t>(saved.at("horizon").as_number()), level);
      JsonReader reader(saved.at("combiner"), "combiner");
      stream.combiner->archive(reader);
      for (const Json& one : saved.at("waiting").as_array()) {
        ForecastStream::Waiting round{.id = static_cast<std::uint64_t>(one.at("id").as_number()),
                                      .time = static_cast<std::uint64_t>(one.at("time").as_number()),
                                      .keys = {},
                                      .y = numbers_of(one.at("y")),
                                      .never = {},
                                      .rows = {}};
        for (const Json& key : one.at("keys").as_array()) round.keys.push_back(key.as_string());
        for (const Json& never : one.at("never").as_array()) round.never.push_back(never == Json(1) ? 1 : 0);
        const CombinerRound* const open = stream.combiner->open_round(round.id);
        if (!open || open->size() != round.y.size() || round.keys.size() != round.y.size() ||
            round.never.size() != round.y.size())
          throw Error(Code::kBadState, "found a round that is not open", "waiting");
        round.rows.assign(round.y.size(), kEarlierRow);
        stream.waiting.push_back(std::move(round));
      }
      streams_.push_back(std::move(stream));
    }
  } catch (const Error& e) {
    if (e.code() == Code::kBadState || e.code() >= Code::kBadOutcome || e.code() < Code::kMissingField) throw;
    if (e.code() == Code::kUnknownName || e.code() == Code::kUnavailable) throw;  // of the plan
    throw Error(Code::kBadState, e.message(), "--resume");
  }
  make_streams();
}

}  // namespace hannan::detail
