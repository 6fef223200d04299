// Where outcomes come from: a table of numbers, JSON lines, or a simulated stream.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/digest.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/proposal.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/table.hpp"
#include "hannan/streams/context_table.hpp"
#include "hannan/streams/loss_stream.hpp"
#include "hannan/streams/simulated_segments.hpp"

namespace hannan::detail {

class Source {
 public:
  virtual ~Source() = default;
  // A fingerprint of the outcomes that were played, so that a saved run can be held against its data. The last
  // one delivered or passed over may be one that was not played because the oracle failed.
  void keep_digest() { digesting_ = true; }
  std::string digest_of(std::uint64_t played) const { return (taken_ > played ? before_ : digest_).hex(); }
  // The next outcome, written over the last one; false at the end. Throws, with the place in the file, where the
  // outcome is none.
  virtual bool next(AnyOutcome& outcome) = 0;
  // Of the outcome that next gave, where the source has contexts; valid until the next one.
  virtual std::span<const std::string> context() const { return {}; }
  // Outcomes so far with a value of the context that is no number, or no time, though its column needs one.
  virtual std::uint64_t context_not_numbers() const { return 0; }
  // What others propose for the round of that outcome, and what was lost in it by what is done today, for portfolios
  // (runtime/portfolio_learner.hpp); valid until the next one. None where the source has no such columns.
  virtual Proposals proposals() const { return {}; }
  virtual std::optional<double> today_loss() const { return std::nullopt; }
  // Passes over an outcome that an earlier run has played; false at the end.
  virtual bool skip() = 0;
  // The outcomes depend on what the learner does: every learner needs a source of its own, and saw() is called after
  // each round with what was played in it.
  virtual bool answers_actions() const { return false; }
  virtual void saw([[maybe_unused]] const Json& action) {}
  // The source is a log of what was seen of rounds: then `next` gives no outcome but what a learner that sees a part is
  // told of one or more rounds, as the pipe's `observe` has it. `place` says where in the file it stands.
  virtual bool tells() const { return false; }
  virtual const Json& told() const {
    static const Json nothing;
    return nothing;
  }
  virtual std::string place() const { return {}; }

 protected:
  // Once for each outcome.
  void digest(std::string_view bytes) {
    ++taken_;
    before_ = digest_;
    if (!digesting_) return;
    digest_.add(bytes);
    for (const std::string& value : context()) {
      digest_.add(value);
      digest_.add(std::string_view("\0", 1));
    }
  }

 private:
  Digest digest_;
  Digest before_;  // without the last outcome
  std::uint64_t taken_ = 0;
  bool digesting_ = false;
};

// The contexts of outcomes that are made elsewhere.
struct ContextView {
  std::function<std::span<const std::string>()> values;  // of the last outcome
  std::function<std::uint64_t()> not_numbers;            // as Source counts them
};

// Rows that are outcomes of this problem, each number in its range. The game outlives the source, here and below.
std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const Game& game);
// The same, with the context of each row.
std::unique_ptr<Source> table_source(std::unique_ptr<ContextTable> table, const Game& game);
std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const Game& game, ContextView contexts);
// One outcome a line, as in the protocol; plain or gzipped.
std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name, const Game& game);
// Lines {"context":[...],"outcome":Y} with the cell of each column.
std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name, const Game& game,
                                          std::vector<ContextColumn> columns);
// A simulated stream of expert losses; the game has as many experts.
std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream, const Game& game);
// The same with contexts, where the columns are not empty. Throws kUnavailable for a stream that answers the learner.
std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream, const Game& game,
                                         const SegmentSpec& segments);

// Outcomes at hand, each checked when its turn comes; `name` is the file they came from.
std::unique_ptr<Source> listed_source(std::vector<Json> outcomes, const std::string& name, const Game& game);

// Outcomes that are made one after another: next gives one or says that there is none, where says its place.
std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const Game& game);
std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const Game& game, ContextView contexts);

// Names that end in .jsonl or .ndjson (with or without .gz) are JSON lines, everything else is a table.
bool looks_like_json_lines(const std::string& path);

}  // namespace hannan::detail
