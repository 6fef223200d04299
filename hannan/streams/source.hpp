// Where outcomes come from: a table of numbers, JSON lines, or a simulated stream.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hannan/core/digest.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/table.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/loss_stream.hpp"

namespace hannan {

class Source {
 public:
  virtual ~Source() = default;
  // A fingerprint of the outcomes that were played, so that a saved run can be held against its data. The last
  // one delivered or passed over may be one that was not played because the oracle failed.
  void keep_digest() { digesting_ = true; }
  std::string digest_of(std::uint64_t played) const { return (taken_ > played ? before_ : digest_).hex(); }
  // Gives the learner the next outcome; false at the end. Throws, with the place in the file, where
  // the outcome is none; the learner has then not changed.
  virtual bool feed(AnyLearner& learner, ObserveView& view) = 0;
  // Passes over an outcome that an earlier run has played; false at the end.
  virtual bool skip() = 0;
  // The outcomes depend on what the learner does: everybody needs one of its own.
  virtual bool answers_actions() const { return false; }
  // The next outcome as JSON, for those who want data and no learner; false at the end.
  virtual bool next(Json& outcome) = 0;

 protected:
  // Once for each outcome.
  void digest(std::string_view bytes) {
    ++taken_;
    before_ = digest_;
    if (digesting_) digest_.add(bytes);
  }

 private:
  Digest digest_;
  Digest before_;  // without the last outcome
  std::uint64_t taken_ = 0;
  bool digesting_ = false;
};

// Rows that are outcomes of this problem, each number in its range. The problem outlives the source.
std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const AnyProblem& problem);
// One outcome a line, as in the protocol; plain or gzipped.
std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                          const AnyProblem& problem);
// A simulated stream of expert losses.
std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream);

// Outcomes at hand, each checked when its turn comes; `name` is the file they came from.
std::unique_ptr<Source> listed_source(std::vector<Json> outcomes, const std::string& name, const AnyProblem& problem);

// Outcomes that are made one after another: next gives one or says that there is none, where says its place.
std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const AnyProblem& problem);

// Names that end in .jsonl or .ndjson (with or without .gz) are JSON lines, everything else is a table.
bool looks_like_json_lines(const std::string& path);

}  // namespace hannan
