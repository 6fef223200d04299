// The sums of looks and what they certify (looks_account.hpp). Invariant: every sum is over the same rounds, those that
// were passed; D and Q are in losses and divided by the range when a limit is made, since limits are for losses in
// [0,1].
#include "hannan/certify/looks_account.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/certify/deviations.hpp"

namespace hannan::detail {

LooksAccount::LooksAccount(const Game& game, Setting setting) : game_(&game), setting_(std::move(setting)) {
  const auto count = game.action_count();
  all_ = count && *count <= kMostListed;
  followed_ = all_ ? game.first_actions(static_cast<std::uint64_t>(*count)) : setting_.against;
  for (std::size_t i = 0; i < setting_.against.size(); ++i) {
    places_.push_back(
        all_ ? static_cast<std::size_t>(std::ranges::find(followed_, setting_.against[i]) - followed_.begin()) : i);
  }
  differences_.assign(followed_.size(), 0.0);
  squares_.assign(followed_.size(), 0.0);
  losses_.assign(followed_.size(), 0.0);
}

void LooksAccount::pass(double chance, std::uint64_t rounds) {
  const auto count = static_cast<double>(rounds);
  chances_ += count * chance;
  variances_ += count * chance * (1 - chance);
  if (chance < 1) heaviest_ = std::max(heaviest_, 1 / chance);
}

void LooksAccount::look(const AnyAction& choice, const AnyOutcome& y, double chance) {
  const double weight = 1 / chance, own = game_->loss(choice, y);
  ++looks_;
  own_ += weight * own;
  least_ += weight * game_->least_loss(y);
  if (setting_.look) cost_ += game_->loss(*setting_.look, y) - own;
  game_->losses_of(followed_, y, losses_);
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    const double term = weight * (own - losses_[k]);
    differences_[k] += term;
    if (chance < 1) squares_[k] += term * term;
  }
}

void LooksAccount::lose(double chance) {
  const double weight = 1 / chance;
  ++lost_;
  if (setting_.look) lost_cost_ += 1;
  lost_weight_ += weight;
  if (chance < 1) lost_square_ += weight * weight;
}

// Four standard deviations and four looks: fair coins are beyond that once in several hundred runs of 10^6 rounds.
bool LooksAccount::coins_look_fair() const {
  const double off = std::abs(static_cast<double>(looks_ + lost_) - chances_);
  return off <= 4 * std::sqrt(variances_) + 4;
}

std::optional<double> LooksAccount::charged(double seen, double gone) const {
  if (lost_ > 0 && !setting_.range) return std::nullopt;
  return seen + setting_.range.value_or(1) * gone;
}

std::optional<double> LooksAccount::estimate(double best) const {
  const auto own = own_estimate(), cost = look_cost();
  if (!own || !cost) return std::nullopt;
  return *own - best + *cost;
}

std::optional<double> LooksAccount::limit(double best) const {
  if (!setting_.range || !coins_look_fair()) return std::nullopt;
  const double range = *setting_.range, cost = in_ranges(cost_) + lost_cost_;
  if (!all_) {
    return range * (cost + limit_sums({.own = in_ranges(own_ - least_) + lost_weight_,
                                       .best = in_ranges(best - least_),
                                       .b = heaviest_,
                                       .ln_actions = game_->ln_size(),
                                       .delta = setting_.delta}));
  }
  const SignedUpper upper(heaviest_, setting_.delta / static_cast<double>(followed_.size()));
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    const double square = squares_[k] / (range * range) + lost_square_;
    most = std::max(most, in_ranges(differences_[k]) + lost_weight_ + upper(square));
  }
  return range * (cost + most);
}

LooksAccount::Gain LooksAccount::gain(std::size_t of_against) const {
  const std::size_t k = places_[of_against];
  Gain gain{.estimate = cost_ + differences_[k], .low = {}, .high = {}};
  if (!setting_.range || !coins_look_fair()) return gain;
  const double range = *setting_.range;
  const double width = lost_cost_ + lost_weight_ +
                       SignedUpper(heaviest_, setting_.delta / 2)(squares_[k] / (range * range) + lost_square_);
  gain.low = gain.estimate - range * width;
  gain.high = gain.estimate + range * width;
  return gain;
}

void LooksAccount::archive(Archive& a) {
  a.count("looks", looks_);
  a.count("lost", lost_);
  a.field("chances", chances_, kSavedNonnegative);
  a.field("variances", variances_, kSavedNonnegative);
  a.field("heaviest", heaviest_, kSavedNonnegative);
  a.field("own", own_);
  a.field("least", least_);
  a.field("look_cost", cost_);
  a.field("lost_cost", lost_cost_, kSavedNonnegative);
  a.field("lost_weight", lost_weight_, kSavedNonnegative);
  a.field("lost_square", lost_square_, kSavedNonnegative);
  a.field("differences", differences_);
  a.field("squares", squares_, kSavedNonnegative);
}

}  // namespace hannan::detail
