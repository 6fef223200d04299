// From findings to conclusions: allowed noises, bounds, verdict. gamma[kFree], [kUp] and [kDown] belong to s of any
// sign, s >= 0 and s <= 0; sets[...] to the three kinds of data sets in the order of Set.
#include "hannan/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/certify/implementability.hpp"
#include "hannan/certify/linear_program.hpp"
#include "hannan/noise/noise_kinds.hpp"

namespace hannan::detail {
namespace {

enum Sign { kFree = 0, kUp = 1, kDown = 2 };
enum Set { kPlus = 0, kPlusNonNegative = 1, kMinusNonNegative = 2 };

// What the solver's tolerance may add to an exact gamma.
// A thousand times the programme's tolerance of 1e-9, and far below a step of a grid.
constexpr double kGammaRounding = 1e-6;

// A range of one value, or infinite: nothing is left open.
bool known(const GammaFound& found) { return found.low == found.high || found.low == kNoBound; }

// Exact over all actions and all outcomes: a constant of the problem.
bool settled(const CheckFindings& found, Sign sign) {
  return found.every_outcome && found.gamma[sign].all_actions && known(found.gamma[sign]);
}

Json gamma_json(const GammaFound& found) {
  return Json::object({{"value", known(found) ? Json(found.low) : Json()},
                       {"low", found.low},
                       {"high", found.high},
                       {"all_actions", found.all_actions},
                       {"method", found.method},
                       {"pairs", found.pairs},
                       {"oracle_calls", found.calls},
                       {"cuts", found.cuts},
                       {"witness", found.witness}});
}

// Every column has a data set, and each was held against its column.
bool makes_every_column(const SetsFound& sets) { return !sets.missing && sets.gap <= kImplemented; }

Json sets_json(const SetsFound& sets) {
  return Json::object({{"holds", makes_every_column(sets)},
                       {"by", sets.by},
                       {"searched", sets.searched},
                       {"missing", sets.missing},
                       {"gap", sets.gap},
                       {"checked_on", sets.checked_on},
                       {"data", sets.data}});
}

std::string place(const Json& witness) {
  return fmt::format("action {} on outcome {}", dump(witness.at("action")), dump(witness.at("outcome")));
}

// Why noise of this kind is refused; empty: it is allowed.
// By the conditions of the stability lemma: a finite gamma, and for one-sided noise a hedge of one sign.
class NoiseJudge {
 public:
  explicit NoiseJudge(const CheckFindings& found) : found_(found) {}

  std::string refusal(const NoiseFacts& noise) const {
    if (noise.p == 0) return "for uniform-gftpl alone: its log-density is not Lipschitz, the stability lemma fails";
    if (found_.gamma[kFree].low == kNoBound) {
      return "gamma is infinite, no s hedges " + place(found_.gamma[kFree].witness) + ": the stability lemma fails";
    }
    return noise.one_sided ? one_sided_refusal(noise) : "";
  }

 private:
  bool has_no_hedge(Sign sign) const { return found_.gamma[sign].low == kNoBound; }

  std::string one_sided_refusal(const NoiseFacts& noise) const {
    const Sign side = found_.claimed_sign == HedgeSign::kNonPositive ? kDown : kUp;
    const bool claimed = found_.claimed_sign != HedgeSign::kMixed;
    if (claimed ? has_no_hedge(side) : has_no_hedge(kUp) && has_no_hedge(kDown)) {
      std::string reason = "the sign condition fails: ";
      if (!claimed || side == kUp) reason += "no s >= 0 hedges " + place(found_.gamma[kUp].witness);
      if (!claimed) reason += ", no s <= 0 ";
      if (!claimed || side == kDown)
        reason += (claimed ? "no s <= 0 hedges " : "") + place(found_.gamma[kDown].witness);
      return reason;
    }
    // A table of the user's own claims nothing; the programme over all of it decides in its place.
    const bool decided = !claimed && !found_.claimed_by_matrix && (settled(found_, kUp) || settled(found_, kDown));
    if (!decided) return noise.centred ? found_.centred_objection : found_.one_sided_objection;
    if (noise.centred || makes_every_column(found_.sets[kPlusNonNegative])) return "";
    return fmt::format("one-sided noise needs data sets of non-negative weights, and none makes column {}",
                       found_.sets[kPlusNonNegative].missing.value_or(0));
  }

