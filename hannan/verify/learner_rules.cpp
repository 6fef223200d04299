#include "hannan/verify/learner_rules.hpp"

#include <algorithm>
#include <array>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/rules.hpp"
#include "hannan/verify/run_certificates.hpp"

namespace hannan::detail {
namespace {

// A function, so that the rows exist whenever they are asked for.
const auto& table() {
  static const std::array kRows{
      LearnerRule{.name = "flipflop",
                  .draws = true,
                  .columns = true,
                  .perturbs = true,
                  .needs_size = true,
                  .read = read_flipflop,
                  .multiplier = true,
                  .switches = true,
                  .stability = 2,
                  .gap = true,
                  .any_range = true,
                  .by_context = true,
                  .make = make_adaptive_rule,
                  .bounds = certified_flipflop},
      LearnerRule{.name = "ada",
                  .draws = true,
                  .columns = true,
                  .perturbs = true,
                  .needs_size = true,
                  .read = read_ada,
                  .multiplier = true,
                  .stability = 1,
                  .gap = true,
                  .any_range = true,
                  .by_context = true,
                  .make = make_adaptive_rule,
                  .bounds = certified_ada},
      LearnerRule{.name = "gftpl",
                  .draws = true,
                  .columns = true,
                  .perturbs = true,
                  .needs_gamma = true,
                  .read = read_gftpl,
                  .rated = true,
                  .gap = true,
                  .follows_path = true,
                  .by_context = true,
                  .make = make_gftpl_rule,
                  .bounds = certified_gftpl},
      LearnerRule{.name = "off",
                  .draws = true,
                  .columns = true,
                  .perturbs = true,
                  .needs_gamma = true,
                  .read = read_off,
                  .rated = true,
                  .switches = true,
                  .estimates = true,
                  .by_context = true,
                  .make = make_off_rule,
                  .bounds = off_bounds},
      LearnerRule{.name = "leader",
                  .gap = true,
                  .leads = true,
                  .any_range = true,
                  .by_context = true,
                  .make = make_leader_rule,
                  .bounds = certified_leader},
      LearnerRule{.name = "hedge",
                  .read = read_hedge_rate,
                  .rated = true,
                  .lists = true,
                  .mixes = true,
                  .make = make_mixture_rule,
                  .bounds = hedge_bounds},
      LearnerRule{.name = "adahedge",
                  .rated = true,
                  .stability = 1,
                  .lists = true,
                  .mixes = true,
                  .make = make_mixture_rule,
                  .bounds = adahedge_bounds},
      LearnerRule{.name = "flipflop-hedge",
                  .read = read_flip_constants,
                  .rated = true,
                  .switches = true,
                  .stability = 2,
                  .lists = true,
                  .mixes = true,
                  .make = make_mixture_rule},
      LearnerRule{.name = "adanormalhedge", .lists = true, .mixes = true, .make = make_normal_hedge_rule},
      LearnerRule{.name = "fpl", .draws = true, .read = read_fpl, .rated = true, .lists = true, .make = make_fpl_rule},
      LearnerRule{
          .name = "uniform-gftpl", .draws = true, .columns = true, .read = read_uniform, .make = make_classical_rule},
      LearnerRule{.name = "fake-data",
                  .draws = true,
                  .own_columns = true,
                  .read = read_fake_data,
                  .make = make_classical_rule}};
  return kRows;
}

}  // namespace

std::span<const LearnerRule> learner_rules() { return table(); }

const LearnerRule* find_rule(std::string_view name) {
  const auto row = std::ranges::find(table(), name, &LearnerRule::name);
  return row == table().end() ? nullptr : &*row;
}

}  // namespace hannan::detail
