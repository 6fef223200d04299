#include "hannan/verify/end_fields.hpp"

#include <algorithm>
#include <utility>

namespace hannan::detail {

void check_identity(Fields& end, const RecordedSetting& setting, const Claims& claims, std::uint64_t rounds) {
  if (end.word("problem") != setting.problem->kind())
    claims.reject("end.problem", "found another problem than the header's");
  if (end.word("learner") != setting.rule->name)
    claims.reject("end.learner", "found another learner than the header's");
  if (!(end.need("params") == setting.learner_params))
    claims.reject("end.params", "found other parameters than the header's");
  claims.expect_count("end.rounds", end.integer("rounds"), rounds);
}

void check_raw(Fields raw, const RecordedSetting& setting, const Claims& claims, const RawFacts& facts) {
  const bool reward = raw.choice("unit", {"reward", "loss"}) == "reward";
  if (facts.reward && *facts.reward != reward)
    claims.reject("end.raw.unit", "found \"" + raw.word("unit") + "\", expected the other");
  // What a loss of 0 earns: 1 a round, and nothing where any number may be a loss.
  const double zero = setting.any_range ? 0.0 : static_cast<double>(facts.rounds);
  const auto in_units = [&](double loss) { return setting.normaliser * (reward ? zero - loss : loss); };
  claims.expect("end.raw.total", raw.number("total"), in_units(facts.total));
  claims.expect("end.raw.best", raw.number("best"), in_units(facts.best));
  raw.done();
}

void check_calls(Fields& end, const RecordedSetting& setting, const Claims& claims, const RecordedCalls& calls,
                 std::vector<std::string>& recorded) {
  const std::int64_t made = end.integer("oracle_calls", kNatural), nodes = end.integer("search_nodes", kNatural);
  if (!setting.pooled || std::cmp_greater(made, calls.most)) claims.expect_count("end.oracle_calls", made, calls.most);
  if (setting.exact || made == 0) {
    claims.expect("end.oracle_gap", calls.gap, 0);
    claims.expect_count("end.search_nodes", nodes, 0);
  } else {
    recorded.emplace_back("the size of the oracle's searches: end.search_nodes");
  }
  if (const double most = std::max(claims.possible_gap(), calls.spread);
      calls.gap > most && !agree(calls.gap, most, claims.precision())) {
    claims.reject("end.oracle_gap", "found " + number_text(calls.gap) +
                                        ", but all calls together can be off by at most " + number_text(most) +
                                        ", the spread of their values");
  }
  if (const double least = claims.shortfall(); calls.gap < least && !agree(calls.gap, least, claims.precision())) {
    claims.reject("end.oracle_gap", "found " + number_text(calls.gap) + ", but the choices are " + number_text(least) +
                                        " above the best, all rounds together");
  }
  if (setting.pooled) recorded.emplace_back("how many searches pools saved: end.oracle_calls, up to what is possible");
}

}  // namespace hannan::detail
