#include "hannan/verify/setting.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {
namespace {

// The facts of a noise law, as its definition has them; the library's own are not asked.
RecordedNoise read_noise(const std::string& name) {
  if (name == "laplace") return {.p = 1, .centred = true, .symmetric = true};
  if (name == "exponential") return {.p = 1};
  if (name == "exponential-centred") return {.p = 1, .centred = true};
  if (name.starts_with("uniform:")) return {};
  if (name == "lp:inf") return {.p = std::numeric_limits<double>::infinity(), .centred = true, .symmetric = true};
  double p = 0;
  const char* end = name.data() + name.size();
  if (name.starts_with("lp:") && std::from_chars(name.data() + 3, end, p).ptr == end && p >= 1) {
    return {.p = p, .centred = true, .symmetric = true};
  }
  return {};  // a law without a row here: nothing is known of it, so no bound of a run with it is accepted
}

// No entry of the column that this data makes is greater: minus the floor of the least loss of minus the data.
double greatest_entry(const AnyProblem& problem, const Json& data) {
  Json against = Json::array();
  for (const auto& point : data.as_array()) {
    against.push_back(Json::object({{"weight", -point.at("weight").as_number()}, {"outcome", point.at("outcome")}}));
  }
  return -problem.best({.data = against, .oracle = {}, .keep = 1}).at("floor").as_number();
}

// Every entry in [0,1]: columns made of outcomes are when their weights are non-negative and sum to at
// most one, or when the oracle finds no greater entry; a dense matrix is looked at; codes are 0/1.
bool entries_in_unit(const RecordedSetting& s) {
  const auto columns = static_cast<std::uint64_t>(s.columns);
  if (s.perturbation == "outcomes") {
    for (std::uint64_t j = 0; j < columns; ++j) {
      double sum = 0;
      const Json data = s.problem->column({.perturbation = s.perturbation, .column = j});
      for (const auto& point : data.as_array()) {
        const double weight = point.at("weight").as_number();
        if (weight < 0) return false;
        sum += weight;
      }
      if (sum > 1 && greatest_entry(*s.problem, data) > 1 + tie_slack(1)) return false;
    }
  } else if (s.perturbation == "dense") {
    const ListedActions list(*s.problem, 10'000'000);
    for (std::size_t k = 0; k < list.size(); ++k) {
      for (const double entry : s.problem->row(s.perturbation, list.action(k))) {
        if (!(entry >= 0 && entry <= 1)) return false;
      }
    }
  }
  return true;
}

void read_alpha(Fields& in, RecordedSetting& s) {
  const Json* alpha = in.maybe("alpha");
  s.once = in.choice("draw", {"fresh", "once"}) == "once";
  if (!alpha) return;
  const bool nested = alpha->size() > 0 && (*alpha)[0].is_array();
  s.alpha.emplace();
  if (nested) {
    *s.alpha = to_matrix(*alpha, in.at("alpha"));
  } else {
    s.alpha->push_back(to_numbers(*alpha, in.at("alpha")));
  }
  if (s.once == nested) throw Error(Code::kRejected, "found a draw that is not what alpha settles", in.at("draw"));
}

void read_perturbation(Fields& in, RecordedSetting& s, const Json& facts) {
  s.perturbation = in.word("perturbation");
  for (const auto& matrix : facts.at("perturbations").as_array()) {
    if (matrix.at("name").as_string() != s.perturbation) continue;
    s.columns = matrix.at("columns").as_number();
    if (matrix.at("gamma").is_number()) s.claimed_gamma = matrix.at("gamma").as_number();
    s.unit_entries = entries_in_unit(s);
    return;
  }
  throw Error(Code::kUnknownName, "found \"" + s.perturbation + "\", which the problem does not have",
              in.at("perturbation"));
}

void read_noise_of(Fields& in, RecordedSetting& s) {
  s.noise_name = in.word("noise");
  s.noise = read_noise(s.noise_name);
  if (in.has("gamma")) s.gamma = in.number("gamma", kNonnegative);
  if (in.has("M")) s.noise_size = in.number("M", kNonnegative);
  const bool needs_gamma = s.claimed_gamma || s.rule->needs_gamma;
  if (needs_gamma && !s.gamma)
    throw Error(Code::kMissingField, "expected gamma, every default being filled in", in.at("gamma"));
}

// Asked of the problem: an oracle without a work limit is refused one.
bool has_work_limit(const AnyProblem& problem, const std::string& oracle) {
  try {
    problem.best({.data = Json::array(), .oracle = oracle + ":1", .keep = 1});
    return true;
  } catch (const Error& e) {
    if (e.code() != Code::kUnavailable) throw;
    return false;
  }
}

void read_oracle(Fields& in, RecordedSetting& s, const Json& facts) {
  s.oracle = in.word("oracle");
  s.external = s.oracle.starts_with("external:") || s.oracle.starts_with("external@");
  if (s.external) return s.oracle.clear();
  const auto& oracles = facts.at("oracles").as_array();
  const std::string name = s.oracle.substr(0, s.oracle.find(':'));  // "name:limit" is it with a work limit
  if (std::find(oracles.begin(), oracles.end(), Json(name)) == oracles.end())
    throw Error(Code::kUnknownName, "found \"" + s.oracle + "\", which the problem does not have", in.at("oracle"));
  s.exact = s.oracle == name && !has_work_limit(*s.problem, name);
  s.defaults = oracles.front() == Json(name);
}

void read_learner(Fields& in, RecordedSetting& s, const Json& facts) {
  in.integer("seed", kNatural);
  in.integer("run", kNatural);
  read_oracle(in, s, facts);
  s.track = in.choice("track", {"every", "powers", "end"});
  s.pooled = in.has("pool") && in.integer("pool", kNatural) > 0;
  if (s.rule->draws) read_alpha(in, s);
  if (s.rule->columns) read_perturbation(in, s, facts);
  if (s.rule->perturbs) read_noise_of(in, s);
  if (s.rule->read) s.rule->read(in, s);
  const bool needs_size = s.rule->needs_size || s.estimator == "tight" || s.estimator == "trajectory";
  if (needs_size && !s.noise_size)
    throw Error(Code::kMissingField, "expected M, every default being filled in", in.at("M"));
}

// Tuned to the number of rounds, or by hand; given noise needs neither.
void read_tuning(Fields& in, RecordedSetting& s, const char* tuning) {
  if (in.has("rounds")) in.integer("rounds", {1, kAnyInteger.hi});
  if (in.has(tuning) || !s.alpha) in.number(tuning, kPositive);
}

}  // namespace

