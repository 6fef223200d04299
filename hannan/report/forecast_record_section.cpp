// The page of a record of combined forecasts: the record is computed again by the verifier, then its rows are played as
// the table they come from, which gives the same forecasts. Names of rounds are their numbers: a record has no times.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/core/error.hpp"
#include "hannan/report/section.hpp"
#include "hannan/verify/forecasts.hpp"

namespace hannan::detail {
namespace {

std::vector<std::string> recorded_names(const Json& list) {
  std::vector<std::string> names;
  for (const Json& one : list.as_array()) names.push_back(one.as_string());
  return names;
}

double recorded_number(const Json& of) { return of.is_null() ? kNotDelivered : of.as_number(); }

// One header with the rounds behind it, and the actuals where they are lines of their own.
struct RecordedPart {
  Json header;
  std::vector<Json> rounds;
  struct Come {
    std::size_t round, row;  // from 0
    std::size_t before;      // so many rounds had been forecast
    double y;
  };
  std::vector<Come> come = {};
  std::uint64_t lag() const { return static_cast<std::uint64_t>(header.at("forecasts").at("lag").as_number()); }
  bool as_lines() const { return header.find("told") != nullptr; }
};

std::vector<RecordedPart> parts_of(const std::vector<std::string>& lines) {
  std::vector<RecordedPart> parts;
  for (const std::string& line : lines) {
    Json json = parse_json(line);
    if (json.find("record")) {
      parts.push_back({.header = std::move(json), .rounds = {}});
    } else if (const Json* come = json.find("come")) {
      parts.back().come.push_back({.round = static_cast<std::size_t>(come->as_number()) - 1,
                                   .row = static_cast<std::size_t>(json.at("row").as_number()),
                                   .before = parts.back().rounds.size(),
                                   .y = recorded_number(json.at("y"))});
    } else if (!json.find("end")) {
      parts.back().rounds.push_back(std::move(json));
    }
  }
  return parts;
}

// The table that parts come from: those of one lag are the levels of the same rows, those of another lag further rows,
// of another horizon.
class RecordedTable {
 public:
  RecordedTable(const std::vector<RecordedPart>& parts, const std::string& name) : name_(name) {
    const Json& plan = parts.front().header.at("forecasts");
    table.models = recorded_names(plan.at("models"));
    table.columns = recorded_names(plan.at("columns"));
    table.by = recorded_names(plan.at("by"));
    std::set<double> times;
    std::set<std::uint64_t> lags;
    for (const RecordedPart& part : parts) {
      lags.insert(part.lag());
      for (const Json& round : part.rounds) times.insert(round.at("time").as_number());
      const Json& level = part.header.at("of");
      if (!level.is_null() && part.lag() == parts.front().lag()) table.levels.push_back(level.as_number());
    }
    for (const double time : times) {
      places_.emplace(time, places_.size());
      table.round_names.push_back(std::to_string(places_.size()));
    }
    several_ = lags.size() > 1;
    for (std::size_t first = 0; first < parts.size(); first += table.depth()) {
      if (first + table.depth() > parts.size())
        throw Error(Code::kMalformed, "found fewer levels of one horizon than of another, expected the same", name_);
      for (std::size_t q = 0; q < table.depth(); ++q) add_part(parts[first + q], q);
    }
    // Those before one round in the order of their lines.
    std::ranges::sort(arrivals_, {}, [](const Arrival& one) { return std::pair(one.before, one.line); });
    for (const Arrival& one : arrivals_) table.told.push_back({one.row, one.before});
    if (std::ranges::all_of(table.weight, [](double weight) { return weight == 1; })) table.weight.clear();
  }

  ForecastTable table;

 private:
  struct Arrival {
    std::size_t row, before, line;
  };

  // Rows of the first level are new; further levels have the same.
  void add_part(const RecordedPart& part, std::size_t q) {
    if (q == 0) first_ = table.rows();
    std::size_t i = first_;
    std::vector<std::size_t> starts;  // row of the table with which a round begins
    for (const Json& round : part.rounds) {
      starts.push_back(i);
      for (const Json& row : round.at("rows").as_array()) {
        if (q == 0) add_row(row, round, part);
        if (i >= table.rows()) throw Error(Code::kMalformed, "found levels of other rows, expected the same", name_);
        for (std::size_t k = 0; k < table.width(); ++k)
          table.x[(i * table.depth() + q) * table.width() + k] = recorded_number(row.at("x")[k]);
        ++i;
      }
    }
    if (q > 0) return;
    for (const RecordedPart::Come& come : part.come) {
      const std::size_t row = starts.at(come.round) + come.row;
      table.y.at(row) = come.y;
      arrivals_.push_back(
          {.row = row,
           .before = come.before < part.rounds.size() ? place_of(part.rounds[come.before]) : table.round_names.size(),
           .line = arrivals_.size()});
    }
  }
  void add_row(const Json& row, const Json& round, const RecordedPart& part) {
    table.round.push_back(place_of(round));
    table.y.push_back(recorded_number(row.at("y")));
    table.weight.push_back(row.find_number("w").value_or(1));
    if (several_) table.horizon.push_back(part.lag());
    if (const Json* by = row.find("by")) {
      for (const Json& value : by->as_array()) table.values.push_back(value.as_string());
    }
    table.x.resize(table.y.size() * table.depth() * table.width(), kNotDelivered);
  }
  std::size_t place_of(const Json& round) const { return places_.at(round.at("time").as_number()); }

  const std::string& name_;
  std::map<double, std::size_t> places_;  // of times
  bool several_ = false;                  // horizons
  std::size_t first_ = 0;                 // row of the part
  std::vector<Arrival> arrivals_;
};

ForecastTerms terms_of(const Json& plan, const ForecastTable& table) {
  const std::string& loss = plan.at("loss").as_string();
  ForecastTerms terms;
  terms.loss = loss == "pinball"
                   ? ForecastLoss{.kind = ForecastLoss::Kind::kPinball, .level = plan.at("level").as_number()}
                   : forecast_loss(loss, "loss");
  terms.loss.clip = plan.at("clip").as_number();
  terms.lag = static_cast<std::uint64_t>(plan.at("lag").as_number());
  terms.patience = static_cast<std::uint64_t>(plan.at("patience").as_number());
  for (const std::string& member : recorded_names(plan.at("members"))) {
    const bool of_models = member == "mean" || member == "median" || member == "single" || member == "mixture";
    if (member == "today") {
      const auto place = static_cast<std::size_t>(plan.at("today").as_number());
      terms.today = place < table.models.size() ? table.models[place] : table.columns[place - table.models.size()];
    } else if (!member.starts_with("mixture by ")) {
      terms.members.push_back(of_models ? member : "own:" + member);
    }
  }
  return terms;
}

}  // namespace

Section forecast_record_section(const std::vector<std::string>& lines, const std::string& name) {
  std::size_t next = 0;
  verify_forecasts(
      [&](std::string& line) {
        if (next == lines.size()) return false;
        line = lines[next++];
        return true;
      },
      name);
  const std::vector<RecordedPart> parts = parts_of(lines);
  ForecastTable table = RecordedTable(parts, name).table;
  table.notes.push_back("from a record, which was computed again by separate code and agrees; it has no times");
  const ForecastTerms terms = terms_of(parts.front().header.at("forecasts"), table);
  ForecastRun run(table, terms);
  run.play(ForecastRun::Weights::kSome);
  run.finish();
  return forecast_section(forecast_comparison({.run = run, .terms = terms, .unit = "", .warm = 0, .source = name}),
                          name);
}

}  // namespace hannan::detail
