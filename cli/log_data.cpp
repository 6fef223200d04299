#include "log_data.hpp"

#include <algorithm>

#include "hannan/bidlog/log_list.hpp"
#include "hannan/bidlog/log_table.hpp"
#include "hannan/core/error.hpp"
#include "live_input.hpp"

namespace hannan::cli {

struct LogData::Reader {
  std::unique_ptr<LogTable> table;  // one of the two
  std::unique_ptr<LogList> list;

  Reader(const std::string& path, LogPlan plan) {
    const auto open = [path] { return live_input(path); };
    const std::string name = input_name(path);
    if (plan.shape == Shape::kBids || plan.shape == Shape::kPrices) {
      table = std::make_unique<LogTable>(open, name, std::move(plan));
    } else {
      list = std::make_unique<LogList>(open, name, std::move(plan));
    }
  }
  const LogAuctions& log() const { return table ? table->log() : list->log(); }
};

namespace {

// A table that others look at too: a source owns its table, and the books are wanted when it is gone.
class SharedTable final : public Table {
 public:
  SharedTable(std::shared_ptr<void> owner, Table& table) : owner_(std::move(owner)), table_(table) {}
  bool next(std::vector<double>& row) override { return table_.next(row); }
  std::size_t columns() const override { return table_.columns(); }
  const std::vector<std::string>& names() const override { return table_.names(); }
  std::string where(std::size_t column) const override { return table_.where(column); }

 private:
  std::shared_ptr<void> owner_;
  Table& table_;
};

}  // namespace

LogData::LogData(const LogFlags& flags, LogRequest request) : request_(std::move(request)) {
  const auto& problems = log_problems();
  if (std::find(problems.begin(), problems.end(), request_.problem) == problems.end()) {
    std::string all;
    for (const auto& kind : problems) all += (all.empty() ? "" : ", ") + kind;
    throw Error(Code::kUnavailable,
                "found " + request_.problem + ", expected one of " + all + ": a bid log has no outcomes for others",
                "--format");
  }
  reader_ = std::make_shared<Reader>(request_.path, log_plan(flags, request_));
  plan_ = log().settled();
  if (!log().slots().empty()) return;
  // Whoever asks for the first auction is told why there is none.
  std::vector<double> row;
  Json outcome;
  rows() ? next(row) : next(outcome);
  throw Error(Code::kEmpty, "found no row that counts, expected at least one bid", request_.path);
}

LogData::~LogData() = default;

const LogAuctions& LogData::log() const { return reader_->log(); }
bool LogData::rows() const { return reader_->table != nullptr; }
const std::vector<std::string>& LogData::names() const { return log().slots(); }
bool LogData::next(std::vector<double>& row) { return reader_->table->next(row); }
bool LogData::next(Json& outcome) { return reader_->list->next(outcome); }

void LogData::fill(Json& params) const {
  const auto say = [&](const char* name, std::size_t found, const char* flag) {
    const Json* said = params.find(name);
    if (said && said->is_number() && said->as_number() != static_cast<double>(found)) {
      throw Error(Code::kUsage,
                  "found " + number_text(said->as_number()) + ", expected " + std::to_string(found) +
                      " as the log is read: " + flag + " says how many",
                  name);
    }
    params.set(name, found);
  };
  const bool items = plan_.shape == Shape::kPrices || plan_.shape == Shape::kBuyers;
  say(items ? "items" : "bidders", log().slots().size(), "-n, --names and --rest");
  if (plan_.shape == Shape::kBuyers) {
    params.set("demand", plan_.demand == Demand::kOneItem ? "unit" : "single");
    if (!params.find("buyers")) params.set("buyers", log().plan().buyers);
  }
  if (plan_.shape == Shape::kValuations) params.set("units", plan_.units);
}

std::unique_ptr<Source> LogData::open(const AnyProblem& problem) {
  // The books are those of the first reading.
  auto reader = state_ == State::kFresh ? reader_ : std::make_shared<Reader>(request_.path, plan_);
  state_ = State::kHandedOut;
  if (rows()) return table_source(std::make_unique<SharedTable>(reader, *reader->table), problem);
  return made_source([reader](Json& outcome) { return reader->list->next(outcome); },
                     [reader] { return reader->list->where(); }, problem);
}

Json LogData::summary() const {
  Json params = Json::object();
  fill(params);
  Json summary = log().summary();
  return summary.set("for", request_.problem).set("params", std::move(params));
}

LogRequest log_request(const ProblemFlags& flags, const Json& params, const std::string& path,
                       const MoneyFlags& money) {
  LogRequest request{.path = path, .problem = flags.kind, .cap = money.cap, .currency = money.currency};
  if (const Json* demand = params.find("demand"); demand && demand->is_string()) request.demand = demand->as_string();
  if (const Json* units = params.find("units"); units && units->is_number() && units->as_number() >= 1) {
    request.units = static_cast<std::uint64_t>(units->as_number());
  }
  return request;
}

LogFacts LogData::facts() const { return log_facts(summary(), request_.path); }
void LogData::tell() const { tell_log(log()); }

}  // namespace hannan::cli
