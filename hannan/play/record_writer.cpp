// Lines of a record and its digest: every line, its end included, enters the digest in order, and the last line states
// it (docs/record.md). Names and order of fields are part of the format.
#include "hannan/play/record_writer.hpp"

#include <utility>

#include "hannan/runtime/round_json.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {

void RecordWriter::line(std::string text) {
  text += '\n';
  digest_.add(text);
  sink_(text);
}

// For a record that is continued: a line that is in the file already enters the digest and is not written again.
void RecordWriter::seen(std::string_view line) {
  digest_.add(line);
  digest_.add("\n");
}

void RecordWriter::begin(const AnyProblem& problem, const AnyLearner& learner, const Json& data) {
  line(dump(Json::object({{"record", 1},
                          {"program", std::string("hannan ") + kVersion},
                          {"problem", Json::object({{"kind", problem.kind()}, {"params", problem.params()}})},
                          {"learner", Json::object({{"kind", learner.kind()}, {"params", learner.params()}})},
                          {"data", data}})));
}

// Fields in the order of docs/record.md. Optional ones are there by kind of learner or by what the round did, so that a
// verifier knows from the header which to expect.
namespace lines {

using namespace round_fields;
constexpr RoundField kTime = named(kNumber, "t");
constexpr RoundField kPlayed[] = {kTime,
                                  kWarm,
                                  kAction,
                                  kRate,
                                  known(kRegime),
                                  kOutcome,
                                  kLoss,
                                  kBest,
                                  kAfter,
                                  known(kStability),
                                  shown(kGap, When::kGapRecorded),
                                  kEstimates,
                                  kSwitched};
constexpr RoundField kNode[] = {kAction, kRate, known(kRegime), kAfter, known(kStability), kEstimates};
constexpr RoundField kByContext[] = {kTime, kWarm, kContext, nodes(kNode), kWeights, kPick, kOutcome, kLoss, kRealised};
constexpr RoundField kPortfolio[] = {kTime,        kWarm,       known(kContext), kProposals,    kInner,
                                     kTodayLoss,   kOutcome,    known(kWeights), known(kShare), kPlayedPick,
                                     known(kHeld), kPlayedLoss, known(kRealised)};
constexpr RoundField kLooked[] = {kTime, kShare,         kLook,     kChoice,     kAction,
                                  kRate, known(kRegime), kOutcome,  known(kRaw), known(kAfter),
                                  kGap,  kStability,     kSwitched, kLookCost,   shown(kLimit, When::kAlways)};
constexpr RoundField kNotLooked[] = {kTime,
                                     kShare,
                                     kLook,
                                     kChoice,
                                     kAction,
                                     kRate,
                                     known(kRegime),
                                     kOutcome,
                                     known(kIsLost),
                                     known(kRaw),
                                     known(kRoundsAtOnce)};
constexpr RoundField kElements[] = {kTime, kAction, kRate, kDrawCap, kSeenParts, kCopies, kGap, kStability, kTotal};
constexpr RoundField kDecision[] = {named(kNumber, "decide"), kAction, kRate};
constexpr RoundField kArrival[] = {
    named(kNumber, "observe"), kOutcome, kLoss, kSettled, kGaps, kStability, kTotal, kBest, kOracleCalls};

}  // namespace lines

std::string record_line(const Round& round) {
  if (round.elements) return dump(round_json(round, lines::kElements));
  if (round.looked) return dump(round_json(round, round.outcome ? RoundFields(lines::kLooked) : lines::kNotLooked));
  const auto& fields = !round.strategies.empty() ? RoundFields(lines::kPortfolio)
                       : round.nodes().empty()   ? RoundFields(lines::kPlayed)
                                                 : lines::kByContext;
  return dump(round_json(round, fields));
}

Json decision_line(std::uint64_t t, const Round& round) { return round_json(round, lines::kDecision, {{"t", t}}); }
Json client_line(const ClientLine& of, const PartLearner& learner) {
  Json line = Json::object({{"t", of.t}, {"decision", of.decision}});
  for (const auto& [name, value] : of.sent.as_object()) line.set(name, value);
  line.set("counted", learner.decisions()->counted());
  return learner.steps()->size() > 0 ? line.set("steps", *learner.steps()) : line;
}

Json arrival_line(std::uint64_t t, const Round& round) { return round_json(round, lines::kArrival, {{"t", t}}); }

// The report is in the digest, the last line itself cannot be.
void RecordWriter::end(AnyLearner& learner) {
  const Json report = learner.report();
  digest_.add(dump(report));
  sink_(dump(Json::object({{"end", report}, {"digest", digest_.hex()}})) + "\n");
}

}  // namespace hannan::detail
