// Eager reserves for one unit as a mixed-integer programme: a second exact solver, for tests and
// benchmarks only. It shares no code and no idea with the branch and bound.
//
// With one unit, revenue = max(greatest reserve among those who stay, second highest bid among them):
// a loser's reserve is at most its bid, which is at most the price. So with x[i][z] = 1 for the chosen
// reserve z of bidder i and stay(t,i) = sum of x[i][z] over z <= level of bid (t,i), profile t earns the
// best claim that its rivals allow:
//   y(t,i,z) <= x[i][z]           worth z/m          for z <= level(t,i)
//   u(t,l)   <= stay(t,l)         worth bid (t,l)    and u(t,l) <= sum of stay(t,k) over the bids above l
//   sum of the claims of t <= 1.
// Only x needs to be integral. Weights must not be negative.
#pragma once

#include <utility>
#include <vector>

namespace hannan::detail::mip {

struct ReserveTask {
  int levels;
  std::vector<std::pair<std::vector<double>, double>> profiles;  // bids and weight
  std::vector<std::vector<double>> tables;                       // by bidder and reserve - 1; added to the loss
};

struct MipAnswer {
  std::vector<int> reserves;
  double value = 0;  // sum of weight * (1 - revenue) + tables
  bool optimal = false;
};

MipAnswer solve_reserves(const ReserveTask& task);

}  // namespace hannan::detail::mip
