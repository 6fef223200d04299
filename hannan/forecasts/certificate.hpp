// What a run of a combiner proves about itself (docs/forecasts.md, certificates). Sums of the loss over what has
// settled; every statement holds for this very run:
//
//   members   L - L_j: known, at most R_j of top, at most 2 Delta of top
//   convex    L - (any fixed mixture of filled models) <= L - L_mixture + max R <= 2 Delta top + 2 Delta mixture
//   single    L - (model k, filled) <= L - L_single + R_k <= 2 Delta top + 2 Delta single
//   segments  the same as convex with another mixture for every value of a column
//   direct    over the rows that k delivered: sum of g (p - x_k), which is at least L - L_k there
//
// Each as measured <= proven <= closed; closed is what may be said before a run with errors of this size. "Filled": a
// model that is missing in a row is replaced by the member (mixture, or single) there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/forecasts/combiner.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct Proven {
  double measured = 0, proven = 0, closed = 0;
};

struct ForecastCertificate {
  std::vector<double> members;         // L - L_j
  std::vector<double> members_linear;  // R_j of top
  double members_proven = 0, members_closed = 0;
  std::optional<Proven> convex;
  std::vector<double> models;           // of convex, against each model: L - L_mixture + R_k
  std::vector<double> single;           // measured, against each model; empty: no such member
  std::optional<Proven> single_limits;  // of the largest of them
  std::vector<double> direct;
  struct Segments {
    std::string column;
    double measured, proven;
  };
  std::vector<Segments> segments;
};

ForecastCertificate certificate_of(const Combiner& combiner);
Json certificate_json(const ForecastCertificate& certificate, const CombinerPlan& plan);

}  // namespace hannan::detail
