// Simulated runs on threads. Job i is learner i / runs, run i % runs, and writes to its own place alone; keys make
// every run a function of (seed, run), so results do not depend on the number of threads. Means are taken in the order
// of the runs.
#include "hannan/play/simulation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/error.hpp"
#include "hannan/play/conditional_regret.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/play/mean_and_error.hpp"
#include "hannan/play/play.hpp"
#include "hannan/play/tracking.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

ReplayTurn make(const AnyProblem& problem, const SimulatedLearner& who, Key key) {
  Json params = who.params;
  params.set("seed", key.seed);
  params.set("run", key.run);
  return problem.turn<ReplayTurn>(who.kind, params);
}

// A run: its problem, its key, and where its outcomes come from.
struct Scene {
  std::unique_ptr<AnyProblem> problem;
  Key key;
  std::unique_ptr<Source> source;
};
using SceneMaker = std::function<Scene(std::uint64_t run)>;

// The plan of run_all: `learners` is the caller's and outlives it; scene(run) may be called from several threads at
// once.
struct Batch {
  SceneMaker scene;
  const std::vector<SimulatedLearner>& learners;
  std::uint64_t rounds;
  std::uint64_t runs;
  unsigned threads;
};

// Everything is made anew for a run, so that no run sees what another left behind.
SimulatedRun run_once(const Batch& batch, std::size_t learner, std::uint64_t run) {
  const Scene scene = batch.scene(run);
  LearnerGroup alone;
  alone.join(make(*scene.problem, batch.learners[learner], scene.key));
  return run_to_end(alone, *scene.source, {.rounds = batch.rounds, .stop = {}})->front();
}

// Whether the mean of regret less bound is at most three of its standard errors above 0.
bool kept_in_the_mean(const std::vector<SimulatedRun>& runs, std::optional<double> SimulatedRun::* bound) {
  std::vector<double> above;
  for (const auto& run : runs) {
    if (!(run.*bound)) return true;
    above.push_back(run.regret - *(run.*bound));
  }
  // Three standard errors: chosen; a true mean of 0 is above with probability about 0.1 %.
  const auto [mean, error] = mean_and_error(above);
  return mean <= 3 * error + tie_window(runs.front().total);
}

// bound is a mean only if every run states one; a mean over some of the runs would be of other runs than the regret.
SimulatedMean summarise(const SimulatedLearner& who, std::vector<SimulatedRun> runs, std::uint64_t rounds) {
  SimulatedMean mean{.label = who.label};
  const auto n = static_cast<double>(runs.size());
  double squares = 0, bounds = 0;
  bool bounded = true;
  for (const auto& run : runs) {
    mean.best += run.best / n;
    mean.regret += run.regret / n;
    mean.calls_a_round += static_cast<double>(run.oracle_calls) / static_cast<double>(rounds) / n;
    bounded = bounded && run.bound.has_value();
    bounds += run.bound.value_or(0) / n;
  }
  for (const auto& run : runs) squares += (run.regret - mean.regret) * (run.regret - mean.regret);
  if (runs.size() > 1) mean.standard_error = std::sqrt(squares / (n - 1) / n);
  if (bounded) mean.bound = bounds;
  mean.holds = kept_in_the_mean(runs, &SimulatedRun::bound) && kept_in_the_mean(runs, &SimulatedRun::run);
  mean.runs = std::move(runs);
  return mean;
}

// Threads take jobs from one counter. The first failure is kept and ends all; results of one job are written by one
// thread, and read after all have joined.
std::vector<SimulatedMean> run_all(const Batch& batch) {
  if (batch.runs == 0) throw Error(Code::kOutOfRange, "found 0 runs, expected at least one", "runs");
  {
    const Scene first = batch.scene(0);  // a bad plan is refused before any work starts
    for (const auto& who : batch.learners) make(*first.problem, who, first.key);
  }
  const std::uint64_t jobs = batch.learners.size() * batch.runs;
  std::vector<std::vector<SimulatedRun>> results(batch.learners.size(), std::vector<SimulatedRun>(batch.runs));
  std::atomic<std::uint64_t> next{0};
  std::mutex failure_lock;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::uint64_t job = next++; job < jobs; job = next++) {
      try {
        results[job / batch.runs][job % batch.runs] = run_once(batch, job / batch.runs, job % batch.runs);
      } catch (...) {
        const std::lock_guard lock(failure_lock);
        if (!failure) failure = std::current_exception();
        next = jobs;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < batch.threads; ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);

  std::vector<SimulatedMean> means;
  for (std::size_t i = 0; i < batch.learners.size(); ++i) {
    means.push_back(summarise(batch.learners[i], std::move(results[i]), batch.rounds));
  }
  return means;
}

