// Oracle calls a round of the default learner with a pool, on four kinds of streams, for every problem; the
// rival is the paper's allowance of two.
//
//   iid          one law
//   drift        from one law to another: round t of T is of the second one with chance t/T
//   alternating  two outcomes in turns
//   adaptive     of 16 outcomes the one on which the last action loses most
#include <fmt/format.h>

#include "bench/instances.hpp"
#include "bench/row.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kCandidates = 16;

class OutcomeStream {
 public:
  OutcomeStream(const AnyProblem& problem, std::string_view name, std::uint64_t rounds)
      : problem_(problem), name_(name), rounds_(rounds) {
    one_ = deck(problem, {.count = name == "adaptive" ? kCandidates * 64 : rounds, .law = 0, .seed = 21});
    if (name == "drift" || name == "alternating") other_ = deck(problem, {.count = rounds, .law = 1, .seed = 22});
  }

  const Json& outcome(std::uint64_t t, const Json& last_action) const {
    if (name_ == "alternating") return t % 2 ? one_[0] : other_[0];
    if (name_ == "adaptive") return worst(t, last_action);
    const bool later = name_ == "drift" && KeyedRandom(Key{.seed = 23}, Purpose::kStream, t + 1).below(0, rounds_) < t;
    return (later ? other_ : one_)[t];
  }
  bool adaptive() const { return name_ == "adaptive"; }

 private:
  // Against the action of the round before, which an adversary may have seen; none in the first round.
  const Json& worst(std::uint64_t t, const Json& action) const {
    const Json* found = &one_[t * kCandidates % one_.size()];
    if (action.is_null()) return *found;
    double most = -1;
    for (std::uint64_t i = 0; i < kCandidates; ++i) {
      const Json& candidate = one_[(t * kCandidates + i) % one_.size()];
      const double loss = problem_.loss(action, candidate).loss;
      if (loss > most) most = loss, found = &candidate;
    }
    return *found;
  }

  const AnyProblem& problem_;
  std::string_view name_;
  std::uint64_t rounds_;
  std::vector<Json> one_, other_;
};

double calls_a_round(const AnyProblem& problem, const OutcomeStream& stream, const Json& params, std::uint64_t rounds) {
  const auto learner = problem.learner("flipflop", params);
  Json last_action;
  Figures seen;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    Json action = stream.adaptive() ? learner->action() : Json();
    seen = learner->observe(stream.outcome(t, last_action), "outcome");
    last_action = std::move(action);
  }
  return static_cast<double>(seen.oracle_calls) / static_cast<double>(rounds);
}

constexpr const char* kStreams[] = {"iid", "drift", "alternating", "adaptive"};

// A row without figures, so that a table shows every problem.
void add_unmeasured(std::string_view kind, std::vector<Row>& rows) {
  for (const char* name : kStreams) {
    for (const char* draw : {"once", "fresh"}) {
      rows.push_back({.name = fmt::format("calls/{}/{}/{}", kind, name, draw),
                      .unit = "calls/round",
                      .ours = {},
                      .rival = {},
                      .goal = {},
                      .note = "the problem offers no instance of a fixed size"});
    }
  }
}

}  // namespace

std::vector<Row> calls_race(const Setting& setting) {
  const std::uint64_t rounds = setting.pick<std::uint64_t>(2000, 16);
  std::vector<Row> rows;
  for (const ProblemKind& kind : problem_kinds()) {
    const bool offered = has_instance(kind.name, InstanceSize::kSmall);
    setting.say("calls: " + std::string(kind.name));
    if (!offered) {
      add_unmeasured(kind.name, rows);
      continue;
    }
    const auto problem = largest_instance(kind.name);
    for (const char* name : kStreams) {
      const OutcomeStream stream(*problem, name, rounds);
      for (const char* draw : {"once", "fresh"}) {
        // A pool of a few: of all actions it would be no feat to know the leader.
        const Json params = Json::object({{"track", "end"}, {"pool", 16}, {"draw", draw}, {"seed", 6}});
        rows.push_back({.name = fmt::format("calls/{}/{}/{}", kind.name, name, draw),
                        .unit = "calls/round",
                        .ours = calls_a_round(*problem, stream, params, rounds),
                        .rival = 2.0,
                        .goal = {},
                        .note = fmt::format("flipflop, pool 16, T = {}, over two a round", rounds)});
      }
    }
  }
  return rows;
}

}  // namespace hannan::detail::bench
