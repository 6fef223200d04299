// The page of a record of combined forecasts: the record is computed again by the verifier, then its rows are played as
// the table they come from, which gives the same forecasts. Names of rounds are their numbers: a record has no times.
#include <algorithm>
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

// One header with the rounds behind it.
struct RecordedPart {
  Json header;
  std::vector<Json> rounds;
};

std::vector<RecordedPart> parts_of(const std::vector<std::string>& lines) {
  std::vector<RecordedPart> parts;
  for (const std::string& line : lines) {
    Json json = parse_json(line);
    if (json.find("record")) {
      parts.push_back({std::move(json), {}});
    } else if (!json.find("end")) {
      parts.back().rounds.push_back(std::move(json));
    }
  }
  return parts;
}

// The rows of a round of the first part make the rows of the table; further parts are further levels of the same rows.
ForecastTable table_of(const std::vector<RecordedPart>& parts, const std::string& name) {
  const Json& plan = parts.front().header.at("forecasts");
  ForecastTable table;
  table.models = recorded_names(plan.at("models"));
  table.columns = recorded_names(plan.at("columns"));
  table.by = recorded_names(plan.at("by"));
  for (const RecordedPart& part : parts) {
    const Json& level = part.header.at("of");
    if (part.header.find("told") || (level.is_null() && parts.size() > 1))
      throw Error(Code::kUnavailable,
                  "found a record of several horizons, or of actuals in any order, expected one of a table with a lag: "
                  "hannan compare forecasts -o writes what a page is made of",
                  name);
    if (!level.is_null()) table.levels.push_back(level.as_number());
  }
  for (std::size_t q = 0; q < parts.size(); ++q) {
    std::size_t i = 0;
    for (std::size_t r = 0; r < parts[q].rounds.size(); ++r) {
      for (const Json& row : parts[q].rounds[r].at("rows").as_array()) {
        if (q == 0) {
          table.round.push_back(r);
          table.y.push_back(recorded_number(row.at("y")));
          const Json* weight = row.find("w");
          table.weight.push_back(weight ? weight->as_number() : 1);
          if (const Json* by = row.find("by")) {
            for (const Json& value : by->as_array()) table.values.push_back(value.as_string());
          }
          table.x.resize(table.y.size() * table.depth() * table.width(), kNotDelivered);
        }
        if (i >= table.rows()) throw Error(Code::kMalformed, "found levels of other rows, expected the same", name);
        for (std::size_t k = 0; k < table.width(); ++k)
          table.x[(i * table.depth() + q) * table.width() + k] = recorded_number(row.at("x")[k]);
        ++i;
      }
    }
  }
  if (std::ranges::all_of(table.weight, [](double weight) { return weight == 1; })) table.weight.clear();
  for (std::size_t r = 0; r < parts.front().rounds.size(); ++r) table.round_names.push_back(std::to_string(r + 1));
  return table;
}

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
  ForecastTable table = table_of(parts, name);
  table.notes.push_back("from a record, which was computed again by separate code and agrees; it has no times");
  const ForecastTerms terms = terms_of(parts.front().header.at("forecasts"), table);
  ForecastRun run(table, terms);
  run.play(ForecastRun::Weights::kSome);
  run.finish();
  return forecast_section(forecast_comparison({.run = run, .terms = terms, .unit = "", .warm = 0, .source = name}),
                          name);
}

}  // namespace hannan::detail
