// Sums are those of the rule's own ledger. Stretches: all but the last hold full_ rounds; when there are
// kMostWayStretches full ones neighbours are merged and full_ doubles, so that a chart has 64 to 128 of them however
// many rounds were read.
#include "service/portfolio_figures.hpp"

#include <algorithm>
#include <utility>

namespace hannan::detail::service {
namespace {

constexpr std::size_t kMostWayStretches = 128;  // that are drawn: chosen

}  // namespace

Json portfolio_figures(PortfolioLearner& learner) {
  const Json listed = learner.strategies_json();
  learner.certified();
  const PortfolioRule& rule = learner.rule();
  const auto& setting = rule.setting();
  const auto today = rule.sums().front();
  Json strategies = Json::array();
  const Json* best = nullptr;
  for (const Json& one : listed.as_array()) {
    const bool shadow = one.find("shadow") != nullptr;
    Json row = Json::object({{"name", one.at("name")}, {"kind", one.at("kind")}});
    if (shadow) {
      row.set("shadow", true);
    } else {
      row.set("gain", today - one.at("total").as_number()).set("weight", one.at("weight"));
      if (!best || one.at("total").as_number() < best->at("total").as_number()) best = &one;
    }
    strategies.push_back(std::move(row));
  }
  const double wider = setting.largest ? 0.0 : 2 * rule.largest_difference();
  return Json::object({{"today", listed[0].at("name")},
                       {"risk", setting.risk},
                       {"largest", setting.largest},
                       {"hard", setting.hard},
                       {"most", setting.risk + wider},
                       {"gain", rule.gain()},
                       {"low", rule.low()},
                       {"drawn_gain", rule.realised_gain()},
                       {"certain", -rule.today()},
                       {"rehearsed", rule.rehearsed()},
                       {"played", rule.played()},
                       {"today_total", today},
                       {"best", best->at("name")},
                       {"behind", best->at("behind")},
                       {"certified", best->at("certificate")},
                       {"strategies", std::move(strategies)}});
}

void PortfolioRounds::Stretch::add(const Stretch& more) {
  rounds += more.rounds;
  weights.resize(std::max(weights.size(), more.weights.size()), 0.0);
  for (std::size_t k = 0; k < more.weights.size(); ++k) weights[k] += more.weights[k];
}

void PortfolioRounds::add(const Json& line) {
  const Json* given = line.find("weights");
  if (!given || !line.find("proposals")) return;
  Stretch one{.rounds = 1, .weights = {}};
  for (const Json& weight : given->as_array()) one.weights.push_back(weight.as_number());
  if (stretches_.empty() || stretches_.back().rounds == full_) stretches_.emplace_back();
  stretches_.back().add(one);
  if (stretches_.size() < kMostWayStretches || stretches_.back().rounds < full_) return;
  std::vector<Stretch> fewer;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    if (i % 2 == 0) fewer.emplace_back();
    fewer.back().add(stretches_[i]);
  }
  stretches_ = std::move(fewer);
  full_ *= 2;
}

Json PortfolioRounds::json(const LearnerConfig& config) const {
  if (stretches_.empty()) return {};
  Json names = Json::array(), rounds = Json::array(), shares = Json::array();
  const auto& strategies = config.learner_params.at("strategies").as_array();
  for (const Stretch& one : stretches_) rounds.push_back(one.rounds);
  for (std::size_t k = 0; k < strategies.size(); ++k) {
    names.push_back(strategies[k].at("name"));
    Json share = Json::array();
    for (const Stretch& one : stretches_)
      share.push_back(k < one.weights.size() ? one.weights[k] / static_cast<double>(one.rounds) : 0.0);
    shares.push_back(std::move(share));
  }
  return Json::object({{"names", std::move(names)}, {"rounds", std::move(rounds)}, {"shares", std::move(shares)}});
}

}  // namespace hannan::detail::service
