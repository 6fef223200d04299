#include "hannan/verify/end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hannan/core/bound_words.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/noise_size_check.hpp"
#include "hannan/verify/run_certificates.hpp"

namespace hannan::detail {
namespace {

class EndCheck {
 public:
  EndCheck(const Json& end, const EndInput& in) : in_(in), s_(in.setting), end_(end, "end") {}

  EndFacts run() {
    check_identity(end_, s_, claims(), in_.recomputed.rounds());
    check_totals();
    if (in_.delays) claims().expect_count("end.played", end_.integer("played"), in_.delays->played);
    check_raw(
        end_.fields("raw"), s_, claims(),
        {.total = in_.sums.total.value(), .best = best_, .rounds = in_.recomputed.rounds(), .reward = in_.reward});
    range_ = s_.any_range ? end_.number("range", kNonnegative) : 1;
    if (s_.any_range) claims().expect("end.range", range_, in_.recomputed.ranges().largest);
    bounded_ = {in_.sums.total.value(), best_, floor_, end_.number("total")};
    if (s_.discount != 1) check_discounted(end_.fields("discounted"));
    Fields certificate = end_.fields("certificate");
    check_assumptions(certificate.fields("assumptions"));
    check_bounds(certificate.list("bounds"));
    certificate.done();
    if (certified()) check_run_fields();
    end_.done();
    return {known_best_, bounds_, on_trust_, recorded_, noise_size_, leader_regret_, gap_, rho2_};
  }

 private:
  Claims& claims() const { return in_.claims; }
  bool certified() const { return s_.rule->gap; }

  void check_totals() {
    best_ = end_.number("best");
    floor_ = end_.number("floor");
    gap_ = end_.number("oracle_gap", kNonnegative);
    claims().expect("end.total", end_.number("total"), in_.sums.total.value());
    if (in_.sums.last_best) claims().expect("end.best", best_, *in_.sums.last_best);
    claims().expect("end.regret", end_.number("regret"), in_.sums.total.value() - best_);
    if (floor_ > best_ + in_.recomputed.slack(best_)) claims().expect("end.floor", floor_, best_);
    if (s_.exact) claims().expect("end.floor", floor_, best_);
    in_.list.listed() ? check_listed() : check_searched();
    check_leader_alone();
    const double spread = static_cast<double>(in_.recomputed.rounds()) * in_.recomputed.largest_loss();
    check_calls(end_, s_, claims(), {.gap = gap_, .most = in_.rule.oracle_calls(), .spread = spread}, recorded_);
    if (gap_ == 0 && floor_ >= best_ - in_.recomputed.slack(best_)) claims().settle();
  }

  void check_listed() {
    const double least = in_.recomputed.least();
    known_best_ = {least, least};
    claims().expect_of_oracle("end.best", best_, least);
    if (best_ < least) claims().expect("end.best", best_, least);
    if (floor_ > least) claims().expect("end.floor", floor_, least);
    const Json& action = end_.need("best_action");
    const auto index = in_.list.index(action);
    if (!index) claims().reject("end.best_action", "found " + dump(action) + ", which is no action of the problem");
    claims().expect("end.best_action", in_.recomputed.totals()[*index], best_);
    const auto facts = facts_of_choice(
        in_.list.size(), *index, [&](std::size_t k) { return in_.recomputed.totals()[k]; }, in_.recomputed.unit());
    if (!facts.best || (!facts.smallest && !s_.external)) {
      const Json leader = in_.list.action(in_.recomputed.smallest_leader());
      claims().suspect("end.best_action",
                       "found " + dump(action) + ", expected the smallest of the best, " + dump(leader));
    }
  }

  void check_searched() {
    const auto& found = in_.recomputed.search(RecomputedTotals::Effort::kEnd);
    known_best_ = {found.proven ? found.value : found.floor, std::min(best_, found.value)};
    if (best_ < found.floor) claims().expect("end.best", best_, found.floor);
    if (floor_ > found.value) claims().expect("end.floor", floor_, found.value);
    claims().expect_best("end.best", best_, {found.value, found.proven});
    claims().expect("end.best_action", in_.recomputed.total_of(end_.need("best_action")), best_);
  }

