// Passes over the log: how amounts are written, then (only where names or cap are not stated) who occurs in how many
// auctions and the quantile of amounts, then the auctions themselves. Slots are places in names_: [0, size - pool_) are
// named, the last pool_ are those of the rest; slot_of() gives size - pool_, the first of the rest, for a name without
// a slot, which is size itself, no slot, where nothing is pooled.
#include "hannan/bidlog/auctions.hpp"

#include <algorithm>
#include <numeric>

#include "hannan/bidlog/bid_quantile.hpp"
#include "hannan/bidlog/list.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// What slots are named by: the item where the problem prices items, else the bidder, its segment, or one name for all.
const std::string& key_of(const LogBid& bid, const LogPlan& plan) {
  if (plan.shape == LogShape::kPrices || plan.shape == LogShape::kBuyers || plan.shape == LogShape::kPosted)
    return bid.item;
  static const std::string kAll = kAllBidders;
  if (plan.slots == Slots::kAll) return kAll;
  return plan.slots == Slots::kSegment ? bid.segment : bid.who;
}

std::vector<std::string> column_names(const LogPlan& plan) {
  std::vector<std::string> names;
  for (const ContextColumn& column : plan.columns.by) {
    if (column.use == ContextColumn::Use::kSegment) names.push_back(column.text);
  }
  return names;
}

}  // namespace

// Whether what an auction brought follows from its bids.
static bool says_money(LogShape shape) {
  return shape != LogShape::kPrices && shape != LogShape::kBuyers && shape != LogShape::kValuations &&
         shape != LogShape::kAmount;
}

// Whether a pass over the whole log is needed before the first auction; a log from a pipe, which cannot be read twice,
// is refused by the caller where this holds.
bool looks_ahead(const LogPlan& plan) {
  return !plan.cap || (by_name(plan.slots) && plan.names.empty()) ||
         (plan.shape == LogShape::kBuyers && plan.buyers == 0);
}

LogAuctions::LogAuctions(Opener open, std::string name, LogPlan plan)
    : open_(std::move(open)),
      name_(std::move(name)),
      plan_(std::move(plan)),
      cap_(plan_.cap.value_or(0)),
      names_(plan_.names),
      segments_(column_names(plan_)) {
  if (!by_name(plan_.slots)) {
    for (std::size_t i = 1; i <= plan_.count; ++i) {
      names_.push_back((plan_.slots == Slots::kOrder ? "place " : kRankName) + std::to_string(i));
    }
  }
  look_at_amounts();
  // The rest of a ranking is below all that is in it.
  if (!names_.empty() && plan_.rest == Rest::kPool && plan_.slots != Slots::kRank) pool_ = plan_.rest_slots;
  if (looks_ahead(plan_)) look_ahead();
  // Names of the rest come behind and are not in the map, so that a bidder called "rest" is not taken for it.
  for (std::size_t i = 0; i < names_.size(); ++i) slot_of_.emplace(names_[i], i);
  for (std::size_t k = 1; k <= pool_; ++k) names_.push_back(pool_ == 1 ? "rest" : "rest " + std::to_string(k));
  counts_.filled.assign(names_.size(), 0);
  tally_.severity = plan_.severity;
  if (says_money(plan_.shape)) {
    money_.emplace(LoggedMoney::Terms{
        .units = plan_.units,
        .payment = plan_.payment,
        .direction = plan_.direction,
        .top_hidden = plan_.top_hidden,
        .ranks = plan_.slots == Slots::kRank && names_.size() > 1,
        .won = !plan_.columns.won.empty(),
        .rounds = plan_.columns.choice.empty() ? PostedDemand::Rounds::kOffers : PostedDemand::Rounds::kChoice,
        .unreadable = plan_.columns.written->hidden_money()});
    money_->watch(tally_.payment_columns);
    money_->name_goods(names_);
  }
  rounds_.emplace(read_rounds(tally_));
}

