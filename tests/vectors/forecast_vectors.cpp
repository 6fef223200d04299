// Expected results of combined forecasts, computed by a program that shares no code with this one.
//
//     hannan_forecast_vectors FOLDER
//
// Reads every .json file of the folder (tests/vectors/forecasts/README.md has the kinds) and prints each number that
// differs by more than 1e-9 of max(1, |expected|); of best mixtures 1e-6. Exit status 1 where there is one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hannan/compare/judgement.hpp"
#include "hannan/compare/relative_gains.hpp"
#include "hannan/forecasts/baselines.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/forecasts/combiner.hpp"
#include "hannan/forecasts/quantiles.hpp"
#include "hannan/streams/loss_doubt.hpp"
#include "tests/no_doubts.hpp"

namespace hannan::detail {
namespace {

std::size_t faults = 0, compared = 0;

void say(const std::string& where, const std::string& what) {
  ++faults;
  if (faults <= 40) fmt::print("{}: {}\n", where, what);
}

double number(const Json& json) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (json == Json("inf")) return std::numeric_limits<double>::infinity();
  return json.as_number();
}

void same(const std::string& where, const Json& expected, double found, double tolerance = 1e-9) {
  ++compared;
  const double want = number(expected);
  if (std::isnan(want) && std::isnan(found)) return;
  if (want == found || std::abs(want - found) <= tolerance * std::max(1.0, std::abs(want))) return;
  say(where, fmt::format("found {:.17g}, expected {:.17g}", found, want));
}

ForecastLoss loss_of(const Json& name, const Json* tau) {
  if (name == Json("pinball")) return {.kind = ForecastLoss::Kind::kPinball, .level = tau ? tau->as_number() : 0.5};
  return forecast_loss(name.as_string(), "loss");
}

std::vector<double> row_of(const Json& row) {
  std::vector<double> made;
  for (const Json& one : row.as_array()) made.push_back(number(one));
  return made;
}

void check_losses(const std::string& id, const Json& inputs, const Json& expected) {
  const auto& cases = inputs.at("cases").as_array();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ForecastLoss loss = loss_of(cases[i][0], &cases[i][1]);
    const ValueAndSlope at = loss.at(cases[i][2].as_number(), cases[i][3].as_number());
    same(id + " value", expected[i].at("value"), at.value);
    same(id + " slope", expected[i].at("slope"), at.slope);
  }
}

void same_hedge(const std::string& id, const Json& expected, const RegretHedge& found) {
  for (std::size_t k = 0; k < found.size(); ++k) same(id + " R", expected.at("R")[k], found.regret(k));
  same(id + " Delta", expected.at("Delta"), found.gap());
  if (const Json* eta = expected.find("eta")) same(id + " eta", *eta, found.rate());
  if (const Json* size = expected.find("size")) same(id + " size", *size, found.largest_range());
  if (const Json* unit = expected.find("unit")) same(id + " unit", *unit, found.unit());
}

// The rows of a vector as rounds, with the time each actual comes.
class Told {
 public:
  explicit Told(const Json& inputs) {
    const Json& X = inputs.at("X");
    const Json* rounds = inputs.find("rounds");
    std::map<double, std::size_t> index;
    for (std::size_t i = 0; i < X.size(); ++i) {
      rows.push_back(row_of(X[i]));
      y.push_back(number(inputs.at("y")[i]));
      const double name = rounds ? (*rounds)[i].as_number() : static_cast<double>(i);
      const auto [at, fresh] = index.try_emplace(name, round_rows.size());
      if (fresh) round_rows.emplace_back();
      round_rows[at->second].push_back(i);
      place.emplace_back(at->second, round_rows[at->second].size() - 1);
    }
    const Json* lag = inputs.find("lag");
    const Json* arrive = inputs.find("arrive");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double known = arrive && !arrive->is_null()
                               ? number((*arrive)[i])
                               : static_cast<double>(place[i].first) + (lag && !lag->is_null() ? lag->as_number() : 1);
      if (!std::isnan(known)) comes[known].push_back(i);
    }
  }
  // Actuals that are known before this round.
  void tell(Combiner& combiner, double round) {
    while (!comes.empty() && comes.begin()->first <= round) {
      for (const std::size_t i : comes.begin()->second) {
        try {
          combiner.tell(place[i].first + 1, place[i].second, y[i]);
        } catch (const Error&) {
          ++refused;
        }
      }
      comes.erase(comes.begin());
    }
  }
  std::vector<std::vector<double>> rows;
  std::vector<double> y;
  std::vector<std::vector<std::size_t>> round_rows;
  std::vector<std::pair<std::size_t, std::size_t>> place;
  std::map<double, std::vector<std::size_t>> comes;
  std::size_t refused = 0;
};

