// The flags that say what money a bid stands for, and where price floors are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/bidlog/facts.hpp"
#include "hannan/bidlog/map_floors.hpp"
#include "hannan/bidlog/price_floors.hpp"

namespace hannan::detail::cli {

struct MoneyFlags {
  std::string log, currency, floors;
  std::vector<std::string> fields;  // of the floors: column=field, or what a slot is
  bool drop_empty = false;
  std::uint64_t schema = 1;
  std::optional<double> cap;
  // Throws kUsage where the file is none of `hannan convert`, kOutOfRange.
  LogFacts facts() const;
  // The same beside a table of bids, whose header has the names too; kUsage where it has others.
  LogFacts facts_of_table(const std::vector<std::string>& names, const std::string& path) const;
  // The same where the log itself is at hand.
  LogFacts facts(LogFacts of_log) const;
};
void add_money_flags(Command& command, MoneyFlags& flags);

// What --floors writes: an action, or with columns the map of the segments.
class FloorsFile {
 public:
  struct Of {
    const MoneyFlags& flags;
    FloorProblem problem;
    ColumnOrders orders;
    int zone = 0;  // of hours and weekdays, seconds east of UTC, where the log does not say it
  };
  // What cannot be written is said here, before the run.
  FloorsFile(Of of, const LogFacts& log);
  // Where there are no segments, this action is written; `model` says what it is and what is known of it.
  struct Chosen {
    Json action;
    std::string model;
  };
  // From the report of a learner, its best action where none is chosen. Many rules are said on standard error.
  void write(const Json& report, const LogFacts& log) {
    write(report, log,
          {report.at("best_action"),
           "hannan, best fixed reserves of " + number_text(report.at("rounds").as_number()) + " rounds, not judged"});
  }
  void write(const Json& report, const LogFacts& log, const Chosen& chosen);
  // What has to be pasted into the page, after write; empty: nothing.
  const std::string& functions() const { return functions_; }

 private:
  Json of_action(const Chosen& chosen, const LogFacts& log);

  Of of_;
  FloorFields fields_;
  std::string functions_;
};
// The functions, where there are any, on standard output.
void show_floor_functions(const FloorsFile& file);

}  // namespace hannan::detail::cli
