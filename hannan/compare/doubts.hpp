// Everything that can forbid a verdict, as one value that a caller has to fill.
//
// A verdict ("deploy" or "keep") is given only where none of these is in doubt (judgement.hpp):
//
//   no replay        the log does not show what other decisions would have earned
//   question         a question about the log, such as how winners paid, is not answered
//   censored         the log shows a part of the answers only: one posted price, or buyers alone
//   unreadable       above 1 % of the filled cells of a column of money could not be read
//   hidden           above a tenth of the money is hidden by the way the log is read
//   unknown range    no limit of a single gain is known in advance
//   unproven best    a search stopped early: the best fixed decision is known within limits only
//   few rounds       fewer than 40
//
// No field has a default: a caller that leaves one out does not compile, so that a new doubt reaches all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// A value that must be given: there is none by default.
template <class T>
class Stated {
 public:
  Stated(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): read as the value
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_;
};

// Filled cells of columns of money that could not be read.
struct UnreadableCells {
  std::uint64_t cells = 0;  // of all columns of money
  double share = 0;         // of the filled cells of the column that has most of them
};

// What is in doubt of a log, of its reading and of what it shows.
struct LogDoubts {
  Stated<UnreadableCells> unreadable;
  Stated<double> hidden;          // share of the money
  Stated<std::string> question;   // not answered yet; empty: none
  Stated<std::string> censored;   // what the log does not show of the answers; empty: nothing
  Stated<std::string> no_replay;  // why other decisions cannot be replayed; empty: they can
};
// From the summary of a log; null, or without these fields: nothing is in doubt. It reads
//   unreadable {cells, share},  hidden {share},  as_logged {asks [texts], censored text, no_replay text}.
LogDoubts doubts_of_log(const Json& summary);

// What the best fixed decision earns or costs, as far as it is proven: a range, of one number where it is.
struct BestRange {
  Interval money{0, 0};
  std::string currency;
  bool proven() const { return !(money.lo < money.hi); }
  static BestRange exact() { return {}; }
};

struct Doubts {
  LogDoubts log;
  Stated<BestRange> best;
  Stated<std::optional<double>> most;  // the largest gain of a round that was known in advance; none: not known
};

enum class Doubt {
  kNoReplay,
  kQuestion,
  kCensored,
  kUnreadableCells,
  kHidden,
  kUnknownRange,
  kUnprovenBest,
  kFewRounds,
};
inline constexpr std::size_t kDoubts = 8;
std::string_view doubt_name(Doubt doubt);  // "no replay", "question", ...

struct ForbiddingDoubt {
  Doubt doubt;
  std::string says;  // one sentence without its full stop
};
inline constexpr std::size_t kLeastRounds = 40;
inline constexpr double kMostHidden = 0.1;
inline constexpr double kMostUnreadable = 0.01;

// Those that forbid a verdict over so many rounds, in the order of the list above; the first is the reason.
std::vector<ForbiddingDoubt> forbidding(const Doubts& doubts, std::size_t rounds);
// A doubt as results have it.
struct StatedDoubt {
  std::string kind;  // doubt_name()
  std::string says;
};
std::vector<StatedDoubt> stated(const std::vector<ForbiddingDoubt>& doubts);

}  // namespace hannan::detail
