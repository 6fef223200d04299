// The record of a learner whose outcomes come late (docs/record.md, "Outcomes that come late"): a line is a decision or
// an outcome. ada alone can play so, by the rule of rules/late_ada.hpp.
//
// Two lists of totals: of all that has arrived, which decisions are held against, and of the settled rounds, which gaps
// are. Cost of a line: two looks at all actions, and memory for every round whose outcome or one before it is missing.
#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "hannan/verify/driver.hpp"
#include "hannan/verify/end.hpp"
#include "hannan/verify/rules/late_ada.hpp"

namespace hannan::detail {
namespace {

class Late final : public Turn {
 public:
  explicit Late(RecordState& record)
      : record_(record),
        s_(record.setting),
        claims_(record.claims),
        arrived_(*s_.problem, record.list, record.totals()),
        settled_(*s_.problem, record.list, record.totals()),
        rule_({record, arrived_}, delays_) {
    if (s_.track == "every") sums_.last_best = 0;  // of no round
  }

  std::uint64_t lines() const override { return lines_; }
  std::uint64_t rounds() const override { return settled_.rounds(); }
  void begin_log() override { lines_ = 0; }

  void line(Fields& in) override {
    ++lines_;
    in.has("decide") ? decide(in) : observe(in);
  }

  EndFacts end(Fields& end, Verification& said) override {
    EndFacts facts = check_end(end, {record_, settled_, settled_, rule_, sums_, &delays_}).facts;
    said.total = sums_.total.value();
    said.checked.push_back("the loss of every outcome, and which rounds are settled");
    said.checked.push_back("the noise multiplier of every round");
    said.checked.push_back(record_.list.listed()
                               ? "L* of the settled rounds from the totals of all " +
                                     std::to_string(record_.list.size()) + " actions, wherever it is recorded"
                               : "L* by searching the outcomes again at the end");
    if (!open_.empty())
      facts.recorded.push_back(std::to_string(open_.size()) + " more rounds were opened and are not settled");
    return facts;
  }

 private:
  void decide(Fields& in) {
    claims_.expect_count("decide", in.integer("decide"), ++delays_.played);
    RecordedRound r{.t = delays_.played, .action = in.need("action")};
    rule_.read(in);
    if (in.has("key") && in.word("key").empty()) claims_.reject("key", "found an empty key, expected none");
    in.done();
    record_.limit_work(static_cast<double>(r.t));
    r.index = place_of(record_.list, r.action, "action", claims_);
    s_.problem->parse_action(r.action, "action");  // which refuses what is none
    rule_.decided(r);
    const std::uint64_t missing = r.t - 1 - arrived_.rounds();
    delays_.missing = std::max(delays_.missing, missing);
    delays_.missing_total += missing;
    delays_.open = std::max<std::uint64_t>(delays_.open, open_.size());
    OpenRound& open = open_.emplace_back();
    open.action = std::move(r.action);
    open.index = r.index;
    open.multiplier = rule_.multiplier();
    open.missing = missing;
  }

  void observe(Fields& in) {
    const std::int64_t round = in.integer("observe");
    const auto before = static_cast<std::int64_t>(settled_.rounds());
    if (round <= before || round > static_cast<std::int64_t>(delays_.played) ||
        open_[static_cast<std::size_t>(round - before - 1)].arrived) {
      claims_.reject("observe",
                     "found " + std::to_string(round) + ", expected a round that was opened and has no outcome yet");
    }
    OpenRound& open = open_[static_cast<std::size_t>(round - before - 1)];
    s_.problem->read_outcome(in.need("outcome"), "outcome", open.outcome);
    open.arrived = true;
    RecordedRound scored{.action = open.action};
    record_.score(scored, open.outcome);
    open.loss = scored.action_loss;
    claims_.expect("loss", in.number("loss"), open.loss);
    arrived_.add(open.outcome, record_.losses_of(open.outcome));
    settle(in.numbers("gaps"));
    claims_.expect_count("settled", in.integer("settled"), settled_.rounds());
    const double stability = in.number("stability", kNonnegative);
    claims_.expect("stability", stability, rule_.stability());
    rule_.take_stability(stability);
    claims_.expect("total", in.number("total"), sums_.total.value());
    check_best(in.need("best"));
    check_calls(in.integer("oracle_calls", kNatural));
  }

  // The rounds that have no hole before them any more.
  void settle(const std::vector<double>& gaps) {
    std::size_t count = 0;
    for (; !open_.empty() && open_.front().arrived; open_.pop_front()) {
      const OpenRound& open = open_.front();
      const auto losses = record_.losses_of(open.outcome);
      settled_.add(open.outcome, losses);
      if (count == gaps.size()) break;
      rule_.settled(gaps[count++], {settled_.rounds(), open, settled_, losses});
      sums_.total += open.loss;
    }
    if (count != gaps.size() || (!open_.empty() && open_.front().arrived))
      claims_.reject("gaps", "found " + std::to_string(gaps.size()) + " numbers, expected one for each round settled");
  }

  void check_best(const Json& best) {
    const bool tracked = record_.tracked(best, settled_.rounds());
    const std::optional<double> before = std::exchange(sums_.last_best, std::nullopt);
    if (!tracked) return;
    const double found = to_number(best, "best");
    if (record_.list.listed()) {
      claims_.expect_of_oracle("best", found, settled_.least());
      if (found < settled_.least()) claims_.expect("best", found, settled_.least());
    } else if (settled_.rounds() == 0) {
      claims_.expect("best", found, 0);
    } else {
      if (before && found < *before) claims_.expect_of_oracle("best", found, *before);
      check_searched_best(found, settled_, claims_);
    }
    sums_.last_best = found;
  }

  // A pool saves some.
  void check_calls(std::int64_t found) {
    const std::uint64_t most = rule_.oracle_calls();
    if (!s_.pooled || std::cmp_greater(found, most)) claims_.expect_count("oracle_calls", found, most);
    if (found < calls_) claims_.expect_count("oracle_calls", found, static_cast<std::uint64_t>(calls_));
    calls_ = found;
  }

  RecordState& record_;
  const RecordedSetting& s_;
  Claims& claims_;
  RecomputedTotals arrived_, settled_;
  DelaySums delays_;
  LateAdaRule rule_;
  std::deque<OpenRound> open_;  // those after the settled ones
  std::uint64_t lines_ = 0;
  std::int64_t calls_ = 0;
  RunSums sums_;
};

}  // namespace

std::unique_ptr<Turn> turn_late(RecordState& record) { return std::make_unique<Late>(record); }

}  // namespace hannan::detail
