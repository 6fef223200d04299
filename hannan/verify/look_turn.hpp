// What the records of all learners that look have (docs/partial.md): the sums that estimates, intervals and limits are
// made of, and the end that states them (docs/theory-partial.md), written a second time:
//
//   w = 1/share   A = sum w f(x)   X = sum f(look) - f(x)   D_k = sum w (f(x) - f(k))   Q_k = sum of squares, share < 1
//
// over looks, x being what was played. Who throws the coins, and what a line is, is up to the kind: a line a round
// (in_part.cpp), or a line a message of the client that throws them (by_client.cpp). Cost of a look: that of a line in
// order (in_order.cpp), and 32 products an action for a limit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/driver.hpp"

namespace hannan::detail {

class LookTurn : public Turn {
 public:
  explicit LookTurn(RecordState& record);
  std::uint64_t rounds() const override { return totals_.rounds(); }
  EndFacts end(Fields& end, Verification& said) override;

 protected:
  // So many rounds with this chance of a look.
  void pass(double share, std::uint64_t rounds);
  // The round r, and so many behind it, in which nothing was seen. Its decision was read by the rule.
  void skip(RecordedRound& r, std::uint64_t rounds);
  // A look of round r with the outcome of the record's state. The line was read by the rule; `played` is the choice
  // that was in force, whose loss the estimates take.
  struct Look {
    const AnyAction& played;
    double share;
  };
  void take(RecordedRound& r, const Look& look);
  void lose(double share);

  RecordedRound next_round(const Json& choice);  // the one to come, with this choice of the learner inside
  double expected_share(std::uint64_t t) const;
  double look_cost() const { return cost_ + range() * lost_cost_; }
  std::optional<double> limit(double best);
  bool logged() const { return looks_.share == RecordedLooks::Share::kLogged; }
  void expect(const Json& found, const char* name, const std::optional<double>& expected) const;

  // Fields of the end that a kind alone has, and what it says of itself.
  virtual void end_more(Fields&) const {}
  virtual void say_more(Verification& said) const = 0;

  RecordState& record_;
  const RecordedSetting& s_;
  const RecordedLooks& looks_;
  Claims& claims_;
  RecomputedTotals totals_;
  std::unique_ptr<RoundRule> rule_;
  std::optional<AnyAction> look_;
  std::uint64_t looked_ = 0, lost_ = 0, raw_rounds_ = 0, limits_taken_ = 0;
  double raw_ = 0;

 private:
  void add_sums(const AnyAction& played, double weight);
  double range() const { return range_.value_or(1); }
  double own_estimate() const { return own_ + range() * lost_weight_; }
  bool fair() const;
  const RecomputedTotals::Search& searched();
  void expect(Fields& end, const char* name, const std::optional<double>& expected) const {
    expect(end.need(name), name, expected);
  }
  void check_against(Fields& end) const;
  std::optional<double> check_run(Fields& end, const std::optional<double>& cost, double gap) const;
  void check_words(Fields& end, const std::optional<double>& run, const std::optional<double>& limit) const;
  void say(Verification& said, const EndFacts& facts);

  std::optional<double> range_;
  bool follows_all_ = false;
  std::vector<AnyAction> followed_;
  std::vector<double> differences_, squares_;
  std::uint64_t steps_ = 0;
  double chances_ = 0, variances_ = 0, heaviest_ = 0;
  double own_ = 0, least_ = 0, cost_ = 0;
  double lost_cost_ = 0, lost_weight_ = 0, lost_squares_ = 0;
  std::optional<double> limit_value_;
  RecomputedTotals::Search own_search_;
};

}  // namespace hannan::detail
