// A table of forecasts played in order of time: what is published for every row, by one combiner for each horizon and
// each level.
//
// Before a round is forecast, actuals of rounds at least `lag` (or its horizon) earlier are told. An empty actual above
// the last one that is given never comes and is told as such at its lag; below it rows are the future and stay open.
// Where a table says in which order its actuals came (ForecastTable::told), they are told in that order instead.
// A run can be saved and goes on with further rows, as if it had never stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/forecasts/baselines.hpp"
#include "hannan/forecasts/combiner.hpp"
#include "hannan/forecasts/table.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

inline constexpr std::size_t kEarlierRow = static_cast<std::size_t>(-1);

struct ForecastTerms {
  ForecastLoss loss{};
  std::uint64_t lag = 1, patience = 0;  // patience 0: 100, or lag if that is more
  std::vector<std::string> members;     // empty: the default ones
  std::string today;                    // the column in use; empty: none
};

// One combiner with the rows of its horizon and level.
struct ForecastStream {
  std::uint64_t horizon = 0;  // 0: as the run's lag has it
  std::size_t level = 0;
  std::unique_ptr<Combiner> combiner;
  // Rounds of the table that were forecast and not told yet, in order.
  struct Waiting {
    std::uint64_t id;                  // of the combiner
    std::uint64_t time;                // its place among all rounds of the run, from 0
    std::vector<std::string> keys;     // of its rows, where they are of earlier tables
    std::vector<double> y;             // NaN: not known
    std::vector<unsigned char> never;  // 1: known not to come
    std::vector<std::size_t> rows;     // of the table; of earlier tables: kEarlierRow
  };
  std::vector<Waiting> waiting, spare;  // spare: their memory is used again
  std::size_t told = 0;                 // how many of them have been told
  std::vector<std::string> record;      // a line for each round, where they are recorded
};

class ForecastRun {
 public:
  ForecastRun(const ForecastTable& table, const ForecastTerms& terms);
  // Goes on from a saved state: kBadState where models, members or loss are others.
  ForecastRun(const ForecastTable& table, const ForecastTerms& terms, const Json& state);

  // Every round is kept as a line of a record from here on (compare/forecast_record.hpp).
  void record_rounds() { recording_ = Recording::kRounds; }
  // The same behind lines of earlier tables, for each stream; actuals are lines of their own.
  void record_lines(std::vector<std::vector<std::string>> earlier);
  bool recorded_as_lines() const { return recording_ == Recording::kLines; }

  enum class Weights { kSome, kAll };
  // Plays the table; weights of every round are kept, or of some 400.
  void play(Weights weights);
  // Saved before the last actuals are told, as a run that goes on needs it.
  Json state() const;
  // Tells all that is known and closes what is open: everything reported is of the whole table then.
  void finish();

  const ForecastTable& table() const { return table_; }
  const CombinerPlan& plan() const { return streams_.front().combiner->plan(); }
  const std::vector<ForecastStream>& streams() const { return streams_; }

  // depth() numbers a row, sorted where they are quantiles; NaN: no model delivered.
  std::vector<double> published;
  std::vector<double> members;          // m for each of them
  std::vector<double> baselines;        // trimmed, last best, inverse error for each of them
  std::vector<unsigned char> forecast;  // rows: 1 where there is a forecast; 0 where an earlier table had the row
  struct RoundWeights {
    std::size_t round;
    std::vector<double> total;  // models, further columns, the median: the mean over its rows and levels; sums to 1
  };
  std::vector<RoundWeights> weights;
  std::uint64_t crossed = 0;       // rows whose quantiles had to be sorted
  std::uint64_t clipped = 0;       // probabilities that were brought into [clip, 1 - clip]
  std::uint64_t known_before = 0;  // rows of an earlier table, with or without a new actual
  std::uint64_t too_late = 0;

 private:
  void make_streams();
  void play_stream(ForecastStream& stream, std::vector<std::size_t>& rows);
  void tell_until(ForecastStream& stream, std::uint64_t limit);
  void tell(ForecastStream& stream, ForecastStream::Waiting& round);
  void tell_row(ForecastStream& stream, ForecastStream::Waiting& round, std::size_t i);
  void tell_in_order(ForecastStream& stream, std::size_t round);
  void take_known(ForecastStream& stream, std::size_t row);
  void place_rounds();
  void record_round(ForecastStream& stream, const CombinerRound& made, const ForecastStream::Waiting& wait) const;
  ForecastStream make_stream(std::uint64_t horizon, std::size_t level) const;
  std::uint64_t lag_of(const ForecastStream& stream) const { return stream.horizon ? stream.horizon : terms_.lag; }

  const ForecastTable& table_;
  ForecastTerms terms_;
  std::vector<ForecastStream> streams_;
  std::uint64_t times_before_ = 0;   // rounds of earlier tables
  std::optional<double> last_time_;  // of the last of them
  std::vector<std::uint64_t> time_;  // of a round of the table: its place among all; kEarlierRound: it has one already
  std::size_t last_given_ = 0;       // round of the last row that has an actual, plus 1
  std::vector<std::size_t> kept_;    // place of a round in `weights`, plus 1
  std::vector<double> kept_counts_;
  std::vector<ForecastBaselines> baselines_;
  std::size_t next_told_ = 0;  // of table_.told, in the stream that is played
  enum class Recording { kNot, kRounds, kLines } recording_ = Recording::kNot;
};

// The keys of a row as one text, by which another table names it.
std::string key_of(const ForecastTable& table, std::size_t row);
CombinerPlan plan_of(const ForecastTable& table, const ForecastTerms& terms);

}  // namespace hannan::detail
