// A learner over experts that sleep: which are awake is said before a round, or follows from the outcome. It keeps its
// own account (regret, rounds and losses of each expert over the rounds in which it was awake), because there is no
// single best expert to search for. Laws: AdaHedge and FlipFlop on the booked losses of SleepingMixture, or
// AdaNormalHedge. Formulas and limits: docs/theory.md, sleeping. Cost: O(K) a round.
#include "hannan/runtime/sleeping_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/learners/ada_normal_hedge.hpp"
#include "hannan/learners/flip_options.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse_setting(const std::string& what, const char* at) { throw Error(Code::kUnavailable, what, at); }

// What makes no sense for experts that sleep.
void expect_plain(const LearnerParams& params) {
  if (!params.segments.by.empty())
    refuse_setting("found columns, expected none: experts that sleep have no segments", "params.by");
  if (params.pool.value_or(0) > 0) refuse_setting("found a pool, expected none: nothing is searched", "params.pool");
}

}  // namespace

SleepingLearner::SleepingLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : AnyLearner(std::move(game), params.kind->name, {}),
      key_(params.key),
      law_(kind() == "adahedge"         ? Law::kAdaHedge
           : kind() == "flipflop-hedge" ? Law::kFlipFlop
                                        : Law::kNormal),
      size_(static_cast<std::size_t>(this->game().action_count().value())),
      ln_size_(this->game().ln_size()),
      mixture_(size_),
      normal_(size_),
      flopping_(law_ == Law::kAdaHedge),
      regrets_(size_),
      awake_rounds_(size_, 0.0),
      awake_(size_, 1.0),
      awake_count_(size_),
      weights_(size_, 0.0) {
  if (law_ == Law::kNormal && kind() != "adanormalhedge")
    refuse_setting("experts that sleep need adahedge, flipflop-hedge or adanormalhedge, or missing = worst", "kind");
  expect_plain(params);
  const LossRange range = this->game().loss_range();
  if (params.range && *params.range != range)
    refuse_setting("found another range than that of the problem; it is the problem that has this parameter",
                   "params.range");
  if (law_ == Law::kNormal && range == LossRange::kUnknown)
    refuse_setting(
        "adanormalhedge needs losses in [0,1], and those of the problem have range \"unknown\"; use adahedge, or "
        "divide the losses by a cap",
        "kind");
  if (law_ == Law::kFlipFlop) {
    const auto& constants = static_cast<const FlipOptions&>(*params.own).constants;
    phi_ = constants.phi;
    a_ = constants.a;
  }
  params.range = range;
  params.pool = 0;
  params.oracle = this->game().oracles().front()->name();
  params_ = learner_json(params);
  setting_.switches = law_ == Law::kFlipFlop;
  actions_ = this->game().first_actions(size_);
}

void SleepingLearner::refuse(std::string_view path) {
  throw Error(Code::kUnavailable, "experts that sleep need a list of those awake before every round, and there is none",
              std::string(path));
}

// Checked in full before anything changes.
void SleepingLearner::wake(std::span<const std::int64_t> awake) {
  for (std::size_t i = 0; i < awake.size(); ++i) {
    if (awake[i] < 0 || awake[i] >= static_cast<std::int64_t>(size_)) {
      throw Error(Code::kOutOfRange,
                  "found expert " + std::to_string(awake[i]) + ", expected one in 0.." + std::to_string(size_ - 1),
                  path_of("awake", i));
    }
  }
  std::fill(awake_.begin(), awake_.end(), 0.0);
  for (const std::int64_t k : awake) awake_[static_cast<std::size_t>(k)] = 1;
  awake_count_ = static_cast<std::size_t>(std::count(awake_.begin(), awake_.end(), 1.0));
  told_ = true;
  decided_ = false;
}

// NaN marks an expert that sleeps: the reader of outcomes makes it of null.
void SleepingLearner::wake(const AnyOutcome& outcome) {
  const auto& losses = outcome.get<std::vector<double>>();
  for (std::size_t k = 0; k < size_; ++k) awake_[k] = std::isnan(losses[k]) ? 0.0 : 1.0;
  awake_count_ = static_cast<std::size_t>(std::count(awake_.begin(), awake_.end(), 1.0));
  told_ = true;
  decided_ = false;
}

// ln K over the summed gaps of the flop rounds; infinite at first and in flip: all weight on the leaders.
double SleepingLearner::eta() const {
  return flopping_ && flop_ > 0 ? ln_size_ / flop_ : std::numeric_limits<double>::infinity();
}

// The size of a loss, for the tie window: 1, or the largest range seen where the problem states none.
double SleepingLearner::unit() const {
  return game().loss_range() == LossRange::kUnknown && largest_range_ > 0 ? unit_of(largest_range_) : 1.0;
}