void check_certificate(const std::string& id, const Json& expected, const Combiner& combiner) {
  const ForecastCertificate found = certificate_of(combiner);
  const CombinerPlan& plan = combiner.plan();
  for (std::size_t j = 0; j < plan.members.size(); ++j) {
    same(id + " members", expected.at("members").at(plan.members[j].name), found.members[j]);
    same(id + " linear", expected.at("members_linear").at(plan.members[j].name), found.members_linear[j]);
  }
  same(id + " members_proven", expected.at("members_proven"), found.members_proven);
  same(id + " members_closed", expected.at("members_closed"), found.members_closed);
  for (std::size_t k = 0; k < plan.models.size(); ++k) same(id + " direct", expected.at("direct")[k], found.direct[k]);
  if (expected.find("convex")) {
    same(id + " convex", expected.at("convex"), found.convex->measured);
    same(id + " convex_proven", expected.at("convex_proven"), found.convex->proven);
    same(id + " convex_closed", expected.at("convex_closed"), found.convex->closed);
    for (std::size_t k = 0; k < plan.models.size(); ++k)
      same(id + " models", expected.at("models")[k], found.models[k]);
  }
  if (expected.find("single")) {
    for (std::size_t k = 0; k < plan.models.size(); ++k)
      same(id + " single", expected.at("single")[k], found.single[k]);
    same(id + " single_proven", expected.at("single_proven"), found.single_limits->proven);
    same(id + " single_closed", expected.at("single_closed"), found.single_limits->closed);
  }
  for (const auto& segments : found.segments) {
    const Json& of = expected.at("segments").at(segments.column);
    same(id + " segments", of.at("measured"), segments.measured);
    same(id + " segments proven", of.at("proven"), segments.proven);
  }
}

