// A small line chart: rows of text for a terminal, or SVG for a page.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hannan/play/simulation.hpp"

namespace hannan::detail {

struct Series {
  std::string name;
  char mark;
  std::vector<std::pair<double, double>> points;
};

struct Chart {
  std::string title;
  std::string x_name;
  std::string y_name;
  std::vector<Series> series;
};

// Mean regret after rounds 1, 2, 4, 8, ..., one series per learner.
Chart regret_chart(const std::string& title, const std::vector<SimulatedMean>& means, std::uint64_t rounds);

// The plot of a chart as `height` lines of `width` characters, axes included; x is logarithmic.
std::vector<std::string> draw_text(const Chart& chart, std::size_t width, std::size_t height);
// Charts side by side.
std::string draw_svg(const std::vector<Chart>& charts);

}  // namespace hannan::detail
