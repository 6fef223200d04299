// One pass over the rows of the log, on from where the last question ended. Everything kept is bounded: slices of time
// by their number, decisions and noise by halving (every second one is dropped, the stride doubles), delays and recent
// outcomes by a queue. All limits are chosen for what a page can draw.
#include "service/recent_rounds.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/report/action_panels.hpp"
#include "service/baselines.hpp"
#include "service/decision_prices.hpp"

namespace hannan::detail::service {
namespace {

// Nothing here may grow with the run: pages are asked for every few seconds, by any number of browsers.
constexpr std::size_t kRecent = 20;          // outcomes
constexpr std::size_t kMostDecisions = 512;  // changes that are drawn
constexpr std::size_t kMostNoise = 512;
constexpr std::size_t kMostAmounts = 24;
constexpr std::size_t kTimes = 4096, kDelays = 1000;
constexpr std::size_t kLongestOutcome = 400;  // characters of one that is shown

// Every second one is left out: what is drawn stays as long.
template <class T>
void halve(std::vector<T>& all) {
  std::vector<T> fewer;
  for (std::size_t i = 0; i < all.size(); i += 2) fewer.push_back(std::move(all[i]));
  all = std::move(fewer);
}

template <class T>
void push_bounded(std::deque<T>& all, T one, std::size_t most) {
  all.push_back(std::move(one));
  if (all.size() > most) all.pop_front();
}

}  // namespace

void RecentRounds::Slices::add(std::int64_t time, const Slice& one) {
  const std::int64_t start = time / width * width;
  // A clock that was set back adds to the last slice.
  if (all.empty() || all.back().start < start) push_bounded(all, Slice{.start = start}, most);
  Slice& last = all.back();
  last.rounds += one.rounds;
  last.loss += one.loss;
  last.gain += one.gain;
  last.squares += one.squares;
}

RecentRounds::RecentRounds(EntryPointer entry)
    : entry_(std::move(entry)),
      money_(entry_->config().money.get(), entry_->config().cap),
      scale_(money_scale(*entry_)),
      loss_without_(loss_without_reserves(entry_->problem())),
      minutes_{.width = 60'000, .most = 60, .all = {}},
      hours_{.width = 3'600'000, .most = 24, .all = {}},
      days_{.width = 86'400'000, .most = 30, .all = {}} {}

void RecentRounds::read(RowReader& log, std::uint64_t to) {
  if (first_ == 0) {
    // The first question of a long run begins near its end: a page shows the last rounds, not all.
    first_ = to > kSpan ? to - kSpan + 1 : 1;
    last_ = first_ - 1;
  }
  const auto rows = log.rows_after(entry_->log(), last_, kRowsAtOnce);
  for (const Row& row : rows) {
    if (row.t > to) break;
    add(row);
    last_ = row.t;
  }
}

// One row of the log. Rows of a learner with delayed outcomes are decisions or arrivals, all others are whole rounds.
void RecentRounds::add(const Row& row) {
  const Json line = parse_json(row.line);
  const Json* action = line.find("action");
  // With `delayed` a decision is a row of its own, and an outcome names its round.
  const Json *decided = line.find("decide"), *named = line.find("observe");
  // row.t numbers rows of the log; with `delayed` a round has two rows, and its own number is row.decision.
  const std::uint64_t round = decided || named ? row.decision : row.t;
  if (action) add_decision(row, round, *action);
  if (decided || named) decided_ = std::max(decided_, round);
  if (decided) return push_bounded(times_, {round - 1, row.time}, kTimes);
  const double loss = line.find_number("loss").value_or(0);
  Slice one{.start = 0, .rounds = 1, .loss = loss};
  const Json* outcome = line.find("outcome");
  const bool in_part = !entry_->config().feedback.empty();  // then the loss of a row is not seen
  if (loss_without_ && outcome && !in_part) {
    entry_->problem().game().read_outcome(*outcome, "outcome", outcome_);
    one.gain = loss_without_(outcome_) - loss;
    one.squares = one.gain * one.gain;
  }
  // What was rehearsed brought nothing and cost nothing.
  const Json* warm = line.find("warm");
  const bool rehearsed = warm && warm->is_bool() && warm->as_bool();
  for (Slices* slices : {&minutes_, &hours_, &days_}) {
    if (!rehearsed) slices->add(row.time, one);
  }
  segments_.add(*entry_, line);
  ways_.add(line);
  add_delay(row, named ? decided_ : row.t);
  if (!named) push_bounded(times_, {round, row.time}, kTimes);
  if (const Json* regime = line.find("regime"); regime && regime->is_string()) ++regimes_[regime->as_string()];
  const auto multiplier = line.find_number("multiplier"), eta = line.find_number("eta");
  if ((multiplier || eta) && row.t % noise_stride_ == 0) {
    noise_.push_back({.round = row.t, .value = multiplier ? *multiplier : *eta});
    if (noise_.size() > kMostNoise) {
      halve(noise_);
      noise_stride_ *= 2;
    }
  }
  Json seen =
      Json::object({{"round", round},
                    {"id", named ? row.id.substr(2) : row.id},
                    {"decision", row.decision == 0 ? Json() : Json(decision_name(row.log.generation, row.decision))},
                    {"time", row.time},
                    {"loss", in_part || rehearsed ? Json() : Json(loss)}});
  if (scale_ && !in_part && !rehearsed) seen.set("money", scale_->of(loss, 1));
  const Json* asked = action ? action : picked_action(line);
  if (asked && !money_.what().empty()) seen.set("amounts", Json(money_.of(*asked)));
  if (outcome && dump(*outcome).size() <= kLongestOutcome) seen.set("outcome", *outcome);
  if (const Json* context = line.find("context")) seen.set("context", *context);
  push_bounded(recent_, std::move(seen), kRecent);
}

// Only changes are kept: a learner that repeats its action for hours is one point.
void RecentRounds::add_decision(const Row& row, std::uint64_t round, const Json& action) {
  std::vector<double> amounts = money_.what().empty() ? coordinates_of(action) : money_.of(action);
  if (amounts.empty()) return;
  amounts.resize(std::min(amounts.size(), kMostAmounts));
  if (!decisions_.empty() && decisions_.back().amounts == amounts) return;
  decisions_.push_back({.round = round, .time = row.time, .amounts = std::move(amounts)});
  if (decisions_.size() > kMostDecisions) halve(decisions_);
}

// An outcome is late by the rounds between its decision and the latest one.
void RecentRounds::add_delay(const Row& row, std::uint64_t latest) {
  // Decision d is there from the commit of round d - 1 on; with `delayed`, from its own row on.
  if (row.decision > 0 && row.decision < latest) {
    const auto made =
        std::find_if(times_.rbegin(), times_.rend(), [&](const auto& one) { return one.first + 1 == row.decision; });
    // -1: the decision is older than the times that are kept, so the delay in rounds alone is known.
    const std::int64_t late = made == times_.rend() ? -1 : row.time - made->second;
    push_bounded(delays_, {latest - row.decision, late}, kDelays);
  }
}

// In the money of the learner where it has one, else in losses.
Json RecentRounds::slices_json(const Slices& slices) const {
  const double unit = scale_ ? scale_->unit : entry_->problem().game().normaliser();
  Json start = Json::array(), rounds = Json::array(), value = Json::array(), gain = Json::array(), half = Json::array();
  for (const Slice& one : slices.all) {
    const double mean = one.gain / one.rounds;
    start.push_back(one.start);
    rounds.push_back(one.rounds);
    value.push_back(scale_ ? scale_->of(one.loss, one.rounds) : one.loss);
    gain.push_back(unit * one.gain);
    // Half the width of the 95 % range of a sum of n gains: 1.96 sqrt(sum of squared deviations).
    half.push_back(unit * kNormal95 * std::sqrt(std::max(0.0, one.squares - one.rounds * mean * mean)));
  }
  Json answer = Json::object({{"width", slices.width}, {"start", start}, {"rounds", rounds}, {"value", value}});
  if (loss_without_) {
    answer.set("gain", gain);
    answer.set("half", half);
  }
  return answer;
}

Json RecentRounds::decisions_json() const {
  Json rounds = Json::array(), times = Json::array(), amounts = Json::array(), names = Json::array();
  std::size_t most = 0;
  for (const Decision& one : decisions_) {
    rounds.push_back(one.round);
    times.push_back(one.time);
    amounts.push_back(Json(one.amounts));
    most = std::max(most, one.amounts.size());
  }
  const LearnerConfig& config = entry_->config();
  const ActionWords words = action_words(config.problem_kind, config.problem_params, {});
  for (std::size_t i = 0; i < most; ++i)
    names.push_back(i < config.slots.size() ? config.slots[i]
                    : money_.what().empty() ? words.name(i)
                                            : std::string(money_.owner()) + " " + std::to_string(i + 1));
  return Json::object({{"what", money_.what()},
                       {"unit", !money_.what().empty() && money_.in_currency() ? config.currency : words.unit},
                       {"drawn", words.drawn},
                       {"names", names},
                       {"rounds", rounds},
                       {"times", times},
                       {"amounts", amounts}});
}

// Quantiles of the last kDelays late outcomes, in rounds and in milliseconds.
Json RecentRounds::delays_json() const {
  std::vector<double> rounds, times;
  for (const auto& [late, milliseconds] : delays_) {
    rounds.push_back(static_cast<double>(late));
    if (milliseconds >= 0) times.push_back(static_cast<double>(milliseconds));
  }
  const auto quantile = [](std::vector<double> all, double share) -> Json {
    if (all.empty()) return {};
    std::sort(all.begin(), all.end());
    return all[std::min(all.size() - 1, static_cast<std::size_t>(share * static_cast<double>(all.size())))];
  };
  return Json::object({{"late", delays_.size()},
                       {"rounds_p50", quantile(rounds, 0.5)},
                       {"rounds_p99", quantile(rounds, 0.99)},
                       {"ms_p50", quantile(times, 0.5)},
                       {"ms_p99", quantile(times, 0.99)}});
}

Json RecentRounds::json() const {
  Json regimes = Json::object(), noise_rounds = Json::array(), noise_values = Json::array();
  for (const auto& [name, count] : regimes_) regimes.set(name, count);
  for (const Noise& one : noise_) {
    noise_rounds.push_back(one.round);
    noise_values.push_back(one.value);
  }
  Json recent = Json::array();
  for (auto it = recent_.rbegin(); it != recent_.rend(); ++it) recent.push_back(*it);
  return Json::object({{"generation", entry_->log().generation},
                       {"first", first_},
                       {"last", last_},
                       {"minutes", slices_json(minutes_)},
                       {"hours", slices_json(hours_)},
                       {"days", slices_json(days_)},
                       {"decisions", decisions_json()},
                       {"noise", Json::object({{"rounds", noise_rounds}, {"values", noise_values}})},
                       {"regimes", regimes},
                       {"segments", segments_.json(*entry_, money_, scale_)},
                       {"portfolio", ways_.json(entry_->config())},
                       {"delays", delays_json()},
                       {"recent", recent}});
}

// Taken out of the list while it reads, so that a failure drops it and the next question begins anew.
Json RecentRoundsCache::of(const EntryPointer& entry) {
  const std::lock_guard lock(mutex_);
  const auto seen = entry->now().published;
  const std::uint64_t to = seen ? seen->position : 0;
  auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) {
    return one->entry().name() == entry->name() && one->entry().log().learner == entry->log().learner &&
           one->entry().log().generation == entry->log().generation;
  });
  std::unique_ptr<RecentRounds> rounds;
  if (found != kept_.end()) {
    rounds = std::move(*found);
    kept_.erase(found);
  } else {
    rounds = std::make_unique<RecentRounds>(entry);
  }
  try {
    if (!reader_) reader_ = host_.reader();
    // A page that was away for long goes on with the last rounds.
    if (rounds->last() + RecentRounds::kSpan < to) rounds = std::make_unique<RecentRounds>(entry);
    if (rounds->last() < to) rounds->read(*reader_, to);
  } catch (...) {
    reader_.reset();
    throw;
  }
  Json answer = rounds->json();
  answer.set("behind", to - std::min(to, rounds->last()));
  kept_.push_front(std::move(rounds));
  if (kept_.size() > kKept) kept_.pop_back();
  return answer;
}

}  // namespace hannan::detail::service
