// The report of a run: totals, L* and its action, the leader alone, oracle calls, the assumptions and every bound of
// the certificate, each derived again. Which bounds there must be, and their values, the learner's rule says
// (bounds.hpp); what they cover decides whether the regret of the run may be compared with them. Cost: a pass over the
// listed actions, or one search, and what M and rho2 take (noise_forms.hpp, certificates.hpp).
#include "hannan/verify/end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hannan/core/bound_words.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/certificates.hpp"
#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {
namespace {

class EndCheck {
 public:
  EndCheck(Fields& end, const EndInput& in) : in_(in), s_(in.record.setting), end_(end) {}

  RunEnd run() {
    check_totals();
    if (in_.delays) claims().expect_count("end.played", end_.integer("played"), in_.delays->played);
    check_raw(end_.fields("raw"), s_, claims(),
              {.total = in_.sums.total.value(),
               .best = best_,
               .realised = {},
               .rounds = in_.totals.rounds(),
               .reward = in_.record.reward});
    range_ = s_.any_range ? end_.number("range", kNonnegative) : 1;
    if (s_.any_range) claims().expect("end.range", range_, in_.totals.ranges().largest);
    bounded_.rounds = in_.totals.rounds();
    bounded_.ranges = in_.totals.ranges();
    bounded_.total = in_.sums.total.value();
    bounded_.best = best_;
    bounded_.floor = floor_;
    written_ = end_.number("total");
    if (s_.discount != 1) check_discounted(end_.fields("discounted"));
    Fields certificate = end_.fields("certificate");
    check_assumptions(certificate.fields("assumptions"));
    check_bounds(certificate.list("bounds"));
    certificate.done();
    in_.rule.end(end_, values_);
    out_.slack = in_.totals.slack(out_.best->best);
    return {out_, bounded_};
  }

 private:
  Claims& claims() const { return in_.record.claims; }
  const ListedActions& list() const { return in_.record.list; }

  void check_totals() {
    best_ = end_.number("best");
    floor_ = end_.number("floor");
    out_.gap = bounded_.gap = end_.number("oracle_gap", kNonnegative);
    claims().expect("end.total", end_.number("total"), in_.sums.total.value());
    if (in_.sums.last_best) claims().expect("end.best", best_, *in_.sums.last_best);
    claims().expect("end.regret", end_.number("regret"), in_.sums.total.value() - best_);
    if (s_.exact) claims().expect("end.floor", floor_, best_);
    list().listed() ? check_listed() : check_searched();
    check_leader_alone();
    const double spread = static_cast<double>(in_.totals.rounds()) * in_.totals.largest_loss();
    check_calls(end_, s_, claims(), {.gap = out_.gap, .most = in_.rule.oracle_calls(), .spread = spread},
                out_.recorded);
    if (out_.gap == 0 && floor_ >= best_ - in_.totals.slack(best_)) claims().settle();
  }

  void check_listed() {
    const double least = in_.totals.least();
    out_.best = KnownBest{least, least};
    claims().expect_of_oracle("end.best", best_, least);
    if (best_ < least) claims().expect("end.best", best_, least);
    if (floor_ > least) claims().expect("end.floor", floor_, least);
    const Json& action = end_.need("best_action");
    const auto index = place_of(list(), action, "end.best_action", claims());
    claims().expect("end.best_action", in_.totals.totals()[*index], best_);
    check_smallest(*index, in_.totals, "end.best_action", in_.record);
  }

  void check_searched() {
    const auto& found = in_.totals.search(RecomputedTotals::Effort::kEnd);
    out_.best = KnownBest{found.proven ? found.value : found.floor, std::min(best_, found.value)};
    if (best_ < found.floor) claims().expect("end.best", best_, found.floor);
    if (floor_ > found.value) claims().expect("end.floor", floor_, found.value);
    claims().expect_best("end.best", best_, {found.value, found.proven});
    claims().expect("end.best_action", in_.totals.total_of(end_.need("best_action")), best_);
  }

