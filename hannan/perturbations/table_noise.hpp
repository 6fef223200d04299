// Noise that is one table per coordinate, asked for action by action: a lookup per coordinate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "hannan/core/noise_table.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

// Catches the tables that a matrix pours, coordinate behind coordinate.
template <Coordinated P>
class TableCatcher final : public AnyHistory<P> {
 public:
  TableCatcher(const P& problem, NoiseTable& into) : problem_(problem), into_(into) {
    std::size_t size = 0;
    for (std::size_t c = 0; c < problem.coordinates(); ++c) size += problem.domain(c);
    into_.values.assign(size, 0.0);
  }
  void add(const typename P::Outcome&, double) override {}  // matrices of tables pour nothing else
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    std::size_t start = 0;
    for (std::size_t c = 0; c < coordinate; ++c) start += problem_.domain(c);
    for (std::size_t d = 0; d < values.size(); ++d) into_.values[start + d] += values[d];
  }
  void scale(double factor) override {
    for (double& value : into_.values) value *= factor;
  }
  void clear() override {}
  void archive(Archive&) override {}

 private:
  const P& problem_;
  NoiseTable& into_;
};

// The least and the most of any action: sums of the extremes of each table, attained where actions are a full product
// and bounds elsewhere.
template <Coordinated P>
void project_tables(const P& problem, const Perturbation<P>& matrix, std::span<const double> alpha, NoiseTable& into) {
  TableCatcher<P> catcher(problem, into);
  matrix.pour(alpha, catcher);
  into.least = into.most = 0;
  auto at = into.values.begin();
  for (std::size_t c = 0; c < problem.coordinates(); ++c) {
    const auto end = at + static_cast<std::ptrdiff_t>(problem.domain(c));
    const auto [least, most] = std::minmax_element(at, end);
    into.least += *least;
    into.most += *most;
    at = end;
  }
}

template <Coordinated P>
double noise_from_tables(const P& problem, const typename P::Action& x, const NoiseTable& table) {
  double sum = 0;
  std::size_t start = 0;
  for (std::size_t c = 0; c < problem.coordinates(); ++c) {
    sum += table.values[start + problem.position(x, c)];
    start += problem.domain(c);
  }
  return sum;
}

}  // namespace hannan
