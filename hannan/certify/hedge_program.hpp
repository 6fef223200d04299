// The inner programme of gamma, for one action: the cheapest s that outweighs given loss differences,
//
//     min ||s||  subject to  <D_h, s> >= r_h  for every h,   D_h = (row of the action) - (row of rival h).
//
// Solved in its dual form, max <r, lambda> over lambda >= 0 with ||sum_h lambda_h D_h||* <= 1: there r is
// the cost vector, lambda = 0 is always feasible, the basis has only N rows, and the last optimal basis
// stays feasible for the next r. An unbounded dual means that no s exists. Every answer of the solver is
// re-checked against D before it is believed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hannan/certify/conditions.hpp"
#include "hannan/certify/linear_program.hpp"

namespace hannan::detail {

struct HedgeVector {
  double norm;  // +infinity, and s empty, if no s is feasible
  std::vector<double> s;
  // The proof that nothing is cheaper, a weight lambda_h >= 0 per rival: with P = sum_h lambda_h D_h every
  // feasible s has ||s|| ||P||* >= <P, s> >= <r, lambda>. Finite norm: ||P||* <= 1 and <r, lambda> = norm;
  // infinite: P = 0 (as far as s may lean against it) and <r, lambda> > 0. Empty where norm = 0.
  std::vector<double> proof;
};

class HedgeProgram {
 public:
  // One difference row per rival, none of them zero, all of the same length.
  HedgeProgram(std::vector<std::vector<double>> differences, GammaQuery query);

  // One more rival, at the end: for cutting planes, with the 1-norm only. Not zero, of the same length.
  void add_rival(std::span<const double> difference);

  HedgeVector cheapest(std::span<const double> needs);

  // True only if a multiple of an s found earlier serves these needs with a norm of at most `limit`.
  bool known_within(std::span<const double> needs, double limit);

 private:
  struct Known {
    double norm;
    std::vector<double> gains;  // <D_h, s>
  };

  LinearProgram build() const;
  std::optional<HedgeVector> read(const Solution& solution, std::span<const double> needs) const;
  bool proves_infeasible(std::span<const double> ray, std::span<const double> needs) const;
  double norm(std::span<const double> s) const;
  std::vector<double> gains(std::span<const double> s) const;

  GammaQuery query_;
  double scale_;  // largest |D| as given; differences_ are divided by it
  std::vector<std::vector<double>> differences_;
  std::optional<LinearProgram> program_;  // built when first needed
  std::vector<Known> known_;              // most recently useful first
};

}  // namespace hannan::detail
