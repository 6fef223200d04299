// One error type for the whole library, thrown where input comes in (JSON, CSV, flags, arguments) and nowhere else.
//
// An error says what was found, what was expected and where: `at` is a path in a request
// ("params.levels") or "file:line:column". Every code is documented in docs/errors.md. What a call changes before it
// throws is stated where the call is; where nothing is stated, nothing.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace hannan {

// What kind of mistake it is; a code keeps its meaning (docs/stability.md).
enum class Code {
  kUsage = 100,               // a flag or command that does not exist, or flags that contradict each other
  kNotJson = 101,             // the text is not one JSON value
  kMissingField = 102,        // a field that is needed is absent
  kUnknownField = 103,        // an unknown field
  kWrongType = 104,           // a value of another JSON type than expected
  kOutOfRange = 105,          // a number outside its stated range
  kUnknownName = 106,         // a word that is not in the list of choices
  kUndefined = 107,           // a problem or learner that is not defined under this name
  kUnavailable = 108,         // well-formed, but this combination does not exist, and the message says why
  kCannotRead = 201,          // a file that cannot be opened or read
  kMalformed = 202,           // a file that breaks the rules of its format
  kColumnCount = 203,         // a row with another number of columns than the first
  kNotANumber = 204,          // text, NaN or infinity where a finite number belongs
  kLossRange = 205,           // a loss outside [0,1]
  kEmpty = 206,               // a file without data
  kTruncated = 207,           // a file cut short
  kTooLarge = 208,            // a line or file beyond the stated limit
  kCannotWrite = 209,         // a file that cannot be written
  kHiddenMoney = 210,         // more than a tenth of a log's money is hidden by the way it is read
  kTwoCurrencies = 211,       // a log with two currencies and no rates
  kLosingDecision = 212,      // a decision that loses against what is done today, so that its file is not written
  kLooksLikeForecasts = 213,  // a table that is to hold losses and looks like something else
  kUnreadable = 214,          // more than 1 % of the cells of a column of amounts cannot be read
  kTwoReadings = 215,         // a column that can be read in two ways
  kBadOutcome = 301,          // an outcome the problem does not allow
  kBadAction = 302,           // an action outside the problem's set
  kBadState = 401,            // a saved state that does not fit
  kNoiseExhausted = 402,      // given noise has no draw left for this round
  kWorkLimit = 501,           // a stated work limit was reached
  kRejected = 601,            // a record that does not verify
  kOracleStart = 701,         // a user's oracle program that does not start, or does not say that it is ready
  kOracleEnded = 702,         // one that ends, or closes its input or output, before it has answered
  kOracleTimeout = 703,       // one that gives no answer within its time limit
  kOracleAnswer = 704,        // an answer that breaks the format, or is no action of the problem
  kOracleClaim = 705,         // a claim of the program that is refuted by a witness
  kInternal = 900,            // a broken invariant: a defect of ours
};

// What is refused: a code, what was found and expected, and where.
class Error : public std::exception {
 public:
  // `at` may be empty: then the message says where.
  Error(Code code, std::string message, std::string at = {});

  // The parts, and "H105 params.levels: found ..." of all of them.
  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& at() const { return at_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  Code code_;
  std::string message_;
  std::string at_;
  std::string what_;
};

// "H105" for kOutOfRange.
std::string code_name(Code code);

// 1 limit reached, 2 usage, 3 bad data.
int exit_status(Code code);

}  // namespace hannan
