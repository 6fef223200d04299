// A problem together with its data: the file's width, or the log, fills in what was left unsaid.
#pragma once

#include <memory>
#include <string>

#include "command.hpp"
#include "floors.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/streams/source.hpp"
#include "log_data.hpp"
#include "log_flags.hpp"

namespace hannan::detail::cli {

// Where the outcomes of a command come from.
struct DataFlags {
  std::string path;             // "-": standard input; empty: the outcomes are those that the problem's own file holds
  LogFlags log;                 // log.format empty: outcomes as they are
  std::vector<std::string> by;  // the columns of the context, as every --by names them; none: no context
  std::vector<std::string> proposed;  // columns with what others propose, whose values come behind those
  std::uint64_t warm = 0;             // rounds at the beginning that are not played
  bool cold = false;                  // they are not learned from either
  bool names_columns() const { return !by.empty() || !proposed.empty(); }
  WarmRounds warm_use() const { return cold ? WarmRounds::kPassedOver : WarmRounds::kRehearsed; }
};
// "-d" and the flags for logs.
void add_data_flags(Command& command, DataFlags& flags);

// The flags of a learner with a decision for every segment.
struct ContextFlags {
  std::vector<std::string> by;  // each as it was given: one order of columns
  std::uint64_t open = 1;
  std::uint64_t most = 100'000;
  // Parted and checked. What the data is read by is all_columns of them, one order after the other; what a learner
  // takes as `by` is orders_json.
  ColumnOrders orders() const;
  // by, open and most of a learner; null: no columns.
  Json params() const;
};
void add_context_flags(Command& command, ContextFlags& flags);

struct ProblemAndData {
  std::shared_ptr<AnyProblem> problem;
  std::unique_ptr<Source> source;
  std::shared_ptr<LogData> log;              // where the outcomes are made from one
  std::vector<std::string> names;            // of the columns, where the outcomes are rows of a table that names them
  std::shared_ptr<const SeenTimes> times{};  // of the rows read so far, where the data has a column of times
  std::uint64_t rehearsed = 0;               // the first rounds of the source, so many, are learned from and not played
  std::vector<double> logged{};  // the loss of what was decided in each round, where the problem's own file says it
  // The outcomes from their beginning once more.
  std::unique_ptr<Source> again(const ProblemFlags& flags, const DataFlags& data) const;
};

struct DataRequest {
  const ProblemFlags& problem;
  const DataFlags& data;
  const MoneyFlags& money;
};
ProblemAndData open_data(const DataRequest& request);
// Whether --prices takes quantiles of all bids of the data: then its decisions are on prices known only in hindsight.
bool looks_at_all_bids(const std::string& prices);
// The same for commands that read outcomes alone.
ProblemAndData open_data(const ProblemFlags& flags, const std::string& path);
// What the flags of a command mean together, before it runs: the columns of --by, the first flag for logs, the data
// that --log names where there is no -d, and columns of --from that are left out.
struct SettledFlags {
  Command& command;
  ProblemFlags& problem;
  DataFlags& data;
  const MoneyFlags& money;
  const ContextFlags& contexts;
};
void settle_data_flags(const SettledFlags& flags);
// The outcomes of a problem that is at hand already.
ProblemAndData open_source(std::shared_ptr<AnyProblem> problem, const DataRequest& request);

}  // namespace hannan::detail::cli