void check_combine(const std::string& id, const Json& inputs, const Json& expected) {
  CombinerPlan plan{.models = {}, .loss = loss_of(inputs.at("loss"), inputs.find("tau"))};
  for (std::size_t k = 0; k < inputs.at("X")[0].size(); ++k) plan.models.push_back("m" + std::to_string(k));
  if (const Json* patience = inputs.find("patience"); patience && !patience->is_null())
    plan.patience = static_cast<std::uint64_t>(patience->as_number());
  std::vector<std::string> members = default_members();
  if (const Json* given = inputs.find("members"); given && !given->is_null()) {
    members.clear();
    for (const Json& one : given->as_array()) members.push_back(one.as_string());
  }
  const Json* by = inputs.find("by");
  if (by && by->is_object()) {
    for (const auto& field : by->as_object()) plan.by.push_back(field.first);
  }
  set_members(plan, members, "members");
  const Json* weight = inputs.find("weight");
  Combiner combiner(plan);
  Told told(inputs);
  std::vector<double> total(plan.width() + 1);
  for (std::size_t t = 0; t < told.round_rows.size(); ++t) {
    told.tell(combiner, static_cast<double>(t));
    std::vector<ForecastRow> rows;
    std::vector<std::vector<std::string>> values;
    for (const std::size_t i : told.round_rows[t]) {
      values.emplace_back();
      for (const std::string& column : plan.by) {
        const Json& value = by->at(column)[i];
        values.back().push_back(value.is_string() ? value.as_string() : dump(value));
      }
    }
    for (std::size_t n = 0; n < told.round_rows[t].size(); ++n) {
      const std::size_t i = told.round_rows[t][n];
      rows.push_back(
          {.x = told.rows[i], .weight = weight && !weight->is_null() ? (*weight)[i].as_number() : 1, .by = values[n]});
    }
    const CombinerRound& round = combiner.forecast(rows);
    for (std::size_t j = 0; j < plan.members.size(); ++j)
      same(id + " top_weights", expected.at("top_weights")[t][j], round.top[j]);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const std::size_t i = told.round_rows[t][n];
      same(id + " published", expected.at("published")[i], round.published[n]);
      for (std::size_t j = 0; j < plan.members.size(); ++j)
        same(id + " member", expected.at("member_forecasts")[i][j], round.members[n * plan.members.size() + j]);
      combiner.total_weights(round, n, total);
      for (std::size_t k = 0; k < plan.models.size(); ++k)
        same(id + " weights", expected.at("weights")[i][k], total[k]);
    }
  }
  told.tell(combiner, std::numeric_limits<double>::infinity());
  combiner.close_all();
  same(id + " total", expected.at("total"), combiner.total());
  same(id + " rows", expected.at("rows"), static_cast<double>(combiner.rows()));
  same(id + " too_late", expected.at("too_late"), static_cast<double>(combiner.too_late()));
  same_hedge(id + " top", expected.at("top"), combiner.top());
  if (expected.find("mixture")) same_hedge(id + " mixture", expected.at("mixture"), *combiner.mixture());
  if (expected.find("single")) same_hedge(id + " single", expected.at("single"), *combiner.single());
  if (const Json* segments = expected.find("segments")) {
    for (const Combiner::Segment& segment : combiner.segments())
      same_hedge(id + " " + segment.value, segments->at(plan.by[segment.column]).at(segment.value),
                 combiner.hedge(segment.hedge));
  }
  check_certificate(id, expected.at("certificate"), combiner);
}

void check_quantiles(const std::string& id, const Json& inputs, const Json& expected) {
  const std::vector<double> levels = row_of(inputs.at("levels"));
  const Json& X = inputs.at("X");
  std::vector<std::vector<double>> raw(X.size());
  for (std::size_t q = 0; q < levels.size(); ++q) {
    CombinerPlan plan{.models = {}, .loss = {.kind = ForecastLoss::Kind::kPinball, .level = levels[q]}};
    for (std::size_t k = 0; k < X[0].size(); ++k) plan.models.push_back("m" + std::to_string(k));
    set_members(plan, default_members(), "members");
    Combiner combiner(plan);
    for (std::size_t i = 0; i < X.size(); ++i) {
      std::vector<double> x;
      for (const Json& model : X[i].as_array()) x.push_back(number(model[q]));
      const std::vector<ForecastRow> rows{{.x = x}};
      raw[i].push_back(combiner.forecast(rows).published[0]);
      same(id + " raw", expected.at("raw")[i][q], raw[i].back());
      combiner.tell(i + 1, 0, number(inputs.at("y")[i]));
    }
    same(id + " totals", expected.at("totals")[q], combiner.total());
    same(id + " convex_proven", expected.at("convex_proven")[q], certificate_of(combiner).convex->proven);
  }
  for (std::size_t i = 0; i < X.size(); ++i) {
    sort_levels(raw[i]);
    for (std::size_t q = 0; q < levels.size(); ++q) same(id + " sorted", expected.at("sorted")[i][q], raw[i][q]);
    same(id + " wis", expected.at("wis")[i], interval_score(raw[i], levels, number(inputs.at("y")[i])));
  }
}

void check_best(const std::string& id, const Json& inputs, const Json& expected) {
  const ForecastLoss loss = loss_of(inputs.at("loss"), inputs.find("tau"));
  std::vector<double> x, weight;
  for (const Json& row : inputs.at("X").as_array()) {
    for (const Json& one : row.as_array()) x.push_back(number(one));
  }
  if (const Json* given = inputs.find("weight"); given && !given->is_null()) weight = row_of(*given);
  const std::vector<double> y = row_of(inputs.at("y"));
  const BestMixture found =
      best_mixture({.x = x, .y = y, .weight = weight, .models = inputs.at("X")[0].size(), .loss = loss});
  same(id + " value", expected.at("value"), found.value, 1e-6);
  same(id + " floor", expected.at("floor"), *found.floor, 1e-6);
  if (*found.floor > found.value) say(id, "the floor is above the value");
}

