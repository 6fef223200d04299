#include "hannan/verify/driver.hpp"

#include <utility>

#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {
namespace {

std::unique_ptr<Turn> make_turn(RecordState& record) {
  if (record.setting.portfolio) return turn_by_proposals(record);
  if (record.setting.contexts) return turn_by_context(record);
  if (record.setting.asleep) return turn_asleep(record);
  if (record.setting.looks) return record.setting.looks->client ? turn_by_client(record) : turn_in_part(record);
  if (record.setting.elements) return turn_by_elements(record);
  return record.setting.delayed ? turn_late(record) : turn_in_order(record);
}

// What stays on trust where the problem has no oracle but the one of the run, the user's own.
void trust_own_oracle(const RecordedSetting& setting, Verification& result) {
  // A problem that has no other oracle, and whose actions cannot be listed.
  if (!setting.external || setting.problem->oracles().front()->claims().empty()) return;
  result.trusted.push_back("that no action loses less than the oracle of the run found, for there is no other search");
  result.trusted.push_back("that there are exp(" + number_text(setting.ln_size) +
                           ") actions, for they cannot be listed");
}

}  // namespace

Driver::Driver(RecordedSetting setting, Claims& claims, const VerifyLimits& limits)
    : record_(std::move(setting), claims, limits), turn_(make_turn(record_)) {}

void Driver::line(const Json& line) {
  Fields in(line, "");
  record_.claims.expect_count("t", in.integer("t"), turn_->lines() + 1);
  follow_rehearsal(in);
  turn_->line(in);
  in.done();
}

// A round that was rehearsed is a round like all others: the turn checks its decision and its loss.
void Driver::follow_rehearsal(Fields& in) {
  if (!in.has("warm")) {
    rehearsed_.over = true;
    return;
  }
  if (!in.flag("warm")) record_.claims.reject("warm", "found false, expected true, or no such field");
  if (record_.setting.delayed)
    record_.claims.reject("warm", "found a rehearsal, expected none: outcomes of this learner come late");
  if (rehearsed_.over)
    record_.claims.reject("warm", "found a rehearsal after a round that was played, expected it before");
  // A turn whose rehearsed lines have no loss has sums of its own.
  if (!in.has("loss")) return;
  ++rehearsed_.rounds;
  rehearsed_.total += in.number("loss");
}

void Driver::check_rehearsed(Fields& end, Verification& said) const {
  const Json* found = end.maybe("rehearsed");
  const Claims& claims = record_.claims;
  if (rehearsed_.rounds == 0) {
    if (found) claims.reject("end.rehearsed", "found a rehearsal, expected none: no round is one");
    return;
  }
  if (!found) claims.reject("end.rehearsed", "found nothing, expected what the rehearsed rounds lost");
  Fields in(*found, "end.rehearsed");
  const std::uint64_t played = turn_->rounds() - rehearsed_.rounds;
  const double before = rehearsed_.total.value(), total = said.total - before;
  claims.expect_count(in.at("rounds"), in.integer("rounds"), rehearsed_.rounds);
  claims.expect(in.at("total"), in.number("total"), before);
  claims.expect_count(in.at("played"), in.integer("played"), played);
  claims.expect(in.at("played_total"), in.number("played_total"), total);
  // What a loss of 0 earns: 1 a round, and nothing where any number may be a loss.
  const RecordedSetting& s = record_.setting;
  const double zero = s.any_range ? 0.0 : static_cast<double>(played);
  const bool reward = end.fields("raw").word("unit") == "reward";
  claims.expect(in.at("played_raw"), in.number("played_raw"), s.normaliser * (reward ? zero - total : total));
  in.done();
  said.checked.push_back("what was lost in the " + std::to_string(rehearsed_.rounds) +
                         " rounds that were rehearsed, and in the played ones");
}

Verification Driver::end(const Json& report) {
  Fields end(report, "end");
  const RecordedSetting& s = record_.setting;
  check_identity(end, s, record_.claims, turn_->rounds());
  Verification said;
  said.rounds = turn_->rounds();
  const EndFacts facts = turn_->end(end, said);
  check_rehearsed(end, said);
  end.done();
  if (!facts.best) return said;
  if (!s.facts().mixes)
    add_choices({.setting = s, .claims = record_.claims, .gap = facts.gap, .of = facts.choices_of}, said);
  add_best(*facts.best, facts.slack, said);
  trust_own_oracle(s, said);
  for (const auto& what : facts.on_trust) said.trusted.push_back(what);
  for (const auto& what : facts.recorded) said.recorded.push_back(what);
  for (const auto& bound : facts.bounds) said.checked.push_back(bound);
  return said;
}

}  // namespace hannan::detail
