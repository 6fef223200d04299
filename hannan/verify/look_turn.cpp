// Sums are taken in the order of the learner's, so that both round alike. Where actions are not listed the least
// weighted sum is searched for at the end alone.
#include "hannan/verify/look_turn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/look_forms.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostFollowed = 20'000;  // actions; beyond, the limit is that of sums

constexpr const char* kRunSays =
    "an estimate: the mean regret is at most the mean of this over coins and noise; one value may be far below";
constexpr const char* kLimitSays =
    "with this certainty the realised regret is at most this, at every round; needs fair coins and outcomes that do "
    "not react to the coin of their round";
constexpr const char* kUnfair = "the coins do not look fair: estimates and limits do not hold";

}  // namespace

LookTurn::LookTurn(RecordState& record)
    : record_(record),
      s_(record.setting),
      looks_(*s_.looks),
      claims_(record.claims),
      totals_(*s_.problem, record.list, record.totals()),
      rule_(s_.rule->make({record_, totals_})),
      range_(s_.problem->known_range()) {
  if (!looks_.look.is_null()) look_ = s_.problem->parse_action(looks_.look, "learner.params.look");
  const auto count = s_.problem->action_count();
  follows_all_ = count && *count <= kMostFollowed;
  if (follows_all_) {
    followed_ = s_.problem->first_actions(static_cast<std::uint64_t>(*count));
  } else {
    for (const Json& action : looks_.against) followed_.push_back(s_.problem->parse_action(action, "against"));
  }
  differences_.assign(followed_.size(), 0);
  squares_.assign(followed_.size(), 0);
}

// The place of the choice is known once it is: work is counted by what was followed, not by the rounds in between.
RecordedRound LookTurn::next_round(const Json& choice) {
  RecordedRound r{.t = totals_.rounds() + 1, .action = choice, .outcome = &record_.outcome};
  record_.limit_work(static_cast<double>(++steps_));
  r.index = place_of(record_.list, r.action, "choice", claims_);
  return r;
}

void LookTurn::pass(double share, std::uint64_t rounds) {
  const auto count = static_cast<double>(rounds);
  chances_ += count * share;
  variances_ += count * share * (1 - share);
  if (share < 1) heaviest_ = std::max(heaviest_, 1 / share);
}

void LookTurn::skip(RecordedRound& r, std::uint64_t rounds) {
  rule_->decided(r);
  totals_.skip(rounds);
  rule_->skipped(r);
}

void LookTurn::take(RecordedRound& r, const Look& look) {
  const double weight = 1 / look.share;
  record_.score(r, record_.outcome);
  r.losses = record_.losses_of(record_.outcome);
  const bool listed = record_.list.listed();
  if (listed) r.best_before = totals_.least();
  rule_->weigh(weight);
  rule_->decided(r);
  totals_.add(record_.outcome, r.losses, weight);
  claims_.measure(totals_.precision());
  if (listed) r.best_after = totals_.least();
  rule_->observed(r);
  ++looked_;
  add_sums(look.played, weight);
}

void LookTurn::add_sums(const AnyAction& played, double weight) {
  const Game& game = *s_.problem;
  const AnyOutcome& y = record_.outcome;
  const double own = game.loss(played, y);
  own_ += weight * own;
  least_ += weight * game.least_loss(y);
  if (look_) cost_ += game.loss(*look_, y) - own;
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    const double term = weight * (own - game.loss(followed_[k], y));
    differences_[k] += term;
    if (weight > 1) squares_[k] += term * term;
  }
}

void LookTurn::lose(double share) {
  ++lost_;
  lost_cost_ += look_ ? 1 : 0;
  lost_weight_ += 1 / share;
  if (share < 1) lost_squares_ += 1 / share / share;
}

bool LookTurn::fair() const {
  return std::abs(static_cast<double>(looked_ + lost_) - chances_) <= 4 * std::sqrt(variances_) + 4;
}

double LookTurn::expected_share(std::uint64_t t) const {
  if (looks_.share == RecordedLooks::Share::kFixed) return looks_.chance;
  if (!range_) claims_.reject("share", "found an adaptive share where the range of losses is not known");
  const double rounds = looks_.cost * static_cast<double>(t);
  return std::min(1.0, std::max(1 / std::sqrt(rounds), rule_->look_sums().stability / (*range_ * rounds)));
}

