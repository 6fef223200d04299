// Algorithm 3 with its last line repaired (docs/errata.md): each of the two parts learns from the rounds that it played
// itself. Invariant after settle: played_[p] holds exactly the outcomes of the rounds in which p played, and
// leader_regret_ and estimate_ are sums over those rounds alone, so that the regret of the run is at most the sum of
// the regrets of the two parts. Cost: off.hpp.
#include "hannan/learners/off.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/tolerance.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

Off::Off(Parts parts)
    : Learner(parts.problem, parts.oracle),
      perturber_(std::move(parts.perturber)),
      schedule_(std::move(parts.schedule)),
      estimate_(parts.estimate),
      kind_(parts.estimate.kind),
      switching_(parts.switching),
      feed_(parts.feed),
      monte_carlo_(std::move(parts.monte_carlo)),
      played_{SeenOutcomes(parts.oracle), SeenOutcomes(parts.oracle)},
      fed_{SeenOutcomes(parts.oracle), SeenOutcomes(parts.oracle)},
      alpha_(perturber_.matrix().columns()) {}

// The part in charge decides from the outcomes that it was fed. gftpl's noise is keyed by the round of the run, so that
// a part that pauses does not see the same noise twice.
void Off::decide(Decision& decision) const {
  if (part_ == kLeader) {
    const auto& lead = leader_on_data(kLeader);
    // The leader is proven up to this; it is added to what the run leaves unproven.
    played_unproven(lead.unproven());
    decision.action = lead.action;
    decision.eta.reset();
    decision.regime = "leader";
    return;
  }
  if (draws_noise(kind_)) monte_carlo_.draws(draws_of(round()));  // refuses before anything changes
  // L* of gftpl's own rounds: its rate is that of a gftpl that has seen nothing else.
  const double best = data(kGftpl).rounds() == 0 ? 0.0 : leader_on_data(kGftpl).value;
  const double eta = schedule_({.round = data(kGftpl).rounds() + 1, .best = best});
  const auto& play = ask(data(kGftpl), perturber_.at(round()), 1 / eta);
  played_unproven(play.unproven());
  decision.action = play.action;
  decision.eta = eta;
  decision.regime = "gftpl";
}

// The part that played takes the outcome in; then the switch is tested by the two sums, each with the rounding of ties.
void Off::settle(const Decision& played, const AnyOutcome& y, Step& step) {
  const Part before = part_;
  if (part_ == kLeader) {
    played_[kLeader].add(y);
    const double best = leader_on_played(kLeader).value;
    // The mixability gap of the leader: its loss less the growth of L*, never negative. Their sum is its regret on its
    // own rounds.
    leader_regret_ += step.loss - (best - leader_best_);
    leader_best_ = best;
    if (leader_regret_ > switching_.a * estimate_.value() + tie_window(leader_regret_)) part_ = kGftpl;
  } else {
    // Before y enters gftpl's data: the estimate is of the round as it was played.
    const double expected = draws_noise(kind_) ? expected_loss(*played.eta, y) : 0.0;
    played_[kGftpl].add(y);
    estimate_.played({.best = leader_on_played(kGftpl).value, .loss = step.loss, .expected = expected});
    if (estimate_.value() > switching_.b * leader_regret_ + tie_window(leader_regret_)) part_ = kLeader;
  }
  if (feed_ == Feed::kNext) fed_[part_].add(y);
  for (auto* records : {played_, fed_}) {
    for (std::size_t part : {kLeader, kGftpl}) records[part].settle();
  }
  step.estimates = Estimates{.leader = leader_regret_, .gftpl = estimate_.value()};
  step.switched = part_ != before;
}

// A mean over n draws of gftpl's choice at this round: one oracle call for each draw.
double Off::expected_loss(double eta, const AnyOutcome& y) {
  const std::uint64_t round = draws_of(rounds());
  const std::size_t n = monte_carlo_.draws(round);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    monte_carlo_.fill(round, i, alpha_);
    sum += problem().loss(ask(data(kGftpl), perturber_.with(alpha_), 1 / eta).action, y);
  }
  return n == 0 ? 0.0 : sum / static_cast<double>(n);
}

// fed_ is in the state also where the played outcomes are fed: the shape does not depend on a parameter.
void Off::state(Archive& a) {
  a.choice("part", part_, kGftpl);
  a.field("leader_regret", leader_regret_);
  a.field("leader_best", leader_best_);
  a.open("estimate");
  estimate_.archive(a);
  a.close();
  const char* names[] = {"leader_played", "gftpl_played", "leader_fed", "gftpl_fed"};
  SeenOutcomes* records[] = {&played_[0], &played_[1], &fed_[0], &fed_[1]};
  for (int i = 0; i < 4; ++i) {
    a.open(names[i]);
    records[i]->archive(a);
    a.close();
  }
}