// Once a round; asked again it is known. The draw is a function of key and round, whoever is awake.
void SleepingLearner::decide() {
  if (decided_) return;
  decided_ = true;
  round_.number = rounds_ + 1;
  round_.action = nullptr;
  if (law_ != Law::kNormal) round_.eta = eta();
  if (law_ == Law::kFlipFlop) round_.regime = flopping_ ? "flop" : "flip";
  round_.weights = weights_;
  std::fill(weights_.begin(), weights_.end(), 0.0);
  if (!some_awake()) return;
  std::span<const double> found;
  if (law_ == Law::kNormal) {
    normal_.set_awake(awake_);
    found = normal_.weights();
  } else {
    mixture_.set_awake(awake_);
    mixture_.set_rate(eta(), unit());
    found = mixture_.weights();
  }
  std::copy(found.begin(), found.end(), weights_.begin());
  round_.action = &actions_[sampled_action(weights_, KeyedRandom(key_, Purpose::kMixture, round_.number).uniform(0))];
}

const Round& SleepingLearner::act() {
  decide();
  return round_;
}

// What was said before the round must be what the outcome shows, or the regrets of who was awake would be wrong.
void SleepingLearner::expect_pattern(std::span<const double> losses) const {
  for (std::size_t k = 0; k < size_; ++k) {
    const bool awake = awake_[k] > 0;
    if (awake != std::isnan(losses[k])) continue;
    throw Error(Code::kBadOutcome,
                awake ? "found null, expected a loss: the expert was awake when the round was decided; give act the "
                        "list \"awake\", or leave act out"
                      : "found a loss, expected null: the expert was asleep when the round was decided",
                path_of("outcome", k));
  }
}

// The gap goes to the sum of the regime that played the round, and FlipFlop changes regimes as in
// learners/flipflop.cpp.
void SleepingLearner::charge(double gap) {
  round_.gap = gap;
  (flopping_ ? flop_ : flip_) += std::max(0.0, gap);
  if (law_ != Law::kFlipFlop) return;
  const double mine = flopping_ ? flop_ : flip_, most = flopping_ ? a_ * flip_ : phi_ / a_ * flop_;
  round_.switched = mine > most + tie_window(mine, unit());
  if (round_.switched) flopping_ = !flopping_;
}

// A round in which all sleep costs nothing and changes no law; it counts as a round and as skipped. After a round all
// count as awake until wake() says otherwise.
const Round& SleepingLearner::observe(const AnyOutcome& outcome) {
  const auto& losses = outcome.get<std::vector<double>>();
  if (told_ || decided_) {
    expect_pattern(losses);
  } else {
    wake(outcome);
  }
  decide();
  double paid = 0;
  round_.gap.reset();
  round_.switched = false;
  if (some_awake()) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double loss : losses) {
      if (std::isnan(loss)) continue;
      least = std::min(least, loss);
      most = std::max(most, loss);
    }
    largest_range_ = std::max(largest_range_, most - least);
    range_squares_ += (most - least) * (most - least);
    if (law_ == Law::kNormal) {
      paid = normal_.charge(losses);
    } else {
      const auto [expected, mix] = mixture_.charge(losses);
      paid = expected;
      charge(expected - mix);
    }
    for (std::size_t k = 0; k < size_; ++k) {
      if (std::isnan(losses[k])) continue;
      regrets_.add_one(k, paid - losses[k]);
      awake_rounds_[k] += 1;
    }
  } else {
    ++skipped_;
  }
  ++rounds_;
  total_.add(paid);
  std::fill(awake_.begin(), awake_.end(), 1.0);
  awake_count_ = size_;
  told_ = decided_ = false;
  round_.outcome = &outcome;
  round_.loss = paid;
  round_.total = total_.value();
  round_.regrets = regrets();
  if (law_ == Law::kAdaHedge) round_.stability = {1, {flop_, 0}};
  if (law_ == Law::kFlipFlop) round_.stability = {2, {flip_, flop_}};
  return round_;
}

// No best: the certificates of a run rest on L*, which there is none of here; bounds_json() has this learner's own.
RunFacts SleepingLearner::facts() {
  RunFacts run;
  run.ln_size = ln_size_;
  run.rounds = rounds_;
  run.total = total_.value();
  return run;
}

// docs/theory.md, sleeping: 2 Delta for AdaHedge, flip + (2 + phi/(phi-1)) flop for FlipFlop, the largest of the
// experts' own limits for AdaNormalHedge.
double SleepingLearner::limit() const {
  if (law_ == Law::kAdaHedge) return 2 * flop_;
  if (law_ == Law::kFlipFlop) return flip_ + (2 + phi_ / (phi_ - 1)) * flop_;
  double most = 0;
  for (std::size_t k = 0; k < size_; ++k) most = std::max(most, normal_.limit(k));
  return most;
}