std::optional<double> LookTurn::limit(double best) {
  limit_value_.reset();
  if (!range_ || !fair()) return std::nullopt;
  const double r = *range_, paid = cost_ / r + lost_cost_;
  if (!follows_all_) {
    limit_value_ = r * (paid + forms::limit_of_sums({.own = (own_ - least_) / r + lost_weight_,
                                                     .best = (best - least_) / r,
                                                     .b = heaviest_,
                                                     .ln_actions = s_.ln_size,
                                                     .delta = s_.certificates.delta}));
    return limit_value_;
  }
  const forms::SignedLimit upper(heaviest_, s_.certificates.delta / static_cast<double>(followed_.size()));
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < followed_.size(); ++k)
    most = std::max(most, differences_[k] / r + lost_weight_ + upper.at(squares_[k] / (r * r) + lost_squares_));
  limit_value_ = r * (paid + most);
  return limit_value_;
}

const RecomputedTotals::Search& LookTurn::searched() {
  if (record_.list.listed() || looked_ == 0) {
    own_search_ = {.value = totals_.least(), .floor = totals_.least(), .action = {}, .proven = true};
    return own_search_;
  }
  return totals_.search(RecomputedTotals::Effort::kEnd);
}

void LookTurn::expect(const Json& found, const char* name, const std::optional<double>& expected) const {
  if (found.is_null() != !expected)
    claims_.reject(name, expected ? "found null, expected a number" : "found a number, expected null");
  if (expected) claims_.expect(name, to_number(found, name), *expected);
}

void LookTurn::check_against(Fields& end) const {
  const auto& list = end.list("against");
  if (list.size() != looks_.against.size()) claims_.reject("end.against", "found another number of actions");
  const forms::SignedLimit upper(heaviest_, s_.certificates.delta / 2);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields row(list[i], path_of("end.against", i));
    const AnyAction action = s_.problem->parse_action(looks_.against[i], row.at("action"));
    if (!(row.need("action") == s_.problem->action_json(action)))
      claims_.reject(row.at("action"), "found another action than the header's");
    const auto place = static_cast<std::size_t>(std::ranges::find(followed_, action) - followed_.begin());
    const double estimate = cost_ + differences_[place];
    claims_.expect(row.at("estimate"), row.number("estimate"), estimate);
    std::optional<double> width;
    if (range_ && fair()) {
      const double squares = squares_[place] / (*range_ * *range_) + lost_squares_;
      width = *range_ * (lost_cost_ + lost_weight_ + upper.at(squares));
    }
    expect(row, "low", width ? std::optional(estimate - *width) : std::nullopt);
    expect(row, "high", width ? std::optional(estimate + *width) : std::nullopt);
    row.done();
  }
}

std::optional<double> LookTurn::check_run(Fields& end, const std::optional<double>& cost, double gap) const {
  const auto sums = rule_->look_sums();
  const bool fresh = s_.noise.perturbation.empty() || (!s_.noise.once && (s_.noise.alpha || s_.noise.centred));
  const Json& stated = end.need("run");
  if (lost_ > 0 || !cost || !fair() || !fresh) {
    if (!stated.is_null()) claims_.reject("end.run", "found a number, expected null");
    return std::nullopt;
  }
  const double found = end.number("run"), least = sums.gaps + sums.moves + *cost;
  const double most = least + sums.more + gap;
  if (found < least) claims_.expect("end.run", found, least);
  if (found > most) claims_.expect("end.run", found, most);
  return found;
}

