// The loop of solver.hpp. Invariants: `lower_` is the largest floor so far and `opponent_` the weights it was proven
// at; `upper_` is worst() of `best_`, the best mixture so far; both hold after every round, so any round may be the
// last. A programme round that meets no new action, with no response missing, would be asked again for ever: it is the
// last.
#include "hannan/solve/solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hannan/core/interruption.hpp"
#include "hannan/solve/active_game.hpp"
#include "hannan/solve/matrix_programme.hpp"
#include "hannan/solve/second_stage.hpp"
#include "hannan/solve/single_actions.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kSecondStageCalls = 200;
constexpr std::uint64_t kFrontierCalls = 50;  // of each point: a mixture that exists, not always the best one
constexpr double kDust = 1e-6;                // probabilities that no reader would draw by
constexpr double kLeastWeight = 1e-15;        // smaller weights of a question are 0, so that they need not be published

class Solver {
 public:
  Solver(const Scenarios& scenarios, const GameOracle& oracle, const SolveOptions& options, const SolveWatch& watch)
      : scenarios_(scenarios),
        oracle_(oracle),
        options_(options),
        watch_(watch),
        game_(scenarios, oracle, options),
        hedge_(scenarios.size(), options.cap, game_.unit()) {}

  Solved run() {
    loop();
    Solved solved;
    solved.stopped = stopped_;
    finish(solved);
    return solved;
  }

 private:
  enum class Question { kProgramme, kHedge };
  enum class Programme { kSolved, kAsBefore, kFailed };  // as before: nothing new to solve it for
  struct Round {
    Question asked;
    Programme programme;
    bool proven;  // by the oracle
  };

  bool stop_asked() const { return watch_.stop && watch_.stop(); }
  double tolerance() const { return options_.tolerance * game_.unit() + 1e-14 * std::abs(upper_ + game_.origin()); }

  void loop() {
    question_.assign(scenarios_.shares().begin(), scenarios_.shares().end());
    into_capped(question_, options_.cap);
    for (std::uint64_t t = 1;; ++t) {
      interruption_point();
      rounds_ = t;
      const Question asked = t % 2 == 0 ? Question::kHedge : Question::kProgramme;
      const Reply reply = ask(asked == Question::kHedge ? hedge_.weights() : question_);
      if (asked == Question::kHedge) observe(reply.action);
      const Round round{.asked = asked, .programme = round_programme(reply), .proven = reply.proven};
      if (round.programme == Programme::kFailed || ends(round)) break;
    }
    note_round();
  }

  Reply ask(std::vector<double> weights) {
    double sum = 0;
    for (double& weight : weights) {
      if (weight < kLeastWeight) weight = 0;
      sum += weight;
    }
    for (double& weight : weights) weight /= sum;
    const Reply reply = game_.ask(weights);
    if (reply.lower > lower_ || opponent_.empty()) {
      lower_ = reply.lower;
      opponent_ = std::move(weights);
    }
    return reply;
  }

  // The mean of the actions that answered Hedge is a mixture with a rate.
  void observe(std::size_t action) {
    hedge_.observe(game_.row(action));
    hedged_.resize(game_.actions(), 0);
    ++hedged_[action];
    const double count = static_cast<double>(++hedge_rounds_);
    std::vector<double> mean(hedge_.totals().begin(), hedge_.totals().end());
    for (double& loss : mean) loss /= count;
    if (worst(mean, options_.cap) >= upper_) return;
    std::vector<double> p(hedged_.begin(), hedged_.end());
    for (double& share : p) share /= count;
    take(met_mixture(game_, std::move(p), options_.cap));
  }

  void take(MetMixture mixture) {
    if (!(mixture.worst < upper_)) return;
    upper_ = mixture.worst;
    best_ = std::move(mixture);
  }

