#include "hannan/verify/sleeping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "hannan/verify/choice_scan.hpp"
#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {
namespace {

constexpr double kNoRate = std::numeric_limits<double>::infinity();
constexpr const char* kOneLimit = "no expert is ahead by more than this on the rounds in which it was awake";
constexpr const char* kEachLimit =
    "no expert is ahead by more than its limit on the rounds in which it was awake; this is the largest limit";

}  // namespace

bool experts_sleep(const Game& game) {
  const Json params = game.params();
  const Json* missing = params.find("missing");
  return missing && *missing == Json("sleep");
}

SleepingCheck::SleepingCheck(RecordedSetting setting, Claims& claims)
    : s_(std::move(setting)), claims_(claims), flipping_(s_.rule->stability == 2) {
  const std::string_view name = s_.rule->name;
  if (name != "adahedge" && name != "flipflop-hedge" && name != "adanormalhedge")
    claims_.reject("learner.kind", "found a learner that cannot play experts that sleep");
  if (normal() && s_.any_range) claims_.reject("learner.kind", "found a learner that needs losses in [0,1]");
  const auto size = static_cast<std::size_t>(*s_.problem->action_count());
  booked_.assign(size, 0.0);
  weights_.assign(size, 0.0);
  awake_rounds_.assign(size, 0.0);
  moved_.assign(size, 0.0);
  regrets_.resize(size);
}

double SleepingCheck::rate() const { return !flipping_ && cost_ > 0 ? s_.ln_size / cost_ : kNoRate; }

// Of the awake alone.
void SleepingCheck::weigh(std::span<const double> losses) {
  double least = kNoRate;
  for (std::size_t k = 0; k < booked_.size(); ++k) {
    if (!std::isnan(losses[k])) least = std::min(least, booked_[k]);
  }
  const double window = tie_slack(least, unit_ > 0 ? unit_ : 1.0);
  double sum = 0;
  for (std::size_t k = 0; k < booked_.size(); ++k) {
    const double behind = booked_[k] - least;
    weights_[k] = std::isnan(losses[k]) ? 0.0 : std::isinf(eta_) ? (behind <= window) : std::exp(-eta_ * behind);
    sum += weights_[k];
  }
  for (double& w : weights_) w /= sum;
  spread_before_ = 0;
  for (const double total : booked_)
    spread_before_ += std::isinf(eta_) ? 0.0 : std::exp(-eta_ * (total - best_before_));
}

void SleepingCheck::weigh_normal(std::span<const double> losses) {
  const auto power = [&](std::size_t k, double shift) {
    const double above = std::max(regrets_[k].value() + shift, 0.0);
    return above * above / (3 * (moved_[k] + 1));
  };
  double top = 0, sum = 0, awake = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (!std::isnan(losses[k])) top = std::max(top, power(k, 1)), ++awake;
  }
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    weights_[k] = std::isnan(losses[k]) ? 0.0 : std::exp(power(k, 1) - top) - std::exp(power(k, -1) - top);
    sum += weights_[k];
  }
  for (std::size_t k = 0; k < weights_.size(); ++k)
    weights_[k] = sum > 0 ? weights_[k] / sum : std::isnan(losses[k]) ? 0.0 : 1 / awake;
}

void SleepingCheck::expect_drawn(const Json& action, std::uint64_t t, bool anybody) const {
  if (!anybody) {
    if (!action.is_null()) claims_.reject("action", "found " + dump(action) + ", expected null: no expert is awake");
    return;
  }
  const auto index =
      static_cast<std::size_t>(to_integer(action, "action", {0, static_cast<std::int64_t>(weights_.size()) - 1}));
  if (!(weights_[index] > 0))
    claims_.reject("action", "found " + dump(action) + ", which has no weight in the mixture");
  const double u = RoundWords(s_.key, DrawPurpose::kMixture, t).uniform(0);
  // What rounding does to a weight: of the totals, times the rate.
  const double slack = 1e-9 + (std::isinf(eta_) ? 0.0 : 1e-15 * eta_ * (1 + size_));
  double below = 0;
  for (std::size_t k = 0; k < index; ++k) below += weights_[k];
  const double reached = below + weights_[index];
  if (u >= below - slack && (u < reached + slack || reached >= 1 - slack)) return;
  claims_.reject("action", "found " + dump(action) + ", which is drawn by numbers from " + number_text(below) + " to " +
                               number_text(reached) + ", and that of the round is " + number_text(u));
}

// Of the booked losses, through their totals.
double SleepingCheck::mix_loss() const {
  const double best = *std::ranges::min_element(booked_);
  if (std::isinf(eta_)) return best - best_before_;
  double spread = 0;
  for (const double total : booked_) spread += std::exp(-eta_ * (total - best));
  return best - best_before_ - (std::log(spread) - std::log(spread_before_)) / eta_;
}

