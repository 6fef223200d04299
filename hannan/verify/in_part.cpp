// The record of a learner that looks (docs/partial.md): a line is a decision with its coin, and the outcome where the
// round was a look. Derived again: shares, coins, what was played, choices, gaps, and from the looks every sum that an
// estimate, an interval or a limit is made of (look_turn.hpp). Where a log says the shares and the coins a line may be
// of many rounds without a look.
#include <string>
#include <utility>

#include "hannan/verify/look_turn.hpp"

namespace hannan::detail {
namespace {

class InPart final : public LookTurn {
 public:
  using LookTurn::LookTurn;

  std::uint64_t lines() const override { return rounds(); }  // a line has the number of its first round

  void line(Fields& in) override {
    const double share = in.number("share", {1e-6, 1});
    const bool look = in.flag("look"), lost = in.has("lost") && in.flag("lost"), seen = look && !lost;
    const std::uint64_t rounds = in.has("rounds") ? static_cast<std::uint64_t>(in.integer("rounds", kSeveral)) : 1;
    if (rounds > 1 && (look || !logged())) claims_.reject("rounds", "found several rounds, expected those of a log");
    check_coin(totals_.rounds() + 1, share, look);
    const Json& chosen = in.need("choice");
    const Json& played = in.need("action");
    if (!(played == (look && look_ ? looks_.look : chosen)))
      claims_.reject("action", look && look_ ? "expected what is played in a look" : "expected the choice");
    if (lost && !look) claims_.reject("lost", "found a lost look in a round that was none");
    if (in.has("raw")) {
      raw_ += in.number("raw");
      raw_rounds_ += rounds;
    }
    if (in.need("outcome").is_null() == seen)
      claims_.reject("outcome", seen ? "found none in a look" : "found one in a round that was no look, or was lost");
    seen ? rule_->read(in) : rule_->read_decision(in);
    RecordedRound r = next_round(chosen);
    pass(share, rounds);
    if (!seen) {
      skip(r, rounds);
      if (lost) lose(share);
      return;
    }
    record_.read_outcome(in);
    const AnyAction choice = s_.problem->parse_action(chosen, "choice");
    take(r, {.played = choice, .share = share});
    claims_.expect("look_cost", in.number("look_cost"), look_cost());
    const Json& stated = in.need("limit");
    if (!record_.list.listed()) {  // its least weighted sum is looked for at the end
      if (!stated.is_null()) in.number("limit");
      ++limits_taken_;
      return;
    }
    expect(stated, "limit", limit(totals_.least()));
  }

 private:
  static constexpr IntegerRange kSeveral{2, 1'000'000'000};

  // u < share, u drawn for the round or given; where the coins come from a log there is nothing to derive.
  void check_coin(std::uint64_t t, double share, bool look) const {
    if (logged()) return;
    claims_.expect_plain("share", share, expected_share(t));
    if (looks_.coins && t > looks_.coins->size())
      claims_.reject("look", "found a round beyond the coins of the header");
    const double coin = looks_.coins ? (*looks_.coins)[t - 1] : RoundWords(s_.key, DrawPurpose::kLook, t).uniform(0);
    if (look != (coin < share))
      claims_.reject("look", look ? "expected false, by the coin" : "expected true, by the coin");
  }

  void say_more(Verification& said) const override {
    said.checked.push_back("what was played in every round, from its coin");
    if (!logged()) said.checked.push_back("the share and the coin of every round");
    if (logged()) said.recorded.emplace_back("the shares and coins of the log");
    if (looks_.coins) said.recorded.emplace_back("the coins, which were given");
  }
};

}  // namespace

std::unique_ptr<Turn> turn_in_part(RecordState& record) { return std::make_unique<InPart>(record); }

}  // namespace hannan::detail
