// What the auctions of a log brought ("as logged"), and how much of their money the way it is read hides
// (docs/logs.md).
//
// The rule is that of an auction without a reserve, for s units and the highest bid of each bidder
// (problems/unreserved_auction.hpp): sold * max(highest losing bid, opening bid o). Without an opening bid o is 0.
//
// Reading a log takes steps in this order, each of which can only lower bids:
//   dropped   rounds, bidders and bids that are not used, other than those that --where leaves out
//   pooled    bids that share a slot: the highest of them is left
//   clipped   bids above the cap
// paid_j is the sum of the rule without an opening bid after step j, tops_j that of the s highest bids. The share of a
// step is (paid_{j-1} - paid_j)/paid_0, and the same of tops; each is at least 0, because s times the (s+1)-th highest
// bid never grows where bids are lowered. hidden is the larger of the two sums of shares. Cells that cannot be read
// come before all steps: they hide at most u, the largest amount of their column each, a share of u/(paid_0 + u) and
// u/(tops_0 + u).
//
// Reverse: the s lowest asks that are at most the outside price V win, and each is paid the lowest losing ask, or V; a
// unit that is not bought costs V. paid_j is s times the (s+1)-th lowest ask (V where there is none), tops_j the sum of
// the s lowest; shares are absolute values. A log that has no V has the highest ask of each auction in its place.
// Where winners pay their own bids what was paid is the baseline (auction_facts.hpp).
//
// Costs n log s for an auction of n bids.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/bidlog/auction_facts.hpp"
#include "hannan/bidlog/posted_offers.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

enum class ReadStage : std::uint8_t { kRaw, kDropped, kPooled, kClipped };
inline constexpr std::size_t kReadStages = 4;

class LoggedMoney {
 public:
  static constexpr double kWarnShare = 0.01, kStopShare = 0.1;
  static constexpr Code kHidden = Code::kHiddenMoney;

  struct Terms {
    std::uint64_t units = 1;
    Payment payment = Payment::kUnsaid;
    Direction direction = Direction::kForward;
    bool top_hidden = false;  // of the winner's bid the log shows only what was paid
    bool ranks = false;       // several slots go by rank
    bool won = false;         // the log names winners
    PostedDemand::Rounds rounds = PostedDemand::Rounds::kOffers;  // of posted prices
    double unreadable = 0;  // the most money that cells hide which cannot be read (written_log.hpp)
  };
  explicit LoggedMoney(Terms terms) : terms_(terms), units_(terms.units) {}

  // The next auction, with the highest bid of each of its bidders.
  void begin(std::span<const double> bids, const AuctionFacts& facts);
  // The columns that tell of winners or payments and that no flag names; they outlive this.
  void watch(const std::vector<std::string>& columns) { columns_ = &columns; }
  // The names of the goods of posted prices; they outlive this.
  void name_goods(const std::vector<std::string>& goods) { goods_ = &goods; }
  // The name of its round.
  void note_round(std::string_view name);
  // What is left of its bids after a step; to be said of every step, but for an auction that is dropped, of which
  // nothing is left.
  void after(ReadStage stage, std::span<const double> bids);

  // The same of posted prices: price times units sold of the rows that are used.
  void after_posted(double kept, std::span<const LoggedOffer> offers);

  double last() const { return last_; }             // as logged, of the auction at hand
  double last_second() const { return second_; }    // the same bids at the best losing one, of an auction paid as bid
  double last_outside() const { return outside_; }  // reverse
  double most_outside() const { return most_outside_; }
  double rule() const { return rule_.value(); }
  std::optional<double> paid() const;  // none where no auction says it
  double paid(ReadStage stage) const { return stages_[static_cast<std::size_t>(stage)].paid.value(); }
  double tops(ReadStage stage) const { return stages_[static_cast<std::size_t>(stage)].tops.value(); }
  double hidden() const;

  // rule (what was paid, where winners pay their bids), auctions, units; openings and without_opening; paid,
  // paid_auctions and rule_where_paid, where the log says them; payment, direction, second_price and alone, where they
  // are not those of a second-price sale; lower_bid_lost (purchases) or higher_bid_lost, where the log names winners;
  // largest {"round", "money"}, the auction that brought most; asks: what has to
  // be answered before anything is recommended.
  Json as_logged() const;
  // {"share", "action", "stages": [{"stage", "paid", "tops", "hidden_paid", "hidden_tops"}]}.
  Json hidden_json() const;

 private:
  struct Totals {
    Sum paid, tops;
  };
  void begin_posted(const AuctionFacts& facts);
  void begin_own(const AuctionFacts& facts);
  double hidden_paid(std::size_t stage) const;
  double hidden_tops(std::size_t stage) const;
  double unreadable_of(double money) const;  // the share that unreadable cells hide beside this money

  bool reverse() const { return terms_.direction == Direction::kReverse; }

  Terms terms_;
  std::uint64_t units_;
  LogSigns signs_;
  Sum seconds_;
  Sum worth_;  // of what was won, to the bidder whose log it is
  double units_won_ = 0;
  std::uint64_t unpriced_ = 0;  // of one bidder's log: rounds won without a word of what was paid
  double most_ = 0;             // posted prices: units of a round, a log of one bidder: value, at most
  double second_ = 0, outside_ = 0, most_outside_ = 0;
  std::uint64_t alone_ = 0, better_lost_ = 0;
  const std::vector<std::string>* columns_ = nullptr;
  const std::vector<std::string>* goods_ = nullptr;
  PostedDemand demand_;
  std::array<Totals, kReadStages> stages_;
  Sum rule_, paid_, rule_of_paid_;  // the last of the auctions that say what was paid
  std::uint64_t auctions_ = 0, paid_auctions_ = 0, openings_ = 0;
  double last_ = 0, largest_ = 0;
  std::string largest_round_;
  std::vector<double> sorted_;  // the s + 1 highest bids come first
};

// What has to be answered before anything is recommended, a line each: to be said before all else.
std::string questions_text(const Json& as_logged);
// "as logged: 77,278 USD in 149 auctions, ...": one line, and a second where what was paid differs by more than 0.1 %.
std::string as_logged_text(const Json& as_logged, const std::string& currency);
// The share of the auction that brought most, where that is a fifth of the money or more of at least 40 auctions: a
// slip in the data, as a rule. Otherwise 0.
double large_share(const Json& as_logged);
// The warning before all results where more than kWarnShare is hidden; otherwise empty.
std::string hidden_text(const Json& hidden);
// Throws kHidden where more than kStopShare is hidden; `at` is the log.
void refuse_hidden(const Json& hidden, const std::string& at);

}  // namespace hannan::detail