  void check_leader_alone() {
    const Json& found = end_.need("leader_regret");
    if (s_.track != "every" || in_.delays) {
      if (!found.is_null())
        claims().reject("end.leader_regret", "found " + dump(found) + ", expected null: L* is not tracked every round");
      return;
    }
    leader_regret_ = to_number(found, "end.leader_regret");
    if (const auto& alone = in_.sums.leader_total) {
      const double least = alone->least.value() - best_, most = alone->most.value() - best_;
      const bool of_smallest = claims().choices().larger == 0 && near(*leader_regret_, alone->smallest.value() - best_);
      if (near(least, most) || *leader_regret_ < least) {
        claims().expect_of_oracle("end.leader_regret", *leader_regret_, least);
      } else if (*leader_regret_ > most) {
        claims().expect_of_oracle("end.leader_regret", *leader_regret_, most);
      } else if (!s_.rule->leads && !of_smallest) {
        on_trust_.push_back("which of the leaders that tied the oracle of the run found: leader_regret lies from " +
                            number_text(least) + " to " + number_text(most));
      }
    } else if (!s_.rule->leads) {
      on_trust_.push_back("the regret of the leader alone: end.leader_regret");
    }
    if (s_.rule->leads) claims().expect("end.leader_regret", *leader_regret_, in_.sums.total.value() - best_);
    // A leader's regret is a sum of gaps, none of them negative.
    if (*leader_regret_ < 0) claims().expect_of_oracle("end.leader_regret", *leader_regret_, 0);
  }

  // The regret that the bounds of a discount are on: L* of the discounted totals.
  void check_discounted(Fields in) {
    const RecomputedTotals& totals = in_.chosen_by;
    bounded_ = {in_.sums.discounted_total, in.number("best"), in.number("floor"), in.number("total")};
    claims().expect("end.discounted.total", bounded_.written, bounded_.total);
    claims().expect("end.discounted.regret", in.number("regret"), bounded_.total - bounded_.best);
    if (s_.exact || bounded_.floor > bounded_.best)
      claims().expect("end.discounted.floor", bounded_.floor, bounded_.best);
    const RecomputedTotals::Search found = in_.list.listed() ? RecomputedTotals::Search{totals.least(), totals.least()}
                                                             : totals.search(RecomputedTotals::Effort::kEnd);
    claims().expect_best("end.discounted.best", bounded_.best, {found.value, found.proven});
    if (bounded_.best < found.floor) claims().expect("end.discounted.best", bounded_.best, found.floor);
    if (bounded_.floor > found.value) claims().expect("end.discounted.floor", bounded_.floor, found.value);
    if (gap_ == 0 && bounded_.floor >= bounded_.best - totals.slack(bounded_.best)) claims().settle();
    in.done();
  }

  // What a program from outside claimed: an exact one has no gap, and floors were looked at with the totals.
  void check_claims(Fields& in) {
    if (!s_.external) return;
    if (in.choice("oracle", {"claimed exact", "claimed floors"}) != "claimed exact") return;
    claims().expect("end.floor", floor_, best_);
    claims().expect("end.oracle_gap", gap_, 0);
  }

  void check_assumptions(Fields in) {
    check_claims(in);
    const bool fake = s_.rule->own_columns;
    if (!fake && s_.perturbation.empty()) return in.done();
    const auto columns = static_cast<double>(in.integer("columns", kNatural));
    const double known = fake ? (s_.alpha ? static_cast<double>(s_.alpha->front().size()) : columns) : s_.columns;
    claims().expect_plain("end.certificate.assumptions.columns", columns, known);
    const Json& gamma = in.need("gamma");
    const Json& size = in.need("M");
    const bool has_gamma = s_.gamma.has_value();
    if (gamma.is_null() == has_gamma)
      claims().reject("end.certificate.assumptions.gamma", "found " + dump(gamma) + ", expected that of the header");
    if (has_gamma) claims().expect_plain("end.certificate.assumptions.gamma", to_number(gamma, "gamma"), *s_.gamma);
    if (size.is_null() == s_.rule->perturbs) claims().reject("end.certificate.assumptions.M", "found " + dump(size));
    if (s_.rule->perturbs) {
      noise_size_ = to_number(size, "M");
      check_upper_noise_size({s_, *noise_size_}, claims(), on_trust_);
    }
    const std::string data = s_.once ? "oblivious data only" : "any";
    if (in.word("data") != data)
      claims().reject("end.certificate.assumptions.data",
                      "found \"" + in.word("data") + "\", expected \"" + data + "\"");
    if (in_.delays) check_delays(in, *in_.delays);
    check_left_out(in);
    in.done();
  }

  // What rests on a given constant that is below the proven one is not stated, and the certificate says so.
  void check_left_out(Fields& in) {
    const auto expected = expected_left_out(s_);
    if (expected.empty() || (s_.compares_means && !in.has("left_out"))) return;
    if (in.words("left_out") != expected)
      claims().reject(in.at("left_out"), "found other sentences than those for what is left out");
  }

  void check_delays(Fields& in, const DelaySums& delays) {
    claims().expect_count(in.at("missing"), in.integer("missing"), delays.missing);
    claims().expect_count(in.at("missing_total"), in.integer("missing_total"), delays.missing_total);
    claims().expect_count(in.at("open"), in.integer("open"), delays.open);
    const auto expect_words = [&](const char* name, const std::string& words) {
      if (in.word(name) != words)
        claims().reject(in.at(name), "found \"" + in.word(name) + "\", expected \"" + words + "\"");
    };
    expect_words("outcomes", "each fixed in its own round, before any later action is seen");
    const bool all = delays.played == in_.recomputed.rounds();
    expect_words("delays", all ? "independent of later noise" : "independent of the learner's noise");
  }

