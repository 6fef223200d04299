#include "hannan/streams/market_source.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

// Makes one outcome; a candidate is another draw of the same round.
class OutcomeMaker {
 public:
  OutcomeMaker(const AnyProblem& problem, Market market)
      : kind_(problem.kind()), params_(problem.params()), market_(std::move(market)) {
    for (const std::string_view known : {"vcg-reserves", "level-auction", "second-price-bidding", "item-pricing",
                                         "multi-unit", "routing", "security-game", "threshold-bidding"}) {
      if (kind_ == known) return;
    }
    throw Error(Code::kUnavailable, "no simulated market makes outcomes of \"" + std::string(kind_) + "\"", "problem");
  }

  Json make(std::uint64_t round, std::uint64_t candidate) const {
    const std::uint64_t from = candidate * kPlaces;
    if (kind_ == "second-price-bidding") return values(round, from, count("items"));
    if (kind_ == "item-pricing") return buyers(round, from);
    if (kind_ == "multi-unit") return valuations(round, from);
    if (kind_ == "routing") return costs(round, from);
    if (kind_ == "security-game") return index(round, from, params_.at("types").size());
    if (kind_ == "threshold-bidding") return index(round, from, params_.at("prices").size());
    return values(round, from, count("bidders"));
  }

 private:
  static constexpr std::uint64_t kPlaces = 1'000'000;  // of one candidate
  // Values go to the places from 1 on: place 0 is the common shock of a correlated market.
  double value(std::uint64_t round, std::uint64_t place) const { return market_.value(round, place + 1); }
  std::uint64_t count(const char* name) const { return static_cast<std::uint64_t>(params_.at(name).as_number()); }

  Json values(std::uint64_t round, std::uint64_t from, std::uint64_t n) const {
    Json list = Json::array();
    for (std::uint64_t i = 0; i < n; ++i) list.push_back(value(round, from + i));
    return list;
  }

  // Roads differ for good, or there would be nothing to learn.
  Json costs(std::uint64_t round, std::uint64_t from) const {
    Json list = Json::array();
    for (std::uint64_t e = 0; e < params_.at("edges").size(); ++e) {
      list.push_back((0.2 + 0.8 * market_.lasting(round, e)) * value(round, from + e));
    }
    return list;
  }

  Json index(std::uint64_t round, std::uint64_t from, std::uint64_t n) const {
    return Json(std::min(n - 1, static_cast<std::uint64_t>(value(round, from) * static_cast<double>(n))));
  }

  Json buyers(std::uint64_t round, std::uint64_t from) const {
    const std::uint64_t items = count("items"), n = count("buyers");
    Json list = Json::array();
    for (std::uint64_t b = 0; b < n; ++b) {
      const std::uint64_t place = from + b * (items + 4);
      if (params_.at("demand").as_string() == "unit") {
        list.push_back(values(round, place, items));
        continue;
      }
      const std::uint64_t wanted = 1 + market_.below(round, place, std::min<std::uint64_t>(3, items));
      std::vector<std::uint64_t> bundle;
      double worth = 0;
      for (std::uint64_t i = 0; i < wanted; ++i) {
        const std::uint64_t item = market_.below(round, place + 1 + i, items);
        if (std::find(bundle.begin(), bundle.end(), item) != bundle.end()) continue;
        bundle.push_back(item);
        worth += value(round, place + 1 + i);
      }
      std::sort(bundle.begin(), bundle.end());
      list.push_back(Json::object({{"bundle", Json::array(bundle)}, {"value", std::min(1.0, worth)}}));
    }
    return list;
  }

  Json valuations(std::uint64_t round, std::uint64_t from) const {
    const std::uint64_t units = count("units"), n = count("bidders");
    Json list = Json::array();
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t place = from + i * 8;
      std::vector<std::uint64_t> at;
      for (std::uint64_t step = 0; step < 3; ++step) at.push_back(1 + market_.below(round, place + step, units));
      std::sort(at.begin(), at.end());
      at.erase(std::unique(at.begin(), at.end()), at.end());
      Json steps = Json::array();
      double worth = 0;
      for (std::uint64_t step = 0; step < at.size(); ++step) {
        worth = std::min(1.0, worth + value(round, place + step) / 2);
        steps.push_back(Json::array({Json(at[step]), Json(worth)}));
      }
      list.push_back(std::move(steps));
    }
    return list;
  }

  std::string_view kind_;
  Json params_;
  Market market_;
};

class MarketSource final : public Source {
 public:
  MarketSource(const AnyProblem& problem, const MarketSourceSpec& spec)
      : problem_(problem),
        rounds_(spec.rounds),
        adversarial_(spec.market.name == kAdversarial),
        maker_(problem, Market(adversarial_ ? MarketSpec{.name = "uniform", .key = spec.market.key} : spec.market)) {}

  bool feed(AnyLearner& learner, ObserveView& view) override {
    if (round_ == rounds_) return false;
    const Json action = adversarial_ ? learner.action() : Json();
    const Json outcome = adversarial_ ? worst_for(last_action_) : maker_.make(round_ + 1, 0);
    view = learner.observe(outcome, "outcome");
    ++round_;
    last_action_ = action;
    return true;
  }
  bool answers_actions() const override { return adversarial_; }
  bool skip() override {
    Json unused;
    return next(unused);
  }
  bool next(Json& outcome) override {
    if (adversarial_)
      throw Error(Code::kUnavailable, "an adversary answers the learner; it has no data of its own", "stream");
    if (round_ == rounds_) return false;
    outcome = maker_.make(++round_, 0);
    return true;
  }

 private:
  static constexpr std::uint64_t kCandidates = 16;

  Json worst_for(const Json& action) const {
    Json worst = maker_.make(round_ + 1, 0);
    if (action.is_null()) return worst;
    double most = -1;
    for (std::uint64_t i = 0; i < kCandidates; ++i) {
      Json candidate = maker_.make(round_ + 1, i);
      const double loss = problem_.loss(action, candidate).at("loss").as_number();
      if (loss > most) {
        most = loss;
        worst = std::move(candidate);
      }
    }
    return worst;
  }

  const AnyProblem& problem_;
  std::uint64_t rounds_;
  bool adversarial_;
  OutcomeMaker maker_;
  std::uint64_t round_ = 0;
  Json last_action_;
};

}  // namespace

std::unique_ptr<Source> market_source(const AnyProblem& problem, const MarketSourceSpec& spec) {
  return std::make_unique<MarketSource>(problem, spec);
}

}  // namespace hannan
