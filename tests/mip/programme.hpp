// A mixed-integer programme, built column by column and minimised by COIN-OR Cbc.
//
// All columns lie in [0,1]; rows say that a sum of entries is at most, or equal to, a bound. Cbc stays
// inside the source file.
#pragma once

#include <utility>
#include <vector>

namespace hannan::detail::mip {

class Programme {
 public:
  enum class Kind { kReal, kInteger };
  int add_column(double cost, Kind kind = Kind::kReal);

  struct Row {
    std::vector<std::pair<int, double>> entries;  // column and factor
    double bound;
    enum Sense { kAtMost, kEqual } sense = kAtMost;
  };
  void add_row(const Row& row);

  struct Solution {
    std::vector<double> columns;  // empty if none was found
    double value = 0;
    bool optimal = false;
  };
  Solution minimise() const;

 private:
  std::vector<double> costs_, entries_, lower_, upper_;
  std::vector<int> rows_, columns_, integers_;
};

}  // namespace hannan::detail::mip
