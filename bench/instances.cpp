// Problems and outcomes for benchmarks. The instance of a kind is what its codec names; outcomes are listed ones drawn
// with popularity, losses of independent experts, or a simulated market. Two laws differ, so that learners have
// something to adapt to. Everything is a function of the seed, since the signature depends on it.
#include "bench/instances.hpp"

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::detail::bench {
namespace {

const ProblemKind* find_kind(std::string_view kind) {
  for (const ProblemKind& row : problem_kinds()) {
    if (row.name == kind) return &row;
  }
  return nullptr;
}

std::string_view params_of(const ProblemKind& kind, InstanceSize size) {
  return size == InstanceSize::kSmall ? kind.instances.signature : kind.instances.flat;
}

// Each outcome of the list has a popularity; of three draws the most popular one comes.
std::vector<Json> listed_deck(const Json& all, const DeckSpec& spec) {
  const KeyedRandom popularity(Key{.seed = 1000 + spec.law}, Purpose::kStream, 0);
  std::vector<Json> cards;
  for (std::uint64_t t = 1; t <= spec.count; ++t) {
    const KeyedRandom random(Key{.seed = spec.seed, .run = spec.law}, Purpose::kStream, t);
    std::uint64_t chosen = random.below(0, all.size());
    for (std::uint64_t i = 1; i < 3; ++i) {
      const std::uint64_t other = random.below(i, all.size());
      if (popularity.uniform(other) > popularity.uniform(chosen)) chosen = other;
    }
    cards.push_back(all[chosen]);
  }
  return cards;
}

// So many outcomes of a source that does not end before.
std::vector<Json> drawn(const Game& game, Source& source, std::uint64_t count) {
  std::vector<Json> cards(count);
  AnyOutcome outcome;
  for (Json& card : cards) {
    source.next(outcome);
    card = game.outcome_json(outcome);
  }
  return cards;
}

}  // namespace

bool has_instance(std::string_view kind, InstanceSize size) {
  const ProblemKind* row = find_kind(kind);
  return row && !params_of(*row, size).empty();
}

std::unique_ptr<AnyProblem> instance(std::string_view kind, InstanceSize size) {
  if (has_instance(kind, size))
    return make_problem(std::string(kind), parse_json(params_of(*find_kind(kind), size)), "bench");
  throw Error(
      Code::kUnavailable,
      "the benchmark has no instance of \"" + std::string(kind) + "\"; instances() of the problem's codec offers none",
      "bench");
}

std::unique_ptr<AnyProblem> largest_instance(std::string_view kind) {
  return instance(kind, has_instance(kind, InstanceSize::kFlat) ? InstanceSize::kFlat : InstanceSize::kSmall);
}

// Called a deck because benchmarks deal it round and round.
std::vector<Json> deck(const AnyProblem& problem, const DeckSpec& spec) {
  const Key key{.seed = spec.seed, .run = spec.law};
  if (problem.kind() == "experts") {
    const auto experts = static_cast<std::uint64_t>(problem.params().at("experts").as_number());
    auto stream = make_loss_stream({.name = "iid", .experts = experts, .rounds = spec.count, .key = key});
    return drawn(problem.game(), *simulated_source(std::move(stream), problem.game()), spec.count);
  }
  const Json all = problem.outcomes();
  if (all.is_array()) return listed_deck(all, spec);
  const MarketSpec market{.name = spec.law % 2 ? "uniform" : "lognormal", .key = key};
  return drawn(problem.game(), *market_source(problem.game(), {.market = market, .rounds = spec.count}), spec.count);
}

// Empty where outcomes of the problem are no rows.
std::vector<double> row_of(const AnyProblem& problem, const Json& outcome) {
  std::vector<double> row;
  if (problem.row_width() == 0) return row;
  if (outcome.is_number()) row.push_back(outcome.as_number());
  if (outcome.is_object()) {
    for (const auto& [name, value] : outcome.as_object()) row.push_back(value.as_number());
  }
  if (outcome.is_array()) {
    for (const Json& value : outcome.as_array()) row.push_back(value.as_number());
  }
  return row;
}

}  // namespace hannan::detail::bench
