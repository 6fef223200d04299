// One forecast out of those of K models, with a certificate that holds for this very run (docs/forecasts.md; proofs in
// docs/theory-forecasts.md).
//
// Three AdaHedges (regret_hedge.hpp) that are told regrets: `single` over the models' losses, `mixture` over slopes,
// `top` over the members (members.hpp). What is published is the mean of the members by the weights of top.
//
//   forecast of a round    weights from all that has arrived; models may be missing, row by row
//   actuals of a round     told together when the last has come:
//     top      r_j = sum_i w_i g(p_i) (p_i - c_ij)
//     mixture  r_k = sum_i w_i g(c_i) (c_i - x_ik)                        rows in which k delivered
//     single   r_k = sum_i w_i (sum_n q_in l(x_in) - l(x_ik))             rows in which k delivered
//   r = 0 where its range is within 1e-12 of the level; g = 0 where a forecast is within 1e-12 of the actual
//
// Rounds settle in the order of their forecasts. An actual that has not come after `patience` rounds is waited for no
// longer; one that comes later is refused and counted. Everything that report() says is of what has settled.
// No rate, range or horizon is asked for; nothing is drawn. Cost: O(K) a row, and for each actual that is late as many
// steps as there are rounds it is late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/forecasts/combiner_round.hpp"
#include "hannan/forecasts/members.hpp"
#include "hannan/forecasts/regret_hedge.hpp"
#include "hannan/forecasts/sum_row.hpp"

namespace hannan::detail {

// Forecasts and actuals lie within this of 0.
inline constexpr double kLargestForecast = 1e30;

// Throws kLossRange for an actual that the loss does not take; NaN, which never comes, is taken.
void check_actual(const ForecastLoss& loss, double y, const std::string& at);

struct ForecastRow {
  std::span<const double> x;  // models, then further columns; NaN: not delivered
  double weight = 1;
  std::span<const std::string> by;  // a value for each column of `by`
};

class Combiner {
 public:
  explicit Combiner(CombinerPlan plan);

  const CombinerPlan& plan() const { return plan_; }

  // Opens a round, numbered from 1. The reference lasts until the next call. Probabilities are brought into
  // [clip, 1 - clip] for log loss. Throws kLossRange for forecasts beyond kLargestForecast or outside [0,1] where they
  // are probabilities, kOutOfRange for weights that are not above 0; then nothing has changed.
  const CombinerRound& forecast(std::span<const ForecastRow> rows);
  // The actual of a row (from 0); NaN: it never comes. Throws kOutOfRange for a round that was not forecast, a second
  // actual and one after patience has ended, kLossRange for one that the loss does not take, kUnavailable where a loss
  // of the user's own is not convex; then nothing has changed but the count of those that came too late.
  void tell(std::uint64_t round, std::size_t row, double y);
  // Throws what tell() throws of a row that cannot have an actual now.
  void check_open(std::uint64_t round, std::size_t row) { find_open(round, row); }
  // Whether the actual of the row is waited for.
  bool waits(std::uint64_t round, std::size_t row) const {
    const CombinerRound* const open = open_round(round);
    return open && row < open->size() && open->rows[row] == CombinerRound::Row::kOpen;
  }
  // Closes all open rounds without what has not come.
  void close_all();

  std::uint64_t rounds() const { return next_ - 1; }
  // Null: it has settled, or was not forecast.
  const CombinerRound* open_round(std::uint64_t id) const;
  // The value of column n % by.size() of `by` in row n / by.size() of an open round.
  const std::string& segment_value(const CombinerRound& round, std::size_t n) const;
  // Of the round whose last actual came last.
  double arrived_loss() const { return arrived_loss_; }
  // The total weight of each model, then of each further column, then of the median, in a row of an open round.
  void total_weights(const CombinerRound& round, std::size_t row, std::span<double> weights) const;

  struct Segment {
    std::size_t column;
    std::string value;
    std::size_t hedge;
  };
  const RegretHedge& top() const { return hedges_[0]; }
  const RegretHedge* single() const { return single_ ? &hedges_[single_] : nullptr; }
  const RegretHedge* mixture() const { return mixture_ ? &hedges_[mixture_] : nullptr; }
  const RegretHedge& hedge(std::size_t i) const { return hedges_[i]; }
  const std::vector<Segment>& segments() const { return segments_; }

  // Of what has settled.
  std::uint64_t settled() const { return settled_; }  // rounds
  std::uint64_t rows() const { return rows_; }        // with a loss
  std::uint64_t too_late() const { return too_late_; }
  std::uint64_t never() const { return never_; }  // rows that settled without their actual
  std::uint64_t longest_delay() const { return delay_; }
  double total() const { return total_.value(); }
  double member_total(std::size_t j) const { return member_totals_.value(j); }
  double direct(std::size_t k) const { return direct_.value(k); }

  void archive(Archive& a);

 private:
  void check_row(const ForecastRow& row) const;
  void weigh_all(CombinerRound& round);
  void forecast_row(CombinerRound& round, std::size_t i);
  std::size_t segment_turn(CombinerRound& round, std::size_t column, const std::string& value);
  CombinerRound& find_open(std::uint64_t id, std::size_t row);
  CombinerRound* find_quickly(std::uint64_t id, std::size_t row);
  void arrive(CombinerRound& round);
  void add_row(CombinerRound& round, std::size_t i);
  void check_convex(const CombinerRound& round, std::size_t i) const;
  void settle_turns(std::span<const HedgeTurn> turns);
  void settle_ready();
  void close(CombinerRound& round);
  void end_patience();
  void archive_round(Archive& a, CombinerRound& round) const;

  CombinerPlan plan_;
  std::vector<std::size_t> mixers_;       // members that mix
  std::size_t single_ = 0, mixture_ = 0;  // their hedges; 0: none
  std::vector<RegretHedge> hedges_;       // top, single, mixture, then segments
  std::vector<Segment> segments_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> segment_hedges_;
  OpenRounds open_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> given_up_;  // rows whose actual is too late
  std::uint64_t next_ = 1, settled_ = 0, rows_ = 0, too_late_ = 0, never_ = 0, delay_ = 0;
  double arrived_loss_ = 0;
  Sum total_;
  SumRow member_totals_, direct_;
  // Of the round that is forecast: weights of top, single and mixture one behind the other; which models delivered.
  std::vector<double> powers_, awake_, scratch_;
  std::vector<double> exponents_, logs_;  // of the round that settles
};

}  // namespace hannan::detail