// The paper's bound as printed, beside the corrected one, for tables that compare the two.
std::optional<double> printed_theorem(const RunFacts& run) {
  const bool laplace = run.noise.p == 1 && run.noise.symmetric && run.unit_entries && !run.noise_given;
  if (run.proof != Proof::kGftpl || !run.gamma || !laplace) return std::nullopt;
  return bounds::thm1_paper({.ln_K = run.ln_size, .N = run.columns, .gamma = *run.gamma, .c = run.c, .best = run.best});
}

// The corrected statement needs what its proof uses: laws of p = 1 centred at 0, noise of the learner's own choosing,
// and an oracle without a gap.
std::optional<double> corrected_theorem(const RunFacts& run) {
  const bool covered = run.noise.p == 1 && run.noise.centred && !run.noise_given && run.gap == 0;
  if (run.proof != Proof::kGftpl || !run.gamma || !run.noise_size || !covered) return std::nullopt;
  return bounds::thm1_tight({.M = *run.noise_size, .gamma = *run.gamma, .c = run.c, .best = std::max(0.0, run.best)});
}

std::optional<double> least_closed_form(const std::vector<BoundCheck>& checks) {
  std::optional<double> least;
  for (const auto& check : checks) {
    const bool closed = check.kind == BoundCheck::Kind::kClosed && check.side == BoundCheck::Side::kUpper;
    if (closed && (!least || check.value < *least)) least = check.value;
  }
  return least;
}

}  // namespace

namespace {

// Of a learner that sees a part: what the outcomes, which are all known here, say of it.
void conclude_in_hindsight(SimulatedRun& result, PartLearner& learner, Hindsight& hindsight) {
  const RunFacts facts = learner.facts();
  const auto said = learner.said_of_regret();
  result.total = hindsight.total();
  result.best = hindsight.best().value;
  result.regret = hindsight.regret();
  result.run = said.run;
  result.limit = said.limit;
  result.oracle_calls = facts.oracle_calls;
  result.search_nodes = facts.search_nodes;
  result.gap = facts.gap;
}

// From the learner's facts after the last round; the group has played to its end by then.
void conclude(SimulatedRun& result, const ReplayTurn& learner) {
  if (const auto* portfolio = learner.as<PortfolioLearner>(); portfolio && !portfolio->knows_best())
    throw Error(Code::kUnavailable,
                "found a portfolio without a learner on all actions, or with rehearsed rounds, expected one whose best "
                "fixed action is known: a regret is against that",
                "learner");
  const RunFacts facts = learner->facts();
  const auto checks = certificate(facts);
  result.total = facts.total;
  result.best = facts.best;
  result.regret = facts.total - facts.best;
  if (facts.discount == 1) result.bound = least_closed_form(checks);  // beside the plain regret
  const auto value = [&](std::string_view name) {
    const BoundCheck* found = find_check(checks, name);
    return found && !found->discounted ? std::optional(found->value) : std::nullopt;
  };
  result.run = value("run");
  result.limit = value("limit");
  result.printed = printed_theorem(facts);
  result.corrected = corrected_theorem(facts);
  result.holds = std::ranges::all_of(checks, [](const BoundCheck& check) { return check.holds.value_or(true); });
  if (const ContextLearner* tree = learner.as<ContextLearner>()) {
    const double most = mixing_bound(tree->tree()).value;
    // Sums of the tree and of the ledger are taken in different orders.
    result.holds = facts.total <= most + 1e-9 * std::max(1.0, most);
  }
  result.oracle_calls = facts.oracle_calls;
  result.search_nodes = facts.search_nodes;
  result.gap = facts.gap;
}

// One for all: they meet the same outcomes.
std::optional<Tracking> tracking_for(LearnerGroup& group, const RunLimits& limits) {
  std::optional<std::uint64_t> most;
  for (const auto& list : limits.switches) {
    for (const std::uint64_t n : list) most = std::max(most.value_or(0), n);
  }
  return most ? std::optional<Tracking>(std::in_place, group[0].game(), *most) : std::nullopt;
}

// The limit is about the conditional regret at every round at once: covered stays true only if no round so far was
// above it. `within` says the same of the realised regret, which the theorem does not cover.
void follow_limit(SimulatedRun& result, ConditionalRegret& regret, LearnerGroup& group, std::size_t i) {
  regret.round(group.round(i), group.outcome());
  const auto limit = group[i].run_view().limit;
  if (!limit) return;
  const double most = *limit + tie_window(*limit);
  result.covered = result.covered.value_or(true) && regret.value() <= most;
  if (const auto realised = group.round(i).regret) result.within = result.within.value_or(true) && *realised <= most;
}

// The limit of a learner that sees a part is about the regret of this very run, at every round at once.
void follow_limit(SimulatedRun& result, Hindsight& hindsight, PartLearner& learner) {
  const auto limit = learner.said_of_regret().limit;
  if (!limit) return;
  const bool kept = hindsight.regret() <= *limit + tie_window(*limit);
  result.covered = result.covered.value_or(true) && kept;
  result.within = result.covered;
}

}  // namespace