  const CheckFindings& found_;
};

// Every law of noise that the program has, by its examples.
Json noises_json(const CheckFindings& found) {
  const NoiseJudge judge(found);
  Json all = Json::array();
  for (const NoiseKind& kind : noise_kinds()) {
    for (const std::string_view name : kind.examples) {
      const std::string refusal = judge.refusal(Noise::parse(name, "noise").facts());
      all.push_back(Json::object({{"name", std::string(name)},
                                  {"allowed", refusal.empty()},
                                  {"reason", refusal.empty() ? Json() : Json(refusal)}}));
    }
  }
  return all;
}

// Every bound that the certificate of such a run would hold, for the claimed gamma and the exact one.
Json bounds_json(const CheckFindings& found) {
  Json all = Json::array();
  if (found.run.rounds == 0) return all;
  const bool exact_known = settled(found, kFree) && found.gamma[kFree].low < kNoBound;
  const auto values = [&](Proof proof, std::optional<double> gamma) {
    RunFacts run = found.run;
    run.proof = proof;
    run.gamma = gamma;
    if (found.size) run.own_size = found.size->value;  // what learners play by unless told otherwise
    // flipflop's constants where none are stated (learners/flip_options.hpp).
    run.phi = 2.37;
    run.flip_a = 1.243;
    return gamma ? certificate(run) : std::vector<BoundCheck>{};
  };
  // The proofs that rest on gamma, by the learner that they cover.
  constexpr std::pair<const char*, Proof> kProofs[] = {
      {"gftpl", Proof::kGftpl}, {"ada", Proof::kAda}, {"flipflop", Proof::kFlipFlop}};
  for (const auto& [learner, proof] : kProofs) {
    const auto claimed = values(proof, found.claimed);
    const auto exact = values(proof, exact_known ? std::optional(found.gamma[kFree].low) : std::nullopt);
    for (std::size_t i = 0; i < std::max(claimed.size(), exact.size()); ++i) {
      const BoundCheck& bound = claimed.empty() ? exact[i] : claimed[i];
      all.push_back(Json::object({{"learner", learner},
                                  {"name", bound.name},
                                  {"side", bound.side == BoundCheck::Side::kUpper ? "upper" : "lower"},
                                  {"claimed", claimed.empty() ? Json() : Json(claimed[i].value)},
                                  {"exact", exact.empty() ? Json() : Json(exact[i].value)}}));
    }
  }
  return all;
}

// What is wrong, and what could not be decided.
struct Verdict {
  Json fails = Json::array();
  Json open = Json::array();
};

// `fails` are contradictions to a claim, each with a witness; `open` is what limits of work or of listing left
// undecided. Only a failure makes the check fail.
Verdict verdict(const CheckFindings& found) {
  Verdict v;
  const GammaFound& free = found.gamma[kFree];
  if (free.low == kNoBound) {
    v.fails.push_back("not approximable: gamma is infinite at " + place(free.witness));
  } else if (found.claimed && free.low > *found.claimed + kGammaRounding * (1 + *found.claimed)) {
    v.fails.push_back(
        fmt::format("gamma is {:.6g} at {}, above the claimed {:.6g}", free.low, place(free.witness), *found.claimed));
  } else if (!known(free)) {
    v.open.push_back(fmt::format("gamma is at least {:.6g}; the oracle's work limit leaves the rest open", free.low));
  }
  if (found.claimed_sign != HedgeSign::kMixed && free.low < kNoBound) {
    const Sign side = found.claimed_sign == HedgeSign::kNonPositive ? kDown : kUp;
    const GammaFound& signed_one = found.gamma[side];
    const char* which = side == kUp ? "s >= 0" : "s <= 0";
    if (signed_one.low == kNoBound) {
      v.fails.push_back(fmt::format("{} was promised, and none hedges {}", which, place(signed_one.witness)));
    } else if (found.claimed && signed_one.low > *found.claimed + kGammaRounding * (1 + *found.claimed)) {
      v.fails.push_back(fmt::format("gamma with {} is {:.6g} at {}, above the claimed {:.6g}", which, signed_one.low,
                                    place(signed_one.witness), *found.claimed));
    }
  }
  const SetsFound& plus = found.sets[kPlus];
  if (plus.missing && plus.searched) {
    v.fails.push_back(fmt::format("not implementable: no data set of {} outcomes makes column {}",
                                  found.every_outcome ? "all" : "these", *plus.missing));
  } else if (plus.missing) {
    v.open.push_back(fmt::format("no data set is known that makes column {}", *plus.missing));
  }
  for (const SetsFound& sets : found.sets) {
    if (sets.gap <= kImplemented) continue;
    v.fails.push_back(
        fmt::format("a data set misses {} its column by {:.3g}", sets.sign > 0 ? "plus" : "minus", sets.gap));
  }
  return v;
}

Json size_json(const CheckFindings& found) {
  if (!found.size) return Json();
  return Json::object(
      {{"M", found.size->value}, {"low", found.size->low}, {"high", found.size->high}, {"method", found.size->method}});
}

}  // namespace

// The keys are those of `hannan check --json` and are part of the interface.
Json check_json(const CheckFindings& found) {
  Verdict judged = verdict(found);
  const bool holds = judged.fails.size() == 0;
  return Json::object(
      {{"problem", found.kind},
       {"perturbation", found.perturbation},
       {"actions", found.actions},
       {"ln_actions", found.run.ln_size},
       {"columns", found.run.columns},
       {"form", found.reward ? "reward" : "loss"},
       {"outcomes", Json::object({{"count", found.outcomes}, {"all", found.every_outcome}})},
       {"delta",
        Json::object({{"value", found.delta}, {"all_actions", found.delta_of_all}, {"rows", found.delta_rows}})},
       {"gamma", Json::object({{"claimed", found.claimed},
                               {"claimed_sign", found.claimed_sign == HedgeSign::kMixed         ? "any"
                                                : found.claimed_sign == HedgeSign::kNonNegative ? ">= 0"
                                                                                                : "<= 0"},
                               {"free", gamma_json(found.gamma[kFree])},
                               {"nonnegative", gamma_json(found.gamma[kUp])},
                               {"nonpositive", gamma_json(found.gamma[kDown])}})},
       {"implementable", sets_json(found.sets[kPlus])},
       {"nonnegatively_implementable", sets_json(found.sets[kPlusNonNegative])},
       {"negatively_implementable", sets_json(found.sets[kMinusNonNegative])},
       {"noise_size", size_json(found)},
       {"noises", noises_json(found)},
       {"bounds", bounds_json(found)},
       {"holds", holds},
       {"fails", std::move(judged.fails)},
       {"open", std::move(judged.open)}});
}

}  // namespace hannan::detail
