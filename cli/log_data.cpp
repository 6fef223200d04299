// A bid log as data of a problem: opens it as often as it is needed (prices, summary, play), each time from the
// beginning, and keeps what was read last for others to ask (money of the round, time, bids by slot).
#include "log_data.hpp"

#include <cstdio>

#include "hannan/bidlog/outcomes.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {

namespace {

// A table with shared ownership: a source owns its table, but the counts of the log are read after the source is gone.
class SharedTable final : public Table {
 public:
  SharedTable(std::shared_ptr<void> owner, Table& table) : owner_(std::move(owner)), table_(table) {}
  bool next(std::vector<double>& row) override { return table_.next(row); }
  std::size_t columns() const override { return table_.columns(); }
  void allow_gaps() override { table_.allow_gaps(); }
  const std::vector<std::string>& names() const override { return table_.names(); }
  std::string where(std::size_t column) const override { return table_.where(column); }

 private:
  std::shared_ptr<void> owner_;
  Table& table_;
};

}  // namespace

LogData::LogData(const LogFlags& flags, LogRequest request)
    : request_(std::move(request)), accept_hidden_(flags.accept_hidden) {
  need_log_problem(request_.problem, "--format");
  outcomes_ = read(log_plan(flags, request_));
  plan_ = log().settled();
  if (!log().slots().empty()) return;
  // Reading the first auction reports why there is none.
  std::vector<double> row;
  Json outcome;
  rows() ? next(row) : next(outcome);
  throw Error(Code::kEmpty, "found no row that counts, expected at least one bid", request_.path);
}

std::shared_ptr<LogOutcomes> LogData::read(LogPlan plan) const {
  const std::string path = request_.path;
  return std::make_shared<LogOutcomes>([path] { return live_input(path); }, input_name(path), std::move(plan));
}

namespace {

// All bids of an outcome in money.
void append_bids(const Json& bids, std::vector<double>& to) {
  if (bids.is_number()) to.push_back(bids.as_number());
  for (const char* name : {"bids", "others"}) {
    const Json* found = bids.is_object() ? bids.find(name) : nullptr;
    if (found) append_bids(*found, to);
  }
  for (std::size_t i = 0; bids.is_array() && i < bids.size(); ++i) append_bids(bids[i], to);
}

}  // namespace

void LogData::need_money(const char* flag) const {
  if (plan_.shape != LogShape::kMoneyBids && plan_.shape != LogShape::kPosted)
    throw Error(Code::kUnavailable, "found bids that are scaled, expected prices in money (--prices)", flag);
}

void LogData::append_amounts(const LogOutcomes& outcomes, const Json& outcome, Amounts& to) const {
  if (plan_.shape != LogShape::kPosted) {
    to.resize(1);
    append_bids(outcome, to.front());
    return;
  }
  to.resize(names().size());
  for (const LoggedOffer& offer : outcomes.list().offers()) to[offer.good].push_back(offer.price);
}

LogData::Amounts LogData::all_amounts() const {
  need_money("--prices");
  const auto outcomes = read(plan_);
  Amounts amounts;
  Json outcome;
  while (outcomes->list().next(outcome)) append_amounts(*outcomes, outcome, amounts);
  return amounts;
}

LogData::Amounts LogData::warm_up(std::uint64_t rounds, WarmRounds use) {
  need_money("--warm");
  warm_use_ = use;
  if (rounds == 0)
    rounds = (static_cast<std::uint64_t>(whole_summary().at("auctions").at("used").as_number()) + 9) / 10;
  warm_ = rounds;
  const auto outcomes = read(plan_);
  Amounts amounts;
  Json outcome;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    if (!outcomes->list().next(outcome))
      throw Error(Code::kEmpty,
                  "found " + std::to_string(t) + " rounds, expected more than the first " + std::to_string(rounds) +
                      ", which are not played",
                  "--warm");
    append_amounts(*outcomes, outcome, amounts);
  }
  return amounts;
}

std::unique_ptr<Source> LogData::open(const AnyProblem& problem) {
  // The summary is that of the first reading.
  auto outcomes = state_ == State::kFresh ? outcomes_ : read(plan_);
  state_ = State::kHandedOut;
  Json passed;
  for (std::uint64_t t = 0; t < not_played(); ++t) outcomes->list().next(passed);
  ContextView contexts;
  if (!request_.by.empty() || !request_.proposed.empty()) {
    contexts.values = [outcomes] { return std::span<const std::string>(outcomes->log().context().values); };
    contexts.not_numbers = [outcomes] { return outcomes->log().tally().context_not_a_number; };
  }
  if (rows()) {
    return table_source(std::make_unique<SharedTable>(outcomes, outcomes->table()), problem.game(),
                        std::move(contexts));
  }
  return made_source([outcomes](Json& outcome) { return outcomes->list().next(outcome); },
                     [outcomes] { return outcomes->list().where(); }, problem.game(), std::move(contexts));
}

std::shared_ptr<LogData> LogData::aside() const {
  auto copy = std::make_shared<LogData>(*this);
  copy->outcomes_ = read(plan_);
  copy->state_ = State::kFresh;
  return copy;
}

LogRequest log_request(const ProblemFlags& flags, const Json& params, const std::string& path,
                       const MoneyFlags& money) {
  LogRequest request{.path = path, .problem = flags.kind, .cap = money.cap, .currency = money.currency};
  const LogUse& use = log_use(flags.kind);
  request.in_money = use.states_money && use.states_money(params);
  if (const Json* demand = params.find("demand"); demand && demand->is_string()) request.demand = demand->as_string();
  if (const Json* units = params.find("units"); units && units->is_number() && units->as_number() >= 1) {
    request.units = static_cast<std::uint64_t>(units->as_number());
  }
  return request;
}

LogFacts LogData::facts() const { return log_facts(summary(), request_.path); }
void LogData::check_hidden(const Json& hidden) const {
  if (!accept_hidden_) log().check_read_once();
  if (!hidden.is_null() && !accept_hidden_) refuse_hidden(hidden, input_name(request_.path));
}
Json LogData::whole_summary() const {
  const auto outcomes = read(plan_);
  std::vector<double> row;
  Json outcome;
  while (outcomes->rows() ? outcomes->table().next(row) : outcomes->list().next(outcome)) {
  }
  return outcomes->summary(request_.problem);
}
void LogData::print(Money money) const {
  const std::string text = money == Money::kHere
                               ? summary_text(log())
                               : unreadable_text(log().summary().at("unreadable")) + reading_text(log());
  std::fputs(text.c_str(), stderr);
  if (!gave_prices_) return;
  std::fprintf(stderr, "prices are quantiles of the %s of the first %llu rounds, which are %s\n",
               plan_.shape == LogShape::kPosted ? "prices of each good" : "bids",
               static_cast<unsigned long long>(warm_), not_played() > 0 ? "not played" : "rehearsed and not played");
}

}  // namespace hannan::detail::cli
