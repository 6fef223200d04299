// The record of a learner over experts that sleep (docs/record.md, docs/theory.md, sleeping experts): a decision of
// those awake and its outcome in every line. Nobody has a best total; the regret is against each expert on its rounds
// awake. Cost of a line: some passes over the experts.
#include <algorithm>
#include <string>

#include "hannan/verify/driver.hpp"
#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/sleeping_totals.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kOneLimit = "no expert is ahead by more than this on the rounds in which it was awake";
constexpr const char* kEachLimit =
    "no expert is ahead by more than its limit on the rounds in which it was awake; this is the largest limit";

class Asleep final : public Turn {
 public:
  explicit Asleep(RecordState& record)
      : record_(record),
        s_(record.setting),
        claims_(record.claims),
        none_(*s_.problem, record.list, record.totals()),
        totals_(record.list.size()) {
    if (!s_.facts().sleeps) claims_.reject("learner.kind", "found a learner that cannot play experts that sleep");
    if (one_limit_each() && s_.any_range) claims_.reject("learner.kind", "found a learner that needs losses in [0,1]");
    rule_ = s_.rule->make({.record = record_, .recomputed = none_, .asleep = &totals_});
  }

  std::uint64_t lines() const override { return rounds_; }
  std::uint64_t rounds() const override { return rounds_; }

  void line(Fields& in) override {
    RecordedRound r{.t = rounds_ + 1, .action = in.need("action"), .outcome = &record_.outcome};
    rule_->read(in);
    record_.read_outcome(in);
    r.loss = in.number("loss");
    if (!in.need("best").is_null()) claims_.reject("best", "expected null: experts that sleep have no best total");
    in.done();
    ++rounds_;
    r.losses = record_.outcome.get<std::vector<double>>();
    const bool plays = std::ranges::any_of(r.losses, SleepingTotals::awake);
    if (plays) {
      const auto last = static_cast<std::int64_t>(totals_.experts()) - 1;
      r.index = static_cast<std::size_t>(to_integer(r.action, "action", {0, last}));
    } else if (!r.action.is_null()) {
      claims_.reject("action", "found " + dump(r.action) + ", expected null: no expert is awake");
    }
    rule_->decided(r);
    total_ += r.loss;
    skipped_ += plays ? 0 : 1;
    if (plays) totals_.add(r.losses, r.loss);
    if (plays && s_.any_range) claims_.measure({totals_.unit() > 0 ? totals_.unit() : 1.0, totals_.size()});
    rule_->observed(r);
  }

  EndFacts end(Fields& end, Verification& said) override {
    const double regret = totals_.regret(totals_.largest_regret());
    check_totals(end, regret);
    Fields raw = end.fields("raw");
    raw.choice("unit", {"loss"});
    claims_.expect("end.raw.total", raw.number("total"), total_.value());
    if (!raw.need("best").is_null()) claims_.reject("end.raw.best", "expected null");
    raw.done();
    Fields certificate = end.fields("certificate");
    certificate.fields("assumptions").done();
    check_bounds(certificate.need("bounds"), regret);
    certificate.done();
    said.total = total_.value();
    said.regret = regret;
    said.best = said.floor = said.total - said.regret;
    said.checked.push_back("the loss of every round, from the weights of those awake");
    if (s_.facts().rated) said.checked.push_back("the rate of every round");
    if (s_.facts().switches) said.checked.push_back("every switch between the two parts");
    said.checked.push_back("every action, drawn again from the weights");
    said.checked.push_back("the regret against every expert on its rounds awake");
    said.checked.push_back("the certificate of all regrets at once");
    return {};
  }

 private:
  // A learner without a rate has a limit for each expert.
  bool one_limit_each() const { return !s_.facts().rated; }

  void check_totals(Fields& end, double regret) const {
    claims_.expect_count("end.skipped", end.integer("skipped"), skipped_);
    claims_.expect("end.total", end.number("total"), total_.value());
    for (const char* name : {"best", "floor", "leader_regret"}) {
      if (!end.need(name).is_null()) claims_.reject(std::string("end.") + name, "expected null");
    }
    for (const char* name : {"oracle_calls", "search_nodes", "oracle_gap"})
      claims_.expect(std::string("end.") + name, end.number(name), 0);
    claims_.expect("end.regret", end.number("regret"), regret);
    const auto last = static_cast<std::int64_t>(totals_.experts()) - 1;
    const auto named = static_cast<std::size_t>(end.integer("best_action", {0, last}));
    claims_.expect("end.best_action", totals_.regret(named), regret);
    const std::size_t size = totals_.experts();
    check_numbers(end, "regrets", claims_, {size, [&](std::size_t k) { return totals_.regret(k); }});
    check_numbers(end, "awake", claims_, {size, [&](std::size_t k) { return totals_.awake_rounds(k); }});
    rule_->end(end, {});
    claims_.expect("end.range", end.number("range", kNonnegative), totals_.range());
  }

  void check_bounds(const Json& bounds, double worst) const {
    BoundFacts facts;
    facts.ranges.largest = totals_.range();
    facts.ranges.squares = totals_.squares();
    const Bounds expected = rule_->bounds()(facts);
    if (bounds.size() != expected.size()) claims_.reject("end.certificate.bounds", "found another number of bounds");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& [name, value] = std::tie(expected[i].name, expected[i].value);
      Fields bound(bounds[i], path_of("end.certificate.bounds", i));
      if (bound.word("name") != name) claims_.reject(bound.at("name"), "expected \"" + name + "\"");
      claims_.expect(bound.at("value"), bound.number("value", {0, kExtended.hi}), value);
      bound.choice("side", {"upper"});
      if (bound.word("says") != (one_limit_each() ? kEachLimit : kOneLimit))
        claims_.reject(bound.at("says"), "found another sentence than the one for \"" + name + "\"");
      // Each is a theorem: a run that breaks one is no run of this learner. Where every expert has its own, the largest
      // need not bound the largest regret.
      if (!bound.flag("holds")) claims_.reject(bound.at("holds"), "found false, expected true: the bound is proven");
      if (!one_limit_each() && worst > value + claims_.precision().unit * 1e-6 + 1e-12 * totals_.size())
        claims_.reject(bound.at("value"), "found a bound below the largest regret");
      bound.done();
    }
  }

  RecordState& record_;
  const RecordedSetting& s_;
  Claims& claims_;
  RecomputedTotals none_;  // of no round: the rule goes by those below
  SleepingTotals totals_;
  std::unique_ptr<RoundRule> rule_;
  std::uint64_t rounds_ = 0, skipped_ = 0;
  ExactTotal total_;
};

}  // namespace

std::unique_ptr<Turn> turn_asleep(RecordState& record) { return std::make_unique<Asleep>(record); }

}  // namespace hannan::detail
