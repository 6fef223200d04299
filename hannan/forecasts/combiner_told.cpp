// What a round tells the AdaHedges once its actuals have come, and how rounds settle in order (combiner.hpp).
//
// A round that has arrived counts in the weights at once; its place in Delta waits for the rounds before it. Rounds
// that were forecast before it settled have its range in their rho (F3).
#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/exponentials.hpp"
#include "hannan/core/text.hpp"
#include "hannan/forecasts/combiner.hpp"
#include "hannan/forecasts/lanes.hpp"

namespace hannan::detail {
namespace {

using Kind = ForecastMember::Kind;
// Rounding, as a share of the numbers that a difference is made of (regret_hedge.cpp has the same share).
constexpr double kRounding = 1e-12;
constexpr double kConvexSlack = 1e-9;

}  // namespace

// value(c) >= value(p) + slope(p) (c - p) at every forecast on hand.
void Combiner::check_convex(const CombinerRound& round, std::size_t i) const {
  const std::size_t m = plan_.members.size(), width = plan_.width();
  const double y = round.y[i];
  const std::span<const double> c(round.members.data() + i * m, m), x(round.x.data() + i * width, width);
  std::vector<double> all(c.begin(), c.end());
  for (const double one : x) {
    if (!std::isnan(one)) all.push_back(one);
  }
  all.push_back(round.published[i]);
  std::vector<ValueAndSlope> at;
  for (const double one : all) at.push_back(plan_.loss.at(one, y));
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      const double line = at[a].value + at[a].slope * (all[b] - all[a]);
      // Also refuses what is no number.
      if (at[b].value >= line - kConvexSlack * std::max({1.0, std::abs(at[a].value), std::abs(at[b].value)})) continue;
      throw Error(Code::kUnavailable,
                  "the loss is not convex at row " + std::to_string(i) + " of round " + std::to_string(round.id) +
                      ": its value at " + number_text(all[b]) + " is below the line of its slope at " +
                      number_text(all[a]),
                  "loss");
    }
  }
}

// The part of one row in what the round tells.
void Combiner::add_row(CombinerRound& round, std::size_t i) {
  const std::size_t K = plan_.models.size(), width = plan_.width(), m = plan_.members.size();
  const double* const x = round.x.data() + i * width;
  const double* const c = round.members.data() + i * m;
  const double y = round.y[i], weight = round.weight[i], p = round.published[i], reach = round.reach[i];
  const ForecastLoss& loss = plan_.loss;
  const auto at = [&](double forecast) {
    ValueAndSlope found = loss.at(forecast, y);
    if (loss.least_at_actual() && std::abs(forecast - y) <= kRounding * reach) found.slope = 0;
    return found;
  };
  const ValueAndSlope own = at(p);
  const double slope = weight * own.slope;
  HedgeTurn& top = round.turns[0];
  top.level += std::abs(slope) * reach;
  round.loss += weight * own.value;
  // g (forecast - x_k) of the models that delivered; rows without a gap become vectors.
  const bool complete = all_delivered({x, K});
  const auto add_regrets = [&](std::vector<double>& list, double pull, double forecast) {
    double* const into = list.data();
    if (complete) {
      for (std::size_t k = 0; k < K; ++k) into[k] += pull * (forecast - x[k]);
    } else {
      for (std::size_t k = 0; k < K; ++k) into[k] += std::isnan(x[k]) ? 0 : pull * (forecast - x[k]);
    }
  };
  add_regrets(round.direct, slope, p);
  std::size_t mixer = 0;
  for (std::size_t j = 0; j < m; ++j) {
    const ForecastMember& member = plan_.members[j];
    const ValueAndSlope of_member = at(c[j]);
    round.member_loss[j] += weight * of_member.value;
    top.regrets[j] += slope * (p - c[j]);
    if (!member.mixes()) continue;
    const double* const q = round.mixing.data() + (i * mixers_.size() + mixer++) * K;
    if (member.kind == Kind::kSingle) {
      HedgeTurn& turn = round.turns[1];
      if (scratch_.size() != K) scratch_.resize(K);
      loss.values({x, K}, y, scratch_);
      // The weight of a model that is missing is 0, and so is its loss.
      const double mean = dot_in_order({q, K}, scratch_.data());
      const auto [low, high] = least_and_largest(scratch_);
      turn.level += weight * std::max(std::abs(low), std::abs(high));
      double* const regrets = turn.regrets.data();
      const double* const losses = scratch_.data();
      if (complete) {
        for (std::size_t k = 0; k < K; ++k) regrets[k] += weight * (mean - losses[k]);
      } else {
        for (std::size_t k = 0; k < K; ++k) regrets[k] += std::isnan(x[k]) ? 0 : weight * (mean - losses[k]);
      }
      continue;
    }
    HedgeTurn& turn = member.kind == Kind::kMixture ? round.turns[single_ ? 2 : 1]
                                                    : round.turns[round.segment[i * plan_.by.size() + member.place]];
    const double pull = weight * of_member.slope;
    turn.level += std::abs(pull) * reach;
    add_regrets(turn.regrets, pull, c[j]);
  }
  ++round.counted;
}

