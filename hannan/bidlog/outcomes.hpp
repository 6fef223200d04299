// A bid log as the outcomes of a problem: rows of numbers, or JSON, as the problem takes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/bidlog/auctions.hpp"
#include "hannan/bidlog/list.hpp"
#include "hannan/bidlog/table.hpp"

namespace hannan::detail {

// Problems that a bid log has outcomes for.
std::vector<std::string> log_problems();
// Throws kUnavailable for all others, with `at`.
void need_log_problem(const std::string& problem, const std::string& at);

class LogOutcomes {
 public:
  // The shape of the plan says which kind of outcome is made. Reads ahead where names or scale are not stated.
  LogOutcomes(LogAuctions::Opener open, std::string name, LogPlan plan);

  // Outcomes are rows of numbers, and table() is there, or JSON, and list() is.
  bool rows() const { return table_ != nullptr; }
  LogTable& table() { return *table_; }
  LogList& list() { return *list_; }
  const LogList& list() const { return *list_; }
  const LogAuctions& log() const { return table_ ? table_->log() : list_->log(); }

  // Writes what the log says of the problem (bidders or items, buyers, units) into its parameters. Throws kUsage where
  // they say otherwise.
  void fill(Json& params) const;
  // What was read and dropped, with "for", the problem, and "params". Complete once all outcomes were read.
  Json summary(const std::string& problem) const;

 private:
  std::unique_ptr<LogTable> table_;  // one of the two
  std::unique_ptr<LogList> list_;
};

// The summary of a log as lines of text.
std::string summary_text(const LogAuctions& log);
// The same without what the log brought.
std::string reading_text(const LogAuctions& log);

}  // namespace hannan::detail