void LookTurn::check_words(Fields& end, const std::optional<double>& run, const std::optional<double>& limit) const {
  Json warnings = Json::array(), bounds = Json::array();
  if (!fair()) warnings.push_back(kUnfair);
  if (!(end.need("warnings") == warnings)) claims_.reject("end.warnings", "found other warnings than those due");
  Fields certificate = end.fields("certificate");
  certificate.fields("assumptions").done();
  const auto& list = certificate.list("bounds");
  std::size_t next = 0;
  const auto demand = [&](const char* name, const std::optional<double>& value, const char* says) {
    if (!value) return;
    if (next == list.size()) claims_.reject("end.certificate.bounds", std::string("expected ") + name);
    Fields bound(list[next], path_of("end.certificate.bounds", next));
    ++next;
    if (bound.word("name") != name) claims_.reject(bound.at("name"), std::string("expected ") + name);
    claims_.expect(bound.at("value"), bound.number("value"), *value);
    bound.choice("side", {"upper"});
    if (!bound.need("holds").is_null()) claims_.reject(bound.at("holds"), "expected null: regret is not seen");
    if (bound.word("says") != says) claims_.reject(bound.at("says"), "found another sentence");
    bound.done();
  };
  demand("run", run, kRunSays);
  demand("limit", limit, kLimitSays);
  if (next != list.size()) claims_.reject("end.certificate.bounds", "found more bounds than there are");
  certificate.done();
}

EndFacts LookTurn::end(Fields& end, Verification& said) {
  EndFacts facts;
  const auto& found = searched();
  const double best = looked_ == 0 ? 0.0 : found.value;
  end.choice("feedback", {"looks"});
  claims_.expect_count("end.looks", end.integer("looks"), looked_);
  claims_.expect_count("end.lost", end.integer("lost"), lost_);
  claims_.expect_plain("end.looks_expected", end.number("looks_expected"), chances_);
  for (const char* name : {"total", "best", "regret"}) {
    if (!end.need(name).is_null()) claims_.reject(std::string("end.") + name, "expected null: it was not seen");
  }
  const bool all_raw = raw_rounds_ == totals_.rounds() && raw_rounds_ > 0;
  expect(end, "raw_total", all_raw ? std::optional(raw_) : std::nullopt);
  const bool charged = lost_ == 0 || range_;
  const std::optional<double> cost = charged ? std::optional(look_cost()) : std::nullopt;
  const std::optional<double> own = charged ? std::optional(own_estimate()) : std::nullopt;
  expect(end, "look_cost", cost);
  expect(end, "own_estimate", own);
  if (found.proven || record_.list.listed() || looked_ == 0) {
    expect(end, "best_estimate", best);
    expect(end, "estimate", own ? std::optional(*own - best + *cost) : std::nullopt);
    expect(end, "limit", limit(best));
  } else {
    const double claimed = end.number("best_estimate");
    if (claimed > best) claims_.expect("end.best_estimate", claimed, best);
    expect(end, "estimate", own ? std::optional(*own - claimed + *cost) : std::nullopt);
    expect(end, "limit", limit(claimed));
    facts.on_trust.emplace_back("the least weighted sum of an action, for the search for it proved less");
  }
  claims_.expect_plain("end.delta", end.number("delta"), s_.certificates.delta);
  check_against(end);
  facts.gap = end.number("oracle_gap", kNonnegative);
  check_calls(end, s_, claims_, {.gap = facts.gap, .most = rule_->oracle_calls(), .spread = 0}, facts.recorded);
  const std::optional<double> run = check_run(end, cost, facts.gap);
  check_words(end, run, limit_value_);
  end_more(end);
  claims_.settle();
  say(said, facts);
  return {};
}

void LookTurn::say(Verification& said, const EndFacts& facts) {
  said.in_part = std::to_string(looked_) + " of them seen in full";
  say_more(said);
  said.checked.push_back("the gap of every look, and the noise multiplier of every round");
  said.checked.push_back("estimates, intervals and limits, from the " + std::to_string(looked_) + " looks");
  add_choices({.setting = s_, .claims = claims_, .gap = facts.gap, .of = ""}, said);
  if (limits_taken_ > 0)
    said.trusted.push_back("the limit of each of " + std::to_string(limits_taken_) +
                           " looks but the last, for its actions are not listed");
  for (const auto& what : facts.on_trust) said.trusted.push_back(what);
  said.recorded.emplace_back(
      "what the player alone knows: that the named actions were played, that outcomes are "
      "true and did not react to the coin of their round");
  if (lost_ > 0) said.recorded.push_back("that " + std::to_string(lost_) + " looks were lost");
  for (const auto& what : facts.recorded) said.recorded.push_back(what);
}

}  // namespace hannan::detail
