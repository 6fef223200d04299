// For each round: e_t by the formula of the header, its gap to the sum of its kind, and where a phase of noise ends the
// credit of what the noise in use is worth. Where e_t is only known to lie in [move_, move_ + more_], both ends are
// summed, and the certificate is checked to lie between them.
#include "hannan/verify/certificate_sums.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {

// The leaders that tie, of which an oracle of the user's own may have found any.
std::vector<std::size_t> CertificateAccount::leaders(const RecomputedTotals& on) const {
  if (!setting_.external) return {on.smallest_leader()};
  std::vector<std::size_t> all;
  const double most = on.least() + 2 * on.slack(on.least());
  for (std::size_t k = 0; k < list_.size(); ++k) {
    if (on.totals()[k] <= most) all.push_back(k);
  }
  return all;
}

void CertificateAccount::move(const RecordedRound& round, double step, const RecomputedTotals& before) {
  if (!setting_.certificates.by_leader) {
    const auto alpha = noise_.numbers(round.t);
    const Game& game = *setting_.problem;
    const AnyAction x = game.parse_action(round.action, "action");
    move_ = step * (noise_.on_action(last_, alpha) - noise_.on_action(x, alpha));
    const auto total = [&](const AnyAction& of) {
      return list_.listed() ? before.totals()[*list_.table().place(of)] : before.total_of(of);
    };
    if (sums_.last == 0) move_ -= total(x) - total(last_);
    return;
  }
  if (!computed()) {
    sums_.moves_known = false;
    more_ = std::abs(step) * noise_.span(round.t);
    // With a discount either sign is allowed: the interval is [-more, more].
    if (setting_.discount != 1) move_ = -more_, more_ *= 2;
    return;
  }
  const auto totals = before.totals();
  const auto on_actions = noise_.on_actions(round.t);
  const std::size_t x = *round.index;
  const auto at = [&](std::size_t p) {
    return step * (on_actions[p] - on_actions[x]) - (sums_.last == 0 ? totals[x] - totals[p] : 0.0);
  };
  const auto all = leaders(before);
  double most = move_ = at(all.front());
  for (const std::size_t p : all) {
    move_ = std::min(move_, at(p));
    most = std::max(most, at(p));
  }
  more_ = most - move_;
  if (more_ > 1e-12 * (1 + std::abs(most))) sums_.moves_known = false;
}

void CertificateAccount::decided(const RecordedRound& round, double z, const RecomputedTotals& before) {
  move_ = more_ = 0;
  if (round.t == 1) {
    sums_.first = z;
    return;
  }
  const double step = z - setting_.discount * sums_.last;
  if (step != 0 && z > 0) move(round, step, before);
  if (setting_.certificates.by_leader || z <= 0) return;
  const double moved = round.action_loss - setting_.problem->loss(last_, *round.outcome);
  sums_.squares += moved * moved;
}

void CertificateAccount::observed(const CertifiedRound& in, const RecomputedTotals& after) {
  const double z = in.z, discount = setting_.discount;
  for (double* sum : {&sums_.quiet_gaps, &sums_.noisy_gaps, &sums_.moves, &sums_.more_moves}) *sum *= discount;
  if (in.gap) {
    (z > 0 ? sums_.noisy_gaps : sums_.quiet_gaps) += *in.gap;
  } else {
    sums_.gaps_known = false;
  }
  if (z > 0) ++sums_.noisy;
  sums_.moves += discount * move_;
  sums_.more_moves += discount * more_;
  if (in.round.t > 1 && z > sums_.last) {
    sums_.up_moves += move_;
    sums_.up_squares += (z - sums_.last) * (z - sums_.last);
    sums_.up += z - sums_.last;
  }
  sums_.last = z;
  sums_.stability = in.stability;
  if (!setting_.certificates.by_leader) last_ = setting_.problem->parse_action(in.round.action, "action");
  sums_.left = in.left && z > 0;
  if (!sums_.left || setting_.certificates.credit_draws == 0) return;
  // Draws 2^20 to 2^20 + 15 of the round: apart from those of the end of the run, which are below 2^20 (docs/record.md,
  // credits).
  const auto value = credit({.first = std::uint64_t{1} << 20, .count = 16}, z, after);
  sums_.credits_known = sums_.credits_known && value;
  sums_.credits += value.value_or(0);
}

void CertificateAccount::finish(const RecomputedTotals& totals) {
  const std::uint64_t draws = setting_.certificates.credit_draws;
  const bool none = sums_.last == 0 || sums_.left || draws == 0 || setting_.discount != 1;
  sums_.credit = none ? 0.0 : credit({.first = 0, .count = draws}, sums_.last, totals);
}

std::optional<double> CertificateAccount::credit(const CreditDraws& draws, double z, const RecomputedTotals& on) {
  if (setting_.noise.alpha) return 0;
  work_ += static_cast<double>(draws.count) * static_cast<double>(list_.size());
  if (!computed() || work_ > most_work_) return std::nullopt;
  const auto totals = on.totals();
  const auto all = leaders(on);
  if (all.size() > 1) return std::nullopt;
  const std::size_t lead = all.front();
  double sum = 0;
  for (std::uint64_t i = 0; i < draws.count; ++i) {
    // first + i is below 2^21, so that draws of different rounds have different numbers.
    const auto n = noise_.on_actions(DrawPurpose::kCredit, (on.rounds() << 21) + draws.first + i);
    const double least = least_value_of(totals.size(), [&](std::size_t k) { return totals[k] + z * n[k]; });
    sum += std::max(0.0, totals[lead] + z * n[lead] - least);
  }
  return sum / static_cast<double>(draws.count);
}

}  // namespace hannan::detail
