// A bid log as the data of a problem, without a file in between: the outcomes are those that
// `hannan convert` would write, number for number.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "floors.hpp"
#include "hannan/bidlog/outcomes.hpp"
#include "hannan/streams/source.hpp"
#include "log_flags.hpp"

namespace hannan::detail::cli {

// What the parameters and the flags of a run say about its log.
LogRequest log_request(const ProblemFlags& flags, const Json& params, const std::string& path, const MoneyFlags& money);

// What becomes of the rounds at the beginning: learned from and not played (a rehearsal), or seen for prices alone.
enum class WarmRounds { kRehearsed, kPassedOver };

class LogData {
 public:
  // Reads ahead where names or scale are not stated. Throws kUnavailable for problems that a log has no outcomes for.
  LogData(const LogFlags& flags, LogRequest request);

  // The outcomes as rows of numbers, or as JSON: one of them, by the problem. Each from where the last call stopped.
  bool rows() const { return outcomes_->rows(); }
  const std::vector<std::string>& names() const { return log().slots(); }
  bool next(std::vector<double>& row) { return outcomes_->table().next(row); }
  bool next(Json& outcome) { return outcomes_->list().next(outcome); }
  const LogContext& context() const { return log().context(); }  // of the last one
  // Fills in what the log says of the problem (bidders, items, buyers); kUsage where that was said otherwise.
  void fill(Json& params) const { outcomes_->fill(params); }

  // Amounts that prices are quantiles of: bids in money in one list, posted prices in a list for each good.
  using Amounts = std::vector<std::vector<double>>;
  // Those of the first rounds, which are rehearsed or then passed over; 0: a tenth of all. Before the first open.
  // Throws kEmpty where there are not so many, kUnavailable where bids are not in money.
  Amounts warm_up(std::uint64_t rounds, WarmRounds use);
  bool gave_prices() const { return gave_prices_; }  // quantiles of the first rounds
  void set_gave_prices() { gave_prices_ = true; }
  std::uint64_t rehearsed() const { return warm_use_ == WarmRounds::kRehearsed ? warm_ : 0; }
  std::uint64_t not_played() const { return warm_use_ == WarmRounds::kPassedOver ? warm_ : 0; }
  // Those of all rounds, which are played all the same: prices from them are known only in hindsight.
  Amounts all_amounts() const;
  // The outcomes from their beginning, once more where they have been opened before. The problem outlives them.
  std::unique_ptr<Source> open(const AnyProblem& problem);
  // The same log and its first rounds, for readings apart from those of this one.
  std::shared_ptr<LogData> aside() const;
  LogFacts facts() const;
  Json summary() const { return outcomes_->summary(request_.problem); }  // of the first reading
  // Reads the whole log once, apart from all other readings: its summary.
  Json whole_summary() const;
  // What the auction of the last outcome brought, in the first reading; only of bids.
  bool knows_money() const { return log().money() != nullptr; }
  double last_logged() const { return log().money()->last(); }
  // When that auction was, as the log writes it; empty: not known.
  const std::string& last_time() const { return log().time(); }
  bool knows_times() const { return !plan_.columns.time.empty(); }
  // The same bids at the best losing one, where winners pay their own.
  double last_second() const { return log().money()->last_second(); }
  // Whether bidders share slots, and then all bids of each slot of that auction.
  bool shares_slots() const { return plan_.slots == Slots::kAll || plan_.slots == Slots::kSegment; }
  std::span<const std::vector<double>> last_slot_bids() const { return outcomes_->list().slot_bids(); }
  // Of posted prices: the offers of the same round.
  std::span<const LoggedOffer> last_offers() const { return outcomes_->list().offers(); }
  // Of posted prices: the outcome that earns most.
  const Json& last_most() const { return outcomes_->list().most(); }
  // Throws LoggedMoney::kHidden where more than a tenth of the money is hidden. Of what was read so far.
  void check_hidden() const { check_hidden(log().money() ? log().money()->hidden_json() : Json()); }
  void check_hidden(const Json& hidden) const;
  // What was read, used and dropped, on standard error; before it what the log brought, unless that is said elsewhere.
  enum class Money { kHere, kElsewhere };
  void print(Money money = Money::kHere) const;

 private:
  std::shared_ptr<LogOutcomes> read(LogPlan plan) const;
  void need_money(const char* flag) const;
  void append_amounts(const LogOutcomes& outcomes, const Json& outcome, Amounts& to) const;
  const LogAuctions& log() const { return outcomes_->log(); }

  LogRequest request_;
  bool accept_hidden_;
  LogPlan plan_;
  std::uint64_t warm_ = 0;
  WarmRounds warm_use_ = WarmRounds::kRehearsed;
  bool gave_prices_ = false;
  std::shared_ptr<LogOutcomes> outcomes_;  // shared with the sources
  enum class State { kFresh, kHandedOut } state_ = State::kFresh;
};

}  // namespace hannan::detail::cli