void check_baselines(const std::string& id, const Json& inputs, const Json& expected) {
  const ForecastLoss loss = loss_of(inputs.at("loss"), inputs.find("tau"));
  const Json& X = inputs.at("X");
  ForecastBaselines baselines(X[0].size(), loss);
  for (std::size_t i = 0; i < X.size(); ++i) {
    const std::vector<double> x = row_of(X[i]);
    const auto found = baselines.forecast(x);
    same(id + " trimmed", expected.at("trimmed")[i], found.trimmed);
    same(id + " last best", expected.at("last best")[i], found.last_best);
    same(id + " inverse error", expected.at("inverse error")[i], found.inverse_error);
    baselines.tell(x, number(inputs.at("y")[i]), 1);
  }
}

void check_judgement(const std::string& id, const Json& inputs, const Json& expected) {
  const std::vector<double> today = row_of(inputs.at("today")), ours = row_of(inputs.at("ours"));
  const RelativeGains gains = relative_gains(today, ours);
  double baseline = 0, shares = 0;
  for (const double loss : today) baseline += loss;
  for (const double share : gains.shares) shares += share;
  const Judgement found = judge(gains.gains, {.doubts = sure(), .baseline = baseline, .relative = gains.shares});
  same(id + " gain", expected.at("gain"), found.gain);
  same(id + " shares", expected.at("shares"), shares);
  same(id + " anytime", expected.at("anytime")[0], found.anytime.lo);
  same(id + " anytime", expected.at("anytime")[1], found.anytime.hi);
  if (!expected.at("blocks").is_null()) {
    // The other program has Student's quantile to 8 digits (2.3646243); here it has 11.
    same(id + " blocks", expected.at("blocks")[0], found.blocks.lo, 1e-7);
    same(id + " blocks", expected.at("blocks")[1], found.blocks.hi, 1e-7);
  }
  if (recommendation_name(found.advice) != expected.at("verdict").as_string())
    say(id, "found " + std::string(recommendation_name(found.advice)) + ", expected " + dump(expected.at("verdict")));
}

void check_recognised(const std::string& id, const Json& inputs, const Json& expected) {
  const auto& cases = inputs.at("cases").as_array();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<std::string> names;
    std::vector<double> numbers;
    for (const Json& name : cases[i].at("names").as_array()) names.push_back(name.as_string());
    for (const Json& row : cases[i].at("table").as_array()) {
      for (const Json& one : row.as_array()) numbers.push_back(number(one));
    }
    const auto found = recognised_forecasts(names, numbers, names.size());
    const std::string word = !found ? "null" : found == Recognised::kNamed ? "\"named\"" : "\"alike\"";
    ++compared;
    if (word != dump(expected[i])) say(id, fmt::format("case {}: found {}, expected {}", i, word, dump(expected[i])));
  }
}

int check_folder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  const std::map<std::string, void (*)(const std::string&, const Json&, const Json&)> kinds{
      {"losses", check_losses},       {"combine", check_combine},     {"quantiles", check_quantiles},
      {"best_convex", check_best},    {"baselines", check_baselines}, {"judge_relative", check_judgement},
      {"recognise", check_recognised}};
  for (const auto& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const Json vector = parse_json(text.str());
    const auto kind = kinds.find(vector.at("kind").as_string());
    if (kind == kinds.end()) {
      say(path.string(), "found the kind " + dump(vector.at("kind")) + ", expected a known one");
      continue;
    }
    kind->second(vector.at("id").as_string(), vector.at("inputs"), vector.at("expected"));
  }
  fmt::print("{} files, {} numbers, {} differ\n", paths.size(), compared, faults);
  return faults > 0 || paths.empty() ? 1 : 0;
}

}  // namespace
}  // namespace hannan::detail

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: hannan_forecast_vectors FOLDER\n", stderr);
    return 2;
  }
  return hannan::detail::check_folder(argv[1]);
}