  // Solves the programme where there is something new.
  Programme round_programme(const Reply& reply) {
    if (!programme_) {
      game_.add_response(response(game_.row(reply.action), options_.cap));
      programme_.emplace(game_.products());
    } else {
      if (reply.is_new) programme_->add_action(game_.products()[reply.action]);
      if (!reply.is_new && !stale_) return Programme::kAsBefore;
    }
    const auto answer = programme_->solve();
    if (!answer) return Programme::kFailed;
    question_.assign(scenarios_.size(), 0.0);
    for (std::size_t k = 0; k < answer->responses.size(); ++k) {
      const SparseMixture& of = game_.response(k);
      for (std::size_t i = 0; i < of.at.size(); ++i) question_[of.at[i]] += answer->responses[k] * of.weight[i];
    }
    MetMixture mixture = met_mixture(game_, answer->actions, options_.cap);
    double known = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < game_.responses(); ++k)
      known = std::max(known, game_.response(k).times(mixture.losses));
    const double slack = 1e-12 * std::max(game_.unit(), std::abs(mixture.worst));
    SparseMixture missing = response(mixture.losses, options_.cap);
    stale_ = mixture.worst > known + slack && !game_.full() && !game_.has_response(missing);
    if (stale_) programme_->add_response(game_.products_of(game_.add_response(std::move(missing))));
    take(std::move(mixture));
    return Programme::kSolved;
  }

  bool ends(const Round& round) {
    const bool closed = upper_ + game_.origin() - lower_ <= tolerance();
    if (closed) {
      stopped_ = Stopped::kClosed;
      return true;
    }
    if (round.asked == Question::kProgramme && round.programme == Programme::kAsBefore) {
      // The same question would be asked again. What is left is the oracle's gap, or rounding.
      stopped_ = !round.proven || game_.base_gap() > 0 ? Stopped::kOracle : Stopped::kLimit;
      return true;
    }
    if (rounds_ >= options_.rounds || game_.full() || stop_asked()) return true;
    if (std::has_single_bit(rounds_)) note_round();
    return false;
  }

  void note_round() {
    if (!trace_.empty() && trace_.back().round == rounds_) return;
    trace_.push_back({.round = rounds_,
                      .lower = lower_,
                      .upper = upper_ + game_.origin(),
                      .actions = game_.actions(),
                      .calls = game_.calls()});
    if (watch_.progress) watch_.progress(trace_.back());
  }

  // One more call where the first question was not the average, so that the best action on average is known.
  void ask_average() {
    std::vector<double> capped(scenarios_.shares().begin(), scenarios_.shares().end());
    into_capped(capped, options_.cap);
    bool same = true;
    for (std::size_t g = 0; g < capped.size(); ++g) same = same && std::abs(capped[g] - scenarios_.shares()[g]) < 1e-12;
    if (!same) game_.ask(scenarios_.shares());
  }

  SingleAction single(std::size_t x) const {
    return {.action = game_.action(x),
            .worst = worst(game_.row(x), options_.cap) + game_.origin(),
            .average = game_.averages()[x] + game_.origin()};
  }

  // Exact where actions can be listed, otherwise the best of those met.
  void single_actions(Solved& solved) {
    if (const auto listed = listed_single_actions(scenarios_, options_.cap, game_.base_low())) {
      solved.best_single = listed->least_worst;
      solved.best_average = listed->least_average;
      return;
    }
    // Met in the order of questions: equal ones go to the smallest action.
    std::vector<SingleAction> all;
    for (std::size_t x = 0; x < game_.actions(); ++x) all.push_back(single(x));
    const double window = 1e-13 * game_.unit();
    const auto least = [&](auto value) {
      const SingleAction* best = &all.front();
      for (const SingleAction& one : all) {
        const double difference = value(one) - value(*best), tie = window + 1e-15 * std::abs(value(*best));
        if (difference < -tie || (difference <= tie && one.action < best->action)) best = &one;
      }
      return *best;
    };
    solved.best_single = least([](const SingleAction& one) { return one.worst; });
    solved.best_average = least([](const SingleAction& one) { return one.average; });
  }

  SecondStage second_stage(double slack, std::uint64_t calls) {
    const double limit = best_.worst + slack + game_.rounding(best_.worst + game_.origin()) / 2;
    SecondStage stage = least_average(
        game_, scenarios_.shares(), options_.cap, best_,
        {.worst = limit, .calls = std::min(calls, options_.rounds), .tolerance = tolerance(), .stop = watch_.stop});
    drop_dust(stage.mixture, limit);
    return stage;
  }

  // Without actions that are hardly ever drawn, where worst case and average are the same up to the tolerance: the
  // programme uses up even the rounding of its limit.
  void drop_dust(MetMixture& mixture, double limit) const {
    std::vector<double> p = mixture.p;
    double sum = 0;
    for (double& share : p) {
      if (share < kDust) share = 0;
      sum += share;
    }
    for (double& share : p) share /= sum;
    MetMixture without = met_mixture(game_, std::move(p), options_.cap);
    if (without.worst <= std::max(limit, mixture.worst) && without.average <= mixture.average + tolerance())
      mixture = std::move(without);
  }

  FrontierPoint point(double slack, const MetMixture& mixture) const {
    return {.slack = slack,
            .worst = mixture.worst + game_.origin(),
            .average = mixture.average + game_.origin(),
            .strategy = strategy_of(mixture)};
  }

  // What caution costs: worst case and average for parts of the way to the best on average.
  void frontier(Solved& solved, const SecondStage& cautious) {
    const double way = std::max(0.0, solved.best_average.worst - (best_.worst + game_.origin()));
    solved.frontier.push_back(point(0, cautious.mixture));
    MetMixture last = cautious.mixture;
    for (const double part : {0.25, 0.5, 0.75}) {
      if (way > game_.rounding(upper_ + game_.origin()) && !stop_asked()) {
        MetMixture found = second_stage(part * way, kFrontierCalls).mixture;
        if (found.average < last.average) last = std::move(found);  // the one before is within this limit too
      }
      solved.frontier.push_back(point(part * way, last));
    }
    const SingleAction& best = solved.best_average;
    solved.frontier.push_back(
        {.slack = way,
         .worst = best.worst,
         .average = best.average,
         .strategy = {{.action = best.action, .probability = 1, .worst = best.worst, .average = best.average}}});
  }

  void finish(Solved& solved) {
    const double origin = game_.origin();
    SecondStage cautious{.mixture = best_, .average_lower = -std::numeric_limits<double>::infinity(), .witness = {}};
    if (!stop_asked()) ask_average();
    single_actions(solved);
    if (!stop_asked()) cautious = second_stage(0, kSecondStageCalls);
    SecondStage chosen = cautious;
    if (options_.slack > 0 && !stop_asked()) chosen = second_stage(options_.slack, kSecondStageCalls);
    frontier(solved, cautious);
    solved.unit = game_.unit();
    solved.upper = chosen.mixture.worst + origin;
    solved.average = chosen.mixture.average + origin;
    // Neither claims more than it may by rounding.
    solved.lower = std::min(lower_, upper_ + origin);
    solved.average_lower = std::min(chosen.average_lower + origin, solved.average);
    solved.average_witness = chosen.witness;
    fill_strategy(solved, chosen.mixture);
    fill_opponent(solved);
    solved.trace = trace_;
    solved.rounds = rounds_;
    solved.calls = game_.calls();
    solved.nodes = game_.nodes();
    solved.actions = game_.actions();
    solved.responses = game_.responses();
    solved.base_low.assign(game_.base_low().begin(), game_.base_low().end());
    solved.base_high.assign(game_.base_high().begin(), game_.base_high().end());
    solved.oracle = oracle_.name();
    solved.claims = std::string(oracle_.claims());
  }

  std::vector<MixedAction> strategy_of(const MetMixture& mixture) const {
    std::vector<MixedAction> strategy;
    for (std::size_t x = 0; x < mixture.p.size(); ++x) {
      if (!(mixture.p[x] > 0)) continue;
      const SingleAction alone = single(x);
      strategy.push_back(
          {.action = alone.action, .probability = mixture.p[x], .worst = alone.worst, .average = alone.average});
    }
    std::sort(strategy.begin(), strategy.end(), [](const MixedAction& a, const MixedAction& b) {
      return a.probability != b.probability ? a.probability > b.probability : a.action < b.action;
    });
    return strategy;
  }

  void fill_strategy(Solved& solved, const MetMixture& mixture) const {
    solved.strategy = strategy_of(mixture);
    solved.losses = mixture.losses;
    for (double& loss : solved.losses) loss += game_.origin();
    solved.worst = response(solved.losses, options_.cap);
  }

  void fill_opponent(Solved& solved) const {
    for (std::size_t g = 0; g < opponent_.size(); ++g) {
      if (opponent_[g] > 0) solved.opponent.emplace_back(g, opponent_[g]);
    }
    std::sort(solved.opponent.begin(), solved.opponent.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
  }

  const Scenarios& scenarios_;
  const GameOracle& oracle_;
  const SolveOptions& options_;
  const SolveWatch& watch_;
  ActiveGame game_;
  CappedHedge hedge_;
  std::optional<MinimaxProgramme> programme_;
  std::vector<double> question_;  // of the next programme round
  std::vector<double> opponent_;  // the witness of lower_
  std::vector<double> hedged_;    // how often each action answered Hedge
  std::uint64_t hedge_rounds_ = 0, rounds_ = 0;
  double lower_ = -std::numeric_limits<double>::infinity();
  double upper_ = std::numeric_limits<double>::infinity();  // without the origin, as best_
  MetMixture best_;
  bool stale_ = false;  // a response was added since the programme was solved
  Stopped stopped_ = Stopped::kLimit;
  std::vector<SolveRound> trace_;
};

}  // namespace

Solved solve(const Scenarios& scenarios, const GameOracle& oracle, const SolveOptions& options,
             const SolveWatch& watch) {
  return Solver(scenarios, oracle, options, watch).run();
}

}  // namespace hannan::detail