void read_flip_constants(Fields& in, RecordedSetting& s) {
  s.phi = in.number("phi", kPositive);
  s.flip_a = in.number("a", kPositive);
}

void read_rate_factor(Fields& in, RecordedSetting& s) { s.c = in.number("c", kPositive); }

void read_off(Fields& in, RecordedSetting& s) {
  read_rate_factor(in, s);
  s.estimator = in.choice("estimator", {"paper", "tight", "trajectory", "regret", "realised", "reused"});
  s.feed = in.choice("feed", {"played", "next"});
  s.switch_a = in.number("switch_a", kPositive);
  s.switch_b = in.number("switch_b", kPositive);
  const Json& mc = in.need("mc");
  if (!mc.is_array()) {
    s.mc_draws = static_cast<std::uint64_t>(to_integer(mc, in.at("mc"), {1, kAnyInteger.hi}));
    return;
  }
  for (std::size_t t = 0; t < mc.size(); ++t) s.mc.push_back(to_matrix(mc[t], path_of(in.at("mc"), t)));
}

void read_hedge_rate(Fields& in, RecordedSetting& s) {
  s.rate = in.choice("rate", {"fixed", "anytime", "small-loss"});
  if (s.rate == "fixed") s.eta = in.number("eta", kPositive);
}

void read_uniform(Fields& in, RecordedSetting& s) { read_tuning(in, s, "beta"); }

void read_fake_data(Fields& in, RecordedSetting& s) { read_tuning(in, s, "epsilon"); }

RecordedSetting read_header(const Json& header) {
  Fields in(header, "");
  const auto version = in.integer("record");
  if (version != 1)
    throw Error(Code::kMalformed, "found record version " + std::to_string(version) + ", expected 1", "record");
  if (!in.word("program").starts_with("hannan ")) {
    throw Error(Code::kRejected, "found \"" + in.word("program") + "\", expected the name and version of the program",
                "program");
  }
  RecordedSetting s;
  Fields problem = in.fields("problem");
  s.problem = make_problem(problem.word("kind"), problem.need("params"), "problem.params");
  problem.done();
  const Json facts = s.problem->describe();
  s.ln_size = facts.at("ln_actions").as_number();
  s.normaliser = facts.at("normaliser").as_number();
  Fields learner = in.fields("learner");
  const std::string kind = learner.word("kind");
  s.rule = find_rule(kind);
  if (!s.rule) {
    throw Error(Code::kUnavailable, "found learner \"" + kind + "\", for which there is no rule to check it by",
                "learner.kind");
  }
  s.learner_params = learner.need("params");
  learner.done();
  in.done();
  Fields params(s.learner_params, "learner.params");
  read_learner(params, s, facts);
  params.done();
  return s;
}

}  // namespace hannan::detail
