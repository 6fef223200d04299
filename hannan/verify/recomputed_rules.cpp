// What a price earns from a single bid is asked of the problem: its loss against an outcome that has this bid alone,
// and the opening bid of the round. Sums are of reals, so prices within rounding of the most are all accepted. Cost of
// a round of monopoly: a loss for each bid and price.
#include "hannan/verify/recomputed_rules.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

class LabelCounts final : public RecomputedRule {
 public:
  explicit LabelCounts(bool last) : last_(last) {}
  std::string objection(const Json& proposal) const override {
    const double expected = last_ ? before_ : ones_ > zeros_ ? 1 : 0;
    if (proposal.is_number() && proposal.as_number() == expected) return {};
    return "found " + dump(proposal) + ", expected the label " + number_text(expected);
  }
  double loss(const Json& proposal, const RecordedOutcome& y) const override {
    return proposal == y.json.at("label") ? 0 : 1;
  }
  void observe(const Json& outcome) override {
    before_ = outcome.at("label").as_number();
    (before_ == 1 ? ones_ : zeros_) += 1;
  }

 private:
  bool last_;
  double ones_ = 0, zeros_ = 0, before_ = 0;
};

class MonopolySums final : public RecomputedRule {
 public:
  MonopolySums(const Game& game, bool tied) : game_(game), tied_(tied) {
    lowest_ = game.action_json(game.first_actions(1).front());
    const std::size_t slots = lowest_.size();
    for (std::size_t i = 0; i < slots; ++i) {
      std::vector<AnyAction> own;
      for (int z = 0; own.size() < kMostPrices; ++z) {
        const auto action = with_price(i, z);
        if (action) own.push_back(*action);
        if (!action && !own.empty()) break;
        if (!action && z > 0) break;
        if (!action) first_price_ = 1;
      }
      earned_.emplace_back(own.size(), 0.0);
      prices_.push_back(std::move(own));
    }
    if (tied_) earned_.resize(1);
  }
  std::string objection(const Json& proposal) const override {
    if (!proposal.is_array() || proposal.size() != lowest_.size())
      return "found " + dump(proposal) + ", which is no action";
    for (std::size_t i = 0; i < proposal.size(); ++i) {
      const auto& earned = earned_[tied_ ? 0 : i];
      const auto place = static_cast<std::size_t>(proposal[i].as_number() - first_price_);
      const double most = *std::max_element(earned.begin(), earned.end());
      const double slack = 1e-9 * std::max(1.0, std::abs(most));
      if (place >= earned.size() || earned[place] < most - slack) return "found a price that is not the monopoly price";
      for (std::size_t z = 0; z < place; ++z) {
        if (earned[z] > earned[place] + slack) return "found a price, and a lower one earned more";
        if (earned[z] == earned[place] && most == 0) return "found a price, and a lower one earned as much";
      }
    }
    return {};
  }
  double loss(const Json& proposal, const RecordedOutcome& y) const override {
    return game_.loss(game_.parse_action(proposal, "proposals"), y.outcome);
  }
  void observe(const Json& outcome) override {
    const Json& bids = outcome.is_object() ? outcome.at("bids") : outcome;
    for (std::size_t i = 0; i < bids.size(); ++i) {
      if (bids[i].is_null()) continue;
      if (!bids[i].is_array()) {
        count(outcome, i, bids[i]);
        continue;
      }
      for (const Json& bid : bids[i].as_array()) count(outcome, i, bid);
    }
  }
  // Ceilings of purchases: what a lone ask earns is not what the rule counts.
  bool on_trust() const override { return game_.form() == Form::kLoss; }

 private:
  static constexpr std::size_t kMostPrices = 1'000'000;

  std::optional<AnyAction> with_price(std::size_t slot, int z) const {
    Json action = Json::array();
    for (std::size_t i = 0; i < lowest_.size(); ++i) action.push_back(i == slot ? Json(z) : lowest_[i]);
    try {
      return game_.parse_action(action, "action");
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  // The round with this bid alone; levels have a 0 for those who do not bid, money null.
  void count(const Json& outcome, std::size_t slot, const Json& bid) {
    const bool plain = game_.loss_range() == LossRange::kUnitInterval, money = outcome.is_object() || !plain;
    Json bids = Json::array();
    for (std::size_t i = 0; i < lowest_.size(); ++i) bids.push_back(i == slot ? bid : money ? Json() : Json(0));
    Json lone = money ? Json::object({{"bids", bids}}) : bids;
    if (outcome.is_object() && outcome.find("opening")) lone.set("opening", outcome.at("opening"));
    game_.read_outcome(lone, "outcome", lone_);
    auto& earned = earned_[tied_ ? 0 : slot];
    const double nothing = plain ? 1 : 0;  // the loss without a sale
    for (std::size_t z = 0; z < earned.size(); ++z) earned[z] += nothing - game_.loss(prices_[slot][z], lone_);
  }

  const Game& game_;
  bool tied_;
  Json lowest_;
  double first_price_ = 0;
  std::vector<std::vector<AnyAction>> prices_;  // [slot][place]: that price for the slot, the lowest for all others
  std::vector<std::vector<double>> earned_;
  AnyOutcome lone_;
};

}  // namespace

std::unique_ptr<RecomputedRule> recomputed_rule(const Game& game, const std::string& kind, bool tied) {
  if (kind == "majority" || kind == "last") return std::make_unique<LabelCounts>(kind == "last");
  if (kind == "monopoly") return std::make_unique<MonopolySums>(game, tied);
  return nullptr;
}

}  // namespace hannan::detail
