#include "hannan/verify/certificate_sums.hpp"

#include <algorithm>

#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail {

double CertificateAccount::scale(const RecordedRound& round) const {
  if (setting_.rule->multiplier) return round.multiplier;
  return round.eta ? 1 / *round.eta : 0.0;
}

void CertificateAccount::decided(const RecordedRound& round, const RecomputedTotals& before) {
  const double z = scale(round);
  move_ = 0;
  if (round.t == 1) {
    sums_.first = z;
    return;
  }
  const bool leads = setting_.pivot == "leader";
  const double before_it = setting_.discount * sums_.last;
  if (z != before_it && z > 0) {
    sums_.moves_known = sums_.moves_known && computed() && (leads || last_index_);
    if (sums_.moves_known) {
      const auto totals = before.totals();
      const auto on_actions = noise_.on_actions(round.t);
      const std::size_t x = *round.index, p = leads ? before.smallest_leader() : *last_index_;
      move_ = (z - before_it) * (on_actions[p] - on_actions[x]);
      if (sums_.last == 0) move_ -= totals[x] - totals[p];
    }
  }
  if (leads || z <= 0) return;
  if (!last_index_ || !list_.listed()) {
    sums_.moves_known = false;
  } else {
    const double moved = round.action_loss - round.losses[*last_index_];
    sums_.squares += moved * moved;
  }
}

void CertificateAccount::observed(const RecordedRound& round, const RecomputedTotals& after) {
  const double z = scale(round), discount = setting_.discount;
  for (double* sum : {&sums_.quiet_gaps, &sums_.noisy_gaps, &sums_.moves}) *sum *= discount;
  if (round.gap) {
    (z > 0 ? sums_.noisy_gaps : sums_.quiet_gaps) += *round.gap;
  } else if (setting_.rule->stability == 0 && setting_.certificate == "free" && setting_.gamma && z > 0) {
    sums_.noisy_gaps += forms::h(*setting_.gamma / z) * round.loss;
  } else {
    sums_.gaps_known = false;
  }
  if (z > 0) ++sums_.noisy;
  sums_.moves += discount * move_;
  if (round.t > 1 && z > sums_.last) {
    sums_.up_moves += move_;
    sums_.up_squares += (z - sums_.last) * (z - sums_.last);
    sums_.up += z - sums_.last;
  }
  sums_.last = z;
  sums_.stability = 0;
  for (const double part : round.stability) sums_.stability += part;
  last_index_ = round.index;
  sums_.left = round.switched.value_or(false) && z > 0;
  if (!sums_.left || setting_.credit_draws == 0) return;
  const auto value = credit({.first = std::uint64_t{1} << 20, .count = 16}, z, after);
  sums_.credits_known = sums_.credits_known && value;
  sums_.credits += value.value_or(0);
}

std::optional<double> CertificateAccount::credit(const CreditDraws& draws, double z, const RecomputedTotals& on) {
  if (setting_.alpha) return 0;
  work_ += static_cast<double>(draws.count) * static_cast<double>(list_.size());
  if (!computed() || work_ > most_work_) return std::nullopt;
  const auto totals = on.totals();
  const std::size_t lead = on.smallest_leader();
  double sum = 0;
  for (std::uint64_t i = 0; i < draws.count; ++i) {
    const auto n = noise_.credit((on.rounds() << 21) + draws.first + i);
    const double least = least_value_of(totals.size(), [&](std::size_t k) { return totals[k] + z * n[k]; });
    sum += std::max(0.0, totals[lead] + z * n[lead] - least);
  }
  return sum / static_cast<double>(draws.count);
}

}  // namespace hannan::detail
