// The two linear programmes of robust decisions, over the actions and responses met so far.
//
//   MinimaxProgramme   min v            s.t.  v - sum_x p_x m_kx >= 0 (k),  sum p = 1,  p >= 0
//   AverageProgramme   min sum p_x c_x  s.t.  sum_x p_x m_kx <= limit (k),  sum p = 1,  p >= 0
//
// m_kx is what action x loses against response k. The first gives the mixture p of the least worst case and, by its
// duals, the opponent's mixture of responses; the second the mixture of least average among those whose worst case is
// within the limit, and the price of that limit. Both keep their basis when an action or a response is added. Entries
// are of order 1. What Clp does not solve is no answer: nothing that is published depends on its accuracy.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hannan/certify/linear_program.hpp"

namespace hannan::detail {

struct ProgrammeAnswer {
  std::vector<double> actions;    // a distribution; probabilities below 1e-9 are 0
  std::vector<double> responses;  // minimax: a distribution; average: the prices, at least 0
};

// What the rows and columns of both have in common: m[x][k] for action x and response k.
using ProductTable = std::vector<std::vector<double>>;

class MinimaxProgramme {
 public:
  // Requires at least one action and one response.
  explicit MinimaxProgramme(const ProductTable& products);
  void add_action(std::span<const double> against);  // a number for each response
  void add_response(std::span<const double> of);     // a number for each action
  std::optional<ProgrammeAnswer> solve();

 private:
  LinearProgram programme_;
};

class AverageProgramme {
 public:
  AverageProgramme(const ProductTable& products, std::span<const double> averages, double limit);
  void add_action(std::span<const double> against, double average);
  void add_response(std::span<const double> of);
  void set_limit(double limit);
  std::optional<ProgrammeAnswer> solve();

 private:
  LinearProgram programme_;
  std::vector<double> costs_;
  std::size_t responses_;
  double limit_;
};

}  // namespace hannan::detail
