#include "hannan/verify/driver.hpp"

#include <utility>

#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {
namespace {

std::unique_ptr<Turn> make_turn(RecordState& record) {
  if (record.setting.contexts) return turn_by_context(record);
  if (record.setting.asleep) return turn_asleep(record);
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
  turn_->line(in);
  in.done();
}

Verification Driver::end(const Json& report) {
  Fields end(report, "end");
  const RecordedSetting& s = record_.setting;
  check_identity(end, s, record_.claims, turn_->rounds());
  Verification said;
  said.rounds = turn_->rounds();
  const EndFacts facts = turn_->end(end, said);
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
