// Follow the perturbed leader with one exponential number per action (Hutter and Poland 2005), on listed actions: x_t =
// argmin L_k - q_k / eps_t with eps_t = min(1, sqrt(ln K / (L* + 1))). A reference for small problems: O(K) a round, no
// oracle. Ties go to the smallest action, by the window that all oracles use.
#include "hannan/learners/fpl.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "hannan/core/tolerance.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"
#include "hannan/noise/exponential.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

void Fpl::decide(Decision& decision) const {
  const double best = *std::min_element(totals_.begin(), totals_.end());
  const double eps = schedule_({.round = round(), .best = best});
  const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : round();
  // The draw of a round is kept: act() may be asked several times.
  if (wanted != drawn_) {
    draw_.fill(wanted, q_);
    drawn_ = wanted;
  }
  // eps = 0 only where K = 1: nothing to choose.
  for (std::size_t k = 0; k < totals_.size(); ++k) objective_[k] = totals_[k] - (eps > 0 ? q_[k] / eps : 0.0);
  const double least = *std::min_element(objective_.begin(), objective_.end());
  const auto first =
      std::find_if(objective_.begin(), objective_.end(), [&](double v) { return v <= least + tie_window(least); });
  problem().set_action(static_cast<std::uint64_t>(first - objective_.begin()), decision.action);
  decision.eta = eps;
}

void Fpl::settle(const Decision&, const AnyOutcome& y, Step&) { problem().accumulate(y, 1.0, totals_); }

namespace {

struct FplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "fpl",
                                       .about = "perturbed leader with one exponential per action (Hutter, Poland)",
                                       .params = "draw alpha"};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    const double ln_size = parts.listed_ln_size();
    const std::size_t size = parts.game()->size();
    // q is Exp(1): minus one-sided noise of hedge sign +1.
    const auto signs = std::make_shared<const std::vector<int>>(size, -1);
    const Draw draw = parts.given_or(size, [&] { return parts.law_draw(Noise(Exponential{}), signs); });
    return std::make_unique<Fpl>(Fpl::Parts{parts.game(), parts.oracle(), schedules::hutter_poland(ln_size), draw});
  }
};

}  // namespace

LearnerKind fpl_row() { return learner_row<FplRow>(); }

}  // namespace hannan::detail