void SleepingCheck::settle(std::span<const double> losses, double mean) {
  double least = kNoRate, most = -kNoRate;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const bool awake = !std::isnan(losses[k]);
    booked_[k] += awake ? losses[k] : mean;
    if (!awake) continue;
    least = std::min(least, losses[k]);
    most = std::max(most, losses[k]);
    const double step = std::abs(mean - losses[k]);
    grown_ += step / (moved_[k] + 1);
    moved_[k] += step;
    regrets_[k] += mean - losses[k];
    awake_rounds_[k] += 1;
  }
  largest_ = std::max(largest_, most - least);
  squares_ += (most - least) * (most - least);
  size_ += std::max(std::abs(least), std::abs(most));
  if (!s_.any_range) return;
  constexpr double kLeastUnit = 0x1p-160;
  if (largest_ > unit_) {
    for (unit_ = std::max(unit_, kLeastUnit); unit_ < largest_;) unit_ *= 2;
  }
  claims_.measure({unit_ > 0 ? unit_ : 1.0, size_});
}

void SleepingCheck::round(const Json& line) {
  Fields in(line, "");
  const std::uint64_t t = ++rounds_;
  claims_.expect_count("t", in.integer("t"), t);
  const Json& action = in.need("action");
  const Json& eta = in.need("eta");
  if (two_parts() && in.word("regime") != (flipping_ ? "flip" : "flop"))
    claims_.reject("regime", std::string("expected \"") + (flipping_ ? "flip" : "flop") + "\"");
  AnyOutcome outcome;
  s_.problem->read_outcome(in.need("outcome"), "outcome", outcome);
  const auto& losses = outcome.get<std::vector<double>>();
  const double loss = in.number("loss");
  if (!in.need("best").is_null()) claims_.reject("best", "expected null: experts that sleep have no best total");
  std::vector<double> stability;
  if (two_parts()) stability = in.numbers("stability", kNonnegative);
  if (s_.rule->stability == 1) stability = {in.number("stability", kNonnegative)};
  const bool switched = two_parts() && in.flag("switched");
  in.done();
  if (static_cast<int>(stability.size()) != s_.rule->stability)
    claims_.reject("stability", "found another number of parts than the learner has");

  const bool anybody = std::ranges::any_of(losses, [](double x) { return !std::isnan(x); });
  if (normal()) {
    if (!eta.is_null()) claims_.reject("eta", "found a number, expected null: the learner has no rate");
  } else {
    eta_ = to_number(eta, "eta", {0, kExtended.hi});
    const double expected = rate();
    const bool same = std::isinf(expected) ? eta_ == expected : std::abs(eta_ - expected) <= 1e-9 * expected;
    if (!same) claims_.reject("eta", "found " + number_text(eta_) + ", expected " + number_text(expected));
    if (!gives_rate(s_.ln_size / eta_, best_before_, unit_ > 0 ? unit_ : 1.0)) eta_ = kNoRate;
  }
  if (anybody) {
    if (normal()) {
      weigh_normal(losses);
    } else {
      weigh(losses);
    }
  }
  expect_drawn(action, t, anybody);
  double mean = 0;
  for (std::size_t k = 0; anybody && k < losses.size(); ++k)
    mean += std::isnan(losses[k]) ? 0.0 : weights_[k] * losses[k];
  claims_.expect("loss", loss, mean);
  total_ += loss;
  if (!anybody) ++skipped_;
  if (anybody) settle(losses, loss);
  if (normal()) return;
  // A value once checked is taken from the record, so that rounding does not add up.
  if (anybody) (flipping_ ? flip_ : cost_) += std::max(0.0, loss - mix_loss());
  best_before_ = *std::ranges::min_element(booked_);
  claims_.expect("stability", stability.back(), cost_);
  cost_ = stability.back();
  if (!two_parts()) return;
  claims_.expect("stability", stability[0], flip_);
  flip_ = stability[0];
  const double mine = flipping_ ? flip_ : cost_, most = flipping_ ? s_.phi / s_.flip_a * cost_ : s_.flip_a * flip_;
  const double window = 2 * tie_slack(mine, unit_ > 0 ? unit_ : 1.0);
  if (!anybody && switched) claims_.reject("switched", "found true in a round without anybody awake");
  if (anybody && mine > most + window && !switched) claims_.reject("switched", "found false, expected true");
  if (mine < most && switched) claims_.reject("switched", "found true, expected false");
  if (switched) flipping_ = !flipping_;
}

double SleepingCheck::limit(std::size_t k) const {
  const auto size = static_cast<double>(weights_.size());
  return std::sqrt(3 * moved_[k] * std::log((1 + 1.5 * grown_ / size) * size));
}

// With an upper limit of what has grown, by the sizes alone.
std::vector<double> SleepingCheck::closed_limits() const {
  double logs = 0;
  for (const double c : moved_) logs += 1 + std::log(1 + c);
  const auto size = static_cast<double>(weights_.size());
  std::vector<double> limits;
  for (const double c : moved_) limits.push_back(std::sqrt(3 * c * std::log((1 + 1.5 * logs / size) * size)));
  return limits;
}

