// A learner that lives in the service: outcomes in, rows of the log out. Replay is the same function, with the rows it
// makes held against those of the log.
//
// Two ledgers: `learned` charges the learner's own choice when it was told the outcome; `played` the action of the
// decision that the client used, which may be older, or of another program's making. drift = played - learned, over
// rounds whose decision is known.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/play/play.hpp"
#include "service/baselines.hpp"
#include "service/curve.hpp"
#include "service/delayed_play.hpp"
#include "service/learner_config.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {

// An outcome that was read and found good, with what the client says of it; or, of a learner with `delayed`, the wish
// for a new decision.
struct Incoming {
  enum class Kind { kOutcome, kDecide } kind = Kind::kOutcome;
  std::string id;              // of the outcome; of a decision the key of the request, which may be empty
  std::uint64_t decision = 0;  // the round of the decision that was used; 0: the current one
  bool unattributed = false;   // it is not known what was played
  bool warm = false;           // rehearsed: learned from, and nothing was played
  std::vector<std::string> context;
  AnyOutcome outcome;
  // Of a portfolio: what was lost by a today that is logged, and, of a rehearsed round, what was proposed for it.
  std::optional<double> today;
  Json proposals;  // {NAME: action or null}; null: nothing was said
  // Of a learner that sees a part: the fields of the message, an outcome as the problem writes it; else null.
  Json seen;
};

// Whether the answer of a decision says how it came about: of a portfolio its share, weights and proposals.
enum class Explained { kNo, kYes };

// "g1.1042": generation and round.
std::string decision_name(std::uint64_t generation, std::uint64_t round);

// What the readers see of a learner: made once after each commit, never changed.
struct Published {
  std::uint64_t generation = 1;
  std::uint64_t rounds = 0;    // that were told; with `delayed` those that are settled
  std::uint64_t position = 0;  // the last row of the log
  std::uint64_t current = 1;   // the round of the current decision; with `delayed` that of the last one, 0: none yet
  bool delayed = false;
  std::uint64_t open = 0;  // rounds that are not settled, with `delayed`
  Json action;             // of the current decision; null where it depends on the context
  Json decision;           // the answer of GET decision where there is no context
  std::string decision_text;
  double total = 0;
  Json part;  // of a learner that sees a part: what may be said of it; null: it sees everything
  // The own total, where it is seen.
  std::optional<double> seen_total() const { return part.is_null() ? std::optional(total) : part.find_number("total"); }
  std::optional<double> best, regret;
  std::optional<double> floor;  // proven: no fixed choice loses less; known where `best` is
  double played = 0, drift = 0;
  std::uint64_t late = 0, unattributed = 0;  // rounds
  std::uint64_t oracle_calls = 0;
  std::string regime;
  std::optional<Baselines::Bound> bound;      // of a round not long ago
  std::optional<Baselines::Without> without;  // reserve prices
  Json judged;                                // what is said of the gain over that (judged_gain.hpp); null: nothing
  Json portfolio;                             // of a portfolio (portfolio_figures.hpp); null: it is none
  std::string standing_text;                  // what answers to outcomes say of the learner (standing_json)
};

// What is compared when a row is played again; thrown when it differs. The learner is then of no use: it may have
// learned from that row.
class ReplayDiffers : public std::runtime_error {
 public:
  ReplayDiffers(std::uint64_t round, const std::string& what);
  std::uint64_t round() const { return round_; }  // the row; those before it came out as they are

 private:
  std::uint64_t round_;
};

// What a row is that comes out otherwise: damage, or the work of a program that decided otherwise, from whose outcomes
// this one learns.
enum class Differing { kRefused, kLearnedAgain };

class HostedLearner {
 public:
  HostedLearner(MadeLearner made, LogName log);