  // The values of the certificates of the run, once more beside the totals.
  void check_run_fields() {
    for (const char* name : {"run", "measured", "exact", "limit", "leaderless"}) {
      const Json& found = end_.need(name);
      const auto listed = values_.find(name);
      if (found.is_null() != (listed == values_.end()) ||
          (!found.is_null() && !near(to_number(found, name, kExtended), listed->second))) {
        claims().reject("end." + std::string(name),
                        "found " + dump(found) + ", but in the certificate's bounds it is " +
                            (listed == values_.end() ? "not listed" : number_text(listed->second)));
      }
    }
    // What is subtracted from one for the other is a mean of numbers that are not negative.
    const auto run = values_.find("run"), exact = values_.find("exact");
    if (run != values_.end() && exact != values_.end() && exact->second > run->second)
      claims().expect("end.exact", exact->second, run->second);
    claims().expect_plain("end.delta", end_.number("delta"), s_.delta);
    if (s_.certificate == "run" && in_.recomputed.rounds() > 0)
      claims().expect_count("end.certificate_calls", end_.integer("certificate_calls"), in_.recomputed.rounds());
  }

  void check_bounds(const Json::Array& found) {
    if (certified()) rho2_ = noise_square(s_);
    const auto expected = expected_bounds({.setting = s_,
                                           .rounds = in_.recomputed.rounds(),
                                           .best = bounded_.best,
                                           .noise_size = noise_size_,
                                           .leader_regret = leader_regret_,
                                           .path = in_.sums.path,
                                           .off_leader = in_.rule.leader_estimate(),
                                           .off_gftpl = in_.rule.gftpl_estimate(),
                                           .mixability = in_.rule.mixability(),
                                           .gap = gap_,
                                           .total = bounded_.total,
                                           .floor = bounded_.floor,
                                           .account = in_.account.sums(),
                                           .ranges = in_.recomputed.ranges(),
                                           .rho2 = rho2_,
                                           .credit = credit(),
                                           .delays = in_.delays ? std::optional(*in_.delays) : std::nullopt});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string path = path_of("end.certificate.bounds", i);
      Fields bound(found[i], path);
      const std::string name = bound.word("name");
      const auto match = std::find_if(expected.begin(), expected.end(), [&](const auto& e) { return e.name == name; });
      if (match == expected.end() || !seen.insert(name).second) {
        claims().reject(bound.at("name"), "found \"" + name + "\", which does not apply here, or was there already");
      }
      check_bound(bound, *match);
      bound.done();
    }
    for (const auto& bound : expected)
      if (bound.demanded && !seen.count(bound.name))
        claims().reject("end.certificate.bounds", "\"" + bound.name + "\" applies and is missing");
  }

  // Of the noise in use at the end.
  std::optional<double> credit() const {
    const CertificateSums& sums = in_.account.sums();
    if (!certified() || sums.last == 0 || sums.left || s_.credit_draws == 0 || s_.discount != 1) return 0.0;
    return in_.account.credit({.first = 0, .count = s_.credit_draws}, sums.last, in_.recomputed);
  }

  void check_bound(Fields& bound, const ExpectedBound& expected) {
    const double found = bound.number("value", kExtended);
    // Those of learners without certificates of the run are widened by what the oracle fell short.
    double value = expected.value + (certified() ? 0.0 : expected.upper ? gap_ : -gap_);
    if (expected.known) {
      claims().expect(bound.at("value"), found, value);
    } else {
      if (expected.least && found < value) claims().expect(bound.at("value"), found, value);
      const auto most = expected.more && expected.least ? std::optional(value + *expected.more) : std::nullopt;
      if (most && found > *most) claims().expect(bound.at("value"), found, *most);
      const std::string words(bound_words(expected.name));
      on_trust_.push_back((words == expected.name ? "the certificate \"" + words + "\"" : "the " + words) +
                          (most             ? ", which lies from " + number_text(value) + " to " + number_text(*most)
                           : expected.least ? ", which is at least " + number_text(value)
                           : expected.name == "exact" ? ", which is at most \"run\""
                                                      : ""));
      value = found;
    }
    values_[expected.name] = found;
    const bool as_before = s_.compares_means && expected.kind != ExpectedBound::Kind::kClosed &&
                           bound.word("says") == earlier_sentence(expected, s_);
    if (expected.kind != ExpectedBound::Kind::kClosed && !as_before && bound.word("says") != sentence_of(expected, s_))
      claims().reject(bound.at("says"), "found another sentence than the one for \"" + expected.name + "\"");
    if ((bound.choice("side", {"upper", "lower"}) == "upper") != expected.upper)
      claims().reject(bound.at("side"), "found \"" + bound.word("side") + "\", expected the other side");
    if (s_.discount != 1 && !bound.flag("discounted"))
      claims().reject(bound.at("discounted"), "found false, expected true: the learner has a discount");
    const Regret regret = compared(expected, found);
    check_holds(bound, expected, regret);
    bounds_.push_back(stated(expected, fmt::format("{:.6g}", value), regret));
  }