void SleepingCheck::check_bounds(const Json& bounds, double worst) const {
  double first = 2 * cost_, second = std::sqrt(s_.ln_size * squares_) + 2 * largest_;
  if (two_parts()) first = flip_ + (2 + s_.phi / (s_.phi - 1)) * cost_;
  std::vector<std::pair<std::string, double>> wanted{{"sleeping", first}};
  if (s_.rule->stability == 1) wanted.emplace_back("sleeping_closed", second);
  if (normal()) {
    double most = 0;
    for (std::size_t k = 0; k < moved_.size(); ++k) most = std::max(most, limit(k));
    wanted = {{"sleeping_normal", most}, {"sleeping_normal_closed", std::ranges::max(closed_limits())}};
  }
  if (bounds.size() != wanted.size()) claims_.reject("end.certificate.bounds", "found another number of bounds");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Fields bound(bounds[i], path_of("end.certificate.bounds", i));
    if (bound.word("name") != wanted[i].first) claims_.reject(bound.at("name"), "expected \"" + wanted[i].first + "\"");
    claims_.expect(bound.at("value"), bound.number("value", {0, kExtended.hi}), wanted[i].second);
    bound.choice("side", {"upper"});
    if (bound.word("says") != (normal() ? kEachLimit : kOneLimit))
      claims_.reject(bound.at("says"), "found another sentence than the one for \"" + wanted[i].first + "\"");
    // Each is a theorem: a run that breaks one is no run of this learner. Of adanormalhedge every expert has its own.
    if (!bound.flag("holds")) claims_.reject(bound.at("holds"), "found false, expected true: the bound is proven");
    if (!normal() && worst > wanted[i].second + claims_.precision().unit * 1e-6 + 1e-12 * size_)
      claims_.reject(bound.at("value"), "found a bound below the largest regret");
    bound.done();
  }
}

void SleepingCheck::check_lists(Fields& end) const {
  const auto list = [&](const char* name, const auto& value) {
    const auto found = end.numbers(name, kExtended);
    if (found.size() != weights_.size()) claims_.reject(end.at(name), "expected a number per expert");
    for (std::size_t k = 0; k < found.size(); ++k) claims_.expect(path_of(end.at(name), k), found[k], value(k));
  };
  list("regrets", [&](std::size_t k) { return regrets_[k].value(); });
  list("awake", [&](std::size_t k) { return awake_rounds_[k]; });
  if (!normal()) return;
  list("sizes", [&](std::size_t k) { return moved_[k]; });
  list("limits", [&](std::size_t k) { return limit(k); });
  const std::vector<double> closed = closed_limits();
  list("closed_limits", [&](std::size_t k) { return closed[k]; });
}

Verification SleepingCheck::end(const Json& report) {
  Fields end(report, "end");
  check_identity(end, s_, claims_, rounds_);
  claims_.expect_count("end.skipped", end.integer("skipped"), skipped_);
  claims_.expect("end.total", end.number("total"), total_.value());
  for (const char* name : {"best", "floor", "leader_regret"}) {
    if (!end.need(name).is_null()) claims_.reject(std::string("end.") + name, "expected null");
  }
  for (const char* name : {"oracle_calls", "search_nodes", "oracle_gap"})
    claims_.expect(std::string("end.") + name, end.number(name), 0);
  std::size_t worst = 0;
  for (std::size_t k = 1; k < regrets_.size(); ++k) {
    if (regrets_[k].value() > regrets_[worst].value()) worst = k;
  }
  claims_.expect("end.regret", end.number("regret"), regrets_[worst].value());
  const auto named =
      static_cast<std::size_t>(end.integer("best_action", {0, static_cast<std::int64_t>(weights_.size()) - 1}));
  claims_.expect("end.best_action", regrets_[named].value(), regrets_[worst].value());
  check_lists(end);
  claims_.expect("end.range", end.number("range", kNonnegative), largest_);
  Fields raw = end.fields("raw");
  raw.choice("unit", {"loss"});
  claims_.expect("end.raw.total", raw.number("total"), total_.value());
  if (!raw.need("best").is_null()) claims_.reject("end.raw.best", "expected null");
  raw.done();
  Fields certificate = end.fields("certificate");
  certificate.fields("assumptions").done();
  check_bounds(certificate.need("bounds"), regrets_[worst].value());
  certificate.done();
  end.done();
  Verification v;
  v.rounds = rounds_;
  v.total = total_.value();
  v.regret = regrets_[worst].value();
  v.best = v.floor = v.total - v.regret;
  v.checked.push_back("the loss of every round, from the weights of those awake");
  if (!normal()) v.checked.push_back("the rate of every round");
  if (two_parts()) v.checked.push_back("every switch between the two parts");
  v.checked.push_back("every action, drawn again from the weights");
  v.checked.push_back("the regret against every expert on its rounds awake");
  v.checked.push_back("the certificate of all regrets at once");
  return v;
}

}  // namespace hannan::detail