// Paths have a point at rounds 1, 2, 4, 8, ... and at the last one. None: it was stopped.
std::optional<std::vector<SimulatedRun>> run_to_end(LearnerGroup& group, Source& source, const RunLimits& limits) {
  std::vector<SimulatedRun> results(group.size());
  std::vector<std::optional<ConditionalRegret>> followed(group.size());
  std::vector<std::optional<Hindsight>> hindsight(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group.turn(i).as<PartLearner>()) hindsight[i].emplace(group[i].game());
  }
  for (std::size_t i = 0; i < limits.follow_limit.size(); ++i) {
    if (limits.follow_limit[i] && !hindsight[i]) followed[i] = ConditionalRegret::of(group[i]);
  }
  auto tracking = tracking_for(group, limits);
  while (group.play_round(source)) {
    if (limits.stop && limits.stop()) return std::nullopt;
    if (tracking) tracking->round(group.outcome());
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (followed[i]) follow_limit(results[i], *followed[i], group, i);
      if (!hindsight[i]) continue;
      hindsight[i]->round(*group.round(i).action, group.outcome());
      if (!limits.follow_limit.empty() && limits.follow_limit[i])
        follow_limit(results[i], *hindsight[i], *group.turn(i).as<PartLearner>());
    }
    if (!std::has_single_bit(group.rounds()) && group.rounds() != limits.rounds) continue;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (hindsight[i]) {
        results[i].path.push_back(hindsight[i]->regret());
      } else if (const auto regret = group.round(i).regret) {
        results[i].path.push_back(*regret);
      }
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (auto* part = group.turn(i).as<PartLearner>()) {
      conclude_in_hindsight(results[i], *part, *hindsight[i]);
    } else {
      conclude(results[i], group.turn(i));
    }
  }
  for (std::size_t i = 0; i < limits.switches.size(); ++i) {
    for (const std::uint64_t n : limits.switches[i]) results[i].tracked.push_back(tracking->best(n));
  }
  return results;
}

// Run r of a plan has the key (seed, run + r), for the stream, the segments and the learners alike: their own domains
// of Philox keep the draws apart.
std::vector<SimulatedMean> simulate(const SimulationPlan& plan) {
  const auto scene = [&](std::uint64_t run) {
    StreamSpec spec = plan.stream;
    spec.key.run += run;
    auto stream = make_loss_stream(spec);
    auto problem = make_loss_problem(stream->experts(), "stream");
    SegmentSpec segments = plan.segments;
    segments.key = spec.key;
    auto source = simulated_source(std::move(stream), problem->game(), segments);
    return Scene{std::move(problem), spec.key, std::move(source)};
  };
  return run_all({scene, plan.learners, plan.stream.rounds, plan.runs, plan.threads});
}

std::vector<SimulatedMean> simulate(const MarketPlan& plan) {
  const auto scene = [&](std::uint64_t run) {
    MarketSourceSpec spec = plan.market;
    spec.market.key.run += run;
    spec.segments.key = spec.market.key;
    auto problem = make_problem(plan.problem, plan.params, "params");
    auto source = market_source(problem->game(), spec);
    return Scene{std::move(problem), spec.market.key, std::move(source)};
  };
  return run_all({scene, plan.learners, plan.market.rounds, plan.runs, plan.threads});
}

namespace {

// A text that is no JSON is a plain word, such as one-hot.
Json json_or_word(const std::string& text) {
  try {
    return parse_json(text);
  } catch (const Error&) {
    return Json(text);
  }
}

}  // namespace

// "kind:name=value,name=value". A value cannot hold a comma; the whole text is the label of tables and plots.
SimulatedLearner parse_simulated_learner(const std::string& text) {
  SimulatedLearner who{.label = text, .kind = text.substr(0, text.find(':'))};
  if (who.kind.size() == text.size()) return who;
  std::string rest = text.substr(who.kind.size() + 1) + ",";
  for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1)) {
    const std::string pair = rest.substr(0, comma);
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw Error(Code::kUsage, "found \"" + pair + "\", expected name=value", text);
    who.params.set(pair.substr(0, equals), json_or_word(pair.substr(equals + 1)));
  }
  return who;
}

}  // namespace hannan::detail
