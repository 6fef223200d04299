// A bid log as a table of bids in [0,1]: one auction a row, one slot a column.
//
// Slots, n of them, and one more (or k) for the rest where it is pooled:
//   identity  the n bidders (or segments) that bid in most auctions, most frequent first, equally
//             frequent ones by name; or those named. The rest shares one slot, by its highest bid.
//   order     the n that bid first in the auction. The rest shares one slot.
// Two bids that share a slot are one, so the price that the lower of them would have set is lost, and a
// replay earns less without a reserve than the log did. Auctions in which that happens to the second
// highest bid are counted; with two slots for the rest (its highest bids) it does not happen.
//   rank      the n highest bids, from the highest on. The rest is left out: it is below them all.
// An absent bidder bids 0, which reaches no reserve.
//
// Scale: bids are divided by the cap, which is stated or a quantile (log_scale.hpp) of the bids used;
// higher ones are clipped to 1 and counted.
//
// One pass over the log for stated names and a stated cap, two otherwise. Memory does not grow with
// rows; it grows with rounds (16 to 32 bytes each) and with bidders (first pass of identity).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/io/log_round.hpp"
#include "hannan/io/log_row.hpp"
#include "hannan/io/table.hpp"

namespace hannan {

enum class Slots { kIdentity, kOrder, kRank };
enum class Rest { kPool, kDrop };

struct LogPlan {
  LogColumns columns;
  Severity severity = Severity::kCount;
  Again again = Again::kRefuse;
  Slots slots = Slots::kIdentity;
  std::size_t count = 4;            // n
  std::vector<std::string> names;   // identity: these and no others
  Rest rest = Rest::kPool;
  std::size_t rest_slots = 1;       // k
  std::size_t drop_top = 0;         // leave out so many highest bidders of every auction (censored logs)
  std::size_t least = 1;            // auctions with fewer bidders are dropped
  std::optional<double> cap;        // in money
  double quantile = 1;              // where there is no cap
};

class LogTable final : public Table {
 public:
  // Opens the log anew for each pass.
  using Opener = std::function<std::unique_ptr<ByteSource>()>;
  // More bidders than these are not counted: kTooLarge.
  static constexpr std::size_t kMostBidders = std::size_t{1} << 22;

  // Throws what reading throws, and kEmpty where no row of the log could be used.
  LogTable(Opener open, std::string name, LogPlan plan);

  bool next(std::vector<double>& row) override;
  std::size_t columns() const override { return names_.size(); }
  const std::vector<std::string>& names() const override { return names_; }  // of the slots
  std::string where(std::size_t) const override { return name_ + ": row " + std::to_string(tally_.rows); }

  double cap() const { return cap_; }
  const LogTally& tally() const { return tally_; }
  // Everything a reader of the table wants to know of where it came from; complete at its end.
  Json summary() const;

 private:
  bool next_auction(LogRounds& rounds);
  bool enough();
  void look_ahead();
  void choose_names(const std::unordered_map<std::string, std::uint64_t>& counts);
  LogRounds read_rounds(LogTally& tally);
  void into_slots(std::vector<double>& row);
  void put(std::vector<double>& row, std::size_t slot, double bid);
  bool hides_second(const std::vector<double>& row) const;

  Opener open_;
  std::string name_;
  LogPlan plan_;
  double cap_ = 1;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> slot_of_;  // identity
  std::uint64_t bidders_ = 0;                             // distinct ones, where counted
  std::size_t pool_ = 0;                                  // so many last slots are the rest's
  LogTally tally_;
  std::optional<LogRounds> rounds_;
  std::vector<LogBid> bids_;  // of the auction at hand
  std::vector<double> others_;  // bids of the rest in it
  // Of the second pass.
  std::uint64_t auctions_ = 0, kept_ = 0, empty_ = 0, few_ = 0;
  std::uint64_t clipped_ = 0, pooled_ = 0, left_out_ = 0, tops_ = 0, slotted_ = 0, hidden_ = 0;
  double largest_ = 0;
  std::vector<std::uint64_t> filled_;  // auctions in which a slot bid
};

}  // namespace hannan
