// The norm that a matrix of codes claims for singling an action out is that of a vector which does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "hannan/core/choose_named.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/experts/experts.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {
namespace single_out_test {

// The vector of docs/theory.md, single out, written over the entries of one coordinate.
void single_out(const std::string& name, std::vector<double>& row) {
  if (name == "bits") {
    for (double& entry : row) entry = entry > 0 ? 1 : -1;
  } else if (name == "thermometer") {  // ones, then zeros
    std::size_t ones = 0;
    while (ones < row.size() && row[ones] > 0) ++ones;
    row.assign(row.size(), 0.0);
    if (ones > 0) row[ones - 1] = 1;
    if (ones < row.size()) row[ones] = -1;
  }
}

template <class P>
void expect_singled_out(const P& problem, const Perturbation<P>& matrix, const std::vector<typename P::Action>& all) {
  const std::size_t n = matrix.columns(), each = n / problem.coordinates();
  std::vector<double> own(n), other(n);
  double most = 0;
  for (const auto& x : all) {
    matrix.row(x, own);
    std::vector<double> s;
    for (std::size_t c = 0; c < problem.coordinates(); ++c) {
      std::vector<double> part(own.begin() + static_cast<std::ptrdiff_t>(c * each),
                               own.begin() + static_cast<std::ptrdiff_t>((c + 1) * each));
      single_out(matrix.name(), part);
      s.insert(s.end(), part.begin(), part.end());
    }
    double norm = 0;
    for (const double entry : s) norm += std::abs(entry);
    most = std::max(most, norm);
    for (const auto& y : all) {
      matrix.row(y, other);
      double gained = 0;
      for (std::size_t j = 0; j < n; ++j) gained += (own[j] - other[j]) * s[j];
      EXPECT_TRUE(x == y || gained >= 1) << matrix.name();
    }
  }
  EXPECT_EQ(matrix.single_out(), most) << matrix.name();
}

TEST(SingleOut, IsTheNormOfAVectorThatDoes) {
  for (const std::uint64_t size : {2, 3, 5, 8}) {
    const auto problem = std::make_shared<const Experts>(size);
    std::vector<Experts::Action> all;
    for (std::uint64_t k = 0; k < size; ++k) all.push_back(k);
    for (const auto& matrix : Experts::perturbations(problem)) {
      expect_singled_out(*problem, *matrix, all);
      EXPECT_EQ(matrix->single_out(), matrix->gamma()) << matrix->name();
    }
  }
  for (const int levels : {2, 3, 4}) {
    const auto problem = std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 2, .levels = levels});
    std::vector<VcgReserves::Action> all;
    for (int a = 1; a <= levels; ++a) {
      for (int b = 1; b <= levels; ++b) all.push_back({a, b});
    }
    for (const auto& matrix : VcgReserves::perturbations(problem)) {
      if (matrix->name() != "direct") expect_singled_out(*problem, *matrix, all);
    }
  }
}

TEST(SingleOut, IsNotClaimedOfOtherMatrices) {
  const auto dense = std::make_shared<const Experts>(2, std::vector<std::vector<double>>{{0.25}, {0.5}});
  EXPECT_FALSE(Experts::perturbations(dense).back()->single_out());
  const auto reserves = std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 2, .levels = 3});
  EXPECT_FALSE(choose_named(VcgReserves::perturbations(reserves), "direct", "perturbation")->single_out());
  const auto one = std::make_shared<const Experts>(1);
  for (const auto& matrix : Experts::perturbations(one)) EXPECT_EQ(matrix->single_out(), 0.0);
}

}  // namespace single_out_test
}  // namespace hannan::detail
