// The game: expected payoffs of both players by type, target and coverage are tabulated once, at index (type * n +
// target) * (m + 1) + coverage. Actions are the coverage vectors of the grid in lexicographic order (bounded_sums.hpp)
// or a given list. Cost: a loss O(n); accumulate O(K) from kept losses, O(K n) beyond.
#include "hannan/problems/security_game/security_game.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/problems/security_game/security_search.hpp"

namespace hannan::detail {

// The two tables hold types * n * (m + 1) numbers each, so the limit on types falls as targets and levels rise. Asked
// also by the codec, before it reads the list of types, so that a file that is too long is refused early.
void SecurityGame::expect_type_count(const Parts& parts, std::size_t types) {
  const auto numbers = static_cast<std::size_t>(parts.targets) * (static_cast<std::size_t>(parts.levels) + 1);
  const std::size_t most = std::min(kMaxTypes, kMaxPayoffs / numbers);
  if (types >= 1 && types <= most) return;
  throw Error(Code::kOutOfRange,
              "found " + std::to_string(types) + " types, expected 1 to " + std::to_string(most) +
                  " with so many targets and levels",
              "types");
}

namespace {

// Payoffs of one player: a number in [-1,1] for each target, covered and uncovered. `part` is the path that errors
// name.
void expect_payoffs(const SecurityGame::Payoffs& payoffs, std::size_t targets, const std::string& part) {
  for (const auto* side : {&payoffs.covered, &payoffs.uncovered}) {
    const std::string name = path_of(part, side == &payoffs.covered ? "covered" : "uncovered");
    if (side->size() != targets) {
      throw Error(
          Code::kOutOfRange,
          "found " + std::to_string(side->size()) + " payoffs, expected one per target, " + std::to_string(targets),
          name);
    }
    expect_numbers(*side, SecurityGame::kPayoff, name);
  }
}

// Counts first, because the length of each payoff list and of each listed action depends on them. A listed action may
// use less than the budget, a grid action uses all of it; neither may use more.
SecurityGame::Parts checked(SecurityGame::Parts parts) {
  expect_whole(parts.targets, {1, SecurityGame::kMaxTargets}, "targets");
  expect_whole(parts.levels, {1, SecurityGame::kMaxLevels}, "levels");
  expect_whole(parts.resources, {0, parts.targets}, "resources");  // at most one per target
  SecurityGame::expect_type_count(parts, parts.types.size());
  const auto targets = static_cast<std::size_t>(parts.targets);
  for (std::size_t y = 0; y < parts.types.size(); ++y) {
    expect_payoffs(parts.types[y].attacker, targets, path_of(path_of("types", y), "attacker"));
    expect_payoffs(parts.types[y].defender, targets, path_of(path_of("types", y), "defender"));
  }
  parts.actions.expect({.width = targets, .levels = parts.levels}, "actions");
  const int budget = parts.resources * parts.levels;
  for (const auto& x : parts.actions.all()) {
    const int sum = std::accumulate(x.levels.begin(), x.levels.end(), 0);
    if (sum <= budget) continue;
    throw Error(Code::kOutOfRange,
                "found coverage that sums to " + std::to_string(sum) + ", expected at most resources * levels, " +
                    std::to_string(budget),
                "actions");
  }
  return parts;
}

}  // namespace

// Payoffs are linear in coverage: (c covered + (m - c) uncovered)/m. least_[type] is the loss at the best payoff of all
// targets and coverages: no action loses less.
SecurityGame::SecurityGame(Parts parts)
    : parts_(checked(std::move(parts))),
      grid_({.width = static_cast<std::size_t>(parts_.targets),
             .levels = parts_.levels,
             .sum = parts_.actions.given() ? 0 : parts_.resources * parts_.levels}) {
  const auto expect = [&](const Payoffs& payoffs, std::vector<double>& table) {
    for (std::size_t i = 0; i < payoffs.covered.size(); ++i) {
      for (int c = 0; c <= parts_.levels; ++c) {
        table.push_back((c * payoffs.covered[i] + (parts_.levels - c) * payoffs.uncovered[i]) / parts_.levels);
      }
    }
  };
  for (const Type& type : parts_.types) {
    expect(type.attacker, attacker_);
    const std::size_t from = defender_.size();
    expect(type.defender, defender_);
    const double most = *std::max_element(defender_.begin() + static_cast<std::ptrdiff_t>(from), defender_.end());
    least_.push_back(std::clamp((1 - most) / 2, 0.0, 1.0));
  }
}

// Two passes over the targets: the attacker's most, then the choice among those that tie with it. `at` is i (m + 1) +
// coverage[i] with coverage in 0..m, so within the type's n (m + 1) numbers.
std::size_t SecurityGame::attacked(std::span<const int> coverage, Outcome type) const {
  const auto width = static_cast<std::size_t>(parts_.levels) + 1;
  const double* gains = attacker(type, 0).data();
  const double* worths = defender(type, 0).data();
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < coverage.size(); ++i)
    most = std::max(most, gains[i * width + static_cast<std::size_t>(coverage[i])]);
  std::size_t target = coverage.size();
  double best = 0;
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    const std::size_t at = i * width + static_cast<std::size_t>(coverage[i]);
    // Among the targets within kTie of the attacker's best: the best for the defender, then the lowest index.
    if (gains[at] < most - kTie) continue;
    if (target < coverage.size() && worths[at] <= best + kTie) continue;
    target = i;
    best = worths[at];
  }
  return target;
}

