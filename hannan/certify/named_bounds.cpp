#include "hannan/certify/named_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/emax.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
namespace {

using Values = std::span<const double>;

bounds::PaperTerms paper_terms(Values v) {
  return {.ln_K = portable_log(v[0]), .N = v[1], .gamma = v[2], .c = v[3], .best = v[4]};
}

bounds::Terms terms(Values v) { return {.M = v[0], .gamma = v[1], .c = v[2], .best = v[3]}; }

bounds::LpTerms lp_terms(Values v) { return {.N = v[0], .gamma_p = v[1], .c = v[2], .best = v[3], .p = v[4]}; }

const std::vector<NamedBound>& table() {
  static const std::vector<NamedBound> rows = {
      {"thm1_paper", {"K", "N", "gamma", "c", "best"}, [](Values v) { return bounds::thm1_paper(paper_terms(v)); }},
      {"lower_paper", {"K", "N", "gamma", "c", "best"}, [](Values v) { return bounds::lower_paper(paper_terms(v)); }},
      {"thm1_simple", {"M", "gamma", "c", "best"}, [](Values v) { return bounds::thm1_simple(terms(v)); }},
      {"thm1_tight", {"M", "gamma", "c", "best"}, [](Values v) { return bounds::thm1_tight(terms(v)); }},
      {"lower_tight", {"M", "gamma", "c", "best"}, [](Values v) { return bounds::lower_tight(terms(v)); }},
      {"ada", {"M", "gamma", "best"}, [](Values v) { return bounds::ada({.M = v[0], .gamma = v[1], .best = v[2]}); }},
      {"flipflop",
       {"M", "gamma", "best", "leader_regret"},
       [](Values v) { return bounds::flipflop({.M = v[0], .gamma = v[1], .best = v[2], .leader_regret = v[3]}); }},
      {"off_estimate",
       {"K", "N", "gamma", "best"},
       [](Values v) {
         return bounds::off_estimate({.ln_K = portable_log(v[0]), .N = v[1], .gamma = v[2], .best = v[3]});
       }},
      {"off_tau_paper",
       {"K", "N", "gamma"},
       [](Values v) { return bounds::off_tau_paper(portable_log(v[0]), v[1], v[2]); }},
      {"off_tau_exact",
       {"K", "N", "gamma"},
       [](Values v) { return bounds::off_tau_exact(portable_log(v[0]), v[1], v[2]); }},
      {"lp_paper",
       {"K", "N", "gamma_p", "c", "best", "p"},
       [](Values v) { return bounds::lp_paper(portable_log(v[0]), lp_terms(v.subspan(1))); }},
      {"lp_simple", {"N", "gamma_p", "c", "best", "p"}, [](Values v) { return bounds::lp_simple(lp_terms(v)); }},
      {"one_sided",
       {"N", "gamma", "c", "best"},
       [](Values v) { return bounds::one_sided({.N = v[0], .gamma = v[1], .c = v[2], .best = v[3]}); }},
      {"emax_paper", {"K", "N"}, [](Values v) { return bounds::emax_paper(portable_log(v[0]), v[1]); }},
      {"emax_centred", {"K", "N"}, [](Values v) { return bounds::emax_centred(portable_log(v[0]), v[1]); }},
      {"emax_bits", {"N"}, [](Values v) { return bounds::emax_bits(v[0]); }},
      {"emax_prefix", {"m"}, [](Values v) { return bounds::emax_prefix(v[0]); }},
      {"emax_identity", {"K"}, [](Values v) { return bounds::emax_identity(v[0]); }},
      {"emax_lp_paper",
       {"K", "N", "p"},
       [](Values v) { return bounds::emax_lp_paper(portable_log(v[0]), v[1], v[2]); }},
      {"emax_lp_simple", {"N", "p"}, [](Values v) { return bounds::emax_lp_simple(v[0], v[1]); }},
  };
  return rows;
}

[[noreturn]] void out_of_range(std::string_view param, double found, std::string_view expected) {
  throw Error(Code::kOutOfRange, fmt::format("found {}, expected {}", found, expected),
              fmt::format("params.{}", param));
}

// One rule per parameter name, whatever the bound. Comparisons are written so that NaN fails them.
void check_param(std::string_view param, double value) {
  if (param == "p") {
    if (!(value >= 1)) out_of_range(param, value, "a number in [1, inf]");
    return;
  }
  if (!std::isfinite(value)) out_of_range(param, value, "a finite number");
  if (param == "K" || param == "N" || param == "m") {
    const double least = param == "K" ? 1 : 0;
    if (value < least || value != std::floor(value)) {
      out_of_range(param, value, fmt::format("a whole number of at least {}", least));
    }
  }
  if (param == "K") return;  // its logarithm alone enters
  const Interval range = param == "c"                 ? limits::kTuning
                         : param.starts_with("gamma") ? limits::kGamma
                         : param == "M"               ? limits::kNoiseSize
                                                      : limits::kTotal;
  if (!(value >= range.lo && value <= range.hi)) {
    out_of_range(param, value, fmt::format("a number in [{:g}, {:g}]", range.lo, range.hi));
  }
}

void check_all(std::span<const std::string_view> params, Values values) {
  assert(params.size() == values.size());
  for (std::size_t i = 0; i < params.size(); ++i) check_param(params[i], values[i]);
}

}  // namespace

std::span<const NamedBound> named_bounds() { return table(); }

const NamedBound* find_bound(std::string_view name) {
  const auto row = std::ranges::find(table(), name, &NamedBound::name);
  return row == table().end() ? nullptr : &*row;
}

double evaluate_bound(const NamedBound& bound, std::span<const double> values) {
  check_all(bound.params, values);
  return bound.value(values);
}

std::span<const std::string_view> trajectory_params() {
  static constexpr std::array<std::string_view, 3> kParams = {"M", "gamma", "c"};
  return kParams;
}

std::vector<double> evaluate_trajectory(std::span<const double> scalars, std::span<const double> path) {
  check_all(trajectory_params(), scalars);
  constexpr double kRounding = 1e-9;  // relative: sums of losses taken in another order
  double last = 0;
  for (std::size_t t = 0; t < path.size(); ++t) {
    const std::string place = fmt::format("best[{}]", t);
    check_param(place, path[t]);
    if (path[t] < last - kRounding * std::max(1.0, last)) {
      out_of_range(place, path[t], fmt::format("at least {}, the value before it", last));
    }
    last = path[t];
  }
  return bounds::trajectory({.M = scalars[0], .gamma = scalars[1], .c = scalars[2]}, path);
}

}  // namespace hannan::detail
