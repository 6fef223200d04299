#include "hannan/verify/end_fields.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/verify/certificates.hpp"
#include "hannan/verify/noise_forms.hpp"

namespace hannan::detail {

void check_identity(Fields& end, const RecordedSetting& setting, const Claims& claims, std::uint64_t rounds) {
  if (end.word("problem") != setting.problem->kind())
    claims.reject("end.problem", "found another problem than the header's");
  if (end.word("learner") != setting.facts().name)
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
  if (facts.realised) claims.expect("end.raw.realised", raw.number("realised"), in_units(*facts.realised));
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

namespace {

void check_upper_size(double M, const RecordedSetting& s, const Claims& claims, std::vector<std::string>& on_trust) {
  const char* field = "end.certificate.assumptions.M";
  if (s.noise.alpha && s.noise.size) return claims.expect_plain(field, M, *s.noise.size);
  if (s.ln_size <= 0) return claims.expect_plain(field, M, 0);
  const auto known = noise_size_again(s);
  if (!known && !s.noise.alpha) {
    throw Error(Code::kRejected,
                "found \"" + s.noise.name + "\" noise on \"" + s.noise.perturbation + "\", which do not go together",
                "learner.params.noise");
  }
  if (!known) return;  // given noise need not go together with the perturbation
  const bool same = s.exact && known->certain;
  // An oracle that stops early finds a little less in the same draws.
  const bool within = !same && M >= known->low && M <= known->high + (known->high - known->low);
  const bool agrees = agree(M, known->high, known->precision);
  if (!within && !agrees) claims.reject_number(field, M, known->high);
  if (!agrees) {
    on_trust.push_back("M = " + number_text(M) + ", computed again as at most " + number_text(known->high) +
                       ", within the error of such a computation");
  }
}

}  // namespace

std::optional<double> check_noise(Fields& in, const RecordedSetting& s, const Claims& claims,
                                  std::vector<std::string>& on_trust) {
  const auto columns = static_cast<double>(in.integer("columns", kNatural));
  double known = s.noise.columns;
  if (s.facts().noise == NoiseOn::kOutcomes)
    known = s.noise.alpha ? static_cast<double>(s.noise.alpha->front().size()) : columns;
  claims.expect_plain(in.at("columns"), columns, known);
  const Json& gamma = in.need("gamma");
  if (gamma.is_null() == s.noise.gamma.has_value())
    claims.reject(in.at("gamma"), "found " + dump(gamma) + ", expected that of the header");
  if (s.noise.gamma) claims.expect_plain(in.at("gamma"), to_number(gamma, "gamma"), *s.noise.gamma);
  const Json& size = in.need("M");
  if (size.is_null() == s.facts().perturbs) claims.reject(in.at("M"), "found " + dump(size));
  std::optional<double> M;
  if (s.facts().perturbs) {
    M = to_number(size, "M", s.contexts ? kExtended : kAnyFinite);
    check_upper_size(*M, s, claims, on_trust);
  }
  // What rests on a given constant that is below the proven one is not stated, and the certificate says so.
  const auto left_out = expected_left_out(s);
  const bool unsaid = s.compares_means && !s.contexts && !in.has("left_out");
  if (!left_out.empty() && !unsaid && in.words("left_out") != left_out)
    claims.reject(in.at("left_out"), "found other sentences than those for what is left out");
  return M;
}

void check_smallest(std::size_t index, const RecomputedTotals& totals, std::string_view field, RecordState& record) {
  const auto facts =
      facts_of_choice(record.list.size(), index, [&](std::size_t k) { return totals.totals()[k]; }, totals.unit());
  if (facts.best && (facts.smallest || record.setting.external)) return;
  record.claims.suspect(field, "found " + dump(record.list.action(index)) + ", expected the smallest of the best, " +
                                   dump(record.list.action(totals.smallest_leader())));
}

void check_numbers(Fields& end, const char* name, const Claims& claims, const ExpectedNumbers& expected) {
  const auto found = end.numbers(name, kExtended);
  if (found.size() != expected.size) claims.reject(end.at(name), "expected a number per expert");
  for (std::size_t k = 0; k < found.size(); ++k) claims.expect(path_of(end.at(name), k), found[k], expected.value(k));
}

}  // namespace hannan::detail
