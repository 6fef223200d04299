// The record of a learner that sees the elements of its own actions (docs/partial.md): a line is a decision and the
// losses of its elements. Derived again: the multiplier z and the most draws G from S, the choice, the draws until
// every element was met and with them how often each loss counts, the ghost and the gap, S, the estimates
//
//   Lhat_i = sum l_i K_i     W_i = sum (l_i K_i)^2     low_i = max(0, Lhat_i - positive_limit(W_i, delta/d))
//
// and at the end the estimate S + M z and the limit, total - least sum of low_i over an action (docs/theory-partial.md,
// elements). Cost: 3 + draws passes over all actions a line, or as many searches; all lines while actions times draws
// are within VerifyLimits::work, or the searches within their budget, then the lines 1, 2, 4, 8, ...
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/driver.hpp"
#include "hannan/verify/element_search.hpp"
#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/look_forms.hpp"
#include "hannan/verify/noise_forms.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kMeasuredSays =
    "an estimate: the mean regret is at most the mean of this over the noise; needs an M that is exact or an upper "
    "limit";
constexpr const char* kLimitOfElementsSays =
    "with this certainty the realised regret is at most this, at every round; what was hardly ever tried cannot be "
    "excluded";
constexpr const char* kOnlyWhatWasLost = "nothing is certain beyond what was lost";

// 1 - e^-32, rounded: the part of the law that is kept on both sides.
constexpr double kKept = 1 - 0x1.c8464f7616468p-47;

double rate_of_noise(double stability, double M) { return M > 0 ? std::max(1.0, stability / M) : 1.0; }

class ByElements final : public Turn {
 public:
  explicit ByElements(RecordState& record)
      : record_(record),
        s_(record.setting),
        claims_(record.claims),
        search_(*s_.problem, s_.oracle, record.limits.most),
        estimates_(s_.elements->count, 0),
        squares_(s_.elements->count, 0),
        noise_(s_.elements->count),
        values_(s_.elements->count) {}

  std::uint64_t lines() const override { return rounds_; }
  std::uint64_t rounds() const override { return rounds_; }

