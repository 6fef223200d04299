// The files that grow with a run, decisions and record, and how a resumed run goes on with them.
//
// A saved state of round n is written after both files hold the n rounds on disk, so after any kill they hold at least
// as much as the state says. A resumed run first reads them without changing anything, and refuses those of another
// run; then it cuts what is beyond round n and goes on. It ends with the bytes of a run that was never stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/bidlog/action_money.hpp"
#include "hannan/play/record_writer.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {

// What a saved state says of the rounds before it.
struct EarlierRounds {
  std::uint64_t rounds = 0;
  double total = 0;                   // the losses of these rounds
  std::optional<std::string> digest;  // of the file up to there; states of other runs and of earlier versions have none
};

// round,action,loss,rate,regime: as CSV, or as JSON lines where the name ends in .jsonl; behind them `money`, the
// action in money by bidder or item, where it is known. With a decision for every segment CSV has the segment whose
// decision was played behind the round, its values joined by /, and lines have the whole context and the depth of that
// segment.
class DecisionsFile {
 public:
  // Changes nothing yet. After `earlier` rounds the file goes on behind them, or starts anew where there is none or
  // where it is no regular file; the decisions of another run are kBadState.
  enum class Decides { kForAll, kBySegment };
  // A file of an earlier version, which has no money, goes on without.
  DecisionsFile(const std::string& path, Decides decides, const std::optional<EarlierRounds>& earlier,
                std::optional<ActionMoney> money);
  void begin();  // cuts what is not kept
  void round(const Round& round);
  std::string digest() const { return digest_.hex(); }
  void sync() { file_.sync(); }
  void close() { file_.close(); }

 private:
  void keep(const EarlierRounds& earlier);
  void put(const std::string& text);

  std::string path_;
  std::string heading_;
  std::optional<ActionMoney> money_;
  bool lines_;  // of JSON
  std::uint64_t kept_ = 0;
  Digest digest_;
  OutputFile file_;
};

// The record of a run, from its header on; a closing line is dropped when the rounds go on.
class RecordFile {
 public:
  // Changes nothing yet. A file that is not the record of this run up to this round is kBadState, one that holds
  // fewer rounds kTruncated.
  struct Run {
    const AnyProblem& problem;
    const AnyLearner& learner;
    std::string data;  // the file of its outcomes; empty or "-": none
  };
  RecordFile(const std::string& path, Run run, const std::optional<EarlierRounds>& earlier);
  void begin();  // cuts what is not kept, writes a header where there is none
  void round(const Round& round) { writer_.round(round); }
  std::string digest() const { return writer_.digest(); }
  void sync() { file_.sync(); }
  void end(AnyLearner& learner) {
    writer_.end(learner);
    file_.close();
  }

 private:
  void keep(const EarlierRounds& earlier, const std::string& header);

  std::string path_;
  Run run_;
  std::uint64_t kept_ = 0;
  OutputFile file_;
  RecordWriter writer_;
};

}  // namespace hannan::detail::cli