namespace {

// The row of the table of learners: names of parameters, how they are read and written, and what is made of them.
struct OffRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "off",
      .about = "oracle-efficient flip-flop (Algorithm 3, repaired)",
      .params = "perturbation noise draw alpha gamma c M estimator feed mc switch_a switch_b",
      .proof = Proof::kOff,
      .switches = true,
      .needs_gamma = true,
      .by_context = true};
  using Draws = std::vector<std::vector<std::vector<double>>>;  // per round, n lists of N

  OffEstimator estimator = OffEstimator::kPaper;
  Feed feed = Feed::kPlayed;
  OffSwitching switching;
  std::uint64_t mc_draws = 16;
  Draws mc_given;

  void parse(Fields& fields, const LearnerParams&) {
    const std::string word =
        fields.choice("estimator", {"paper", "tight", "trajectory", "regret", "realised", "reused"}, "paper");
    estimator =
        static_cast<OffEstimator>(std::find(kEstimators.begin(), kEstimators.end(), word) - kEstimators.begin());
    feed = fields.choice("feed", {"played", "next"}, "played") == "next" ? Feed::kNext : Feed::kPlayed;
    switching = {.a = fields.number("switch_a", limits::kTuning, 1.0),
                 .b = fields.number("switch_b", limits::kTuning, 1.0)};
    const Json* mc = fields.maybe("mc");
    if (!mc) return;
    if (!mc->is_array()) {
      mc_draws = static_cast<std::uint64_t>(to_integer(*mc, fields.at("mc"), {1, 1'000'000}));
      return;
    }
    for (std::size_t t = 0; t < mc->size(); ++t)
      mc_given.push_back(to_matrix((*mc)[t], path_of(fields.at("mc"), t), limits::kEntry));
  }
  void print(Json& json) const override {
    json.set("estimator", estimator_name());
    json.set("feed", feed == Feed::kNext ? "next" : "played");
    json.set("switch_a", switching.a);
    json.set("switch_b", switching.b);
    json.set("mc", mc_given.empty() ? Json(mc_draws) : Json::array(mc_given));
  }
  // The bound is proven for a = b = 1 and for parts that learn from their own rounds; other settings are played, and
  // the certificate says nothing of them.
  void state(RunFacts& run) const override {
    run.estimator = estimator_name();
    run.off_as_proven = feed == Feed::kPlayed && switching.a == 1 && switching.b == 1;
  }

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    const bool needs_size = estimator == OffEstimator::kTight || estimator == OffEstimator::kTrajectory;
    const OffEstimate::Setting estimate{.kind = estimator,
                                        .ln_size = parts.game()->ln_size(),
                                        .columns = static_cast<double>(parts.matrix()->columns()),
                                        .gamma = *parts.params().gamma,
                                        .c = parts.params().c,
                                        .noise_size = needs_size ? parts.noise_size() : 0.0};
    return std::make_unique<Off>(Off::Parts{parts.game(), parts.oracle(), parts.perturber(), parts.small_loss(),
                                            estimate, switching, feed, monte_carlo(parts)});
  }

 private:
  // In the order of the enumeration, so a name's place is its value.
  static constexpr std::array<std::string_view, 6> kEstimators{"paper",  "tight",    "trajectory",
                                                               "regret", "realised", "reused"};
  std::string_view estimator_name() const { return kEstimators[static_cast<std::size_t>(estimator)]; }

  MonteCarlo monte_carlo(LearnerMaker& parts) const {
    if (!mc_given.empty()) {
      for (std::size_t t = 0; t < mc_given.size(); ++t)
        parts.check_given(path_of("params.mc", t), mc_given[t], parts.matrix()->columns());
      return given_draws();
    }
    // Draw i of round t is draw (t-1) n + i + 1 of the key's Monte-Carlo noise.
    return {[n = mc_draws](std::uint64_t) { return static_cast<std::size_t>(n); },
            [noise = parts.noise(), key = parts.params().key, signs = parts.signs(), n = mc_draws](
                std::uint64_t round, std::size_t i, std::span<double> alpha) {
              noise.draw(KeyedRandom(key, Purpose::kMonteCarlo, (round - 1) * n + i + 1), alpha, *signs);
            }};
  }
  MonteCarlo given_draws() const {
    const auto given = std::make_shared<const Draws>(mc_given);
    return {[given](std::uint64_t round) {
              if (round > given->size()) {
                throw Error(Code::kNoiseExhausted,
                            "Monte-Carlo noise was given for " + std::to_string(given->size()) +
                                " rounds, and this is round " + std::to_string(round),
                            "params.mc");
              }
              return (*given)[round - 1].size();
            },
            [given](std::uint64_t round, std::size_t i, std::span<double> alpha) {
              std::copy((*given)[round - 1][i].begin(), (*given)[round - 1][i].end(), alpha.begin());
            }};
  }
};

}  // namespace

LearnerKind off_row() { return learner_row<OffRow>(); }

}  // namespace hannan::detail
