// Figures of a portfolio: totals, weights and statements are those of the learner's own report, times the money of a
// loss of 1; paths and the gains that judgements rest on were noted round by round.
#include "hannan/compare/portfolio_result.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

// The value of a statement of the report; none where it does not state it.
std::optional<double> stated_value(const Json& report, std::string_view name, std::string_view strategy = {}) {
  for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
    if (bound.at("name") != Json(name)) continue;
    const Json* of = bound.find("strategy");
    if (strategy.empty() || (of && *of == Json(strategy))) return bound.at("value").as_number();
  }
  return std::nullopt;
}

// By point: the mean chance of a strategy since the point before.
std::vector<double> shares_of(const Comparison& all, std::size_t k) {
  const auto& path = all.players[all.portfolio->player].path;
  std::vector<double> shares;
  double before = 0;
  std::uint64_t rounds = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double now = path[i].portfolio->weights[k];
    shares.push_back((now - before) / static_cast<double>(all.at[i] - rounds));
    before = now;
    rounds = all.at[i];
  }
  return shares;
}

ResultStrategy strategy_of(const Comparison& all, const JudgedPlayers& judged, std::size_t k) {
  const ComparedPlayer& player = all.players[all.portfolio->player];
  const Comparison::Strategy& noted = all.portfolio->strategies[k];
  const Json& reported = player.report.at("strategies")[k];
  const auto& losses = player.path.back().portfolio->losses;
  ResultStrategy of;
  of.name = noted.name;
  of.kind = noted.kind;
  of.shadow = reported.find("shadow") != nullptr;
  of.money = judged.money(all.rounds, losses[k]);
  of.gain = judged.unit() * (losses.front() - losses[k]);
  of.final_action = noted.action;
  if (k > 0 && !all.gains.empty()) of.judgement = judged.strategy(k);
  if (of.judgement) of.judgement->path.reset();  // nothing draws it
  if (of.shadow) return of;
  of.weight = reported.at("weight").as_number();
  of.behind = judged.unit() * reported.at("behind").as_number();
  of.certified = judged.unit() * reported.at("certificate").as_number();
  of.share = shares_of(all, k);
  return of;
}

}  // namespace

ResultPortfolio portfolio_result(const Comparison& all, const JudgedPlayers& judged) {
  const ComparedPlayer& player = all.players[all.portfolio->player];
  const Json& report = player.report;
  const double unit = judged.unit();
  const auto in_money = [&](const char* name) { return unit * report.at(name).as_number(); };
  ResultPortfolio of;
  of.player = player.name;
  of.gain = in_money("gain");
  of.low = in_money("low");
  of.drawn = judged.money(all.rounds, report.at("realised").as_number());
  of.drawn_gain = in_money("realised_gain");
  const Json& params = report.at("params");
  of.risk = unit * params.at("risk").as_number();
  if (const auto largest = params.find_number("largest")) of.largest = unit * *largest;
  if (const auto hard = params.find_number("hard")) of.hard = unit * *hard;
  of.certain = -unit * stated_value(report, "today").value_or(0);
  if (const auto limit = stated_value(report, "limit")) of.limit = unit * *limit;
  of.best = report.at("best_strategy").as_string();
  of.behind = in_money("behind");
  of.certified = unit * stated_value(report, "strategies", of.best).value_or(0);
  for (std::size_t k = 0; k < all.portfolio->strategies.size(); ++k)
    of.strategies.push_back(strategy_of(all, judged, k));
  for (const ComparedPoint& point : player.path) {
    of.certain_path.push_back(-unit * point.portfolio->certificate);
    of.drawn_path.push_back(unit * (point.portfolio->losses.front() - point.portfolio->drawn));
  }
  Sum drawn;
  for (const double gain : all.portfolio->drawn_gains) {
    drawn.add(gain);
    of.drawn_low = std::min(of.drawn_low, unit * drawn.value());
  }
  return of;
}

namespace {

template <class Counts>
std::size_t likeliest(const std::vector<ResultStrategy>& all, const Counts& counts) {
  std::size_t found = all.size();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].weight || !counts(all[k])) continue;
    if (found == all.size() || *all[k].weight > *all[found].weight) found = k;
  }
  return found;
}

}  // namespace

std::size_t ResultPortfolio::leading() const {
  return likeliest(strategies, [](const ResultStrategy&) { return true; });
}

std::size_t ResultPortfolio::handed_on() const {
  return likeliest(strategies, [](const ResultStrategy& of) { return !of.final_action.is_null(); });
}

}  // namespace hannan::detail
