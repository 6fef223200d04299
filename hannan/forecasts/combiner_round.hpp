// One round of a combination: its rows, what was forecast for them, and which of their actuals have come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "hannan/forecasts/regret_hedge.hpp"

namespace hannan::detail {

inline constexpr double kNotDelivered = std::numeric_limits<double>::quiet_NaN();

// What one AdaHedge was asked and is told in a round.
struct HedgeTurn {
  std::size_t hedge = 0;
  double rate = 0;    // e at the forecast
  double before = 0;  // rho: ranges of earlier rounds that had not settled then
  double level = 0;
  double range = 0;
  std::vector<double> regrets;
};

struct CombinerRound {
  enum class Row : unsigned char {
    kOpen,
    kCome,
    kNever,  // its actual never comes, or has no loss
    kEmpty   // no model delivered: there is no forecast
  };

  std::uint64_t id = 0;
  std::size_t open = 0;  // rows whose actual is waited for
  bool arrived = false;
  std::vector<Row> rows;
  std::vector<double> x;       // width a row, NaN where nothing was delivered
  std::vector<double> reach;   // the largest |x| of a row
  std::vector<double> weight;  // of a row
  std::vector<double> y;       // NaN: not come
  std::vector<double> published;
  std::vector<double> members;       // m a row
  std::vector<double> mixing;        // K a row for each member that mixes, in their order: its weights
  std::vector<double> top;           // m: weights of the members
  std::vector<std::size_t> segment;  // for each column of `by`, a row: the turn of its segment
  std::vector<HedgeTurn> turns;      // the first `used`: top, single, mixture, then segments
  std::size_t used = 0;

  // Told once the last actual has come.
  std::uint64_t counted = 0;        // rows with a loss
  double loss = 0;                  // of the published forecast
  std::vector<double> member_loss;  // m
  std::vector<double> direct;       // K: sum of g (p - x_k)

  std::size_t size() const { return rows.size(); }
  // A round of n rows. Memory is kept from round to round: where their shapes are the same nothing is done with the
  // lists, and what an earlier round left there is overwritten by the forecast.
  struct Shape {
    std::size_t width, members, mixing;  // numbers a row
    std::size_t models;
  };
  void begin(std::size_t n, const Shape& shape) {
    open = used = 0;
    counted = 0;
    loss = 0;
    arrived = false;
    segment.clear();
    if (rows.size() == n && top.size() == shape.members) return;  // the plan is the same for all
    rows.resize(n);
    for (auto* list : {&reach, &weight, &y, &published}) list->resize(n);
    x.resize(n * shape.width);
    members.resize(n * shape.members);
    mixing.resize(n * shape.mixing);
    top.resize(shape.members);
    member_loss.resize(shape.members);
    direct.resize(shape.models);
  }
  HedgeTurn& new_turn(std::size_t hedge, const RegretHedge& of) {
    if (used == turns.size()) turns.emplace_back();
    HedgeTurn& turn = turns[used++];
    turn.hedge = hedge;
    turn.rate = of.rate();
    turn.before = of.waiting_ranges();
    turn.level = turn.range = 0;
    if (turn.regrets.size() != of.size()) turn.regrets.resize(of.size());
    std::ranges::fill(turn.regrets, 0.0);
    return turn;
  }
};

// Rounds that have not settled, in the order of their forecasts. A round stays where it is in memory until it has
// settled, and its place is used again then, so that a run allocates as much as its most open rounds need and no more.
class OpenRounds {
 public:
  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }
  CombinerRound& operator[](std::size_t i) { return places_[order_[i]]; }
  const CombinerRound& operator[](std::size_t i) const { return places_[order_[i]]; }
  CombinerRound& front() { return places_[order_.front()]; }
  const CombinerRound& front() const { return places_[order_.front()]; }
  const CombinerRound& back() const { return places_[order_.back()]; }

  // A round at the end, with the memory of an earlier one and what that held.
  CombinerRound& open() {
    if (free_.empty()) {
      free_.push_back(places_.size());
      places_.emplace_back();
    }
    order_.push_back(free_.back());
    free_.pop_back();
    return places_[order_.back()];
  }
  // What it held can be read until the next open().
  void pop_front() {
    free_.push_back(order_.front());
    order_.pop_front();
  }

 private:
  std::deque<CombinerRound> places_;
  std::deque<std::size_t> order_;  // of places_
  std::vector<std::size_t> free_;  // places that are in no use
};

}  // namespace hannan::detail