// Under kStrict the first cell that cannot be read is refused where it is read.
void LogAuctions::look_at_amounts() {
  LogColumns& columns = plan_.columns;
  if (columns.written) return;
  LogTally unused;
  columns.written = observe_log({.bytes = open_(), .name = name_, .columns = columns, .tally = unused});
  if (columns.unreadable == LogColumns::Unreadable::kRefuse && plan_.severity != Severity::kStrict)
    columns.written->refuse_unreadable();
  const bool rows_say = !columns.currency_column.empty() && columns.currency_column != "none";
  if (columns.currency.empty() && columns.format != LogFormat::kOpenRtb && !rows_say)
    columns.currency = columns.written->currency;
  for (ContextColumn& column : columns.by) {
    column.decimal = columns.decimal ? *columns.decimal : columns.written->decimal_of(column.column);
    column.times = columns.written->times;
  }
}

LogRounds LogAuctions::read_rounds(LogTally& tally) {
  // Problems of items take a round as one outcome with a price for each item; the others have an auction for each item.
  const bool whole =
      plan_.shape != LogShape::kBids && plan_.shape != LogShape::kMoneyBids && plan_.shape != LogShape::kValuations;
  const bool each = plan_.payment >= Payment::kPayAsBid;
  const bool all = plan_.payment >= Payment::kPosted || plan_.shape == LogShape::kValuations;
  const bool signs = !plan_.columns.won.empty() || !plan_.columns.paid.empty();
  const Repeats best = plan_.direction == Direction::kReverse ? Repeats::kLowest : Repeats::kHighest;
  using Rows = LogRounds::Setting::Rows;
  auto rows = open_log({.bytes = open_(), .name = name_, .columns = plan_.columns, .tally = tally});
  return {std::move(rows),
          {.name = name_,
           .again = plan_.again,
           .split = whole ? Split::kWhole : Split::kByItem,
           .repeats = all ? Repeats::kAll : best,
           .tally = tally,
           .by = plan_.columns.by.size(),
           .rows = each    ? Rows::kPaidEach
                   : signs ? Rows::kKeep
                           : Rows::kForget}};
}

// The bids of the next auction, its top ones left out where the log does not show their true value.
bool LogAuctions::next_auction(LogRounds& rounds, std::vector<LogBid>& bids, LoggedMoney* money) {
  // Money of a round that is dropped is counted all the same: it is in the log, and the summary shows that the reading
  // hides it. The pass ahead has no `money`, and `continue` goes to the condition below.
  do {
    if (!rounds.next(bids)) return false;
    if (!money) continue;
    amounts_.clear();
    for (const LogBid& bid : bids) amounts_.push_back(bid.bid);
    money->begin(amounts_, rounds.facts());
    money->note_round(rounds.round());
  } while (rounds.dropped());
  for (std::size_t i = 0; i < plan_.drop_top && !bids.empty(); ++i) {
    const auto lower = [](const LogBid& a, const LogBid& b) { return a.bid < b.bid; };
    bids.erase(std::max_element(bids.begin(), bids.end(), lower));
    ++counts_.tops_dropped;
  }
  return true;
}

// One pass with its own tally, which is thrown away: the pass proper counts the same rows again. Memory O(distinct
// names) and what BidQuantile keeps.
void LogAuctions::look_ahead() {
  LogTally tally{.severity = plan_.severity};
  LogRounds rounds = read_rounds(tally);
  std::unordered_map<std::string, Count> counts;
  BidQuantile quantile;
  std::vector<LogBid> bids;
  const bool counting = by_name(plan_.slots) && plan_.names.empty();
  const bool buyers = plan_.shape == LogShape::kBuyers && plan_.buyers == 0;
  std::size_t most_buyers = 1;
  // `last` is the number of the auction in which a name was counted last, so that two bids of one name in one auction
  // count once; numbers begin with 1, as 0 is what a new name has.
  for (std::uint64_t auction = 1; next_auction(rounds, bids, nullptr);) {
    if (bids.size() < plan_.least) continue;
    if (buyers) most_buyers = std::max(most_buyers, by_owner(bids).size());
    if (!plan_.cap && plan_.shape == LogShape::kBids) {
      for (const LogBid& bid : bids) quantile.add(bid.bid);
    } else if (!plan_.cap) {
      for (const double amount : amounts_of(bids, plan_)) quantile.add(amount);
    }
    for (std::size_t i = 0; i < (counting ? bids.size() : 0); ++i) {
      Count& count = counts[key_of(bids[i], plan_)];
      if (count.last != auction) ++count.auctions;
      count.last = auction;
      if (counts.size() > kMostNames) {
        throw Error(Code::kTooLarge,
                    "found more than " + std::to_string(kMostNames) +
                        " names, expected fewer; name those that matter with --names, or say --slots rank",
                    name_);
      }
    }
    ++auction;
  }
  counts_.tops_dropped = 0;
  if (buyers) plan_.buyers = most_buyers;
  if (counting) choose_names(counts);
  if (plan_.cap) return;
  cap_ = quantile.at(plan_.quantile);
  // With nothing to divide by, the second pass finds the reasons and reports them.
  if (cap_ == 0) cap_ = 1;
}

