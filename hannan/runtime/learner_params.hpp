// A learner as the user asks for it: its kind and its parameters, checked, every default filled in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/draw.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/ledger.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/off.hpp"

namespace hannan {

struct LearnerKind {
  std::string_view name;
  std::string_view about;
};
std::span<const LearnerKind> learner_kinds();

// Noise handed in by the user: one draw for all rounds, or the t-th for round t.
struct GivenNoise {
  std::vector<std::vector<double>> draws;
  Freshness freshness = Freshness::kFresh;
};

struct LearnerParams {
  std::string kind;
  Key key;
  std::string oracle;                 // empty: the problem's default
  std::optional<std::uint64_t> pool;  // most actions of a lazy leader's pool; none: as the oracle suits
  Track track = Track::kEvery;
  std::string perturbation;  // empty: the problem's default
  std::string noise = "laplace";
  Freshness draw = Freshness::kFresh;
  std::optional<GivenNoise> alpha;
  std::optional<double> gamma;  // none: what the perturbation claims
  double c = 1;
  std::optional<double> noise_size;  // M; none: computed
  OffEstimator estimator = OffEstimator::kPaper;
  Feed feed = Feed::kPlayed;
  OffSwitching switching;
  std::uint64_t mc_draws = 16;
  std::vector<std::vector<std::vector<double>>> mc_given;  // per round, n lists of N
  FlipFlopConstants flipflop;
  std::string rate = "anytime";
  double eta = 0;
  std::optional<std::uint64_t> rounds;
  std::optional<double> beta;
  std::optional<double> epsilon;
};

inline constexpr std::int64_t kMostPool = 65'536;

// Which parameters a kind takes; the rest are unknown fields to it.
bool takes(std::string_view kind, std::string_view param);

// Throws kUnknownName, kUnknownField, kMissingField, kOutOfRange, kWrongType.
LearnerParams parse_learner(const std::string& kind, const Json& params, std::string_view path);
// With every default filled in; parsing it again gives the same learner.
Json learner_json(const LearnerParams& params);

std::string_view estimator_name(OffEstimator estimator);

}  // namespace hannan
