// `@name@`, written a second time for the verifier: x_t = argmin L_{t-1}, one oracle call a round. Nothing here is shared
// with the learner. Cost of a round: what a choice costs (round_rule.hpp). Fields that its rounds alone have are read by
// read(), its bounds stated by bounds(), as in rules/hedge.cpp.
//param// #include "hannan/io/limits.hpp"
#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {
namespace {

struct @Type@Rule {
  static constexpr RuleFacts kFacts{.name = "@name@", .leads = true};
//param//   double @param@ = 1;
//param//
//param//   void read(Fields& in, RecordedSetting&) { @param@ = in.number("@param@", limits::kTuning); }
};

class @Type@Rounds final : public RoundRule {
 public:
//bare//   using RoundRule::RoundRule;
//param//   @Type@Rounds(const RuleInput& in, const @Type@Rule& own) : RoundRule(in), own_(own) {}
  void decided(const RecordedRound& round) override {
    expect_no_eta();
    expect_leader(played_in(round), recomputed());
  }
  std::uint64_t oracle_calls() const override { return played(); }
//param//
//param//  private:
//param//   [[maybe_unused]] const @Type@Rule& own_;  // what its rule plays by
};

}  // namespace

RuleRow @file@_rule() { return rule_row<@Type@Rule, @Type@Rounds>(); }

}  // namespace hannan::detail