// By number of auctions, then by name, so that the choice does not depend on the order of a hash map.
void LogAuctions::choose_names(const std::unordered_map<std::string, Count>& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& [name, count] : counts) all.emplace_back(count.auctions, name);
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  distinct_ = all.size();
  if (plan_.rest == Rest::kPool && all.size() > plan_.count) pool_ = plan_.rest_slots;
  all.resize(std::min(all.size(), plan_.count));
  for (auto& [count, name] : all) names_.push_back(std::move(name));
}

// auctions_ = kept_ + empty_ + few_ at the end; a log without one usable auction is an error and not an empty result.
bool LogAuctions::next(std::vector<LogBid>& bids) {
  while (next_auction(*rounds_, bids, money())) {
    ++auctions_;
    if (bids.size() >= plan_.least) {
      ++kept_;
      if (!segments_.empty()) segments_.add(context().values);
      return true;
    }
    ++(bids.empty() ? empty_ : few_);
  }
  if (kept_ == 0) refuse_emptiness();
  return false;
}

void LogAuctions::refuse_emptiness() const {
  std::string why;
  for (std::size_t i = 0; i < kDrops; ++i) {
    if (tally_.dropped[i] > 0)
      why += ", " + std::to_string(tally_.dropped[i]) + " " + std::string(fact_of(static_cast<Drop>(i)).about) +
             " (first at " + tally_.first_at[i] + ")";
  }
  if (empty_ + few_ > 0) why += ", " + std::to_string(empty_ + few_) + " auctions with too few bids";
  throw Error(Code::kEmpty,
              "found no auction to use, expected at least one: of " + std::to_string(tally_.rows) + " rows" +
                  (why.empty() ? " none is a bid" : why.substr(1)),
              name_);
}

// A log that is read once has no first pass that counts cells: its share is of rows, and known only behind the last
// one.
double LogAuctions::read_once_share() const {
  return static_cast<double>(tally_.unreadable) / static_cast<double>(std::max<std::uint64_t>(tally_.rows, 1));
}

void LogAuctions::check_read_once() const {
  if (!plan_.columns.written->once || !(read_once_share() > WrittenLog::kMostUnreadable)) return;
  const auto place = static_cast<std::size_t>(Drop::kNotANumber);
  throw Error(Code::kUnreadable,
              "found " + std::to_string(tally_.unreadable) + " amounts that cannot be read in " +
                  std::to_string(tally_.rows) +
                  " rows, expected at most 1 %; correct them; --accept-hidden goes on, and then nothing is recommended",
              tally_.first_at[place].empty() ? name_ : tally_.first_at[place]);
}

std::size_t LogAuctions::slot_of(const LogBid& bid) const {
  const auto found = slot_of_.find(key_of(bid, plan_));
  return found == slot_of_.end() ? names_.size() - pool_ : found->second;
}

// The plan with everything found written into it: a second reading by it looks for nothing and has the same slots.
LogPlan LogAuctions::settled() const {
  LogPlan plan = plan_;
  plan.cap = cap_;
  if (by_name(plan_.slots)) {
    plan.names.assign(names_.begin(), names_.end() - static_cast<std::ptrdiff_t>(pool_));
    if (pool_ == 0 && plan_.shape != LogShape::kMoneyBids) plan.rest = Rest::kDrop;
  }
  return plan;
}