double SecurityGame::loss_of(std::span<const int> coverage, Outcome type) const {
  const std::size_t target = attacked(coverage, type);
  const double worth = defender(type, target)[static_cast<std::size_t>(coverage[target])];
  return std::clamp((1 - worth) / 2, 0.0, 1.0);  // outside by rounding alone
}

// ln K, also where K is beyond what a 64-bit number holds: bounds need no more than that.
double SecurityGame::ln_size() const {
  return std::log(parts_.actions.given() ? static_cast<double>(parts_.actions.size()) : grid_.count());
}

// The count while it is exact as a double. None says "too many to list", whatever the limit of the caller is.
std::optional<double> SecurityGame::action_count() const {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (parts_.actions.given()) return static_cast<double>(parts_.actions.size());
  return grid_.count() <= kExact ? std::optional(grid_.count()) : std::nullopt;
}

// Actions 0 .. limit - 1 without listing the rest: next() moves one vector on, O(n) each.
std::vector<SecurityGame::Action> SecurityGame::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  if (parts_.actions.given()) {
    const auto& all = parts_.actions.all();
    some.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(limit, all.size())));
    return some;
  }
  std::vector<int> x = grid_.first();
  for (bool more = limit > 0; more && some.size() < limit; more = grid_.next(x)) some.push_back({0, x});
  return some;
}

std::uint64_t SecurityGame::size() const {
  assert(action_count() && *action_count() <= kMaxListed);
  return static_cast<std::uint64_t>(*action_count());
}

SecurityGame::Action SecurityGame::action(std::uint64_t k) const {
  Action x;
  action(k, x);
  return x;
}

// Grid actions have the place 0 and are found by rank; listed ones carry their place, because a list may hold the
// vectors in any order.
void SecurityGame::action(std::uint64_t k, Action& x) const {
  if (parts_.actions.given()) {
    x = parts_.actions[k];
  } else {
    x.place = 0;
    grid_.at(k, x.levels);
  }
}

std::size_t SecurityGame::position(const Action& x, std::size_t) const {
  return parts_.actions.given() ? x.place : grid_.rank(x.levels);
}

template <class Visit>
// The order of visits is that of action(k): totals and kept losses are indexed by k.
void SecurityGame::walk(Visit&& visit) const {
  if (parts_.actions.given()) {
    for (const auto& x : parts_.actions.all()) visit(x.place, x.levels);
    return;
  }
  std::vector<int> x = grid_.first();
  std::uint64_t k = 0;
  do {
    visit(k++, std::as_const(x));
  } while (grid_.next(x));
}

// All losses of all types are computed once and kept, type after type, where they fit: a round is then one pass of
// additions.
void SecurityGame::accumulate(Outcome y, double weight, std::span<double> totals) const {
  constexpr std::size_t kMostKept = 8'000'000;  // losses, 64 MB; beyond, a round recomputes its own
  if (totals.size() * types() > kMostKept) {
    walk([&](std::uint64_t k, const std::vector<int>& x) { totals[k] += weight * loss_of(x, y); });
    return;
  }
  std::call_once(tabulating_, [&] {
    // totals has one entry for each action in every call, so the layout fixed by the first call holds for all later
    // ones.
    losses_.resize(totals.size() * types());
    walk([&](std::uint64_t k, const std::vector<int>& x) {
      for (std::size_t type = 0; type < types(); ++type) losses_[type * totals.size() + k] = loss_of(x, type);
    });
  });
  const double* losses = losses_.data() + y * totals.size();
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * losses[k];
}

std::vector<SecurityGame::Outcome> SecurityGame::outcomes() const {
  std::vector<Outcome> all(types());
  std::iota(all.begin(), all.end(), Outcome{0});
  return all;
}

// A single action needs no perturbation, and its gamma is 0: no hedge vector is ever used.
std::vector<std::shared_ptr<const Perturbation<SecurityGame>>> SecurityGame::perturbations(
    std::shared_ptr<const SecurityGame> p) {
  const auto count = p->action_count();
  OutcomeColumns<SecurityGame>::Parts outcomes{.problem = p,
                                               .columns = {},
                                               .gamma = count == 1.0 ? 0.0 : 1.0,
                                               .hedge_sign = HedgeSign::kNonNegative,
                                               .negative = nullptr};
  for (const Outcome y : p->outcomes()) outcomes.columns.push_back({{1.0, y}});
  std::vector<std::shared_ptr<const Perturbation<SecurityGame>>> all{
      std::make_shared<OutcomeColumns<SecurityGame>>(std::move(outcomes))};
  if (!count || *count > kMaxCoded) return all;
  for (auto& code :
       explicit_columns<SecurityGame>({.problem = p, .matrix = {}, .form = Form::kLoss, .data = nullptr})) {
    all.push_back(std::move(code));
  }
  return all;
}

// The first of the list is the default. A given list has no grid to branch on, so a table is its only oracle.
std::vector<std::shared_ptr<const AnyOracle<SecurityGame>>> SecurityGame::oracles(
    std::shared_ptr<const SecurityGame> p) {
  constexpr double kQuickToList = 65536;  // up to here a table of all actions is the faster oracle
  std::vector<std::shared_ptr<const AnyOracle<SecurityGame>>> all;
  if (!p->parts_.actions.given()) all.push_back(make_oracle("branch_bound", p, SecuritySearch{}));
  const auto count = p->action_count();
  if (all.empty() || (count && *count <= kMaxListed)) {
    all.insert(count && *count <= kQuickToList ? all.begin() : all.end(),
               make_oracle("tabulate", p, Tabulate<SecurityGame>{}));
  }
  return all;
}

}  // namespace hannan::detail
