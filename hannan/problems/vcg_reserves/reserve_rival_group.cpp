// The rivals of one auction (reserve_rivals.hpp), its bids ranked once for all of them.
//
// Where nothing asked for is no action of the problem, "no reserve" is played by the rule of the auction itself and
// comes first; the lowest action follows.
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

// The monopoly price of each bidder's past bids in the context.
class MonopolyByContext final : public ContextRival {
 public:
  MonopolyByContext(std::shared_ptr<const VcgReserves> problem, std::uint64_t most)
      : problem_(std::move(problem)), most_(most), rest_(*problem_) {}

  double play_round(std::span<const std::string> context, const AnyOutcome& y) override {
    const auto ranked = problem_->prepare(y.get<VcgReserves::Outcome>());
    MonopolyReserves& price = of(context);
    const double loss = problem_->loss_prepared(price.act(), ranked);
    price.observe(ranked);
    return loss;
  }

 private:
  MonopolyReserves& of(std::span<const std::string> context) {
    key_.clear();
    for (const std::string& value : context) key_ += value + '\0';  // no value holds NUL
    if (const auto known = prices_.find(key_); known != prices_.end()) return known->second;
    if (prices_.size() == most_) return rest_;
    return prices_.emplace(key_, MonopolyReserves(*problem_)).first->second;
  }

  std::shared_ptr<const VcgReserves> problem_;
  std::uint64_t most_;
  MonopolyReserves rest_;
  std::unordered_map<std::string, MonopolyReserves> prices_;
  std::string key_;
};

// The monopoly price as a rule that goes by outcomes alone.
class MonopolyRule final : public RivalRule {
 public:
  MonopolyRule(std::shared_ptr<const VcgReserves> problem, Tied tied)
      : problem_(std::move(problem)), price_(*problem_, tied) {
    decide();
  }
  Json proposal() const override { return Codec<VcgReserves>::action_json(*problem_, price_.act()); }
  const AnyAction* action() const override { return &action_; }
  double loss(const AnyOutcome& y) const override {
    return problem_->loss_prepared(price_.act(), problem_->prepare(y.get<VcgReserves::Outcome>()));
  }
  void observe(const AnyOutcome& y) override {
    price_.observe(problem_->prepare(y.get<VcgReserves::Outcome>()));
    decide();
  }
  void archive(Archive& a) override {
    price_.archive(a);
    decide();
  }

 private:
  void decide() { action_.as<VcgReserves::Action>() = price_.act(); }

  std::shared_ptr<const VcgReserves> problem_;
  MonopolyReserves price_;
  AnyAction action_;
};

class ReserveRivalGroup final : public RivalGroup {
 public:
  explicit ReserveRivalGroup(const std::shared_ptr<const VcgReserves>& problem) : problem_(problem) {
    const Money money = Codec<VcgReserves>::money(problem);
    const bool reverse = problem->form() == Form::kLoss;
    names_.push_back({reverse ? "no ceiling" : "no reserve",
                      reverse ? "every ask up to what it costs not to buy may win" : "every bid may win"});
    if (!money.first_asks_nothing) {
      unasked_ = money.unasked;
      members_.emplace_back();
      names_.push_back({reverse ? "highest ceiling" : "lowest reserve",
                        reverse ? "the ceilings that come first in the lists"
                                : "all reserves at level 1, the lowest there is: 1/m of the cap"});
    }
    join(std::make_unique<FixedReserves>(VcgReserves::Action(problem->coordinates(), problem->lowest())));
    if (UniformLeader::suits(*problem)) {
      uniform_ = members_.size();
      join(std::make_unique<UniformLeader>(*problem));
      names_.push_back({"uniform, learned", "one reserve for all, the best of the past (follow the leader)"});
    }
    join(std::make_unique<MonopolyReserves>(*problem));
    names_.push_back({"monopoly price", "per bidder the empirical monopoly price of its past bids"});
  }

  std::span<const RivalName> names() const override { return names_; }

  void play_round(const AnyOutcome& y, std::span<const std::vector<double>> all_bids) override {
    const auto& outcome = y.get<VcgReserves::Outcome>();
    const auto ranked = problem_->prepare(outcome);
    const auto alone = profiles_of(outcome, all_bids);
    for (auto& [rival, total, last] : members_) {
      last = rival ? problem_->loss_prepared(rival->act(), ranked) : unasked_(y);
      total.add(last);
      if (!rival) continue;
      if (all_bids.empty() || !rival->counts_every_bid()) {
        rival->observe(ranked);
        continue;
      }
      for (const RankedBids& bid : alone) rival->observe(bid);
    }
  }
  double last_loss(std::size_t i) const override { return members_[i].last; }
  double total(std::size_t i) const override { return members_[i].total.value(); }
  std::optional<AnyAction> action(std::size_t i) const override {
    if (!members_[i].rival) return std::nullopt;
    return AnyAction::of<VcgReserves::Action>(members_[i].rival->act());
  }
  Place place() const override { return Place::kToday; }

  std::optional<InHindsight> in_hindsight() const override {
    if (!uniform_) return std::nullopt;
    return InHindsight{.name = {"uniform, best", "the best uniform reserve in hindsight"},
                       .action = *action(*uniform_)};  // the leader after the last round
  }
  std::span<const std::string_view> rule_names() const override {
    static constexpr std::array<std::string_view, 1> kNames{"monopoly"};
    return kNames;
  }
  std::unique_ptr<RivalRule> rule(std::string_view name, Tied tied) const override {
    if (name != "monopoly") return nullptr;
    if (tied == Tied::kAll && !UniformLeader::suits(*problem_))
      throw Error(Code::kUnavailable, "found \"tied\" where bidders have different prices, expected one list for all",
                  "tied");
    return std::make_unique<MonopolyRule>(problem_, tied);
  }
  ByContext by_context(std::uint64_t most) const override {
    return {
        .name = {"monopoly per segment", "per finest segment and bidder the empirical monopoly price of its past bids"},
        .rival = std::make_unique<MonopolyByContext>(problem_, most)};
  }

 private:
  struct Member {
    std::unique_ptr<ReserveRival> rival;  // null: nothing is asked for
    Sum total;
    double last = 0;  // loss of the last round
  };
  void join(std::unique_ptr<ReserveRival> rival) { members_.push_back({std::move(rival), {}, 0}); }
  // Each bid as the only one of its round, with the opening bid or the price of not buying of the outcome.
  std::vector<RankedBids> profiles_of(const VcgReserves::Outcome& outcome,
                                      std::span<const std::vector<double>> all_bids) const {
    std::vector<RankedBids> profiles;
    if (all_bids.empty()) return profiles;
    ReserveBids lone = problem_->money()->round_of(outcome);
    lone.others.clear();
    for (auto& own : lone.bids) own.clear();
    for (std::size_t i = 0; i < all_bids.size(); ++i) {
      for (const double bid : all_bids[i]) {
        lone.bids[i].assign(1, bid);
        profiles.push_back(problem_->prepare(problem_->money()->outcome(lone)));
      }
      lone.bids[i].clear();
    }
    return profiles;
  }

  std::shared_ptr<const VcgReserves> problem_;
  std::function<double(const AnyOutcome&)> unasked_;
  std::vector<Member> members_;
  std::vector<RivalName> names_;
  std::optional<std::size_t> uniform_;
};

}  // namespace

std::unique_ptr<RivalGroup> Codec<VcgReserves>::rivals(const std::shared_ptr<const VcgReserves>& p) {
  return std::make_unique<ReserveRivalGroup>(p);
}

}  // namespace hannan::detail
