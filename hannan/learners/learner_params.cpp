// Parameters of learners from and to JSON, and the table of learners. parse_learner reads the fields that the learner's
// row takes, in a fixed order, and Fields::done() refuses what is left: a parameter of another learner is an unknown
// field. Invariant: parse_learner(kind, learner_json(p)) gives p again, which records and states rely on; so every
// parameter with a default is printed, and an optional one exactly where it has a value.
#include "hannan/learners/learner_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/rows.hpp"
#include "hannan/noise/noise.hpp"

namespace hannan::detail {

// The rows in the order of learners/all.hpp; the first is the default learner.
std::span<const LearnerKind> learner_kinds() {
  static const std::vector<LearnerKind> all{
#define HANNAN_LEARNER(file) file##_row(),
#include "hannan/learners/all.hpp"
#undef HANNAN_LEARNER
  };
  return all;
}

namespace {

// A list of numbers is one draw for all rounds; a list of lists is one draw per round.
GivenNoise parse_alpha(const Json& json, const std::string& path) {
  const auto& list = to_list(json, path);
  const bool nested = !list.empty() && list[0].is_array();
  if (nested) return {to_matrix(json, path, limits::kEntry), Freshness::kFresh};
  return {{to_numbers(json, path, limits::kEntry)}, Freshness::kOnce};
}

// What the certificate of the run is made with. The leader is known before every round where L* is tracked.
void parse_certificate(Fields& fields, LearnerParams& p) {
  const char* usual = p.track == Track::kEvery ? "leader" : "last";
  p.pivot = fields.choice("pivot", {"leader", "last"}, usual) == "leader" ? Pivot::kLeader : Pivot::kLast;
  if (p.pivot == Pivot::kLeader && p.track != Track::kEvery) {
    throw Error(Code::kUnavailable, "found \"leader\", expected \"last\": L* is not tracked every round",
                fields.at("pivot"));
  }
  p.delta = fields.number("delta", limits::kChance, 0.05);
  if (fields.has("rho2")) p.rho2 = fields.number("rho2", limits::kNoiseSquare);
  if (p.takes("certificate")) p.certified = fields.choice("certificate", {"free", "run"}, "free") == "run";
  p.credit_draws = static_cast<std::uint64_t>(fields.integer("credit_draws", {0, 1'000'000}, 64));
}

void parse_delayed(Fields& fields, LearnerParams& p) {
  p.delayed = fields.flag("delayed", false);
  if (p.delayed && p.gap != GapRule::kMix) {
    throw Error(Code::kUnavailable,
                "found gap \"loss\", expected \"mix\": with delayed outcomes there is no other rule", fields.at("gap"));
  }
  if (p.delayed && p.discount != 1) {
    throw Error(Code::kUnavailable, "found delayed with a discount, expected one of them: there is no theorem for both",
                fields.at("delayed"));
  }
}

// As it is, or by the age at which a round counts half.
void parse_discount(Fields& fields, LearnerParams& p) {
  if (fields.has("half_life")) {
    const double half_life = fields.number("half_life", limits::kHalfLife);
    if (fields.has("discount")) {
      throw Error(Code::kUnavailable,
                  "found half_life and discount, expected one of them: the discount is 2^(-1/half_life)",
                  fields.at("half_life"));
    }
    p.discount = portable_exp(-std::numbers::ln2 / half_life);
  } else {
    p.discount = fields.number("discount", limits::kDiscount, 1.0);
  }
  if (p.discount != 1 && p.gap == GapRule::kLoss) {
    throw Error(Code::kUnavailable,
                "found gap \"loss\", expected \"mix\": the certificate of a discount needs that rule",
                fields.at("gap"));
  }
}

// Columns of contexts. Learners that have no theorem by context are refused with the names of those that have.
void parse_columns(Fields& fields, LearnerParams& p) {
  SegmentParams& segments = p.segments;
  segments.open = static_cast<std::uint64_t>(fields.integer("open", {1, 1'000'000}, 1));
  segments.most = static_cast<std::uint64_t>(fields.integer("most", {1, 100'000'000}, 100'000));
  if (fields.has("by")) segments.orders = read_orders(fields.need("by"), fields.at("by"));
  segments.by = all_columns(segments.orders);
  if (segments.by.empty() || p.kind->by_context) return;
  std::string names;
  for (const auto& row : learner_kinds()) {
    if (row.by_context) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(Code::kUnavailable,
              "found \"" + std::string(p.kind->name) + "\" with columns, expected one of " + names +
                  "; the others are yardsticks: run them on one segment at a time with --where",
              fields.at("by"));
}

// With columns an object from segment to its noise; without, what the root alone has may be given in that form too.
void parse_given_noise(Fields& fields, LearnerParams& p) {
  const Json& json = fields.need("alpha");
  const std::string path = fields.at("alpha");
  const Json* root = json.is_object() && json.size() == 1 ? json.find("") : nullptr;
  if (p.segments.by.empty()) {
    p.alpha = parse_alpha(root ? *root : json, path);
    return;
  }
  if (!json.is_object())
    throw Error(Code::kWrongType, "found " + describe(json) + ", expected an object from segment to its draws", path);
  p.segments.alpha.emplace();
  for (const auto& [segment, draws] : json.as_object())
    p.segments.alpha->emplace(segment, parse_alpha(draws, path_of(path, segment)));
}

// What a tree has no theorem for.
void check_columns(Fields& fields, const LearnerParams& p) {
  if (p.segments.by.empty()) return;
  const auto refuse = [&](const char* what, const char* name) {
    throw Error(Code::kUnavailable, std::string("found columns with ") + what + ", expected one of them",
                fields.at(name));
  };
  if (p.delayed) refuse("delayed outcomes", "delayed");
  if (p.discount != 1) refuse("a discount", "discount");
}

// Refuses a learner that cannot learn from this feedback, with the names of those that can.
void expect_fed(const LearnerKind& kind, bool LearnerFacts::* can, const std::string& feedback, const std::string& at) {
  if (kind.*can) return;
  std::string names;
  for (const auto& row : learner_kinds()) {
    if (row.*can) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(Code::kUnavailable,
              "found \"" + std::string(kind.name) + "\" with " + feedback + ", expected one of " + names, at);
}

// What is seen of each round. What has no theorem for it is refused here, what depends on the problem by the learner.
void parse_feedback(Fields& fields, LearnerParams& p) {
  const std::string feedback = fields.choice("feedback", {"full", "looks", "elements"}, "full");
  if (feedback == "full") return;
  const auto refuse = [&](const std::string& what, const char* name) {
    throw Error(Code::kUnavailable, what, fields.at(name));
  };
  if (feedback == "elements") {
    expect_fed(*p.kind, &LearnerFacts::by_elements, feedback, fields.at("feedback"));
    p.elements = parse_elements(fields);
    if (p.pool.value_or(0) > 0) refuse("found elements with a pool, expected none", "pool");
    if (p.gap != GapRule::kMix) refuse("found gap \"loss\", expected \"mix\" with elements", "gap");
    p.pool = 0;
    return;
  }
  expect_fed(*p.kind, &LearnerFacts::by_looks, feedback, fields.at("feedback"));
  if (p.delayed) refuse("found looks with delayed outcomes, expected one of them", "delayed");
  if (!p.segments.by.empty()) refuse("found looks with columns, expected one of them", "by");
  if (p.discount != 1) refuse("found looks with a discount, expected one of them", "discount");
  if (p.track != Track::kEvery) refuse("found looks with track, expected none: L* is not seen", "track");
  if (p.pivot != Pivot::kLeader) refuse("found \"last\", expected \"leader\" with looks", "pivot");
  if (!p.takes("delta")) p.delta = fields.number("delta", limits::kChance, 0.05);
  p.looks = parse_looks(fields);
}

// In the order of the enumeration, so a name's place is its value.
constexpr std::array<std::string_view, 3> kTracks{"every", "powers", "end"};

// `word` is one of the words of `list`, which spaces part.
bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

// Throws kUnknownName with all names, and the nearest one.
const LearnerKind& learner_kind(std::string_view name) {
  std::string names;
  for (const auto& row : learner_kinds()) {
    if (row.name == name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(Code::kUnknownName,
              "found \"" + std::string(name) + "\", expected one of " + names +
                  near_hint(name, learner_kinds(), &LearnerKind::name),
              "kind");
}

std::string default_learner() { return std::string(learner_kinds().front().name); }

// False for a name that is no learner.
bool takes(std::string_view kind, std::string_view param) {
  const auto rows = learner_kinds();
  const auto row = std::ranges::find(rows, kind, &LearnerKind::name);
  return row != rows.end() && has_word(row->params, param);
}

bool LearnerParams::takes(std::string_view param) const { return has_word(kind->params, param); }

LearnerParams parse_saved_learner(const std::string& kind, const Json& params, std::string_view path) {
  // States of an earlier version lack `pivot` and were played by the gap rule "loss"; they go on as they began.
  const bool earlier = takes(kind, "pivot") && params.is_object() && !params.find("pivot") && !params.find("feedback");
  if (!earlier) return parse_learner(kind, params, path);
  Json completed = params;
  if (takes(kind, "gap")) completed.set("gap", "loss");
  LearnerParams p = parse_learner(kind, completed, path);
  p.earlier = true;
  return p;
}

// Later fields depend on earlier ones: the draw on the noise given, the discount on the gap rule, the certificate on
// the tracking of L*, the columns on all of these. The learner's own parameters come last.
LearnerParams parse_learner(const std::string& kind, const Json& params, std::string_view path) {
  LearnerParams p;
  p.kind = &learner_kind(kind);
  Fields fields(params, std::string(path));
  p.key.seed = static_cast<std::uint64_t>(fields.integer("seed", kNatural, 0));
  p.key.run = static_cast<std::uint64_t>(fields.integer("run", kNatural, 0));
  if (p.kind->of_strategies) {
    p.own = p.kind->parse(fields, p);
    fields.done();
    return p;
  }
  p.oracle = fields.word("oracle", "");
  if (fields.has("pool")) p.pool = static_cast<std::uint64_t>(fields.integer("pool", {0, kMostPool}));
  const std::string track = fields.choice("track", {"every", "powers", "end"}, "every");
  p.track = static_cast<Track>(std::find(kTracks.begin(), kTracks.end(), track) - kTracks.begin());
  if (fields.has("range")) p.range = parse_loss_range(fields);
  parse_columns(fields, p);
  if (p.takes("perturbation")) p.perturbation = fields.word("perturbation", "");
  if (p.takes("noise")) p.noise = Noise::parse(fields.word("noise", "laplace"), fields.at("noise")).name();
  if (p.takes("alpha") && fields.has("alpha")) parse_given_noise(fields, p);
  if (p.takes("draw")) {
    const auto draw = fields.choice("draw", {"fresh", "once"}, "fresh");
    p.draw = p.alpha ? p.alpha->freshness : draw == "once" ? Freshness::kOnce : Freshness::kFresh;
  }
  if (p.takes("gamma") && fields.has("gamma")) p.gamma = fields.number("gamma", limits::kGamma);
  if (p.takes("c")) p.c = fields.number("c", limits::kTuning, 1.0);
  if (p.takes("M") && fields.has("M")) p.noise_size = fields.number("M", limits::kNoiseSize);
  if (p.takes("gap")) p.gap = fields.choice("gap", {"mix", "loss"}, "mix") == "mix" ? GapRule::kMix : GapRule::kLoss;
  if (p.takes("discount")) parse_discount(fields, p);
  if (p.takes("pivot")) parse_certificate(fields, p);
  if (p.takes("delayed")) parse_delayed(fields, p);
  check_columns(fields, p);
  parse_feedback(fields, p);
  p.own = p.kind->parse(fields, p);
  fields.done();
  return p;
}

Json learner_json(const LearnerParams& p) {
  Json json = Json::object({{"seed", p.key.seed}, {"run", p.key.run - p.run_offset}});
  if (p.kind->of_strategies) {
    p.own->print(json);
    return json;
  }
  json.set("oracle", p.oracle);
  if (p.elements) {
    if (p.noise_size) json.set("M", *p.noise_size);
    return json.set("delta", p.delta).set("feedback", "elements").set("cap", p.elements->cap);
  }
  json.set("pool", p.pool.value_or(0));
  json.set("track", kTracks[static_cast<std::size_t>(p.track)]);
  if (p.range == LossRange::kUnknown) json.set("range", "unknown");
  if (p.takes("perturbation")) json.set("perturbation", p.perturbation);
  if (p.takes("noise")) json.set("noise", p.noise);
  if (p.takes("draw")) json.set("draw", p.draw == Freshness::kOnce ? "once" : "fresh");
  if (p.alpha)
    json.set("alpha", p.alpha->freshness == Freshness::kOnce ? Json(p.alpha->draws[0]) : Json::array(p.alpha->draws));
  if (p.segments.alpha) {
    Json given = Json::object();
    for (const auto& [segment, noise] : *p.segments.alpha)
      given.set(segment, noise.freshness == Freshness::kOnce ? Json(noise.draws[0]) : Json::array(noise.draws));
    json.set("alpha", std::move(given));
  }
  if (p.takes("gamma") && p.gamma) json.set("gamma", *p.gamma);
  if (p.takes("c")) json.set("c", p.c);
  if (p.takes("M") && p.noise_size) json.set("M", *p.noise_size);
  if (!p.earlier && p.takes("gap")) json.set("gap", p.gap == GapRule::kMix ? "mix" : "loss");
  if (p.discount != 1) json.set("discount", p.discount);
  if (!p.earlier && p.takes("pivot")) {
    json.set("pivot", p.pivot == Pivot::kLeader ? "leader" : "last");
    json.set("delta", p.delta);
    if (p.rho2) json.set("rho2", *p.rho2);
    json.set("credit_draws", p.credit_draws);
    if (p.takes("certificate")) json.set("certificate", p.certified ? "run" : "free");
  }
  if (p.delayed) json.set("delayed", true);
  if (p.looks && !p.takes("delta")) json.set("delta", p.delta);
  p.own->print(json);
  if (p.looks) print_looks(*p.looks, json);
  if (!p.segments.by.empty())
    json.set("by", orders_json(p.segments.orders)).set("open", p.segments.open).set("most", p.segments.most);
  return json;
}

}  // namespace hannan::detail
