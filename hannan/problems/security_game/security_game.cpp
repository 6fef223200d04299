#include "hannan/problems/security_game/security_game.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/problems/security_game/security_search.hpp"

namespace hannan {

SecurityGame::SecurityGame(Parts parts)
    : parts_(std::move(parts)),
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

double SecurityGame::ln_size() const {
  return std::log(parts_.actions.given() ? static_cast<double>(parts_.actions.size()) : grid_.count());
}

std::optional<double> SecurityGame::action_count() const {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (parts_.actions.given()) return static_cast<double>(parts_.actions.size());
  return grid_.count() <= kExact ? std::optional(grid_.count()) : std::nullopt;
}

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

void SecurityGame::accumulate(Outcome y, double weight, std::span<double> totals) const {
  constexpr std::size_t kMostKept = 8'000'000;  // losses, 64 MB; beyond, a round recomputes its own
  if (totals.size() * types() > kMostKept) {
    walk([&](std::uint64_t k, const std::vector<int>& x) { totals[k] += weight * loss_of(x, y); });
    return;
  }
  std::call_once(tabulating_, [&] {
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

namespace {

constexpr Interval kPayoff{-1, 1};

SecurityGame::Payoffs parse_payoffs(Fields fields, std::size_t targets) {
  SecurityGame::Payoffs payoffs{fields.numbers("covered", kPayoff), fields.numbers("uncovered", kPayoff)};
  fields.done();
  for (const char* name : {"covered", "uncovered"}) {
    const std::size_t found = (name[0] == 'c' ? payoffs.covered : payoffs.uncovered).size();
    if (found == targets) continue;
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(found) + " payoffs, expected one per target, " + std::to_string(targets),
                fields.at(name));
  }
  return payoffs;
}

Json payoffs_json(const SecurityGame::Payoffs& payoffs) {
  return Json::object({{"covered", payoffs.covered}, {"uncovered", payoffs.uncovered}});
}

void check_budget(int found, int budget, const std::string& path) {
  if (found <= budget) return;
  throw Error(Code::kOutOfRange,
              "found coverage that sums to " + std::to_string(found) + ", expected at most resources * levels, " +
                  std::to_string(budget),
              path);
}

}  // namespace

std::shared_ptr<const SecurityGame> SecurityGame::parse(Fields& params) {
  Parts parts{.targets = static_cast<int>(params.integer("targets", {1, kMaxTargets})),
              .levels = static_cast<int>(params.integer("levels", {1, kMaxLevels})),
              .resources = 0,
              .types = {},
              .actions = {}};
  parts.resources = static_cast<int>(params.integer("resources", {0, parts.targets}));  // at most one per target
  const auto targets = static_cast<std::size_t>(parts.targets);
  const auto& types = params.list("types");
  const std::size_t most = std::min(kMaxTypes, kMaxPayoffs / (targets * (static_cast<std::size_t>(parts.levels) + 1)));
  if (types.empty() || types.size() > most) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(types.size()) + " types, expected 1 to " + std::to_string(most) +
                    " with so many targets and levels",
                params.at("types"));
  }
  for (std::size_t y = 0; y < types.size(); ++y) {
    Fields type(types[y], path_of(params.at("types"), y));
    Payoffs attacker = parse_payoffs(type.fields("attacker"), targets);
    Payoffs defender = parse_payoffs(type.fields("defender"), targets);
    type.done();
    parts.types.push_back({std::move(attacker), std::move(defender)});
  }
  if (const Json* given = params.maybe("actions")) {
    parts.actions = ActionList::parse(*given, params.at("actions"), {.width = targets, .levels = parts.levels});
    for (const auto& x : parts.actions.all()) {
      check_budget(std::accumulate(x.levels.begin(), x.levels.end(), 0), parts.resources * parts.levels,
                   params.at("actions"));
    }
  }
  return std::make_shared<SecurityGame>(std::move(parts));
}

Json SecurityGame::params() const {
  Json types = Json::array();
  for (const Type& type : parts_.types) {
    types.push_back(
        Json::object({{"attacker", payoffs_json(type.attacker)}, {"defender", payoffs_json(type.defender)}}));
  }
  Json json = Json::object({{"targets", parts_.targets},
                            {"levels", parts_.levels},
                            {"resources", parts_.resources},
                            {"types", std::move(types)}});
  if (parts_.actions.given()) json.set("actions", parts_.actions.json());
  return json;
}

SecurityGame::Action SecurityGame::parse_action(const Json& json, std::string_view path) const {
  const auto numbers = to_integers(json, path, {0, parts_.levels});
  if (numbers.size() != static_cast<std::size_t>(parts_.targets)) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(numbers.size()) + " integers, expected one per target, " +
                    std::to_string(parts_.targets),
                std::string(path));
  }
  Action x{0, std::vector<int>(numbers.begin(), numbers.end())};
  if (parts_.actions.given()) {
    const auto place = parts_.actions.find(x.levels);
    if (!place)
      throw Error(Code::kBadAction, "found " + describe(json) + ", expected one of the listed actions",
                  std::string(path));
    x.place = *place;
    return x;
  }
  const int sum = std::accumulate(x.levels.begin(), x.levels.end(), 0);
  if (sum != budget()) {
    throw Error(Code::kBadAction,
                "found coverage that sums to " + std::to_string(sum) + ", expected resources * levels, " +
                    std::to_string(budget()),
                std::string(path));
  }
  return x;
}

SecurityGame::Outcome SecurityGame::parse_outcome(const Json& json, std::string_view path) const {
  return static_cast<Outcome>(to_integer(json, path, {0, static_cast<std::int64_t>(types()) - 1}));
}

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

}  // namespace hannan
