// The lazy leader's bookkeeping; the inequalities are in pool.hpp. Invariant: members_[i].evidence is the exact
// evidence of actions_[i] at the anchor plus its losses since, and rest_ a lower bound of the same for every action
// outside, because an outsider's loss is at least least_loss(y) each round. choose() answers only where the best member
// beats that bound by more than two tie windows, so it is the argmin that a search would find, ties included. Cost:
// O(members) a question.
#include "hannan/game/pool.hpp"

#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

void Pool::drop() {
  actions_.clear();
  members_.clear();
}

// From a search of the plain evidence: the anchor has no noise.
void Pool::refill(const GameAnswer& answer) {
  anchor_ = {};
  take(answer, nullptr);
}

void Pool::refill(const GameAnswer& answer, const AskedNoise& noise, double scale) {
  const NoiseTable& table = noise.table();
  anchor_ = {.draw = noise.draw(), .scale = scale, .least = table.least, .most = table.most};
  take(answer, &noise);
}

void Pool::take(const GameAnswer& answer, const AskedNoise* noise) {
  age_ = 0;
  rest_ = Sum(answer.rest);
  actions_.resize(answer.pool.size());
  members_.clear();
  for (std::size_t i = 0; i < answer.pool.size(); ++i) {
    const auto& [action, value] = answer.pool[i];
    actions_[i] = action;
    members_.push_back({Sum(value), noise ? noise->of(action) : 0.0});
  }
}

void Pool::scale(double factor) {
  // Evidence scaled by f is f losses + (f scale0) noise0: the anchor follows.
  anchor_.scale *= factor;
  rest_.scale(factor);
  for (auto& member : members_) member.evidence.scale(factor);
}

// Losses of all members at once, so that a problem prepares the outcome once.
void Pool::observe(const Game& game, const AnyOutcome& y, double weight) {
  if (empty()) return;
  ++age_;
  losses_.resize(actions_.size());
  game.losses_of(actions_, y, losses_);
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].evidence.add(weight * losses_[i]);
  rest_.add(weight * game.least_loss(y));
}

// Only of a pool without noise: another one's values are no losses.
bool Pool::leader(GameAnswer& answer, double unit) const {
  if (empty() || !plain()) return false;
  return choose([this](std::size_t i) { return members_[i].evidence.value(); }, {rest_.value(), unit}, answer);
}

// Three cases: the draw of the anchor at another scale, no noise, or another draw, whose noise of single actions must
// be quick to compute.
bool Pool::perturbed(const Question& question, GameAnswer& answer) const {
  if (empty()) return false;
  const auto& [noise, scale, unit] = question;
  // The same draw at another scale: each value moves by drift times its own noise, the outsiders' by at least the
  // extreme one.
  if (anchor_.draw != 0 && noise.draw() == anchor_.draw) {
    const double drift = scale - anchor_.scale;
    return choose([&](std::size_t i) { return members_[i].evidence.value() + drift * members_[i].noise; },
                  {rest_.value() + drift * (drift >= 0 ? anchor_.least : anchor_.most), unit}, answer);
  }
  if (scale == 0) return leader(answer, unit);
  if (!noise.quick()) return false;
  const NoiseTable& table = noise.table();
  return choose(
      [&](std::size_t i) {
        return members_[i].evidence.value() - anchor_.scale * members_[i].noise + scale * noise.of(actions_[i]);
      },
      // Another draw: the old noise of an outsider is taken off at its largest, the new one added at its least.
      {rest_.value() - anchor_.scale * anchor_.most + scale * table.least, unit}, answer);
}

void Pool::archive(Archive& a, const Game& game, const Limits& limits) {
  a.count("draw", anchor_.draw);
  a.field("scale", anchor_.scale);
  a.field("least", anchor_.least);
  a.field("most", anchor_.most);
  a.count("age", age_);
  rest_.archive(a, "rest", "rest_low", {kSavedNumbers.lo, std::numeric_limits<double>::infinity()});
  const std::uint64_t size = a.open_list("members", members_.size());
  if (a.reading() && size > limits.most) a.refuse("", "found more members than the pool may have");
  actions_.resize(size);
  members_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    Member& member = members_[i];
    a.item();
    member.evidence.archive(a, "evidence", "evidence_low");
    a.field("noise", member.noise);
    a.open("action");
    game.archive_action(a, actions_[i]);
    if (a.reading() && !game.allows(actions_[i])) a.refuse("", "found what is no action of this problem");
    a.close();
    if (a.reading() && !possible(member, limits.total))
      a.refuse("evidence", "found a total loss that no action can have after so many rounds");
  }
  a.close_list();
}

// The evidence of a plain pool is its members' total loss, up to rounding; noise comes with a constant of its own.
bool Pool::possible(const Member& member, double total) const {
  const double loss = member.evidence.value(), window = 1e-6 + 1e-9 * total;
  return !plain() || (loss >= -window && loss <= total + window);
}

// The smallest member within the tie window of the least value, if no outsider can be there. Twice the
// window, because sums of the same numbers in another order may differ by rounding.
template <class Value>
bool Pool::choose(const Value& value, Outside outside, GameAnswer& answer) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < members_.size(); ++i) least = std::min(least, value(i));
  const double window = tie_window(least, outside.unit);
  if (!(least + 2 * window < outside.least)) return false;
  std::size_t choice = members_.size();  // none yet
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (value(i) <= least + window && (choice == members_.size() || actions_[i] < actions_[choice])) choice = i;
  }
  answer.action = actions_[choice];
  answer.value = value(choice);
  answer.unit = outside.unit;
  // Proven among all actions, so the floor is the least value; nothing outside is below it. No pool is handed on.
  answer.floor = answer.rest = least;
  answer.pool.clear();
  answer.nodes = answer.calls = 0;
  return true;
}

}  // namespace hannan::detail
