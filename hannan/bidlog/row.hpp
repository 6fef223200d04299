// One bid of a log after another, whatever the log's format, and a count of every row that is not used.
//
// A log may hold anything: a row that cannot be used is dropped, counted under its
// reason, and the place of the first one of each reason is kept, so that a summary can say "3 rows
// without a bid, the first at log.csv:17". Under kStrict the first such row is an error instead. What
// makes the file as a whole unreadable (a missing column, an open quote, NUL bytes) is always an error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/bidlog/written_log.hpp"
#include "hannan/contexts/context_cells.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/time_column.hpp"

namespace hannan::detail {

// Views last until the next row is read.
struct LogRow {
  std::string_view round;
  std::string_view item;                  // what is sold; each item of a round is an auction of its own
  std::string_view who;                   // the bidder; empty: a bidder of its own
  std::string_view segment;               // where it is asked for
  std::optional<double> bid;              // none: the round took place, but this row brings no bid
  double quantity = 1;                    // units that the bid is for, each
  std::optional<double> demand;           // the same, where the log says it
  const ContextCells* context = nullptr;  // null: none is asked for, or this row does not say it
  std::optional<double> opening;          // the opening bid or reserve of its auction, where this row says it
  std::optional<double> paid;             // what its auction brought, or what it paid itself
  std::optional<double> won;              // units that it won, where the log says it
  std::optional<double> outside;          // reverse: what a unit costs that is not bought
  std::optional<double> value;            // one bidder's log: what it is worth to it
  std::string_view time;                  // when it was, as the log writes it; empty: not known
  std::string_view order;                 // the cell that rounds are sorted by, where that is asked for
  std::size_t line = 0;                   // of the file; 0: not said
};

// Why a row was not used.
enum class Drop : std::uint8_t {
  kColumns,
  kNoRound,
  kNoBidder,
  kNoBid,
  kNotANumber,
  kNotFinite,
  kNegative,
  kFiltered,
  kAgain,
  kNotJson,
  kNotOpenRtb,
  kCurrency,
  kNoItem,
  kNoSegment,
  kQuantity,
};
inline constexpr std::size_t kDrops = 15;

struct DropFact {
  std::string_view name;   // in the summary
  std::string_view about;  // for people, after a count of rows
  Code code;               // under kStrict
};
const DropFact& fact_of(Drop drop);

enum class Severity { kCount, kStrict };

// The counts of one pass over a log.
struct LogTally {
  Severity severity = Severity::kCount;
  std::uint64_t rows = 0;  // read: rows of CSV, cells of a wide row that hold something, bids of OpenRTB
  std::uint64_t used = 0;
  std::array<std::uint64_t, kDrops> dropped{};
  std::array<std::string, kDrops> first_at;  // where the first row of each reason stands
  std::uint64_t not_utf8 = 0;                // used, though a name is not UTF-8
  std::uint64_t backwards = 0;               // used, though its timestamp is before that of the row before
  std::uint64_t superseded = 0;              // a lower bid of one who bid more in the same round
  std::uint64_t duplicates = 0;              // a bid that the same bidder made before in the same round
  std::uint64_t context_differs = 0;         // used, though its context is not that of its auction
  std::uint64_t context_not_a_number = 0;    // likewise, though a cell of its context is no number, or no time
  std::uint64_t baseline_not_a_number = 0;   // likewise, though its opening bid or what was paid is no number from 0 up
  std::uint64_t baseline_differs = 0;        // likewise, though one of them is not that of its auction
  std::uint64_t unreadable = 0;              // cells of a log that is read once; others have WrittenLog
  bool no_header = false;                    // the first row is numbers like all others, and was taken as data
  bool cut_short = false;                    // the last line has no line end
  std::string currency;                      // OpenRTB: the one that is kept
  std::vector<std::string> payment_columns;  // that tell who won or what was paid, and that no flag names