  // Beyond a bound by no more than a tie may differ is within it; of the record's own numbers, all derived again, so
  // that rounding in another order decides nothing.
  enum class Regret { kWithin, kBeyond };
  Regret compared(const ExpectedBound& expected, double found) const {
    const double window = tie_slack(bounded_.written, range_);
    const bool within = expected.upper ? bounded_.written - bounded_.floor <= found + window
                                       : bounded_.written - bounded_.best >= found - window;
    return within ? Regret::kWithin : Regret::kBeyond;
  }

  // Whether the regret of the run is within a bound is a question about one run. It is open (null) for a statement
  // about the mean, where noise was given, and where the realised regret is above a limit of the conditional one.
  // Programs up to version 0.3 answered it in all cases.
  void check_holds(Fields& bound, const ExpectedBound& expected, Regret regret) const {
    using Covers = ExpectedBound::Covers;
    const bool mean = expected.covers == Covers::kMean, conditional = expected.covers == Covers::kConditional;
    const bool drawn_elsewhere = s_.alpha && expected.kind != ExpectedBound::Kind::kClosed;
    if (bound.need("holds").is_null()) {
      const bool above = conditional && regret == Regret::kBeyond;
      if (!mean && !drawn_elsewhere && !above && !(s_.compares_means && s_.alpha))
        claims().reject(bound.at("holds"), "found null, expected true or false");
      return;
    }
    const bool holds = bound.flag("holds");
    if ((mean || drawn_elsewhere) && !s_.compares_means)
      claims().reject(bound.at("holds"), mean ? "expected null: it is about the mean, not about this run"
                                              : "expected null: noise was given");
    if (conditional && !holds && !s_.compares_means)
      claims().reject(bound.at("holds"), "found false, expected true or null: it is about the conditional regret");
    if (holds != (regret == Regret::kWithin))
      claims().reject(bound.at("holds"), holds ? "found true, but the regret is beyond the bound"
                                               : "found false, but the regret is within the bound");
  }

  // What was derived again, in words that say what it covers.
  std::string stated(const ExpectedBound& expected, const std::string& value, Regret found) const {
    const bool within = found == Regret::kWithin;
    const std::string& name = expected.name;
    const std::string regret = s_.discount == 1 ? "regret" : "discounted regret";
    const std::string drawn = s_.alpha ? ", if the noise that was given was drawn" : "";
    const std::string sure = fmt::format("{:g} % certainty", 100 * (1 - s_.delta));
    switch (expected.kind) {
      case ExpectedBound::Kind::kRun:
        if (s_.rule->leads) return "run " + value + ", which is the regret itself: nothing is drawn";
        return "expected " + regret + ", " +
               (name == "run" ? "estimated bound (run)" : std::string(bound_words(name)) + ":") + " " + value + drawn;
      case ExpectedBound::Kind::kLimit:
        return name + ": with " + sure + " at most " + value + " at every round at once, " +
               (name == "limit" ? "each round in the mean over its own draw" : "the regret of this run") + drawn +
               (within ? "" : "; the regret of this run is above");
      case ExpectedBound::Kind::kClosed:
        break;
    }
    if (expected.covers == ExpectedBound::Covers::kRun)
      return name + ": the regret is at most " + value + (within ? ", holds" : ", DOES NOT HOLD");
    return name + ": the expected " + regret + (expected.upper ? " is at most " : " is at least ") + value;
  }

  bool near(double found, double expected) const { return agree(found, expected, claims().precision()); }

  const EndInput& in_;
  const RecordedSetting& s_;
  Fields end_;
  // What the bounds are on: the plain totals, or the discounted ones.
  struct Bounded {
    double total = 0, best = 0, floor = 0;
    double written = 0;  // the total as it is recorded
  };
  Bounded bounded_;
  double best_ = 0, floor_ = 0, gap_ = 0;
  double range_ = 1;  // of losses, as recorded
  KnownBest known_best_;
  std::optional<double> rho2_;
  std::map<std::string, double> values_;  // of bounds, by name
  std::optional<double> leader_regret_;
  std::optional<double> noise_size_;
  std::vector<std::string> bounds_, on_trust_, recorded_;
};

}  // namespace

EndFacts check_end(const Json& end, const EndInput& in) { return EndCheck(end, in).run(); }

}  // namespace hannan::detail
