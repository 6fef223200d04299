// Writes the record of a run: a header, a line a round, and an end with the report and a digest over
// all of it. Format: docs/record.md. Checked by the verifier, which shares nothing with this.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "hannan/core/digest.hpp"
#include "hannan/play/play.hpp"

namespace hannan::detail {

// The line of a round, without its end.
std::string record_line(const Round& round);
// Where outcomes may come late: a line of a decision and one of its outcome. `t` counts the lines, from 1.
Json decision_line(std::uint64_t t, const Round& round);
Json arrival_line(std::uint64_t t, const Round& round);
// Where a client throws the coins of looks: a line of a message that the learner was told last, with the fields that
// the client sent beside the number of the decision.
struct ClientLine {
  std::uint64_t t, decision;
  const Json& sent;
};
Json client_line(const ClientLine& line, const PartLearner& learner);

class RecordWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit RecordWriter(Sink sink) : sink_(std::move(sink)) {}

  // `data`: what record_data.hpp says of the file that the outcomes are read from; null: they come from none.
  void begin(const AnyProblem& problem, const AnyLearner& learner, const Json& data = {});
  void round(const Round& round) { line(record_line(round)); }
  void line(std::string text);  // any other
  void end(AnyLearner& learner);
  // A line that an earlier run has written already: counted, not written again.
  void seen(std::string_view line);
  std::string digest() const { return digest_.hex(); }  // of the lines so far

 private:
  Sink sink_;
  Digest digest_;
};

}  // namespace hannan::detail