// Told to the weights; nothing has changed where a loss of the user's own is refused.
void Combiner::arrive(CombinerRound& round) {
  if (plan_.loss.kind == ForecastLoss::Kind::kOwn) {
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (round.rows[i] == CombinerRound::Row::kCome) check_convex(round, i);
    }
  }
  std::ranges::fill(round.member_loss, 0.0);
  std::ranges::fill(round.direct, 0.0);
  for (std::size_t i = 0; i < round.size(); ++i) {
    if (round.rows[i] == CombinerRound::Row::kCome) add_row(round, i);
    if (round.rows[i] == CombinerRound::Row::kNever) ++never_;
  }
  // The first of the open rounds settles as soon as it has arrived.
  using Then = RegretHedge::Told::Then;
  const Then then = &round == &open_.front() ? Then::kSettles : Then::kWaits;
  for (std::size_t t = 0; t < round.used; ++t) {
    HedgeTurn& turn = round.turns[t];
    const auto [low, high] = least_and_largest(turn.regrets);
    turn.range = high - low;
    if (turn.range <= kRounding * turn.level) {
      std::ranges::fill(turn.regrets, 0.0);
      turn.range = 0;
    }
    hedges_[turn.hedge].arrive({.regrets = turn.regrets, .level = turn.level, .range = turn.range, .then = then});
  }
  round.arrived = true;
  arrived_loss_ = round.loss;
  const std::uint64_t late = next_ - 1 - round.id;
  if (late == 0) return;
  delay_ = std::max(delay_, late);
  for (auto n = static_cast<std::size_t>(round.id - open_.front().id + 1); n < open_.size(); ++n) {
    CombinerRound& later = open_[n];
    for (std::size_t t = 0; t < later.used; ++t) {
      HedgeTurn& theirs = later.turns[t];
      for (std::size_t mine = 0; mine < round.used; ++mine) {
        if (round.turns[mine].hedge == theirs.hedge) theirs.before += round.turns[mine].range;
      }
    }
  }
}

// One call for the exponentials of all AdaHedges, and one for their logarithms.
void Combiner::settle_turns(std::span<const HedgeTurn> turns) {
  std::size_t all = 0;
  for (const HedgeTurn& turn : turns) all += turn.regrets.size();
  if (exponents_.size() != all) exponents_.resize(all);
  if (logs_.size() != 2 * turns.size()) logs_.resize(2 * turns.size());
  const auto settled = [](const HedgeTurn& turn) {
    return RegretHedge::Settled{.regrets = turn.regrets, .range = turn.range, .rate = turn.rate, .before = turn.before};
  };
  std::size_t at = 0;
  for (const HedgeTurn& turn : turns) {
    hedges_[turn.hedge].settle_regrets(settled(turn), std::span(exponents_).subspan(at, turn.regrets.size()));
    at += turn.regrets.size();
  }
  portable_exp_of_bounded(exponents_);  // none is above 0
  at = 0;
  for (std::size_t t = 0; t < turns.size(); ++t) {
    const std::size_t size = turns[t].regrets.size();
    logs_[2 * t] = hedges_[turns[t].hedge].spread_before();
    logs_[2 * t + 1] = sum_in_order(std::span(exponents_).subspan(at, size));
    at += size;
  }
  portable_log_all(logs_);  // of numbers from 1 to K
  for (std::size_t t = 0; t < turns.size(); ++t)
    hedges_[turns[t].hedge].settle_gap(settled(turns[t]), logs_[2 * t + 1] - logs_[2 * t]);
}

void Combiner::settle_ready() {
  while (!open_.empty() && open_.front().arrived) {
    CombinerRound& round = open_.front();
    settle_turns({round.turns.data(), round.used});
    total_.add(round.loss);
    member_totals_.add(round.member_loss);
    direct_.add(round.direct);
    rows_ += round.counted;
    ++settled_;
    open_.pop_front();
  }
}

}  // namespace hannan::detail
