// A learner in order with all that is kept beside it: ledger (L* and totals), account of the run (certificates), the
// path of the trajectory bound. Order of a round, which the numbers depend on: ledger and account look at the leader
// before the outcome, the learner observes, then both look again. Where an outside oracle fails, the learner goes back
// to the state before the call, so that a round is played wholly or not at all.
#include "hannan/runtime/plain_learner.hpp"

#include <algorithm>
#include <vector>

#include "hannan/certify/credit.hpp"
#include "hannan/check/matrix_noise.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {

PlainLearner::PlainLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : AnyLearner(std::move(game), params.kind->name,
                 {.adapts_multiplier = params.kind->adapts_multiplier,
                  .switches = params.kind->switches,
                  .certifies_run = params.kind->certifies_run}),
      maker_(shared_game(), std::move(params)),
      can_fail_(!maker_.oracle()->claims().empty()),
      learner_(maker_.make()),
      ledger_(make_ledger()),
      account_(account_setting()),
      base_(path_constants(0), {.rule = bounds::Growth::Rule::kHalfStability}),
      slope_(path_constants(1), {.rule = bounds::Growth::Rule::kHalfStability}) {
  params_ = learner_json(maker_.params());
  setting_.records_gap = row().certifies_run && row().proof != Proof::kLeader && !maker_.params().earlier;
}

void PlainLearner::refuse(std::string_view path) {
  throw Error(Code::kUnavailable, "found a learner whose rounds are played in turn, expected another kind",
              std::string(path));
}

// The ledger looks for the leader here, before the outcome is known, so that observe() is quick.
const Round& PlainLearner::act() {
  decide();
  ledger_.ready(*learner_);
  return round_;
}

const Round& PlainLearner::observe(const AnyOutcome& y) {
  decide();
  if (!can_fail_) {
    settle(y);
    return round_;
  }
  // An oracle of the user's own can fail after the outcome was added to the history: then the round is taken back.
  // The snapshot costs about what sending the outcomes costs, and is taken for such oracles alone.
  const Json before = snapshot();
  try {
    settle(y);
  } catch (const Error&) {
    restore(before, "state");
    throw;
  }
  return round_;
}

// All that a certificate may need, gathered without computing anything but L*, and M the first time. A field is set
// only where it is known; certificate() leaves out what rests on a missing one.
RunFacts PlainLearner::facts() {
  if (!ledger_.best()) ledger_.look(*learner_);
  const LearnerParams& p = maker_.params();
  RunFacts run;
  run.proof = row().proof;
  p.own->state(run);
  run.ln_size = game().ln_size();
  if (const auto& matrix = maker_.matrix()) {
    run.columns = static_cast<double>(matrix->columns());
    run.unit_entries = matrix->unit_entries();
    run.noise = maker_.noise().facts();
    run.noise_size = noise_size();
    run.own_size = p.noise_size;
    run.claimed = matrix->gamma();
    if (row().certifies_run) {
      run.rho2_proven = noise_square();
      run.rho2 = p.rho2 ? p.rho2 : run.rho2_proven;
    }
  }
  run.gamma = p.gamma;
  run.c = p.c;
  run.noise_given = p.alpha.has_value();
  run.fresh = p.draw == Freshness::kFresh;
  run.rounds = learner_->rounds();
  run.oracle_calls = learner_->oracle_calls();
  run.search_nodes = learner_->search_nodes();
  run.total = ledger_.total();
  run.best = *ledger_.best();
  run.floor = ledger_.floor();
  if (game().loss_range() == LossRange::kUnknown) {
    const auto& ranges = ledger_.ranges();
    run.ranges = {.largest = ranges.largest, .squares = ranges.squares, .least = ranges.least.value()};
  }
  run.discount = p.discount;
  if (const auto* discounted = ledger_.discounted()) {
    run.discounted_total = discounted->total;
    run.discounted_best = discounted->best;
    run.discounted_floor = discounted->floor;
  }
  run.gap = learner_->oracle_gap();
  run.leader_regret = ledger_.leader_regret();
  if (row().certifies_run && account_.sums().rounds == run.rounds) run.sums = account_.sums();
  run.rule = p.gap;
  run.pivot = p.pivot;
  run.gaps_measured = !measures_no_gaps();
  run.stability = stability_.value[0] + stability_.value[1];
  run.multiplier = account_.multiplier();
  run.delta = p.delta;
  if (run.sums) run.gap = std::max(run.gap, run.sums->left);
  if (follows_path() && ledger_.track() == Track::kEvery) {
    run.trajectory_base = base_.value();
    run.trajectory_slope = slope_.value() - base_.value();
  }
  run.off_leader = estimates_.leader;
  run.off_gftpl = estimates_.gftpl;
  run.mixability = stability_.value[0];
  return run;
}

// The worth of the noise in use at the end, estimated by draws; 0 where there is no noise, nothing where no theorem
// uses it or it would cost too much. Computed for reports alone.
std::optional<double> PlainLearner::credit() {
  const LearnerParams& p = maker_.params();
  if (p.discount != 1) return std::nullopt;  // there is no theorem for it
  if (!row().certifies_run || !maker_.matrix() || !draws_credits() || learner_->rounds() == 0) return std::nullopt;
  if (learner_->rounds() > kMostCreditRounds) return std::nullopt;
  const bool quiet = account_.multiplier() == 0 || regime_left_;
  return quiet ? 0.0 : mean_credit({0, p.credit_draws}, account_.multiplier());
}

