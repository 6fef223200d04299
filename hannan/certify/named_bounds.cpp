// The table of bounds by name, and the one place where parameters that users give are checked. A row's formula reads
// the numbers in the order of `params`: v[i] is params[i], so both must be changed together.
#include "hannan/certify/named_bounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/deviations.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/certify/segment_bounds.hpp"
#include "hannan/certify/share.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
namespace {

using Values = std::span<const double>;

// Parameters that several bounds share, from their common order. K comes as a number and enters by its logarithm.
bounds::PaperTerms paper_terms(Values v) {
  return {.ln_K = portable_log(v[0]), .N = v[1], .gamma = v[2], .c = v[3], .best = v[4]};
}

bounds::Terms terms(Values v) { return {.M = v[0], .gamma = v[1], .c = v[2], .best = v[3]}; }

bounds::OneSidedTerms one_sided_terms(Values v) { return {.N = v[0], .gamma = v[1], .c = v[2], .best = v[3]}; }

bounds::LpTerms lp_terms(Values v) { return {.N = v[0], .gamma_p = v[1], .c = v[2], .best = v[3], .p = v[4]}; }

bounds::TrajectoryBound::Constants path_constants(Values v) { return {.M = v[0], .gamma = v[1], .c = v[2]}; }

bounds::AdaTerms ada_terms(Values v) { return {.M = v[0], .gamma = v[1], .best = v[2]}; }

bounds::FlipFlopTerms flipflop_terms(Values v) {
  return {.M = v[0], .gamma = v[1], .best = v[2], .leader_regret = v[3]};
}

bounds::DiscountTerms discount_terms(Values v) { return {.M = v[0], .gamma = v[1], .discount = v[2], .rounds = v[3]}; }

// docs/theory.md.
// The keys are those of the theorem in the page named; the same keys stand in records, so none is ever renamed.
std::vector<NamedBound> first_part() {
  return {
      {"trajectory",
       {"M", "gamma", "c"},
       "best",
       [](Values v, Values path) { return bounds::trajectory(path_constants(v), path); }},
      {"thm1_paper", {"K", "N", "gamma", "c", "best"}, {}, [](Values v) { return bounds::thm1_paper(paper_terms(v)); }},
      {"lower_paper",
       {"K", "N", "gamma", "c", "best"},
       {},
       [](Values v) { return bounds::lower_paper(paper_terms(v)); }},
      {"thm1_simple", {"M", "gamma", "c", "best"}, {}, [](Values v) { return bounds::thm1_simple(terms(v)); }},
      {"thm1_tight", {"M", "gamma", "c", "best"}, {}, [](Values v) { return bounds::thm1_tight(terms(v)); }},
      {"lower_tight", {"M", "gamma", "c", "best"}, {}, [](Values v) { return bounds::lower_tight(terms(v)); }},
      {"ada", {"M", "gamma", "best"}, {}, [](Values v) { return bounds::ada(ada_terms(v)); }},
      {"flipflop",
       {"M", "gamma", "best", "leader_regret"},
       {},
       [](Values v) { return bounds::flipflop(flipflop_terms(v)); }},
      {"off_estimate",
       {"K", "N", "gamma", "best"},
       {},
       [](Values v) {
         return bounds::off_estimate({.ln_K = portable_log(v[0]), .N = v[1], .gamma = v[2], .best = v[3]});
       }},
      {"off_tau_paper",
       {"K", "N", "gamma"},
       {},
       [](Values v) { return bounds::off_tau_paper(portable_log(v[0]), v[1], v[2]); }},
      {"off_tau_exact",
       {"K", "N", "gamma"},
       {},
       [](Values v) { return bounds::off_tau_exact(portable_log(v[0]), v[1], v[2]); }},
      {"off_tau_tight", {"M", "gamma", "c"}, {}, [](Values v) { return bounds::off_tau_tight(v[0], v[1], v[2]); }},
      {"lp_paper",
       {"K", "N", "gamma_p", "c", "best", "p"},
       {},
       [](Values v) { return bounds::lp_paper(portable_log(v[0]), lp_terms(v.subspan(1))); }},
      {"lp_simple", {"N", "gamma_p", "c", "best", "p"}, {}, [](Values v) { return bounds::lp_simple(lp_terms(v)); }},
      {"one_sided", {"N", "gamma", "c", "best"}, {}, [](Values v) { return bounds::one_sided(one_sided_terms(v)); }},
      {"emax_paper", {"K", "N"}, {}, [](Values v) { return bounds::emax_paper(portable_log(v[0]), v[1]); }},
      {"emax_centred", {"K", "N"}, {}, [](Values v) { return bounds::emax_centred(portable_log(v[0]), v[1]); }},
      {"emax_bits", {"N"}, {}, [](Values v) { return bounds::emax_bits(v[0]); }},
      {"emax_prefix", {"m"}, {}, [](Values v) { return bounds::emax_prefix(v[0]); }},
      {"emax_identity", {"K"}, {}, [](Values v) { return bounds::emax_identity(v[0]); }},
      {"emax_lp_paper",
       {"K", "N", "p"},
       {},
       [](Values v) { return bounds::emax_lp_paper(portable_log(v[0]), v[1], v[2]); }},
      {"emax_lp_simple", {"N", "p"}, {}, [](Values v) { return bounds::emax_lp_simple(v[0], v[1]); }},
  };
}

// docs/theory-run.md.
std::vector<NamedBound> second_part() {
  return {
      {"trajectory2",
       {"M", "gamma", "c"},
       "best",
       [](Values v, Values path) { return bounds::trajectory2(path_constants(v), path); }},
      {"tight2", {"M", "gamma", "c", "best"}, {}, [](Values v) { return bounds::tight2(terms(v)); }},
      {"simple2", {"M", "gamma", "c", "best"}, {}, [](Values v) { return bounds::simple2(terms(v)); }},
      {"one_sided2", {"N", "gamma", "c", "best"}, {}, [](Values v) { return bounds::one_sided2(one_sided_terms(v)); }},
      {"lp_simple2", {"N", "gamma_p", "c", "best", "p"}, {}, [](Values v) { return bounds::lp_simple2(lp_terms(v)); }},
      {"ada2", {"M", "gamma", "best"}, {}, [](Values v) { return bounds::ada2(ada_terms(v)); }},
      {"flipflop2",
       {"M", "gamma", "best", "leader_regret"},
       {},
       [](Values v) { return bounds::flipflop2(flipflop_terms(v)); }},
      {"ada2_range",
       {"M", "gamma"},
       "ranges",
       [](Values v, Values ranges) { return bounds::ada2_range(v[0], v[1], ranges); }},
      {"flipflop2_range",
       {"M", "gamma", "best", "leader_regret", "range"},
       {},
       [](Values v) {
         return bounds::flipflop2_range({.M = v[0], .gamma = v[1], .best = v[2], .leader_regret = v[3], .range = v[4]});
       }},
      {"discounted",
       {"M", "gamma", "discount", "rounds"},
       {},
       [](Values v) { return bounds::discounted(discount_terms(v)); }},
      {"tracking",
       {"M", "gamma", "discount", "rounds", "switches"},
       {},
       [](Values v) { return bounds::tracking(discount_terms(v), v[4]); }},
      {"delayed",
       {"M", "gamma", "best", "missing", "open"},
       {},
       [](Values v) {
         return bounds::delayed({.M = v[0], .gamma = v[1], .best = v[2], .missing = v[3], .open = v[4]});
       }},
      {"delayed_total",
       {"M", "gamma", "rounds", "missing", "open"},
       {},
       [](Values v) {
         return bounds::delayed_total({.M = v[0], .gamma = v[1], .rounds = v[2], .missing = v[3], .open = v[4]});
       }},
      {"inexact_gftpl",
       {"M", "gamma", "c", "sigma", "tol"},
       "best",
       [](Values v, Values path) {
         return bounds::inexact_gftpl(path_constants(v), {.sigma = v[3], .tol = v[4]}, path);
       }},
      {"inexact_ada",
       {"M", "gamma", "best", "sigma", "tol", "rounds"},
       {},
       [](Values v) {
         return bounds::inexact_ada(
             {.M = v[0], .gamma = v[1], .best = v[2], .tolerance = {.sigma = v[3], .tol = v[4]}, .rounds = v[5]});
       }},
      {"sum_upper", {"S", "delta"}, {}, [](Values v) { return bounds::sum_upper(v[0], v[1]); }},
      {"sum_upper_range", {"S", "b", "delta"}, {}, [](Values v) { return bounds::sum_upper_range(v[0], v[1], v[2]); }},
      {"moves_upper",
       {"W", "Q", "delta", "rho2", "M"},
       {},
       [](Values v) { return bounds::moves_upper({.W = v[0], .Q = v[1], .delta = v[2], .rho2 = v[3], .M = v[4]}); }},
  };
}

SegmentTerms segment_terms(Values v) {
  return {.learner = v[0] == 0 ? SegmentTerms::Learner::kAda : SegmentTerms::Learner::kFlipFlop,
          .n = v[1],
          .k = v[2],
          .levels = v[3],
          .gamma = v[4],
          .M = v[5],
          .best = v[6],
          .wait = v[7]};
}

// docs/contexts.md.
std::vector<NamedBound> third_part() {
  return {
      {"mix", {"B", "k", "levels"}, {}, [](Values v) { return mix_bound({.B = v[0], .k = v[1], .levels = v[2]}); }},
      {"mix_orders",
       {"B", "k", "levels", "J"},
       {},
       [](Values v) { return mix_bound({.B = v[0], .k = v[1], .levels = v[2], .orders = v[3]}); }},
      {"segments",
       {"kind", "n", "k", "levels", "gamma", "M", "best", "wait"},
       {},
       [](Values v) { return segments_bound(segment_terms(v)); },
       {"ada", "flipflop"}},
      {"segments_orders",
       {"kind", "n", "k", "levels", "gamma", "M", "best", "wait", "J"},
       {},
       [](Values v) {
         SegmentTerms terms = segment_terms(v);
         terms.orders = v[8];
         return segments_bound(terms);
       },
       {"ada", "flipflop"}},
  };
}

// docs/theory-portfolio.md.
std::vector<NamedBound> fourth_part() {
  return {
      {"share_cost",
       {"risk", "largest", "V"},
       {},
       [](Values v) { return share_cost_bound({.risk = v[0], .largest = v[1]}, v[2]); }},
      {"portfolio",
       {"strategies", "risk", "largest", "rounds"},
       {},
       [](Values v) {
         return portfolio_bound({.strategies = v[0], .share = {.risk = v[1], .largest = v[2]}, .rounds = v[3]});
       }},
  };
}

// docs/theory-partial.md.
LookTerms look_terms(Values v) { return {.M = v[0], .gamma = v[1], .best = v[2], .rounds = v[3]}; }

std::vector<NamedBound> part_of_looks() {
  return {
      {"signed_upper", {"Q", "b", "delta"}, {}, [](Values v) { return SignedUpper(v[1], v[2])(v[0]); }},
      {"positive_upper", {"Q", "delta"}, {}, [](Values v) { return positive_upper(v[0], v[1]); }},
      {"limit_sums",
       {"own", "best", "b", "ln_actions", "delta"},
       {},
       [](Values v) { return limit_sums({.own = v[0], .best = v[1], .b = v[2], .ln_actions = v[3], .delta = v[4]}); }},
      {"looks_adaptive", {"M", "gamma", "best", "rounds"}, {}, [](Values v) { return looks_adaptive(look_terms(v)); }},
      {"looks_inside",
       {"M", "gamma", "best", "rounds", "look_cost"},
       {},
       [](Values v) { return looks_inside(look_terms(v), v[4]); }},
      {"looks_fixed",
       {"M", "gamma", "best", "rounds", "share", "look_cost"},
       {},
       [](Values v) { return looks_fixed(look_terms(v), {.share = v[4], .look_cost = v[5]}); }},
      {"elements",
       {"M", "d", "m", "best", "cap"},
       {},
       [](Values v) { return elements_closed({.M = v[0], .d = v[1], .m = v[2], .best = v[3], .cap = v[4]}); }},
  };
}

// Built once, at the first question, and never changed: rows are handed out by pointer.
const std::vector<NamedBound>& table() {
  static const std::vector<NamedBound> rows = [] {
    std::vector<NamedBound> all = first_part();
    std::ranges::copy(second_part(), std::back_inserter(all));
    std::ranges::copy(third_part(), std::back_inserter(all));
    std::ranges::copy(fourth_part(), std::back_inserter(all));
    std::ranges::copy(part_of_looks(), std::back_inserter(all));
    return all;
  }();
  return rows;
}

[[noreturn]] void out_of_range(std::string_view param, double found, std::string_view expected) {
  throw Error(Code::kOutOfRange, fmt::format("found {}, expected {}", found, expected),
              fmt::format("params.{}", param));
}

// What a parameter of that name may be, whatever the bound.
struct ParamRule {
  Interval range = limits::kTotal;
  bool whole = false;
  bool open_low = false;   // lo itself is refused
  bool open_high = false;  // hi itself is refused
};

// By name, not by bound: the same letter means the same thing everywhere; two names have wider or narrower ranges in
// one bound.
ParamRule rule_of(const NamedBound& bound, std::string_view param) {
  if (param == "p") return {.range = {1, kExtended.hi}};
  if (param == "J") return {.range = {1, limits::kTotal.hi}, .whole = true};
  if (param == "K") return {.range = {1, kAnyFinite.hi}, .whole = true};  // its logarithm alone enters
  if (param == "N" || param == "d" || param == "m" || param == "n" || param == "k" || param == "levels")
    return {.whole = true};
  if (param == "c") return {.range = limits::kTuning};
  if (param.starts_with("gamma")) return {.range = limits::kGamma};
  if (param == "M" && bound.name == "elements") return {.range = limits::kNoiseSize, .open_low = true};
  if (param == "M") return {.range = bound.name == "moves_upper" ? limits::kTuning : limits::kNoiseSize};
  if (param == "cap") return {.range = {1, 10'000}};
  if (param == "b" && (bound.name == "signed_upper" || bound.name == "limit_sums")) return {.range = {0, 1e9}};
  if (param == "share") return {.range = {1e-6, 1}};
  if (param == "look_cost") return {.range = {-limits::kTotal.hi, limits::kTotal.hi}};
  if (param == "sigma" || param == "tol" || param == "b") return {.range = limits::kNoiseSize};
  if (param == "S") return {.range = bound.name == "sum_upper" ? limits::kSeriesSum : limits::kTotal};
  if (param == "Q" || param == "rho2") return {.range = limits::kSquares};
  if (param == "discount") return {.range = kUnit, .open_low = true, .open_high = bound.name == "tracking"};
  if (param == "risk" || param == "largest") return {.range = limits::kStake};
  if (param == "V") return {.range = limits::kSquares};
  if (param == "strategies") return {.range = {1, limits::kTotal.hi}, .whole = true};
  if (param == "delta") return {.range = {limits::kLeastDelta, 1}, .open_high = true};
  return {};
}

// Comparisons are written so that NaN fails them.
void check_param(const ParamRule& rule, std::string_view place, double value) {
  const auto& [lo, hi] = rule.range;
  if (hi != kExtended.hi && !std::isfinite(value)) out_of_range(place, value, "a finite number");
  if (rule.whole && (!(value >= lo) || value != std::floor(value))) {
    out_of_range(place, value, fmt::format("a whole number of at least {}", lo));
  }
  const bool above = rule.open_low ? value > lo : value >= lo;
  const bool below = rule.open_high ? value < hi : value <= hi;
  if (!(above && below)) {
    out_of_range(
        place, value,
        fmt::format("a number in {}{:g}, {:g}{}", rule.open_low ? '(' : '[', lo, hi, rule.open_high ? ')' : ']'));
  }
}

// Every entry within its range; a path must not fall.
void check_list(const NamedBound& bound, Values list) {
  constexpr double kRounding = 1e-9;  // relative: sums of losses taken in another order
  const ParamRule rule = rule_of(bound, bound.list);
  const bool path = bound.list == "best";
  double last = 0;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const std::string place = fmt::format("{}[{}]", bound.list, t);
    check_param(rule, place, list[t]);
    if (path && list[t] < last - kRounding * std::max(1.0, last)) {
      out_of_range(place, list[t], fmt::format("at least {}, the value before it", last));
    }
    last = list[t];
  }
}

// e^(sigma tol/z_1) must not overflow.
void check_widening(Values v) {
  // e^500 is about 10^217, within the doubles with a margin for the sums.
  constexpr double kMostExponent = 500;
  const double most = kMostExponent * bounds::noise_multiplier(v[1], v[2], 0) / v[3];
  if (v[4] > most) {
    out_of_range("tol", v[4], fmt::format("at most {:g}, beyond which the bound is above 10^200", most));
  }
}

}  // namespace

std::span<const NamedBound> named_bounds() { return table(); }

// A linear search: there are some forty names.
const NamedBound* find_bound(std::string_view name) {
  const auto row = std::ranges::find(table(), name, &NamedBound::name);
  return row == table().end() ? nullptr : &*row;
}

std::string params_text(const NamedBound& bound) {
  std::string text = fmt::format("{}", fmt::join(bound.params, " "));
  if (!bound.list.empty()) text += fmt::format(" {}[]", bound.list);
  return text;
}

// The checks here are the only ones: the formulas assert their ranges and divide by what they are given.
BoundValue evaluate_bound(const NamedBound& bound, Values numbers, Values list) {
  assert(bound.params.size() == numbers.size());
  assert(list.empty() || !bound.list.empty());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    check_param(rule_of(bound, bound.params[i]), bound.params[i], numbers[i]);
  }
  check_list(bound, list);
  if (bound.name == "inexact_gftpl") check_widening(numbers);
  if (const auto* of_numbers = std::get_if<NamedBound::OfNumbers>(&bound.formula)) return (*of_numbers)(numbers);
  if (const auto* of_list = std::get_if<NamedBound::OfList>(&bound.formula)) return (*of_list)(numbers, list);
  return std::get<NamedBound::EachRound>(bound.formula)(numbers, list);
}

}  // namespace hannan::detail
