// A learner as the user asks for it: its row of the table and its parameters, checked, every default filled in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/noise.hpp"
#include "hannan/game/gap_rule.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/element_params.hpp"
#include "hannan/learners/look_params.hpp"

namespace hannan::detail {

// What the program knows of a learner besides its algorithm; a row of learners/ has one.
struct LearnerFacts {
  std::string_view name;
  std::string_view about;          // one line of the help
  std::string_view params;         // names of those it takes, besides seed, run, oracle, pool and track, which all take
                                   // (and by, open, most, which by_context says)
  Proof proof = Proof::kNone;      // which bounds its certificate states
  bool adapts_multiplier = false;  // act says multiplier, not eta
  bool switches = false;           // between two parts
  bool needs_gamma = false;        // plays by gamma: where the perturbation claims none, one must be given
  bool needs_centred = false;      // its proof needs noise of mean zero
  bool any_range = false;          // plays losses of unknown range
  bool certifies_run = false;      // its rounds add up to a certificate of the run
  bool by_context = false;         // can play the segments of a tree (runtime/context_learner.hpp)
  bool of_strategies = false;      // plays others' decisions (runtime/portfolio_learner.hpp): of the parameters that
                                   // all take it has seed and run alone, and it is no learner of game/learner.hpp
  bool by_looks = false;           // learns from weighted outcomes (runtime/looks_learner.hpp)
  bool by_elements = false;        // learns from the losses of the parts of its actions (runtime/elements_learner.hpp)
};

struct LearnerParams;

// Parameters that one learner alone has. A row of the table derives from it.
class LearnerOptions {
 public:
  virtual ~LearnerOptions() = default;
  virtual void print(Json&) const {}      // every one of them
  virtual void state(RunFacts&) const {}  // what a certificate needs to know of them
};

class Learner;       // game/learner.hpp
class LearnerMaker;  // learners/learner_maker.hpp

struct LearnerKind : LearnerFacts {
  std::unique_ptr<const LearnerOptions> (*parse)(Fields& fields, const LearnerParams& shared) = nullptr;
  // Of the options that parse gave.
  std::unique_ptr<Learner> (*make)(const LearnerOptions& options, LearnerMaker& parts) = nullptr;
};

// In the order of learners/all.hpp.
std::span<const LearnerKind> learner_kinds();
// Throws kUnknownName at "kind" with the list of kinds.
const LearnerKind& learner_kind(std::string_view name);
// The first of the table.
std::string default_learner();
// Which parameters a kind takes; the rest are unknown fields to it. A kind that does not exist takes none.
bool takes(std::string_view kind, std::string_view param);

// Noise handed in by the user: one draw for all rounds, or the t-th for round t.
struct GivenNoise {
  std::vector<std::vector<double>> draws;
  Freshness freshness = Freshness::kFresh;
};

// A learner per segment (docs/contexts.md). No columns: one learner for all.
struct SegmentParams {
  std::vector<std::string> by;  // the columns of a context: those of every order, one after the other
  ColumnOrders orders;          // each coarse first; several are trees under one root
  std::uint64_t open = 1;
  std::uint64_t most = 100'000;
  // Given noise of each segment, by its values joined by "/"; none: drawn.
  std::optional<std::map<std::string, GivenNoise>> alpha;
};

struct LearnerParams {
  const LearnerKind* kind = nullptr;
  Key key;
  std::uint64_t run_offset = 0;  // of key.run: what was added to the run that was asked for, which alone is printed
  std::string oracle;            // empty: the problem's default
  std::optional<std::uint64_t> pool;  // most actions of a lazy leader's pool; none: as the oracle suits
  Track track = Track::kEvery;
  std::string perturbation;  // empty: the problem's default
  std::string noise = "laplace";
  Freshness draw = Freshness::kFresh;
  std::optional<GivenNoise> alpha;
  std::optional<double> gamma;  // none: what the perturbation claims
  double c = 1;
  std::optional<double> noise_size;  // M; none: computed
  GapRule gap = GapRule::kMix;
  double discount = 1;
  std::optional<LossRange> range;  // none: the problem's
  Pivot pivot = Pivot::kLeader;
  double delta = 0.05;         // of the limit that holds at every round
  std::optional<double> rho2;  // E (max n - min n)^2 or more; none: computed
  std::uint64_t credit_draws = 64;
  bool delayed = false;             // ada: outcomes come late, each with its round
  bool certified = false;           // gftpl: x' is asked for too
  bool earlier = false;             // from a state of version 0.2, which goes on as it was written
  std::optional<LookParams> looks;  // partial feedback; without both every outcome is seen
  std::optional<ElementParams> elements;
  SegmentParams segments;
  std::shared_ptr<const LearnerOptions> own;

  bool takes(std::string_view param) const;
};

inline constexpr std::int64_t kMostPool = 65'536;

// Throws kUnknownName, kUnknownField, kMissingField, kOutOfRange, kWrongType.
LearnerParams parse_learner(const std::string& kind, const Json& params, std::string_view path);
// The same for parameters that learner_json wrote. Those of version 0.2 have no `gap`: the rule was `loss`.
LearnerParams parse_saved_learner(const std::string& kind, const Json& params, std::string_view path);
// With every default filled in; parsing it again gives the same learner.
Json learner_json(const LearnerParams& params);

// The row of the table that a type of learners/ gives: a LearnerOptions with kFacts, make(parts) and, where it
// has parameters of its own, parse(fields, shared).
template <class Row>
LearnerKind learner_row() {
  return {
      Row::kFacts,
      [](Fields& fields, const LearnerParams& shared) -> std::unique_ptr<const LearnerOptions> {
        auto row = std::make_unique<Row>();
        if constexpr (requires { row->parse(fields, shared); }) row->parse(fields, shared);
        return row;
      },
      [](const LearnerOptions& options, LearnerMaker& parts) { return static_cast<const Row&>(options).make(parts); }};
}

}  // namespace hannan::detail