  // A context of one more row; it may differ from that of its auction. Under kStrict that throws.
  void differs(const std::string& at, const std::string& found);
  // Throws under kStrict, except for rows the user asked to leave out.
  void drop(Drop reason, const std::string& at, const std::string& found);
  // The first of each reason alone is worth putting a place together.
  bool is_first(Drop reason) const {
    return severity == Severity::kStrict || dropped[static_cast<std::size_t>(reason)] == 0;
  }
  Json dropped_json() const;  // reason -> count, reasons that occurred
};

// Where two currencies meet and no rates are given.
inline constexpr Code kMixedCurrencies = Code::kTwoCurrencies;

class LogRows {
 public:
  virtual ~LogRows() = default;
  virtual bool next(LogRow& row) = 0;
};

enum class LogFormat { kLong, kWide, kOpenRtb };

// What to read. Columns by name, or by number from 1 where there is no header.
struct LogColumns {
  LogFormat format = LogFormat::kLong;
  enum class Header { kFound, kNames, kNone } header = Header::kFound;  // kFound: names unless all are numbers
  char separator = 0;                                                   // 0: taken from the first line
  std::string round = "round";                                          // "none": every row is a round of its own
  std::string who = "bidder";                                           // empty: every row is a bidder of its own
  std::string bid = "bid";
  std::string item;                  // empty: one auction a round
  std::string segment;               // empty: not looked at
  std::string quantity;              // empty: one unit a row
  std::string time;                  // empty: not looked at
  StatedTimes times;                 // what is stated of the times in these two columns
  std::string sort;                  // rounds are put in the order of this column; empty: as the log has them
  std::string opening;               // of the opening bid or reserve; OpenRTB: a path into the request; empty: none
  std::string paid;                  // of what the auction brought, or the row paid; empty: none
  std::string won;                   // of the units that the row won, or column=value of rows that won one; empty: none
  std::string outside;               // reverse: of what a unit costs that is not bought; empty: none
  double outside_factor = 1;         // so many times that
  std::string choice;                // wide, posted prices: of the name of what was bought; empty: none
  std::string value;                 // one bidder's log: of what winning is worth to it; empty: none
  double value_factor = 1;           // so many times that
  std::vector<ContextColumn> by;     // of the context; OpenRTB: dotted paths into the request
  std::vector<std::string> columns;  // wide: the bidders' columns; empty: all but the round's
  std::vector<std::pair<std::string, std::string>> where;  // only rows in which this column says this
  std::string currency;                                    // OpenRTB: others are dropped; empty: the first one found
  std::string currency_column;  // of the row's currency; empty: not looked at. Others than the first are refused,
  std::map<std::string, double, std::less<>> rates;  // unless these say what one of them is worth in `currency`
  std::optional<DecimalMark> decimal;                // of all amounts, as stated; none: each column says its own
  enum class Unreadable { kRefuse, kAccept } unreadable = Unreadable::kRefuse;  // beyond WrittenLog::kMostUnreadable
  std::optional<WrittenLog> written;                                            // none: not looked at yet
};

// A log to be read; columns and tally outlive the rows.
struct LogInput {
  std::unique_ptr<ByteSource> bytes;
  std::string name;
  const LogColumns& columns;
  LogTally& tally;
};

// Plain or gzipped.
std::unique_ptr<LogRows> open_log(LogInput input);

// How its amounts are written: reads all of it. Throws kTwoReadings, kTwoCurrencies, and what reading throws.
WrittenLog observe_log(LogInput input);

// Of one format each, over plain bytes; for open_log and observe_log.
std::unique_ptr<LogRows> long_rows(LogInput input);
std::unique_ptr<LogRows> wide_rows(LogInput input);
std::unique_ptr<LogRows> openrtb_rows(LogInput input);
void observe_long(LogInput input, LogObserver& observer);
void observe_wide(LogInput input, LogObserver& observer);
void observe_openrtb(LogInput input, LogObserver& observer);
// From a file of lines "EUR,1.08": what one EUR is worth. A line whose second cell is no number may come first.
std::map<std::string, double, std::less<>> read_rates(std::unique_ptr<ByteSource> bytes, const std::string& name);

}  // namespace hannan::detail
