// Checks the lines of a record after its header, whatever its kind.
//
// There is one driver: it reads lines and the end, and says what was checked. What a line is depends on the turn that
// the header settles: a decision and its outcome (in order), one of the two (late), the decisions of all segments of a
// context (by context), the decision of those awake (asleep), the proposals of all strategies (by proposals), a
// decision and the outcome of a look (in part), a message of the client that throws the coins of looks (by client), a
// decision and the losses of its elements (by elements). A turn follows
// learners by their rules (round_rule.hpp) and has totals of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/record_state.hpp"
#include "hannan/verify/round_rule.hpp"
#include "hannan/verify/standing.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

// What the end of a record told, beyond what a turn has said of it.
struct EndFacts {
  std::optional<KnownBest> best;  // none: experts that sleep have no best total
  double slack = 0;               // of ties with it
  double gap = 0;                 // end.oracle_gap
  std::string choices_of;         // whose choices were checked, after the word: " of every segment"
  // For people: bounds with what they cover, what could not be derived again, what claims nothing.
  std::vector<std::string> bounds, on_trust, recorded;
};

class Turn {
 public:
  virtual ~Turn() = default;
  virtual std::uint64_t lines() const = 0;   // of this log so far
  virtual std::uint64_t rounds() const = 0;  // that the end reports of
  // Line t, whose number is read.
  virtual void line(Fields& in) = 0;
  // The fields of the end after the identity of the run; adds to what was checked. May be called again after more
  // lines: at the end of each part of a record.
  virtual EndFacts end(Fields& end, Verification& said) = 0;
  // The lines from here on are those of a log that begins here, made from the state of the learner so far.
  virtual void begin_log() {}
};
// Of each kind. The state outlives what is made.
std::unique_ptr<Turn> turn_in_order(RecordState& record);
std::unique_ptr<Turn> turn_late(RecordState& record);
std::unique_ptr<Turn> turn_by_context(RecordState& record);
std::unique_ptr<Turn> turn_asleep(RecordState& record);
std::unique_ptr<Turn> turn_by_proposals(RecordState& record);
std::unique_ptr<Turn> turn_in_part(RecordState& record);
std::unique_ptr<Turn> turn_by_client(RecordState& record);
std::unique_ptr<Turn> turn_by_elements(RecordState& record);

class Driver {
 public:
  Driver(RecordedSetting setting, Claims& claims, const VerifyLimits& limits);
  void line(const Json& line);
  Verification end(const Json& report);
  void begin_log() { turn_->begin_log(); }

 private:
  void follow_rehearsal(Fields& in);
  void check_rehearsed(Fields& end, Verification& said) const;

  RecordState record_;
  std::unique_ptr<Turn> turn_;
  // The lines with "warm": the first ones, with their losses; none after the first that was played.
  struct Rehearsed {
    std::uint64_t rounds = 0;
    ExactTotal total;
    bool over = false;
  };
  Rehearsed rehearsed_;
};

}  // namespace hannan::detail
