#include "hannan/runtime/learner_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/noise/noise.hpp"

namespace hannan {
namespace {

struct KindRow {
  LearnerKind kind;
  std::string_view params;  // besides seed, run, oracle, pool and track, which every learner takes
};

constexpr std::array<KindRow, 11> kKinds{{
    {{"flipflop", "FlipFlop-FPL, the default: leader while it is cheap, ada when it is not"},
     " perturbation noise draw alpha gamma M phi a "},
    {{"ada", "AdaFPL: the noise follows what it has cost; needs neither gamma nor c"},
     " perturbation noise draw alpha gamma M "},
    {{"gftpl", "perturbed leader with a small-loss rate (Algorithms 1, 2, 4)"},
     " perturbation noise draw alpha gamma c M "},
    {{"off", "oracle-efficient flip-flop (Algorithm 3, repaired)"},
     " perturbation noise draw alpha gamma c M estimator feed mc switch_a switch_b "},
    {{"leader", "follow the leader"}, " "},
    {{"hedge", "exponential weights; rate fixed, anytime or small-loss"}, " rate eta "},
    {{"adahedge", "exponential weights with a self-tuned rate"}, " "},
    {{"flipflop-hedge", "FlipFlop of de Rooij et al., on exponential weights"}, " phi a "},
    {{"fpl", "perturbed leader with one exponential per action (Hutter, Poland)"}, " draw alpha "},
    {{"uniform-gftpl", "classical perturbed leader, uniform noise (Dudik et al.)"},
     " perturbation draw alpha beta rounds "},
    {{"fake-data", "perturbed leader with geometric fake outcomes (Daskalakis, Syrgkanis)"},
     " draw alpha epsilon rounds "},
}};

const KindRow& row_of(std::string_view kind, std::string_view path) {
  for (const auto& row : kKinds) {
    if (row.kind.name == kind) return row;
  }
  std::string names;
  for (const auto& row : learner_kinds()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  throw Error(Code::kUnknownName, "found \"" + std::string(kind) + "\", expected one of " + names, std::string(path));
}

GivenNoise parse_alpha(const Json& json, const std::string& path) {
  const auto& list = to_list(json, path);
  const bool nested = !list.empty() && list[0].is_array();
  if (nested) return {to_matrix(json, path, limits::kEntry), Freshness::kFresh};
  return {{to_numbers(json, path, limits::kEntry)}, Freshness::kOnce};
}

void parse_mc(Fields& fields, LearnerParams& p) {
  const Json* mc = fields.maybe("mc");
  if (!mc) return;
  if (!mc->is_array()) {
    p.mc_draws = static_cast<std::uint64_t>(to_integer(*mc, fields.at("mc"), {1, 1'000'000}));
    return;
  }
  for (std::size_t t = 0; t < mc->size(); ++t)
    p.mc_given.push_back(to_matrix((*mc)[t], path_of(fields.at("mc"), t), limits::kEntry));
}

// In the order of the enumerations, so a name's place is its value.
constexpr std::array<std::string_view, 6> kEstimators{"paper", "tight", "trajectory", "regret", "realised", "reused"};
constexpr std::array<std::string_view, 3> kTracks{"every", "powers", "end"};

template <class T, std::size_t n>
T place_of(const std::string& word, const std::array<std::string_view, n>& names) {
  return static_cast<T>(std::find(names.begin(), names.end(), word) - names.begin());
}

void parse_horizon(Fields& fields, LearnerParams& p, const char* name, std::optional<double>& value) {
  if (fields.has("rounds")) p.rounds = static_cast<std::uint64_t>(fields.integer("rounds", {1, kAnyInteger.hi}));
  if (fields.has(name)) {
    value = fields.number(name, limits::kTuning);
  } else if (!p.alpha && !p.rounds) {
    throw Error(Code::kMissingField, std::string("expected ") + name + ", or rounds to tune it by", fields.at(name));
  }
}

}  // namespace

std::span<const LearnerKind> learner_kinds() {
  static const std::vector<LearnerKind> kinds = [] {
    std::vector<LearnerKind> all;
    for (const auto& row : kKinds) all.push_back(row.kind);
    return all;
  }();
  return kinds;
}

std::string_view estimator_name(OffEstimator estimator) { return kEstimators[static_cast<std::size_t>(estimator)]; }

bool takes(std::string_view kind, std::string_view param) {
  const std::string word = " " + std::string(param) + " ";
  return row_of(kind, "kind").params.find(word) != std::string_view::npos;
}

LearnerParams parse_learner(const std::string& kind, const Json& params, std::string_view path) {
  row_of(kind, "kind");
  Fields fields(params, std::string(path));
  LearnerParams p;
  p.kind = kind;
  const auto has = [&](const char* name) { return takes(kind, name); };
  p.key.seed = static_cast<std::uint64_t>(fields.integer("seed", kNatural, 0));
  p.key.run = static_cast<std::uint64_t>(fields.integer("run", kNatural, 0));
  p.oracle = fields.word("oracle", "");
  if (fields.has("pool")) p.pool = static_cast<std::uint64_t>(fields.integer("pool", {0, kMostPool}));
  p.track = place_of<Track>(fields.choice("track", {"every", "powers", "end"}, "every"), kTracks);
  if (has("perturbation")) p.perturbation = fields.word("perturbation", "");
  if (has("noise")) p.noise = Noise::parse(fields.word("noise", "laplace"), fields.at("noise")).name();
  if (has("alpha") && fields.has("alpha")) p.alpha = parse_alpha(fields.need("alpha"), fields.at("alpha"));
  if (has("draw")) {
    const auto draw = fields.choice("draw", {"fresh", "once"}, "fresh");
    p.draw = p.alpha ? p.alpha->freshness : draw == "once" ? Freshness::kOnce : Freshness::kFresh;
  }
  if (has("gamma") && fields.has("gamma")) p.gamma = fields.number("gamma", limits::kGamma);
  if (has("c")) p.c = fields.number("c", limits::kTuning, 1.0);
  if (has("M") && fields.has("M")) p.noise_size = fields.number("M", limits::kNoiseSize);
  if (has("estimator")) {
    p.estimator = place_of<OffEstimator>(
        fields.choice("estimator", {"paper", "tight", "trajectory", "regret", "realised", "reused"}, "paper"),
        kEstimators);
    p.feed = fields.choice("feed", {"played", "next"}, "played") == "next" ? Feed::kNext : Feed::kPlayed;
    p.switching = {.a = fields.number("switch_a", limits::kTuning, 1.0),
                   .b = fields.number("switch_b", limits::kTuning, 1.0)};
    parse_mc(fields, p);
  }
  if (has("phi"))
    p.flipflop = {.phi = fields.number("phi", limits::kTuning, 2.37), .a = fields.number("a", limits::kTuning, 1.243)};
  if (has("rate")) {
    p.rate = fields.choice("rate", {"anytime", "fixed", "small-loss"}, "anytime");
    if (p.rate == "fixed") p.eta = fields.number("eta", limits::kTuning);
    if (p.rate != "fixed" && fields.has("eta")) {
      throw Error(Code::kUnknownField, "eta goes with rate \"fixed\"; found rate \"" + p.rate + "\"", fields.at("eta"));
    }
  }
  if (has("beta")) parse_horizon(fields, p, "beta", p.beta);
  if (has("epsilon")) {
    parse_horizon(fields, p, "epsilon", p.epsilon);
    if (p.epsilon && *p.epsilon > 1)
      throw Error(Code::kOutOfRange, "found " + number_text(*p.epsilon) + ", expected a number in (0,1]",
                  fields.at("epsilon"));
  }
  fields.done();
  if (p.rounds) {
    const double root = std::sqrt(static_cast<double>(*p.rounds));
    if (has("beta") && !p.beta) p.beta = root;
    if (has("epsilon") && !p.epsilon) p.epsilon = 1 / root;
  }
  return p;
}

Json learner_json(const LearnerParams& p) {
  Json json =
      Json::object({{"seed", p.key.seed}, {"run", p.key.run}, {"oracle", p.oracle}, {"pool", p.pool.value_or(0)}});
  const auto has = [&](const char* name) { return takes(p.kind, name); };
  json.set("track", kTracks[static_cast<std::size_t>(p.track)]);
  if (has("perturbation")) json.set("perturbation", p.perturbation);
  if (has("noise")) json.set("noise", p.noise);
  if (has("draw")) json.set("draw", p.draw == Freshness::kOnce ? "once" : "fresh");
  if (p.alpha)
    json.set("alpha", p.alpha->freshness == Freshness::kOnce ? Json(p.alpha->draws[0]) : Json::array(p.alpha->draws));
  if (has("gamma") && p.gamma) json.set("gamma", *p.gamma);
  if (has("c")) json.set("c", p.c);
  if (has("M") && p.noise_size) json.set("M", *p.noise_size);
  if (has("estimator")) {
    json.set("estimator", estimator_name(p.estimator));
    json.set("feed", p.feed == Feed::kNext ? "next" : "played");
    json.set("switch_a", p.switching.a);
    json.set("switch_b", p.switching.b);
    json.set("mc", p.mc_given.empty() ? Json(p.mc_draws) : Json::array(p.mc_given));
  }
  if (has("phi")) {
    json.set("phi", p.flipflop.phi);
    json.set("a", p.flipflop.a);
  }
  if (has("rate")) {
    json.set("rate", p.rate);
    if (p.rate == "fixed") json.set("eta", p.eta);
  }
  if (p.rounds) json.set("rounds", *p.rounds);
  if (p.beta) json.set("beta", *p.beta);
  if (p.epsilon) json.set("epsilon", *p.epsilon);
  return json;
}

}  // namespace hannan
