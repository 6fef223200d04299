// A bid log as the data of a problem, without a file in between: the outcomes are those that
// `hannan convert` would write, number for number.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "command.hpp"
#include "floors.hpp"
#include "hannan/bidlog/log_auctions.hpp"
#include "hannan/streams/source.hpp"
#include "log_flags.hpp"

namespace hannan::cli {

// What the parameters and the flags of a run say about its log.
LogRequest log_request(const ProblemFlags& flags, const Json& params, const std::string& path, const MoneyFlags& money);

class LogData {
 public:
  // Reads ahead where names or scale are not stated. Throws kUnavailable for problems that a log has no outcomes for.
  LogData(const LogFlags& flags, LogRequest request);
  ~LogData();

  // The outcomes as rows of numbers, or as JSON: one of them, by the problem. Each from where the last call stopped.
  bool rows() const;
  const std::vector<std::string>& names() const;
  bool next(std::vector<double>& row);
  bool next(Json& outcome);
  // Fills in what the log says of the problem (bidders, items, buyers); kUsage where that was said otherwise.
  void fill(Json& params) const;

  // The outcomes from their beginning, once more where they have been opened before. The problem outlives them.
  std::unique_ptr<Source> open(const AnyProblem& problem);
  LogFacts facts() const;
  Json summary() const;  // of the first reading; with "for", the problem, and "params"
  void tell() const;

 private:
  struct Reader;  // shared with the sources
  const LogAuctions& log() const;

  LogRequest request_;
  LogPlan plan_;
  std::shared_ptr<Reader> reader_;
  enum class State { kFresh, kHandedOut } state_ = State::kFresh;
};

}  // namespace hannan::cli
