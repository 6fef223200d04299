// Line charts as rows of text. Points are joined by small steps, so that steep lines have no gaps; later series are
// drawn over earlier ones.
#include "hannan/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hannan::detail {
namespace {

struct Frame {
  double x_low = 1, x_high = 1, y_low = 0, y_high = 1;
  double x(double value) const { return std::log(value / x_low) / std::max(1e-9, std::log(x_high / x_low)); }
  double y(double value) const { return (value - y_low) / (y_high - y_low); }
};

// From zero, or below it, to the largest value.
Frame frame_of(const Chart& chart) {
  Frame frame;
  for (const auto& series : chart.series) {
    for (const auto& [x, y] : series.points) {
      frame.x_high = std::max(frame.x_high, x);
      frame.y_high = std::max(frame.y_high, y);
      frame.y_low = std::min(frame.y_low, y);
    }
  }
  return frame;
}

}  // namespace

// Means over runs at rounds 1, 2, 4, ... and at the last one, where paths are kept.
Chart regret_chart(const std::string& title, const std::vector<SimulatedMean>& means, std::uint64_t rounds) {
  constexpr char kMarks[] = {'*', 'o', '+', 'x', '#', '@'};
  Chart chart{.title = title, .x_name = "rounds", .y_name = "regret", .series = {}};
  for (std::size_t i = 0; i < means.size(); ++i) {
    Series series{.name = means[i].label, .mark = kMarks[i % std::size(kMarks)], .points = {}};
    const std::size_t points = means[i].runs.front().path.size();
    for (std::size_t p = 0; p < points; ++p) {
      double sum = 0;
      for (const auto& run : means[i].runs) sum += run.path[p];
      const double at = p + 1 == points ? static_cast<double>(rounds) : std::exp2(static_cast<double>(p));
      series.points.emplace_back(at, sum / static_cast<double>(means[i].runs.size()));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// For terminals: `height` lines of `width` characters.
std::vector<std::string> draw_text(const Chart& chart, std::size_t width, std::size_t height) {
  constexpr std::size_t kMargin = 8;
  const Frame frame = frame_of(chart);
  const std::size_t columns = width - kMargin, rows = height - 3;
  std::vector<std::string> plot(rows, std::string(columns, ' '));
  const auto place = [&](double fx, double fy, char mark) {
    const auto column = static_cast<std::size_t>(std::lround(fx * static_cast<double>(columns - 1)));
    const auto row = static_cast<std::size_t>(std::lround((1 - fy) * static_cast<double>(rows - 1)));
    plot[row][column] = mark;
  };
  for (const auto& series : chart.series) {
    for (std::size_t i = 0; i + 1 < series.points.size(); ++i) {
      const auto [x0, y0] = series.points[i];
      const auto [x1, y1] = series.points[i + 1];
      constexpr int kSteps = 24;  // between two points, enough to leave no gap
      for (int step = 0; step <= kSteps; ++step) {
        const double at = static_cast<double>(step) / kSteps;
        place(frame.x(x0) * (1 - at) + frame.x(x1) * at, frame.y(y0) * (1 - at) + frame.y(y1) * at, series.mark);
      }
    }
  }
  std::vector<std::string> lines{fmt::format("{:<{}}", chart.title, width)};
  for (std::size_t r = 0; r < rows; ++r) {
    const bool labelled = r == 0 || r + 1 == rows;
    const std::string label = labelled ? fmt::format("{:.0f}", r == 0 ? frame.y_high : frame.y_low) : "";
    lines.push_back(fmt::format("{:>{}} |{}", label, kMargin - 2, plot[r]));
  }
  lines.push_back(fmt::format("{:>{}}", "", kMargin - 1) + "+" + std::string(columns, '-'));
  const std::string left = "1";
  const std::string right = fmt::format("{} = {:.0f}", chart.x_name, frame.x_high);
  lines.push_back(fmt::format("{:>{}}{}{:>{}}", "", kMargin, left, right, columns - left.size()));
  return lines;
}

}  // namespace hannan::detail