  void line(Fields& in) override {
    const std::uint64_t t = rounds_ + 1;
    const double z = in.number("multiplier", kNonnegative);
    claims_.expect_plain("multiplier", z, rate_of_noise(stability_, *s_.noise.size));
    const auto most = static_cast<std::uint64_t>(in.integer("cap", kNatural));
    claims_.expect_count("cap", static_cast<std::int64_t>(most),
                         static_cast<std::uint64_t>(std::ceil(s_.elements->cap * z)));
    const Json& named = in.need("action");
    const AnyAction action = s_.problem->parse_action(named, "action");
    if (!(s_.problem->action_json(action) == named)) claims_.reject("action", "found an action in another form");
    s_.problem->action_row(action, chosen_);
    Fields shown = in.fields("outcome");
    losses_ = shown.numbers("seen", kUnit);
    shown.done();
    if (losses_.size() != chosen_.size()) claims_.reject("outcome.seen", "expected a loss for each element shown");
    copies_ = in.integers("copies", {1, static_cast<std::int64_t>(most)});
    if (copies_.size() != chosen_.size()) claims_.reject("copies", "expected a number for each element shown");
    const double gap = in.number("gap", kNonnegative), stability = in.number("stability", kNonnegative);
    const bool again = is_drawn(t);
    if (again) draw_choice(t, z);
    const Capped capped = again ? draw_copies(t, z, most) : taken_copies(most);
    if (again) search_ghost(t, z);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const auto element = static_cast<std::size_t>(chosen_[i]);
      const double estimate = losses_[i] * static_cast<double>(copies_[i]);
      estimates_[element] += estimate;
      squares_[element] += estimate * estimate;
      total_ += losses_[i];
      largest_ = std::max(largest_, estimates_[element]);
    }
    claims_.measure({.unit = 1, .size = largest_ + z});
    if (again) check_gap(gap, z);
    const double least = stability_ + gap + capped.least, greatest = stability_ + gap + capped.most;
    if (stability < least) claims_.expect("stability", stability, least);
    if (stability > greatest) claims_.expect("stability", stability, greatest);
    claims_.expect("total", in.number("total"), total_);
    stability_ = stability;
    z_ = z;
    draws_ += draws_of_round_;
    ++rounds_;
    (again ? drawn_ : taken_) += 1;
  }

  EndFacts end(Fields& end, Verification& said) override {
    end.choice("feedback", {"elements"});
    claims_.expect("end.total", end.number("total"), total_);
    for (const char* name : {"best", "regret"}) {
      if (!end.need(name).is_null()) claims_.reject(std::string("end.") + name, "expected null: it was not seen");
    }
    const double M = *s_.noise.size, measured = stability_ + M * z_, limit = total_ - least_certain();
    claims_.expect("end.stability", end.number("stability"), stability_);
    claims_.expect("end.measured", end.number("measured"), measured);
    claims_.expect("end.limit", end.number("limit"), limit);
    claims_.expect_plain("end.delta", end.number("delta"), s_.certificates.delta);
    Fields over = end.fields("over_normaliser");
    claims_.expect_plain(over.at("normaliser"), over.number("normaliser"), s_.normaliser);
    claims_.expect(over.at("total"), over.number("total"), total_ / s_.normaliser);
    claims_.expect(over.at("measured"), over.number("measured"), measured / s_.normaliser);
    claims_.expect(over.at("limit"), over.number("limit"), limit / s_.normaliser);
    over.done();
    claims_.expect_count("end.draws", end.integer("draws"), draws_);
    claims_.expect_count("end.oracle_calls", end.integer("oracle_calls"), draws_ + 3 * rounds_);
    check_words(end, measured, limit);
    claims_.settle();
    say(said);
    return {};
  }

 private:
  struct Capped {
    double least = 0, most = 0;  // of the losses of elements that no draw met
  };

  bool is_drawn(std::uint64_t t) const {
    if (!search_.listed()) return record_.budget.allows(t);
    return work_ <= record_.limits.work || std::has_single_bit(t);
  }
  void spend() {
    if (!search_.listed()) return record_.budget.spend(s_.elements->count, 0);
    work_ += static_cast<double>(search_.actions());
  }

  // values_ = Lhat + z noise of this draw, and the elements of the action that has the least of it.
  std::span<const std::int32_t> draw(DrawPurpose purpose, std::uint64_t round, double z) {
    spend();
    const RoundWords words(s_.key, purpose, round);
    words.uniforms(noise_);
    for (double& u : noise_) u = 0.5 + (u - 0.5) * kKept;
    law_of(noise_);
    for (std::size_t i = 0; i < noise_.size(); ++i) values_[i] = estimates_[i] + z * noise_[i];
    return search_.least(values_);
  }
  // The inverse of the distribution function of Laplace noise: ln(2u) below 1/2, -ln(2(1-u)) from there.
  static void law_of(std::span<double> uniforms) {
    for (double& u : uniforms) u = u < 0.5 ? portable_log(2 * u) : -portable_log(2 * (1 - u));
  }
  double slack() const { return 1e-9 * std::max(1.0, largest_ + z_); }

  void draw_choice(std::uint64_t t, double z) {
    const auto best = draw(DrawPurpose::kNoise, t, z);
    const double least = ElementSearch::sum(best, values_), found = ElementSearch::sum(chosen_, values_);
    if (found > least + slack()) claims_.reject("action", "found an action that is not the best under its noise");
  }

  // K_i, and what was capped.
  Capped draw_copies(std::uint64_t t, double z, std::uint64_t most) {
    std::vector<std::int64_t> met(chosen_.size(), 0);
    std::size_t left = chosen_.size();
    std::uint64_t j = 0;
    while (left > 0 && j < most) {
      ++j;
      const auto action = draw(DrawPurpose::kResample, (t << 20) + j, z);
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        if (met[i] > 0 || std::ranges::find(action, chosen_[i]) == action.end()) continue;
        met[i] = static_cast<std::int64_t>(j);
        --left;
      }
    }
    draws_of_round_ = j;
    double lost = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i] == 0) lost += losses_[i];
      claims_.expect_count(path_of("copies", i), copies_[i], met[i] == 0 ? most : static_cast<std::uint64_t>(met[i]));
    }
    return {.least = lost, .most = lost};
  }

  // Those that count as often as there may be draws were met by the last one, or by none.
  Capped taken_copies(std::uint64_t most) {
    Capped capped;
    draws_of_round_ = 0;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const auto copies = static_cast<std::uint64_t>(copies_[i]);
      draws_of_round_ = std::max(draws_of_round_, copies);
      if (copies == most) capped.most += losses_[i];
    }
    return capped;
  }

  void search_ghost(std::uint64_t t, double z) {
    const auto ghost = draw(DrawPurpose::kGhost, t, z);
    ghost_.assign(ghost.begin(), ghost.end());
  }

  // With the round in the estimates: how much better another action is than the ghost under the ghost's noise.
  void check_gap(double gap, double z) {
    spend();
    for (std::size_t i = 0; i < noise_.size(); ++i) values_[i] = estimates_[i] + z * noise_[i];
    const double least = ElementSearch::sum(search_.least(values_), values_);
    claims_.expect("gap", gap, std::max(0.0, ElementSearch::sum(ghost_, values_) - least));
  }

  double least_certain() {
    const double delta = s_.certificates.delta / static_cast<double>(estimates_.size());
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = std::max(0.0, estimates_[i] - forms::positive_limit(squares_[i], delta));
    return ElementSearch::sum(search_.least(values_), values_);
  }

  void check_words(Fields& end, double measured, double limit) const {
    Json warnings = Json::array();
    if (!(limit < total_)) warnings.push_back(kOnlyWhatWasLost);
    if (!(end.need("warnings") == warnings)) claims_.reject("end.warnings", "found other warnings than those due");
    Fields certificate = end.fields("certificate");
    Fields assumptions = certificate.fields("assumptions");
    claims_.expect_plain(assumptions.at("M"), assumptions.number("M"), *s_.noise.size);
    assumptions.done();
    const auto& list = certificate.list("bounds");
    if (list.size() != 2) claims_.reject("end.certificate.bounds", "expected measured and limit");
    check_bound(list[0], {"end.certificate.bounds[0]", "measured", kMeasuredSays}, measured);
    check_bound(list[1], {"end.certificate.bounds[1]", "limit", kLimitOfElementsSays}, limit);
    certificate.done();
  }
  struct Statement {
    const char *at, *name, *says;
  };
  void check_bound(const Json& found, const Statement& wanted, double value) const {
    Fields bound(found, wanted.at);
    if (bound.word("name") != wanted.name) claims_.reject(bound.at("name"), std::string("expected ") + wanted.name);
    claims_.expect(bound.at("value"), bound.number("value"), value);
    bound.choice("side", {"upper"});
    if (!bound.need("holds").is_null()) claims_.reject(bound.at("holds"), "expected null: regret is not seen");
    if (bound.word("says") != wanted.says) claims_.reject(bound.at("says"), "found another sentence");
    bound.done();
  }

  void say(Verification& said) const {
    said.in_part = "of each the own elements seen, which lost " + number_text(total_ / s_.normaliser);
    said.checked.push_back("the noise multiplier and the most draws of every round");
    said.checked.push_back("the choice, the draws after it and the gap of " + std::to_string(drawn_) +
                           " rounds, from noise drawn again");
    said.checked.push_back("estimates and limits, from the losses that were seen");
    if (taken_ > 0) {
      said.choices_on_trust = true;
      said.trusted.push_back("the choice, the copies and the gap of " + std::to_string(taken_) +
                             " rounds, beyond the work of drawing them again");
    }
    check_size(said);
    said.recorded.emplace_back(
        "what the player alone knows: that the named actions were played, and that losses are true");
  }

  // The estimate needs an M that is exact or too large; the limit needs none.
  void check_size(Verification& said) const {
    const double M = *s_.noise.size;
    const auto known = s_.ln_size > 0 ? noise_size_again(s_) : std::nullopt;
    if (!known) return;
    if (M >= known->low || agree(M, known->high, known->precision)) {
      said.checked.push_back("M, the size of the noise: no smaller than the law gives");
    } else {
      said.recorded.push_back("M = " + number_text(M) + ", which was given and is below " + number_text(known->low) +
                              ", what the law gives: \"measured\" claims nothing");
    }
  }

  RecordState& record_;
  const RecordedSetting& s_;
  Claims& claims_;
  ElementSearch search_;
  std::vector<double> estimates_, squares_, noise_, values_, losses_;
  std::vector<std::int32_t> chosen_, ghost_;
  std::vector<std::int64_t> copies_;
  std::uint64_t rounds_ = 0, draws_ = 0, draws_of_round_ = 0, drawn_ = 0, taken_ = 0;
  double stability_ = 0, total_ = 0, z_ = 1, largest_ = 0, work_ = 0;
};

}  // namespace

std::unique_ptr<Turn> turn_by_elements(RecordState& record) { return std::make_unique<ByElements>(record); }

}  // namespace hannan::detail