Json SleepingLearner::bounds_json() const {
  const double worst = *std::max_element(regrets_.values().begin(), regrets_.values().end());
  const double slack = tie_window(total_.value(), unit());
  Json bounds = Json::array();
  const auto add = [&](const char* name, double value, bool holds, const char* says) {
    bounds.push_back(
        Json::object({{"name", name}, {"value", value}, {"side", "upper"}, {"holds", holds}, {"says", says}}));
  };
  constexpr const char* kAll = "no expert is ahead by more than this on the rounds in which it was awake";
  if (law_ != Law::kNormal) {
    add("sleeping", limit(), worst <= limit() + slack, kAll);
    if (law_ == Law::kAdaHedge) {
      const double closed = std::sqrt(ln_size_ * range_squares_) + 2 * largest_range_;
      add("sleeping_closed", closed, worst <= closed + slack, kAll);
    }
    return bounds;
  }
  bool holds = true, closed_holds = true;
  double closed = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    holds = holds && regrets_[k] <= normal_.limit(k) + slack;
    closed_holds = closed_holds && regrets_[k] <= normal_.closed_limit(k) + slack;
    closed = std::max(closed, normal_.closed_limit(k));
  }
  constexpr const char* kEach =
      "no expert is ahead by more than its limit on the rounds in which it was awake; this is the largest limit";
  add("sleeping_normal", limit(), holds, kEach);
  add("sleeping_normal_closed", closed, closed_holds, kEach);
  return bounds;
}

// The regret is the largest over experts, best_action that expert; there is no L*, hence null.
Json SleepingLearner::report() {
  const auto& values = regrets_.values();
  const auto worst = std::max_element(values.begin(), values.end());
  Json json = Json::object({{"problem", game().kind()},
                            {"learner", kind()},
                            {"params", params()},
                            {"rounds", rounds_},
                            {"skipped", skipped_},
                            {"total", total_.value()},
                            {"best", nullptr},
                            {"floor", nullptr},
                            {"regret", *worst},
                            {"best_action", static_cast<std::uint64_t>(worst - values.begin())},
                            {"regrets", Json(values)},
                            {"awake", Json(awake_rounds_)},
                            {"oracle_calls", 0},
                            {"search_nodes", 0},
                            {"oracle_gap", 0},
                            {"leader_regret", nullptr},
                            {"range", largest_range_}});
  if (law_ == Law::kNormal) {
    Json limits = Json::array(), closed = Json::array(), sizes = Json::array();
    for (std::size_t k = 0; k < size_; ++k) {
      limits.push_back(normal_.limit(k));
      closed.push_back(normal_.closed_limit(k));
      sizes.push_back(normal_.sizes()[k]);
    }
    json.set("sizes", std::move(sizes));
    json.set("limits", std::move(limits));
    json.set("closed_limits", std::move(closed));
  }
  json.set("raw", Json::object({{"unit", "loss"}, {"total", total_.value()}, {"best", nullptr}}));
  json.set("certificate", Json::object({{"bounds", bounds_json()}, {"assumptions", Json::object()}}));
  add_rehearsed(json);
  return json;
}

// A state is saved between rounds. What was said of the next round is not in it: who loads it says it again.
void SleepingLearner::archive(Archive& a) {
  a.count("rounds", rounds_);
  a.count("skipped", skipped_, rounds_);
  a.open("ledger");
  total_.archive(a, "total", "total_carry", kSavedNumbers);
  a.close();
  regrets_.archive(a, "regrets", "regret_carries");
  a.field("awake_rounds", awake_rounds_, {0, static_cast<double>(rounds_)});
  a.field("largest_range", largest_range_, kSavedNonnegative);
  a.field("range_squares", range_squares_, kSavedNonnegative);
  if (law_ == Law::kNormal) {
    a.open("normal");
    normal_.archive(a);
    a.close();
  } else {
    a.open("mixture");
    mixture_.archive(a);
    a.close();
    a.field("flip", flip_, kSavedNonnegative);
    a.field("flop", flop_, kSavedNonnegative);
    a.count("flopping", flopping_, 1);
    if (a.reading() && law_ == Law::kAdaHedge && !flopping_) a.refuse("flopping", "found 0, expected 1");
  }
  if (!a.reading()) return;
  std::fill(awake_.begin(), awake_.end(), 1.0);
  awake_count_ = size_;
  told_ = decided_ = false;
}

}  // namespace hannan::detail
