// A combined forecast computed a second time, from what the models said and what came alone: the verifier's own
// AdaHedge over regrets, its own losses, members and certificates (docs/forecasts.md, docs/theory-forecasts.md).
//
// Written from the formulas and not from hannan/forecasts, with the exponentials of the C library: every number agrees
// with the record up to rounding. Everything is kept; cost O(rows K).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hannan::detail {

struct ReplaySetting {
  std::vector<std::string> models, columns, members, by;  // members: "mean", ..., "mixture by C", or a column
  std::string loss;                                       // "pinball" has the level beside it
  double level = 0.5, clip = 0.001;
  std::uint64_t lag = 1, patience = 100;
  bool told_by_lines = false;  // actuals are told by come() and not by the lag
  std::size_t today = 0;       // place of the column in use; where a member is called today
};

struct ReplayRow {
  std::vector<double> x;  // NaN: not delivered
  double y = 0;           // NaN: not known
  double weight = 1;
  bool never = false;  // known not to come
  std::vector<std::string> by;
  // Computed:
  std::vector<double> c;
  double p = 0, reach = 0;
  bool empty = false;
  std::map<std::string, std::vector<double>> q;  // by hedge
};

struct ReplayHedge {
  std::vector<double> arrived, settled;  // R
  double delta = 0, size = 0, unit = 0, squares = 0;
};

struct ReplayedTurn {
  double rate = 0, before = 0, level = 0, range = 0;
  std::vector<double> r;
};

struct ReplayRound {
  std::uint64_t time = 0;
  std::vector<ReplayRow> rows;
  // Computed:
  std::vector<double> v, deltas;  // deltas of top, single, mixture at the forecast
  std::map<std::string, ReplayedTurn> turns;
  bool told = false, arrived = false;
  std::size_t place = 0;  // among all rounds
  double loss = 0;
  std::vector<double> member_loss;
};

class ForecastReplay {
 public:
  explicit ForecastReplay(ReplaySetting setting);

  // Fills what is computed of the round; rows have x, y, weight, by.
  void forecast(ReplayRound& round);
  // The actual of a row, NaN: it never comes; only where actuals are told by lines. False: the row does not wait for
  // one.
  bool come(std::uint64_t round, std::size_t row, double y);
  void finish();

  double value(double p, double y) const;
  double slope(double p, double y) const;
  bool counts(double y) const { return !(setting_.loss == "percentage" && y == 0); }
  bool linear() const {
    return setting_.loss == "absolute" || setting_.loss == "percentage" || setting_.loss == "pinball";
  }
  // The box of slopes of a linear loss.
  struct Box {
    double low, high;
  };
  Box box(double y) const;

  const ReplaySetting& setting() const { return setting_; }
  const std::map<std::string, ReplayHedge>& hedges() const { return hedges_; }
  const std::vector<ReplayRound*>& rounds() const { return rounds_; }
  double closed(const std::string& hedge) const;

  double total = 0;
  std::vector<double> member_totals;
  std::uint64_t counted = 0, delay = 0;

 private:
  ReplayHedge& hedge(const std::string& name, std::size_t size);
  double rate(const ReplayHedge& of) const;
  std::vector<double> weights(const ReplayHedge& of, const std::vector<double>& x) const;
  void tell(ReplayRound& round);
  void close(ReplayRound& round);
  void arrive(ReplayRound& round);
  void settle();
  void add_row(ReplayRound& round, const ReplayRow& row);
  std::string hedge_of(std::size_t member, const ReplayRow& row) const;

  ReplaySetting setting_;
  std::map<std::string, ReplayHedge> hedges_;
  std::vector<ReplayRound*> rounds_;
  std::size_t first_open_ = 0;  // rounds before it have settled
  std::size_t next_told_ = 0;   // rounds before it have been told
};

}  // namespace hannan::detail