Json LogAuctions::summary() const {
  Json slots = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    slots.push_back(
        Json::object({{"name", names_[i]}, {"auctions", counts_.filled[i]}, {"pooled", i + pool_ >= names_.size()}}));
  }
  Json json = Json::object({{"log", name_}});
  if (money_) json.set("as_logged", money_->as_logged()).set("hidden", money_->hidden_json());
  Json unreadable = plan_.columns.written->json();
  if (plan_.columns.written->once)
    unreadable.set("cells", tally_.unreadable).set("of", tally_.rows).set("share", read_once_share());
  json.set("unreadable", std::move(unreadable));
  json.set("cap", cap_).set("largest_bid", counts_.largest);
  if (!plan_.cap) json.set("cap_quantile", plan_.quantile);
  const std::string& currency = plan_.columns.currency.empty() ? tally_.currency : plan_.columns.currency;
  if (!currency.empty()) json.set("currency", currency);
  if (!plan_.columns.time.empty()) json.set("zone", zone_text(plan_.columns.times.zone.value_or(0)));
  json.set("slots", std::move(slots));
  Json rows = Json::object({{"read", tally_.rows},
                            {"used", tally_.used},
                            {"dropped", tally_.dropped_json()},
                            {"superseded", tally_.superseded},
                            {"duplicates", tally_.duplicates},
                            {"not_utf8", tally_.not_utf8},
                            {"backwards_in_time", tally_.backwards},
                            {"cut_short", tally_.cut_short}});
  if (!plan_.columns.by.empty())
    rows.set("context_differs", tally_.context_differs).set("context_not_a_number", tally_.context_not_a_number);
  if (!plan_.columns.opening.empty() || !plan_.columns.paid.empty())
    rows.set("baseline_differs", tally_.baseline_differs).set("baseline_not_a_number", tally_.baseline_not_a_number);
  json.set("rows", std::move(rows));
  if (!segments_.empty()) json.set("segments", segments_.json());
  json.set("auctions", Json::object({{"read", auctions_}, {"used", kept_}, {"empty", empty_}, {"few_bidders", few_}}));
  json.set("bids", Json::object({{"in_slots", counts_.in_slots},
                                 {"clipped", counts_.clipped},
                                 {"pooled", counts_.pooled},
                                 {"left_out", counts_.left_out},
                                 {"tops_dropped", counts_.tops_dropped},
                                 {"seconds_hidden", counts_.seconds_hidden},
                                 {"beyond_units", counts_.beyond_units}}));
  if (distinct_ > 0) json.set("bidders", distinct_);
  return json;
}

// What a cap scales: of valuations and bundles the worth to one owner in all, of prices to beat the bids of others,
// else every bid.
std::vector<double> amounts_of(const std::vector<LogBid>& bids, const LogPlan& plan) {
  std::vector<double> amounts;
  if (plan.shape == LogShape::kValuations || (plan.shape == LogShape::kBuyers && plan.demand == Demand::kBundle)) {
    for (auto& own : by_owner(bids)) {
      const auto sum = [](double total, const LogBid& bid) { return total + bid.bid; };
      amounts.push_back(plan.shape == LogShape::kValuations
                            ? DemandCurve(std::move(own)).worth(static_cast<double>(plan.units) * plan.lot)
                            : std::accumulate(own.begin(), own.end(), 0.0, sum));
    }
    return amounts;
  }
  for (const LogBid& bid : bids) {
    if (plan.shape != LogShape::kPrices || plan.me.empty() || bid.who != plan.me) amounts.push_back(bid.bid);
  }
  return amounts;
}

// In order of first appearance. A bid without a name is an owner of its own.
std::vector<std::vector<LogBid>> by_owner(const std::vector<LogBid>& bids) {
  std::vector<std::vector<LogBid>> owners;
  std::unordered_map<std::string, std::size_t> places;
  for (const LogBid& bid : bids) {
    const std::size_t place = bid.who.empty() ? owners.size() : places.emplace(bid.who, owners.size()).first->second;
    if (place == owners.size()) owners.emplace_back();
    owners[place].push_back(bid);
  }
  return owners;
}

}  // namespace hannan::detail
