// Reads the record as parts, a header and its lines each, and plays the rounds again in the order of their times, so
// that each actual comes at the line at which it was known. Invariant: after the last line the state of the replay is
// the saved one, to the byte. One pass over the record, and the earlier run once more.
#include "hannan/compare/earlier_record.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {
namespace {

struct EarlierPart {
  Json header;
  std::vector<Json> lines;  // rounds and actuals
};

std::vector<EarlierPart> earlier_parts(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw Error(Code::kCannotRead,
                "found no record to go on with, expected that of the saved run: it is read, and written anew with "
                "what came",
                path);
  std::vector<EarlierPart> parts;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string at = path + ":" + std::to_string(++number);
    Json json;
    try {
      json = parse_json(line);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), at);
    }
    const bool header = json.is_object() && json.find("record") && json.find("forecasts");
    if (!json.is_object() || (parts.empty() && !header))
      throw Error(Code::kMalformed, "found no record of forecasts, expected what --record wrote", at);
    if (header) {
      parts.push_back({std::move(json), {}});
    } else if (!json.find("end")) {
      parts.back().lines.push_back(std::move(json));
    }
  }
  return parts;
}

std::uint64_t whole_at(const Json& of, std::string_view field) {
  return static_cast<std::uint64_t>(of.at(field).as_number());
}

// The part with actuals as lines, and without those that the saved run had not been told.
class AsLines {
 public:
  AsLines(const EarlierPart& part, std::uint64_t times)
      : lag_(whole_at(part.header.at("forecasts"), "lag")), times_(times) {
    if (part.header.find("told")) {
      take_lines(part.lines);
    } else {
      for (const Json& round : part.lines) add_round(round);
      tell_until(times_);
    }
  }
  std::vector<Json> made;

 private:
  void add_round(const Json& round) {
    tell_until(whole_at(round, "time"));
    rounds_.push_back(round);
    Json rows = Json::array();
    for (const Json& row : round.at("rows").as_array()) {
      Json bare = Json::object();
      for (const auto& [name, value] : row.as_object()) {
        if (name != "never") bare.set(name, name == "y" ? Json() : value);
      }
      rows.push_back(std::move(bare));
    }
    Json open = round;
    made.push_back(open.set("rows", std::move(rows)));
  }
  void tell_until(std::uint64_t time) {
    for (; told_ < rounds_.size() && whole_at(rounds_[told_], "time") + lag_ <= time; ++told_) {
      const Json& round = rounds_[told_];
      for (std::size_t i = 0; i < round.at("rows").size(); ++i) {
        const Json& row = round.at("rows")[i];
        if (round.at("p")[i].is_null() || (row.at("y").is_null() && !row.find("never"))) continue;
        made.push_back(Json::object({{"come", round.at("t")}, {"row", i}, {"y", row.at("y")}}));
      }
    }
  }
  void take_lines(const std::vector<Json>& lines) {
    std::vector<std::uint64_t> times;  // of rounds
    for (const Json& line : lines) {
      if (line.find("time")) times.push_back(whole_at(line, "time"));
    }
    std::uint64_t rounds = 0;
    for (const Json& line : lines) {
      rounds += line.find("time") ? 1 : 0;
      const Json* come = line.find("come");
      const bool behind = come && rounds == times.size();
      if (behind && times.at(static_cast<std::size_t>(come->as_number()) - 1) + lag_ > times_) continue;
      made.push_back(line);
    }
  }

  std::uint64_t lag_, times_;
  std::vector<Json> rounds_;
  std::size_t told_ = 0;
};

double or_missing(const Json& of) { return of.is_null() ? kNotDelivered : of.as_number(); }

// The lines once more, and the state that they lead to.
Json played_again(const std::vector<Json>& lines, const CombinerPlan& plan) {
  Combiner combiner(plan);
  for (const Json& line : lines) {
    if (const Json* come = line.find("come")) {
      combiner.tell(static_cast<std::uint64_t>(come->as_number()), whole_at(line, "row"), or_missing(line.at("y")));
      continue;
    }
    const auto& rows = line.at("rows").as_array();
    std::vector<std::vector<double>> x(rows.size());
    std::vector<std::vector<std::string>> by(rows.size());
    std::vector<ForecastRow> asked;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const Json& one : rows[i].at("x").as_array()) x[i].push_back(or_missing(one));
      if (const Json* values = rows[i].find("by")) {
        for (const Json& value : values->as_array()) by[i].push_back(value.as_string());
      }
      if (x[i].size() != plan.width() || by[i].size() != plan.by.size())
        throw Error(Code::kBadState, "found a row of other columns", "rows");
      asked.push_back({.x = x[i], .weight = rows[i].find_number("w").value_or(1), .by = by[i]});
    }
    combiner.forecast(asked);
  }
  JsonWriter writer;
  combiner.archive(writer);
  return writer.take();
}

}  // namespace

std::vector<std::vector<std::string>> earlier_lines(const std::string& path, const Json& state,
                                                    const ForecastRun& run) {
  const std::vector<EarlierPart> parts = earlier_parts(path);
  const auto& saved = state.at("streams").as_array();
  const auto refuse = [&](const std::string& what) {
    throw Error(Code::kBadState, "found the record of another run (" + what + "), expected that of the saved one",
                path);
  };
  if (parts.size() != saved.size()) refuse("another count of horizons and levels");
  std::vector<std::vector<std::string>> made;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    try {
      const std::vector<Json> lines = AsLines(parts[i], whole_at(state, "times")).made;
      if (!(played_again(lines, run.streams()[i].combiner->plan()) == saved[i].at("combiner")))
        refuse("played again it leads to another state");
      made.emplace_back();
      for (const Json& line : lines) made.back().push_back(dump(line));
    } catch (const Error& e) {
      if (e.at() == path) throw;
      refuse(e.what());
    } catch (const std::out_of_range&) {
      refuse("an actual of a round that is not there");
    }
  }
  return made;
}

FilledRows filled_rows_of(const std::vector<std::string>& lines, const CombinerPlan& plan) {
  const ForecastMember* const mixture = plan.member(ForecastMember::Kind::kMixture);
  const auto instead = mixture ? static_cast<std::size_t>(mixture - plan.members.data()) : 0;
  struct Row {
    std::vector<double> x;
    double y = kNotDelivered, weight = 1;
  };
  std::vector<Row> rows;
  std::map<std::pair<double, double>, std::size_t> places;  // by round and row
  for (const std::string& line : lines) {
    const Json json = parse_json(line);
    if (const Json* come = json.find("come")) {
      rows[places.at({come->as_number(), json.at("row").as_number()})].y = or_missing(json.at("y"));
      continue;
    }
    const auto& said = json.at("rows").as_array();
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (json.at("p")[i].is_null()) continue;
      Row row;
      for (std::size_t k = 0; k < plan.models.size(); ++k) {
        const Json& x = said[i].at("x")[k];
        row.x.push_back(x.is_null() ? json.at("c")[i][instead].as_number() : x.as_number());
      }
      row.weight = said[i].find_number("w").value_or(1);
      places[{json.at("t").as_number(), static_cast<double>(i)}] = rows.size();
      rows.push_back(std::move(row));
    }
  }
  const bool weighted = std::ranges::any_of(rows, [](const Row& row) { return row.weight != 1; });
  FilledRows made;
  for (const Row& row : rows) {
    if (std::isnan(row.y) || !plan.loss.counts(row.y)) continue;
    made.x.insert(made.x.end(), row.x.begin(), row.x.end());
    made.y.push_back(row.y);
    if (weighted) made.weight.push_back(row.weight);
  }
  return made;
}

}  // namespace hannan::detail
