// The header of a record: fields that several learners share, every default being filled in. What a header says of a
// perturbation is looked at here once: whether the entries of its matrix lie in [0,1], which printed bounds ask for.
// Cost: a pass over the actions for a dense matrix, otherwise a search a column at most.
#include "hannan/verify/setting.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/verify/drawn_noise.hpp"
#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {
namespace {

// No entry of the column that this data makes is greater: minus the floor of the least loss of minus the data.
double greatest_entry(const GameOracle& oracle, const Dataset<AnyOutcome>& data) {
  const auto against = oracle.empty(), nothing = oracle.empty();
  for (const auto& [weight, outcome] : data) against->add(outcome, -weight);
  return -oracle.best({*against, *nothing, 0.0}, 1).floor;
}

// Every entry in [0,1]: columns made of outcomes are when their weights are non-negative and sum to at
// most one, or when the oracle finds no greater entry; a dense matrix is looked at; codes are 0/1.
bool entries_in_unit(const RecordedSetting& s) {
  const auto columns = static_cast<std::uint64_t>(s.noise.columns);
  if (s.noise.perturbation == "outcomes") {
    const auto oracle = oracle_of(*s.problem, "");
    for (std::uint64_t j = 0; j < columns; ++j) {
      double sum = 0;
      const auto data = s.noise.matrix->data({.column = j});
      if (!data) return false;
      for (const auto& point : *data) {
        if (point.weight < 0) return false;
        sum += point.weight;
      }
      if (sum <= 1) continue;
      if (!oracle->takes_negative_weights() || greatest_entry(*oracle, *data) > 1 + tie_slack(1)) return false;
    }
  } else if (s.noise.perturbation == "dense") {
    const auto actions = s.problem->action_table(10'000'000);
    if (!actions) return false;
    const ColumnRanges ranges(*actions, *s.noise.matrix);
    return std::ranges::all_of(ranges.low, [](double entry) { return entry >= 0; }) &&
           std::ranges::all_of(ranges.high, [](double entry) { return entry <= 1; });
  }
  return true;
}

// A whole number above 0, of at most 15 digits.
bool is_limit(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits && text.find_first_not_of('0') != std::string::npos;
}

// One draw for all rounds, or one a round.
RecordedContexts::Given read_draws(const Json& draws, const std::string& at) {
  RecordedContexts::Given given;
  const auto& list = to_list(draws, at);
  given.once = list.empty() || !list.front().is_array();
  if (given.once) {
    given.draws.push_back(to_numbers(draws, at, limits::kEntry));
  } else {
    given.draws = to_matrix(draws, at, limits::kEntry);
  }
  return given;
}

void read_alpha(Fields& in, RecordedSetting& s) {
  const Json* alpha = in.maybe("alpha");
  s.noise.once = in.choice("draw", {"fresh", "once"}) == "once";
  if (!alpha) return;
  s.noise.alpha.emplace();
  if (s.contexts) {
    const Fields object(*alpha, in.at("alpha"));  // refuses what is none
    for (const auto& [segment, draws] : alpha->as_object())
      s.contexts->alpha.emplace(segment, read_draws(draws, path_of(in.at("alpha"), segment)));
    return;
  }
  RecordedContexts::Given given = read_draws(*alpha, in.at("alpha"));
  if (s.noise.once != given.once)
    throw Error(Code::kRejected, "found a draw that is not what alpha settles", in.at("draw"));
  s.noise.alpha = std::move(given.draws);
}

// One list of columns, or a list of such lists.
void read_contexts(Fields& in, RecordedSetting& s) {
  if (!in.has("by")) return;
  s.contexts.emplace();
  const auto& by = in.list("by");
  const bool several = !by.empty() && by.front().is_array();
  if (by.empty() || (several && by.size() < 2))
    throw Error(Code::kRejected, "found no columns, or one list in a list, expected the plain form", in.at("by"));
  for (std::size_t i = 0; several && i < by.size(); ++i)
    s.contexts->depths.push_back(to_words(by[i], path_of(in.at("by"), i)).size());
  if (!several) s.contexts->depths.push_back(in.words("by").size());
  for (const std::size_t depth : s.contexts->depths) {
    if (depth == 0 || depth > 16) throw Error(Code::kRejected, "found no columns, or more than 16", in.at("by"));
  }
  s.contexts->open = static_cast<std::uint64_t>(in.integer("open", {1, 1'000'000}));
  s.contexts->most = static_cast<std::uint64_t>(in.integer("most", {1, 100'000'000}));
  if (!s.facts().by_context)
    throw Error(Code::kRejected, "found columns, which this learner does not take", in.at("by"));
}

void read_perturbation(Fields& in, RecordedSetting& s) {
  s.noise.perturbation = in.word("perturbation");
  for (const auto& matrix : s.problem->perturbations()) {
    if (matrix->name() != s.noise.perturbation) continue;
    s.noise.matrix = matrix;
    s.noise.columns = static_cast<double>(matrix->columns());
    s.noise.claimed_gamma = matrix->gamma();
    s.noise.unit_entries = entries_in_unit(s);
    return;
  }
  throw Error(Code::kUnknownName, "found \"" + s.noise.perturbation + "\", which the problem does not have",
              in.at("perturbation"));
}

void read_noise_of(Fields& in, RecordedSetting& s) {
  s.noise.name = in.word("noise");
  s.noise.law = DrawnLaw::named(s.noise.name);
  if (!s.noise.law)
    throw Error(Code::kUnknownName, "found \"" + s.noise.name + "\", which is no law of noise", in.at("noise"));
  s.noise.p = s.noise.law->p();
  s.noise.centred = s.noise.law->centred();
  s.noise.symmetric = s.noise.law->symmetric();
  if (!s.noise.alpha && s.noise.p == 0)
    throw Error(Code::kRejected, "found \"" + s.noise.name + "\", which is for uniform-gftpl alone", in.at("noise"));
  if (in.has("gamma")) s.noise.gamma = in.number("gamma", limits::kGamma);
  if (in.has("M")) s.noise.size = in.number("M", limits::kNoiseSize);
  if (s.noise.claimed_gamma) demand_gamma(in, s);
}

// "name", or "name:limit" where the oracle has a work limit.
void read_oracle(Fields& in, RecordedSetting& s) {
  s.oracle = in.word("oracle");
  s.external = s.oracle.starts_with("external:") || s.oracle.starts_with("external@") || s.oracle.starts_with("own:");
  if (s.external) return s.oracle.clear();
  const auto oracles = s.problem->oracles();
  const std::string name = s.oracle.substr(0, s.oracle.find(':'));
  const auto named = std::ranges::find(oracles, name, [](const auto& o) -> const std::string& { return o->name(); });
  if (named == oracles.end())
    throw Error(Code::kUnknownName, "found \"" + s.oracle + "\", which the problem does not have", in.at("oracle"));
  const bool has_limit = (*named)->limited(1) != nullptr;
  if (s.oracle != name && (!has_limit || !is_limit(s.oracle.substr(name.size() + 1)))) {
    throw Error(Code::kUnavailable,
                "found \"" + s.oracle + "\", expected \"" + name +
                    "\" or, where it has a work limit, a whole number above 0 behind it",
                in.at("oracle"));
  }
  s.exact = s.oracle == name && !has_limit;
}

// The learner's range is that of the problem, and written where it is unknown.
void read_range(Fields& in, RecordedSetting& s) {
  s.any_range = s.problem->loss_range() == LossRange::kUnknown;
  if (!s.any_range) return;
  in.choice("range", {"unknown"});
  // The learners of experts that sleep need no cap there.
  if (!s.facts().any_range && !s.asleep)
    throw Error(Code::kRejected, "found a learner that needs losses in [0,1]", in.at("range"));
  if (s.pooled) throw Error(Code::kRejected, "found a pool, which needs losses in [0,1]", in.at("pool"));
}

void read_learner(Fields& in, RecordedSetting& s) {
  s.key.seed = static_cast<std::uint64_t>(in.integer("seed", kNatural));
  s.key.run = static_cast<std::uint64_t>(in.integer("run", kNatural));
  if (s.facts().of_strategies) {
    s.any_range = s.problem->loss_range() == LossRange::kUnknown;
    s.track = "end";
    s.exact = true;
    return;
  }
  read_oracle(in, s);
  s.track = in.choice("track", {"every", "powers", "end"});
  s.pooled = in.has("pool") && in.integer("pool", {0, 65'536}) > 0;
  read_range(in, s);
  read_contexts(in, s);
  if (s.contexts && s.any_range) throw Error(Code::kRejected, "found columns, which need losses in [0,1]", in.at("by"));
  if (s.facts().noise != NoiseOn::kNothing) read_alpha(in, s);
  if (s.facts().noise == NoiseOn::kColumns) read_perturbation(in, s);
  if (s.facts().perturbs) read_noise_of(in, s);
}

// Looks exclude what there is no theorem for.
void read_looks(Fields& in, RecordedSetting& s) {
  if (!in.has("feedback")) return;
  in.choice("feedback", {"looks"});
  RecordedLooks looks;
  if (in.has("coin")) looks.client = in.choice("coin", {"client"}) == "client";
  looks.look = in.need("look");
  const Json& share = in.need("share");
  if (!share.is_string()) {
    looks.share = RecordedLooks::Share::kFixed;
    looks.chance = in.number("share", {1e-6, 1});
  } else if (in.choice("share", {"adaptive", "logged"}) == "logged") {
    looks.share = RecordedLooks::Share::kLogged;
  } else {
    looks.cost = in.number("cost", {1e-3, 1});
  }
  if (in.has("coins")) looks.coins = in.numbers("coins", kUnit);
  if (looks.client && (looks.coins || looks.share == RecordedLooks::Share::kLogged))
    throw Error(Code::kRejected, "found coins of a client beside those of a log, or given ones", in.at("coin"));
  if (in.has("against")) {
    const auto& list = in.list("against");
    looks.against.assign(list.begin(), list.end());
  } else if (!looks.look.is_null()) {
    looks.against.push_back(looks.look);
  }
  s.certificates.delta = in.number("delta", limits::kChance);
  const bool other = s.contexts || s.delayed || s.asleep || s.discount != 1 || !s.certificates.by_leader ||
                     s.track != "every" || !(s.facts().leads || s.facts().multiplies);
  if (other) {
    throw Error(
        Code::kRejected,
        "found looks beside what they exclude, expected none of columns, delays, a discount, the pivot \"last\" "
        "and learners that take no weights",
        in.at("feedback"));
  }
  s.looks = std::move(looks);
}

// A learner of elements has few parameters: its noise is settled by them.
void read_elements(Fields& in, RecordedSetting& s) {
  in.choice("feedback", {"elements"});
  const auto elements = s.problem->elements();
  if (!elements || !s.facts().by_elements)
    throw Error(Code::kRejected, "found elements, expected a learner and a problem that have them", in.at("feedback"));
  s.key.seed = static_cast<std::uint64_t>(in.integer("seed", kNatural));
  s.key.run = static_cast<std::uint64_t>(in.integer("run", kNatural));
  read_oracle(in, s);
  if (s.external) throw Error(Code::kRejected, "found an oracle that takes no elements", in.at("oracle"));
  s.track = "every";
  s.noise.perturbation = elements->noise;
  for (const auto& matrix : s.problem->perturbations()) {
    if (matrix->name() == elements->noise) s.noise.matrix = matrix;
  }
  s.noise.columns = static_cast<double>(elements->count);
  s.noise.unit_entries = true;
  s.noise.name = "laplace";
  s.noise.law = DrawnLaw::named(s.noise.name);
  s.noise.p = s.noise.law->p();
  s.noise.centred = s.noise.symmetric = true;
  s.noise.size = in.number("M", limits::kNoiseSize);
  s.certificates.delta = in.number("delta", limits::kChance);
  s.elements = RecordedElements{.count = elements->count, .cap = in.number("cap", {1, 10'000})};
}

bool sees_elements(const Json& params) {
  const Json* feedback = params.find("feedback");
  return feedback && feedback->is_string() && feedback->as_string() == "elements";
}

}  // namespace

void demand_gamma(const Fields& in, const RecordedSetting& s) {
  if (!s.noise.gamma) throw Error(Code::kMissingField, "expected gamma, every default being filled in", in.at("gamma"));
}

void demand_size(const Fields& in, const RecordedSetting& s) {
  if (!s.noise.size) throw Error(Code::kMissingField, "expected M, every default being filled in", in.at("M"));
}

std::optional<double> read_tuning(Fields& in, const RecordedSetting& s, const char* tuning) {
  if (in.has("rounds")) in.integer("rounds", {1, kAnyInteger.hi});
  if (!in.has(tuning) && s.noise.alpha) return std::nullopt;
  return in.number(tuning, limits::kTuning);
}

void read_certificates(Fields& in, RecordedSetting& s) {
  RecordedCertificates& made = s.certificates;
  made.by_leader = in.choice("pivot", {"leader", "last"}) == "leader";
  if (made.by_leader && s.track != "every")
    throw Error(Code::kRejected, "found \"leader\", but L* is not tracked every round", in.at("pivot"));
  made.delta = in.number("delta", limits::kChance);
  if (in.has("rho2")) made.rho2 = in.number("rho2", limits::kNoiseSquare);
  made.credit_draws = static_cast<std::uint64_t>(in.integer("credit_draws", {0, 1'000'000}));
}

namespace {

// {"file", "sha256", "bytes"}, or null where the outcomes were read from no file; headers of version 0.3 have neither.
void read_data(Fields& in, RecordedSetting& s) {
  if (!in.has("data") || in.need("data").is_null()) return;
  Fields data = in.fields("data");
  const std::string digest = data.word("sha256");
  const bool hex = std::ranges::all_of(digest, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (digest.size() != 64 || !hex)
    throw Error(Code::kRejected, "found \"" + digest + "\", expected 64 hexadecimal digits", data.at("sha256"));
  s.data = data.word("file") + " of " + std::to_string(data.integer("bytes", kNatural)) + " bytes, SHA-256 " + digest;
  data.done();
}

void read_program(const std::string& program, RecordedSetting& s) {
  if (!program.starts_with("hannan "))
    throw Error(Code::kRejected, "found \"" + program + "\", expected the name and version of the program", "program");
  if (program.starts_with("hannan 0.1.") || program.starts_with("hannan 0.2.")) {
    throw Error(Code::kUnavailable,
                "found a record of " + program +
                    ", expected one of version 0.3 or later: verify it with the version that wrote it",
                "program");
  }
  s.compares_means = program.starts_with("hannan 0.3.");
}

}  // namespace

RecordedSetting read_header(const Json& header) {
  Fields in(header, "");
  const auto version = in.integer("record");
  if (version != 1)
    throw Error(Code::kMalformed, "found record version " + std::to_string(version) + ", expected 1", "record");
  RecordedSetting s;
  s.program = in.word("program");
  read_program(s.program, s);
  Fields problem = in.fields("problem");
  s.problem = make_game(problem.word("kind"), problem.need("params"), "problem.params");
  problem.done();
  s.ln_size = s.problem->ln_size();
  s.normaliser = s.problem->normaliser();
  s.asleep = s.problem->sleeps();
  Fields learner = in.fields("learner");
  const std::string kind = learner.word("kind");
  const std::shared_ptr<LearnerRule> rule = find_rule(kind);
  if (!rule) {
    throw Error(Code::kUnavailable, "found learner \"" + kind + "\", for which there is no rule to check it by",
                "learner.kind");
  }
  s.rule = rule;
  s.learner_params = learner.need("params");
  learner.done();
  read_data(in, s);
  if (in.has("from")) s.from = static_cast<std::uint64_t>(in.integer("from", {1, kNatural.hi}));
  in.done();
  Fields params(s.learner_params, "learner.params");
  if (sees_elements(s.learner_params)) {
    read_elements(params, s);
  } else {
    read_learner(params, s);
    rule->read(params, s);
    read_looks(params, s);
  }
  params.done();
  return s;
}

}  // namespace hannan::detail