AnyLearner::ReportFacts PlainLearner::report_facts() {
  return {.best_action = game().action_json(ledger_.lead(*learner_).action),
          .certificate_calls = maker_.params().certified ? learner_->rounds() : 0,
          .claims = maker_.oracle()->claims(),
          .perturbs = maker_.matrix() != nullptr,
          .draw = maker_.params().draw};
}

// Later fields are those that states of earlier versions lack: reading them leaves the value of a new learner.
void PlainLearner::archive(Archive& a) {
  learner_->archive(a);
  a.open("ledger");
  ledger_.archive(a, game().loss_range());
  a.close();
  for (auto* bound : {&base_, &slope_}) {
    a.open(bound == &base_ ? "path" : "path_unit");
    bound->archive(a);
    a.close();
  }
  a.field("off_leader", estimates_.leader);
  a.field("off_gftpl", estimates_.gftpl);
  a.field("stability", stability_.value[0], kSavedNonnegative);
  if (a.reading()) best_before_ = ledger_.best().value_or(0.0);
  if (!row().certifies_run) return;
  a.later_field("stability_flop", stability_.value[1]);
  account_.archive(a, game());
  a.later_count("noise_left", regime_left_, 1);
}

// An oracle that fails leaves a decision half made. A state holds no decision, so that writing and reading it back
// makes the learner decide anew.
void PlainLearner::decide() {
  try {
    round_.take(learner_->act());
  } catch (const Error&) {
    restore(snapshot(), "state");
    throw;
  }
  round_.number = learner_->rounds() + 1;
  round_.weights = learner_->weights();
}

void PlainLearner::settle(const AnyOutcome& y) {
  ledger_.before(*learner_, y);
  if (row().certifies_run) account_.before(*learner_, y);
  const auto& played = learner_->act();
  const auto& step = learner_->observe(y);
  ledger_.after(*learner_, step.loss);
  if (row().certifies_run) certify(played, step);
  if (follows_path() && ledger_.best()) {
    base_.observe(*ledger_.best());
    slope_.observe(*ledger_.best());
  }
  stability_ = step.stability;
  if (step.estimates) estimates_ = *step.estimates;
  round_.take(step);
  round_.outcome = &y;
  round_.total = ledger_.total();
  round_.best = ledger_.best();
  round_.regret = ledger_.regret();
  round_.oracle_calls = learner_->oracle_calls();
  if (const auto* discounted = ledger_.discounted())
    round_.discounted = {discounted->total, ledger_.best() ? std::optional(discounted->best) : std::nullopt};
}

Ledger PlainLearner::make_ledger() const {
  const LearnerParams& p = maker_.params();
  if (p.discount == 1) return Ledger(p.track);
  return Ledger(p.track, p.discount, SeenOutcomes(maker_.oracle()));
}

// The gap of the leader is what the round cost beyond the rise of L*; learners with noise measure theirs themselves.
void PlainLearner::certify(const Decision& played, const Step& step) {
  account_.after(played, step);
  round_.gap = step.gap;
  if (row().proof == Proof::kLeader) {
    round_.gap.reset();
    if (ledger_.track() == Track::kEvery) round_.gap = std::max(0.0, step.loss - (*ledger_.best() - best_before_));
    best_before_ = ledger_.best().value_or(0.0);
    return;
  }
  // flipflop leaves flop: the credit of its noise, by draws made for that alone.
  regime_left_ = step.switched && played.noise_scale() > 0;
  if (regime_left_ && draws_credits() && learner_->rounds() <= kMostCreditRounds)
    account_.credit(mean_credit(kSwitchDraws, played.noise_scale()));
}

bool PlainLearner::draws_credits() const {
  const LearnerParams& p = maker_.params();
  return p.credit_draws > 0 && p.draw == Freshness::kFresh && maker_.oracle()->claims().empty();
}

// The mean worth of the noise in use over draws of its own (Purpose::kCredit): independent of the noise that was
// played, which the estimate needs, and the same whenever it is asked at this round.
double PlainLearner::mean_credit(CreditDraws draws, double z) {
  if (maker_.params().alpha) return 0;  // given noise has no law to draw from
  if (!credit_noise_) credit_noise_.emplace(maker_.oracle(), maker_.matrix(), Draw{});
  const auto signs = column_signs(*maker_.matrix());
  std::vector<double> alpha(maker_.matrix()->columns());
  GameAnswer found;
  double sum = 0;
  for (std::uint64_t i = 0; i < draws.count; ++i) {
    const std::uint64_t place = learner_->rounds() * 2 * kMostCreditDraws + draws.first + i;
    maker_.noise().draw(KeyedRandom(maker_.params().key, Purpose::kCredit, place), alpha, signs);
    sum += credit_of(learner_->seen(), credit_noise_->with(alpha), z, found);
  }
  return sum / static_cast<double>(draws.count);
}

RunAccount::Setting PlainLearner::account_setting() const {
  return {.pivot = maker_.params().pivot,
          .gamma = measures_no_gaps() ? maker_.params().gamma : std::nullopt,
          .discount = maker_.params().discount,
          .leaderless = row().proof == Proof::kAda && maker_.params().pivot == Pivot::kLast};
}

// M is measured once: it may take a search for each draw. The upper end of its interval keeps every bound true.
std::optional<double> PlainLearner::noise_size() {
  if (noise_size_ || !maker_.params().takes("M")) return noise_size_;
  noise_size_ = maker_.params().alpha && maker_.params().noise_size ? *maker_.params().noise_size
                                                                    : maker_.measured_noise_size().high;
  return noise_size_;
}

std::optional<double> PlainLearner::noise_square() {
  if (!square_known_) noise_square_ = maker_.noise_square();
  square_known_ = true;
  return noise_square_;
}

}  // namespace hannan::detail
