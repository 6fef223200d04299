// The auctions of a bid log, one after another, with what the log says about all of them: who gets a slot,
// and what bid becomes 1.
//
// Slots are named in a first pass over the log, unless names are given: the n names that occur in most
// auctions, most frequent first, equally frequent ones by name. A name is a bidder, a segment or an item,
// as the shape of the outcomes has it. The scale is the cap: stated, or a quantile (bid_quantile.hpp) of the
// amounts that are divided by it.
//
// Before all else one pass finds how amounts are written (written_log.hpp), but for a log that is read once. Then there
// is one pass over the log where names and cap are stated, two otherwise. Memory does not grow with rows; it
// grows with rounds (16 to 32 bytes each) and with names (first pass).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/bidlog/rounds.hpp"
#include "hannan/bidlog/row.hpp"
#include "hannan/contexts/segment_counts.hpp"
#include "hannan/game/log_use.hpp"

namespace hannan::detail {

enum class Slots { kIdentity, kSegment, kOrder, kRank, kAll };
// Slots that bids belong to by a name, not by their place.
inline bool by_name(Slots slots) { return slots != Slots::kOrder && slots != Slots::kRank; }
inline constexpr const char* kRankName = "rank ";          // before the number of a slot of kRank
inline constexpr const char* kAllBidders = "all bidders";  // the only slot of kAll
enum class Rest { kPool, kDrop };
enum class Demand { kBundle, kOneItem };

struct LogPlan {
  LogColumns columns;
  Severity severity = Severity::kCount;
  Again again = Again::kRefuse;
  LogShape shape = LogShape::kBids;
  Slots slots = Slots::kIdentity;
  std::size_t count = 4;           // n
  std::vector<std::string> names;  // these slots and no others
  Rest rest = Rest::kPool;
  std::size_t rest_slots = 1;       // k; 0 for bids in money: the rest needs no slot
  std::size_t drop_top = 0;         // leave out so many highest bidders of every auction (censored logs)
  std::size_t least = 1;            // auctions with fewer bidders are dropped
  std::optional<double> cap;        // in money
  double quantile = 1;              // where there is no cap
  std::string me;                   // prices: whose bids are not those of others
  Demand demand = Demand::kBundle;  // buyers
  std::size_t buyers = 0;           // at most so many a round; 0: the log says
  std::uint64_t units = 1;          // valuations: h; bids: s
  double lot = 1;                   // units of the log that are one of ours
  Payment payment = Payment::kUnsaid;
  Direction direction = Direction::kForward;
  bool top_hidden = false;  // of the winner's bid the log shows only what was paid
};

// Is a first pass needed? Then the log cannot be a pipe.
bool looks_ahead(const LogPlan& plan);

// What became of the bids; the code that makes outcomes counts here.
struct SlotCounts {
  std::uint64_t in_slots = 0, clipped = 0, pooled = 0, left_out = 0, tops_dropped = 0, seconds_hidden = 0,
                beyond_units = 0;
  double largest = 0;
  std::vector<std::uint64_t> filled;  // auctions in which a slot has something
};

class LogAuctions {
 public:
  // Opens the log anew for each pass.
  using Opener = std::function<std::unique_ptr<ByteSource>()>;
  // More names than these are not counted: kTooLarge.
  static constexpr std::size_t kMostNames = std::size_t{1} << 22;

  LogAuctions(Opener open, std::string name, LogPlan plan);

  // The bids of the next auction that is used; false at the end. Throws what reading throws, and kEmpty
  // at the end where no auction could be used.
  bool next(std::vector<LogBid>& bids);
  const AuctionFacts& facts() const { return rounds_->facts(); }  // of that auction
  const std::string& time() const { return rounds_->time(); }     // likewise
  // Of that auction, where the plan has columns for it.
  const LogContext& context() const { return rounds_->context(); }

  const std::string& name() const { return name_; }
  const LogPlan& plan() const { return plan_; }
  double cap() const { return cap_; }
  const std::vector<std::string>& slots() const { return names_; }  // pooled ones last
  std::size_t pooled() const { return pool_; }                      // so many of them
  // The slot that a bid belongs to by its name; slots().size() - pooled() where that is the rest.
  std::size_t slot_of(const LogBid& bid) const;
  const LogTally& tally() const { return tally_; }
  SlotCounts& counts() { return counts_; }
  // Of bids; null for other shapes. The code that makes outcomes reports what is left of an auction's bids.
  LoggedMoney* money() { return money_ ? &*money_ : nullptr; }
  const LoggedMoney* money() const { return money_ ? &*money_ : nullptr; }
  // Throws kUnreadable where more cells than WrittenLog::kMostUnreadable of a log that is read once could not be read;
  // of others that is known before.
  void check_read_once() const;
  // The same plan, with what the first pass found written into it.
  LogPlan settled() const;
  // Where the outcomes come from: what was read, used and dropped, slots and scale. Complete at the end of the log.
  Json summary() const;

 private:
  struct Count {
    std::uint64_t auctions = 0, last = 0;  // the last auction in which it was counted, from 1
  };
  LogRounds read_rounds(LogTally& tally);
  bool next_auction(LogRounds& rounds, std::vector<LogBid>& bids, LoggedMoney* money);
  void look_at_amounts();
  double read_once_share() const;  // of cells that could not be read, of a log that is read once
  void look_ahead();
  void choose_names(const std::unordered_map<std::string, Count>& counts);
  [[noreturn]] void refuse_emptiness() const;

  Opener open_;
  std::string name_;
  LogPlan plan_;
  double cap_ = 1;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> slot_of_;
  std::uint64_t distinct_ = 0;  // names, where counted
  std::size_t pool_ = 0;
  LogTally tally_;
  std::optional<LogRounds> rounds_;
  SlotCounts counts_;
  std::optional<LoggedMoney> money_;
  std::vector<double> amounts_;  // of the auction at hand, for money_
  SegmentCounts segments_;
  std::uint64_t auctions_ = 0, kept_ = 0, empty_ = 0, few_ = 0;
};

// The amounts of one auction that the cap divides, in the order of their owners: bids as they are, what a single-minded
// buyer would pay for its bundle, or the value of all units to a bidder.
std::vector<double> amounts_of(const std::vector<LogBid>& bids, const LogPlan& plan);

// Bids by their owner in order of first appearance; each bid without an owner is a group of its own.
std::vector<std::vector<LogBid>> by_owner(const std::vector<LogBid>& bids);

}  // namespace hannan::detail