  void check_leader_alone() {
    const Json& found = end_.need("leader_regret");
    if (s_.track != "every" || in_.delays) {
      if (!found.is_null())
        claims().reject("end.leader_regret", "found " + dump(found) + ", expected null: L* is not tracked every round");
      return;
    }
    const double regret = to_number(found, "end.leader_regret");
    bounded_.leader_regret = regret;
    if (const auto& alone = in_.sums.leader_total) {
      const double least = alone->least.value() - best_, most = alone->most.value() - best_;
      const bool of_smallest = claims().choices().larger == 0 && near(regret, alone->smallest.value() - best_);
      if (near(least, most) || regret < least) {
        claims().expect_of_oracle("end.leader_regret", regret, least);
      } else if (regret > most) {
        claims().expect_of_oracle("end.leader_regret", regret, most);
      } else if (!s_.facts().leads && !of_smallest) {
        out_.on_trust.push_back("which of the leaders that tied the oracle of the run found: leader_regret lies from " +
                                number_text(least) + " to " + number_text(most));
      }
    } else if (!s_.facts().leads) {
      out_.on_trust.push_back("the regret of the leader alone: end.leader_regret");
    }
    if (s_.facts().leads) claims().expect("end.leader_regret", regret, in_.sums.total.value() - best_);
    // A leader's regret is a sum of gaps, none of them negative.
    if (regret < 0) claims().expect_of_oracle("end.leader_regret", regret, 0);
  }

  // The regret that the bounds of a discount are on: L* of the discounted totals.
  void check_discounted(Fields in) {
    const RecomputedTotals& totals = in_.chosen_by;
    bounded_.total = in_.sums.discounted_total;
    bounded_.best = in.number("best");
    bounded_.floor = in.number("floor");
    written_ = in.number("total");
    claims().expect("end.discounted.total", written_, bounded_.total);
    claims().expect("end.discounted.regret", in.number("regret"), bounded_.total - bounded_.best);
    if (s_.exact || bounded_.floor > bounded_.best)
      claims().expect("end.discounted.floor", bounded_.floor, bounded_.best);
    const RecomputedTotals::Search found = list().listed() ? RecomputedTotals::Search{totals.least(), totals.least()}
                                                           : totals.search(RecomputedTotals::Effort::kEnd);
    claims().expect_best("end.discounted.best", bounded_.best, {found.value, found.proven});
    if (bounded_.best < found.floor) claims().expect("end.discounted.best", bounded_.best, found.floor);
    if (bounded_.floor > found.value) claims().expect("end.discounted.floor", bounded_.floor, found.value);
    if (out_.gap == 0 && bounded_.floor >= bounded_.best - totals.slack(bounded_.best)) claims().settle();
    in.done();
  }

  // What a program from outside claimed: an exact one has no gap, and floors were looked at with the totals.
  void check_claims(Fields& in) {
    if (!s_.external) return;
    if (in.choice("oracle", {"claimed exact", "claimed floors"}) != "claimed exact") return;
    claims().expect("end.floor", floor_, best_);
    claims().expect("end.oracle_gap", out_.gap, 0);
  }

  void check_assumptions(Fields in) {
    check_claims(in);
    if (s_.facts().noise != NoiseOn::kOutcomes && s_.noise.perturbation.empty()) return in.done();
    bounded_.noise_size = check_noise(in, s_, claims(), out_.on_trust);
    const std::string data = s_.noise.once ? "oblivious data only" : "any";
    if (in.word("data") != data)
      claims().reject("end.certificate.assumptions.data",
                      "found \"" + in.word("data") + "\", expected \"" + data + "\"");
    if (in_.delays) check_delays(in, *in_.delays);
    in.done();
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
    const bool all = delays.played == in_.totals.rounds();
    expect_words("delays", all ? "independent of later noise" : "independent of the learner's noise");
  }

