// The log of a learner that looks with coins of its client (docs/partial.md): a line is a message about a decision, and
// what it made of the learner inside as a list of steps,
//
//   {"choice","multiplier","regime"}         the learner decides for its next round
//   {"issued":n,"share":s}                   decision n has that choice
//   {"skipped":k}                            k rounds pass without an outcome, the one decided for among them
//   {"after","gap","stability","switched"}   the round decided for was a look, and is learned from
//
// Which steps there are follows from the messages: a decision counts when it is closed, all its looks have come and all
// before it count; then its rounds pass and its looks are learned from in the order of their coming. Estimates take the
// choice of the looks' own decision, gaps that of the learner when it is told. Shares, choices, gaps and all sums are
// derived again; coins, counts and what was played are the client's word.
#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <utility>

#include "hannan/verify/look_turn.hpp"

namespace hannan::detail {
namespace {

class ByClient final : public LookTurn {
 public:
  using LookTurn::LookTurn;

  std::uint64_t lines() const override { return lines_; }

  void line(Fields& in) override {
    steps_.clear();
    next_ = 0;
    if (in.has("steps")) {
      const auto& list = in.list("steps");
      steps_.assign(list.begin(), list.end());
    }
    if (lines_++ == 0) {
      decide();
      issue();
    }
    hear(in);
    while (!open_.empty() && open_.front().complete()) count();
    claims_.expect_count("counted", in.integer("counted"), counted_);
    if (asked_.is_null()) decide();
    if (open_.empty() || open_.back().ended()) issue();
    if (next_ != steps_.size()) claims_.reject("steps", "found more steps than the message makes");
  }

 private:
  struct Decision {
    Json choice;
    double share = 1;
    std::vector<std::optional<AnyOutcome>> looks;  // none: lost
    bool closed = false, dropped = false;
    std::uint64_t rounds = 0, expected = 0;
    bool ended() const { return closed || dropped; }
    bool complete() const { return dropped || (closed && looks.size() == expected); }
  };

  // The next step, with the fields that its kind has.
  const Json& step() {
    if (next_ == steps_.size()) claims_.reject("steps", "found fewer steps than the message makes");
    return steps_[next_++];
  }

  void decide() { asked_ = step(); }

  // Ad servers take whole percents, and what they are told is the share: rounded up, at least one.
  void issue() {
    Fields in(step(), "steps");
    claims_.expect_count("steps.issued", in.integer("issued"), counted_ + open_.size() + 1);
    const double share = in.number("share", {1e-6, 1});
    in.done();
    double expected = expected_share(totals_.rounds() + 1);
    if (look_ && s_.problem->money()) expected = std::max(1.0, std::ceil(100 * expected - 1e-9)) / 100;
    claims_.expect_plain("steps.share", share, expected);
    open_.push_back({.choice = asked_.at("choice"), .share = share, .looks = {}});
  }

  // A message: a look with its outcome or lost, the end of a decision, or that it never ends.
  void hear(Fields& in) {
    const auto number = static_cast<std::uint64_t>(in.integer("decision", {1, kNatural.hi}));
    if (number <= counted_ || number > counted_ + open_.size())
      claims_.reject("decision", "found one that counts already, or that was never made");
    Decision& of = open_[static_cast<std::size_t>(number - counted_ - 1)];
    const auto flag = [&](const char* name) { return in.has(name) && in.flag(name); };
    const bool look = flag("look"), lost = flag("lost"), dropped = flag("void"), closes = in.has("rounds");
    const Json* outcome = in.maybe("outcome");
    const bool shown = outcome && !outcome->is_null();
    if (look + dropped + closes != 1 || (look ? shown == lost : shown || lost))
      claims_.reject("look", "found what is no message: a look with its outcome or lost, an end, or void");
    if (of.dropped || (of.closed && (closes || (look && of.looks.size() >= of.expected))))
      claims_.reject("decision", "found a message about a decision that is closed");
    if (look) {
      of.looks.emplace_back();
      if (shown) s_.problem->read_outcome(*outcome, "outcome", of.looks.back().emplace());
    } else if (dropped) {
      of.dropped = true;
      of.looks.clear();
    } else {
      of.closed = true;
      of.rounds = static_cast<std::uint64_t>(in.integer("rounds", {0, 1'000'000'000}));
      of.expected = static_cast<std::uint64_t>(in.integer("looks", {0, static_cast<std::int64_t>(of.rounds)}));
      if (of.expected < of.looks.size()) claims_.reject("looks", "found fewer than came");
    }
  }

  void count() {
    const Decision of = std::move(open_.front());
    open_.pop_front();
    ++counted_;
    if (of.dropped) {
      ++dropped_;
      return;
    }
    const AnyAction played = s_.problem->parse_action(of.choice, "steps.choice");
    pass(of.share, of.rounds);
    const auto seen = static_cast<std::uint64_t>(std::ranges::count_if(of.looks, [](auto& y) { return bool(y); }));
    if (of.rounds > seen) pass_over(of.rounds - seen);
    for (const auto& y : of.looks) {
      if (y) {
        learn(*y, {.played = played, .share = of.share});
      } else {
        lose(of.share);
      }
    }
  }

  // The decision of the learner inside for the round to come ends with what becomes of that round.
  Json decided() {
    if (asked_.is_null()) decide();
    return std::exchange(asked_, Json());
  }

  void pass_over(std::uint64_t rounds) {
    const Json decision = decided();
    Fields asked(decision, "steps"), passed(step(), "steps");
    claims_.expect_count("steps.skipped", passed.integer("skipped"), rounds);
    passed.done();
    rule_->read_decision(asked);
    RecordedRound r = next_round(asked.need("choice"));
    asked.done();
    skip(r, rounds);
  }

  void learn(const AnyOutcome& y, const Look& look) {
    Json whole = decided();
    for (const auto& [name, value] : step().as_object()) whole.set(name, value);
    Fields in(whole, "steps");
    rule_->read(in);
    RecordedRound r = next_round(in.need("choice"));
    in.done();
    record_.outcome = y;
    take(r, look);
  }

  void end_more(Fields& end) const override {
    const auto ended = static_cast<std::uint64_t>(std::ranges::count_if(open_, [](auto& one) { return one.ended(); }));
    Fields waiting = end.fields("waiting");
    claims_.expect_count("end.waiting.decisions", waiting.integer("decisions"), ended);
    const Json& first = waiting.need("first");
    if (first.is_null() != (ended == 0)) claims_.reject("end.waiting.first", "expected the first decision that waits");
    if (ended > 0) claims_.expect_count("end.waiting.first", to_integer(first, "end.waiting.first"), counted_ + 1);
    waiting.done();
    claims_.expect_count("end.void", end.integer("void"), dropped_);
  }

  void say_more(Verification& said) const override {
    said.checked.push_back("the share and the choice of every decision, and which of them count");
    said.recorded.emplace_back("the coins of the client, its counts, and that void decisions were not chosen by them");
    said.recorded.emplace_back("the choice of the decision in force, which no sum rests on yet");
  }

  std::deque<Decision> open_;  // those that do not count, in order
  std::uint64_t lines_ = 0, counted_ = 0, dropped_ = 0;
  std::vector<Json> steps_;  // of the line
  std::size_t next_ = 0;
  Json asked_;  // the decision for the round to come; null: none yet
};

}  // namespace

std::unique_ptr<Turn> turn_by_client(RecordState& record) { return std::make_unique<ByClient>(record); }

}  // namespace hannan::detail