  const LearnerConfig& config() const { return made_.config; }
  const std::shared_ptr<const AnyProblem>& problem() const { return made_.problem; }
  LogName log() const { return log_; }
  void set_log(LogName log) { log_ = log; }
  // The last row of the log: the number of rounds, or with `delayed` of decisions and outcomes.
  std::uint64_t position() const {
    if (const PartLearner* part = made_.learner.as<PartLearner>()) return part->messages();
    return delayed_ ? delayed_->position() : made_.learner->rounds();
  }
  std::uint64_t current() const {
    if (const PartLearner* part = made_.learner.as<PartLearner>()) return part->decision();
    return delayed_ ? delayed_->played() : made_.learner->rounds() + 1;
  }
  // Throws what is wrong with a message for a learner that sees a part, as far as its decision goes; others take all.
  void check_part(const Incoming& incoming, std::uint64_t round, const std::string& path) const;
  const DelayedPlay* delayed() const { return delayed_ ? &*delayed_ : nullptr; }
  // The id of a row: where decisions are rows too, theirs must not be in the way of the clients' ids.
  std::string row_id(const Incoming& incoming) const;
  std::size_t columns() const;  // of the context; 0: none
  // Bytes of its segments, estimated: now, and at most after these outcomes. 0: it has none.
  double segment_bytes() const;
  double segment_bytes_after(const std::vector<Incoming>& outcomes) const;
  AnyLearner& learner() { return *made_.learner; }
  const AnyTurn& turn() const { return made_.learner; }

  // Of a learner with `delayed`: the answer of an open round's decision.
  Json open_decision(std::uint64_t round);
  double last_loss() const { return seen_.loss; }  // learned, of the last round
  const Curve& curve() const { return curve_; }
  // Of a portfolio: the gain over today so far as `total`, what is certain of it as the regret, by played round.
  const Curve& gains() const { return gains_; }
  const Baselines& baselines() const { return baselines_; }

  // Plays a round; the row has everything but its time. `log` is asked for older decisions.
  Row play(Incoming& incoming, RowReader& log);
  // Plays the rows of the log from the next round on. Throws ReplayDiffers at the first that comes out otherwise and is
  // refused; with `delayed` all of these are.
  void replay(const std::vector<Row>& rows, RowReader& log, Differing differing = Differing::kRefused);
  // Rounds that came out otherwise and were learned from again.
  std::uint64_t learned_again() const { return learned_again_; }

  Published publish();
  // What would be played for a context now: the answer of GET decision.
  Json decision_for(const std::vector<std::string>& context, Explained explained = Explained::kNo);
  // Of a portfolio with strategies that are given: decides the coming round by what the request proposes,
  // {"proposals": {NAME: action or null}}, and by its "context" where a strategy has columns. {"decision", "made"}: the
  // answer, and whether the round was not decided before. Nothing is written: asked again, after a restart too, with
  // the same proposals it answers the same; with others, while it is known, it is refused. What is refused changes
  // nothing.
  Json decide(const Json& request, Explained explained);
  // Throws, with the field as its place, where an outcome of a portfolio says too little or too much for this round.
  // Nothing has changed then.
  void check_told(const Incoming& incoming, std::uint64_t round) const;
  Json report();

  void save(const TextSink& sink);
  // What save() wrote; throws Error where it does not fit.
  void load(std::string_view state);

 private:
  Row play_round(Incoming& incoming, RowReader& log, Json decided);
  Row play_delayed(DelayedLearner& learner, const Incoming& incoming);
  Row play_part(PartLearner& learner, const Incoming& incoming);
  Incoming incoming_of(const Row& row);
  std::vector<Proposal> proposals_in(const Incoming& incoming) const;  // of a portfolio; empty: nothing was said
  Json decision_json(const Round& decided, Explained explained = Explained::kNo) const;
  Json part_decision(PartLearner& learner) const;
  static Json part_figures(PartLearner& learner);
  Json played_action(std::uint64_t round, RowReader& log);
  // After a round whose figures are in seen_: what is proven of its best fixed choice, and what is said of its gain.
  void take_figures(std::uint64_t round, const AnyOutcome& outcome);
  void charge(const Incoming& incoming, std::uint64_t round, const Json& decided, RowReader& log);

  MadeLearner made_;
  LogName log_;
  struct Sum {
    double value = 0, carry = 0;
  };
  Sum drift_;      // played less learned
  Sum uncharged_;  // learned, of rounds without a known decision
  std::uint64_t late_ = 0, unattributed_ = 0, learned_again_ = 0;
  std::deque<std::pair<std::uint64_t, Json>> recent_;  // actions of the last rounds
  Curve curve_, gains_;
  std::optional<DelayedPlay> delayed_;
  std::uint64_t decided_by_request_ = 0;  // of a portfolio: the round that decide() decided; 0: none
  Json last_decision_;                    // with `delayed`: of the last round that was opened; null: none
  Baselines baselines_;
  Json judged_;
  // Of the last round.
  Figures seen_;
  std::optional<double> floor_;  // of seen_.best
};

}  // namespace hannan::detail::service