  void check_bounds(const Json::Array& found) {
    if (s_.facts().certifies) bounded_.rho2 = noise_square(s_);
    in_.rule.finish();
    const Bounds expected = bounds_of(in_.rule.bounds(), bounded_, s_);
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

  void check_bound(Fields& bound, const ExpectedBound& expected) {
    const double found = bound.number("value", kExtended);
    // Those of learners without certificates of the run are widened by what the oracle fell short.
    double value = expected.value + (s_.facts().certifies ? 0.0 : expected.upper ? out_.gap : -out_.gap);
    if (expected.known) {
      claims().expect(bound.at("value"), found, value);
    } else {
      if (expected.least && found < value) claims().expect(bound.at("value"), found, value);
      const auto most = expected.more && expected.least ? std::optional(value + *expected.more) : std::nullopt;
      if (most && found > *most) claims().expect(bound.at("value"), found, *most);
      const std::string words(bound_words(expected.name));
      out_.on_trust.push_back((words == expected.name ? "the certificate \"" + words + "\"" : "the " + words) +
                              (most ? ", which lies from " + number_text(value) + " to " + number_text(*most)
                               : expected.least           ? ", which is at least " + number_text(value)
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
    out_.bounds.push_back(stated(expected, fmt::format("{:.6g}", value), regret));
  }

  // Beyond a bound by no more than a tie may differ is within it; of the record's own numbers, all derived again, so
  // that rounding in another order decides nothing.
  enum class Regret { kWithin, kBeyond };
  Regret compared(const ExpectedBound& expected, double found) const {
    const double window = tie_slack(written_, range_);
    const bool within =
        expected.upper ? written_ - bounded_.floor <= found + window : written_ - bounded_.best >= found - window;
    return within ? Regret::kWithin : Regret::kBeyond;
  }

  // Whether the regret of the run is within a bound is a question about one run. It is open (null) for a statement
  // about the mean, where noise was given, and where the realised regret is above a limit of the conditional one.
  // Programs of version 0.3 answered it in all cases.
  void check_holds(Fields& bound, const ExpectedBound& expected, Regret regret) const {
    using Covers = ExpectedBound::Covers;
    const bool mean = expected.covers == Covers::kMean, conditional = expected.covers == Covers::kConditional;
    const bool drawn_elsewhere = s_.noise.alpha && expected.kind != ExpectedBound::Kind::kClosed;
    if (bound.need("holds").is_null()) {
      const bool above = conditional && regret == Regret::kBeyond;
      if (!mean && !drawn_elsewhere && !above && !(s_.compares_means && s_.noise.alpha))
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
    const std::string drawn = s_.noise.alpha ? ", if the noise that was given was drawn" : "";
    const std::string sure = fmt::format("{:g} % certainty", 100 * (1 - s_.certificates.delta));
    switch (expected.kind) {
      case ExpectedBound::Kind::kRun:
        if (s_.facts().leads) return "run " + value + ", which is the regret itself: nothing is drawn";
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
  Fields& end_;
  double best_ = 0, floor_ = 0;
  double range_ = 1;    // of losses, as recorded
  BoundFacts bounded_;  // the plain totals, or the discounted ones
  double written_ = 0;  // the total of those as it is recorded
  RoundRule::BoundValues values_;
  EndFacts out_;
};

}  // namespace

RunEnd check_end(Fields& end, const EndInput& in) { return EndCheck(end, in).run(); }

Bounds bounds_of(const BoundsLater& bounds, BoundFacts facts, const RecordedSetting& setting) {
  if (facts.rounds == 0 || !bounds) return {};
  // A sum of losses in [0,1]: rounding may take it below 0, and bounds take its root.
  if (!setting.any_range) facts.best = std::max(0.0, facts.best);
  return bounds(facts);
}

bool check_searched_best(double found, const RecomputedTotals& totals, Claims& claims) {
  const bool looks = totals.looks(totals.rounds());
  if (looks) {
    const auto& ours = totals.search();
    if (found < ours.floor) claims.expect("best", found, ours.floor);
    claims.expect_best("best", found, {ours.value, ours.proven});
    if (ours.proven) return true;
  }
  ++claims.taken_over().best;
  return false;
}

}  // namespace hannan::detail
