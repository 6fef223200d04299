// A log round by round: the rows of a round are consecutive.
//
// A round is one auction for each of its items, or one as a whole; a bidder keeps its highest bid on an
// item, or all of them where each is for further units.
//
// A log is read once from front to end, so a round ends where the next one begins. One that comes again
// later would be two half rounds: that is refused, or dropped, or taken as another round, as asked. To
// notice, 64 bits of every round's name are kept: 16 to 32 bytes of memory a round, nothing else grows. (Among
// 10^7 rounds two names agree in these bits with chance 3e-6.)
//
// All rows of an auction have one context, where contexts are asked for: the first that a row says counts, and rows
// that say another are counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hannan/bidlog/auction_facts.hpp"
#include "hannan/bidlog/row.hpp"

namespace hannan::detail {

struct LogBid {
  std::string item;
  std::string who;
  std::string segment;
  double bid = 0;
  double quantity = 1;
  double won = 0;    // units, where the log says it
  double value = 0;  // likewise
};

// Of an auction: a value for each column, and the cells that they were made of. Values "" where no row says it.
struct LogContext {
  std::vector<std::string> values, cells;
};

enum class Again { kRefuse, kDrop, kNew };
enum class Split { kByItem, kWhole };            // what an auction is
enum class Repeats { kHighest, kLowest, kAll };  // bids of one bidder on one item

// A set of 64-bit fingerprints, open addressing, at most half full.
class SeenRounds {
 public:
  // Whether it is new.
  bool add(std::string_view name);

 private:
  void grow();
  bool place(std::uint64_t print);
  std::vector<std::uint64_t> slots_;  // 0: free
  std::size_t used_ = 0;
};

class LogRounds {
 public:
  // Rows of one round, and so the memory it takes; beyond is kTooLarge.
  static constexpr std::size_t kMostRows = std::size_t{1} << 20;

  struct Setting {
    std::string name;  // of the log, for messages
    Again again;
    Split split;
    Repeats repeats;
    LogTally& tally;
    std::size_t by = 0;                                                  // columns of the context
    enum class Rows { kForget, kKeep, kPaidEach } rows = Rows::kForget;  // of the facts; each may say what it paid
  };
  LogRounds(std::unique_ptr<LogRows> rows, Setting setting);

  // The bids of the next auction in order of each bidder's first appearance; none at all where a round
  // brought no bid. False at the end.
  bool next(std::vector<LogBid>& bids);
  const LogContext& context() const { return context_; }  // of that auction
  const AuctionFacts& facts() const { return facts_; }    // likewise
  const std::string& round() const { return round_; }     // its name
  // When its round began, as the first row that says it writes it; empty: not known.
  const std::string& time() const { return time_; }
  // Whether it belongs to a round that came before and is dropped: it is there for the money in it alone.
  bool dropped() const { return dropped_; }

 private:
  bool read_round();
  void take(const LogRow& row);
  void take_context(const LogRow& row);
  void take_facts(const LogRow& row);
  void keep_best();
  std::uint64_t repeated_bids(const std::vector<std::size_t>& order) const;
  void split_by_item();

  std::unique_ptr<LogRows> rows_;
  std::string name_;
  Again again_;
  Split split_;
  Repeats repeats_;
  LogTally& tally_;
  LogRow row_;
  bool pending_ = false;  // row_ belongs to the next round
  bool done_ = false;
  SeenRounds seen_;
  std::string round_, time_;
  std::vector<LogBid> raw_;  // of the round at hand, as they came
  std::vector<std::vector<LogBid>> auctions_;
  std::size_t at_ = 0;
  std::size_t by_;
  Setting::Rows keep_rows_;
  std::unordered_map<std::string, LogContext> contexts_;  // of the round at hand, by item; "" is the round's own
  LogContext context_;
  std::unordered_map<std::string, AuctionFacts> all_facts_;  // of the round at hand, by item; "" is the round's own
  AuctionFacts facts_;
  bool dropped_ = false;
};

}  // namespace hannan::detail
