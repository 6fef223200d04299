// Line charts as SVG files for experiments: several charts with one legend, readable in grey and by colour-blind
// readers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/io/amount_text.hpp"
#include "hannan/io/html_text.hpp"
#include "hannan/report/chart.hpp"

namespace hannan::detail {
namespace {

constexpr double kWide = 460, kTop = 40, kPlot = 210, kLeft = 58, kRight = 24, kLine = 18;
// Colours that colour-blind readers can tell apart (Okabe, Ito), and dashes for prints in grey.
constexpr const char* kColours[] = {"#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
constexpr const char* kDashes[] = {"", "7 3", "2 2", "9 3 2 3", "4 2", "12 3"};

// The y axis is linear unless one learner's regret is so large that the others could not be told apart: then it is
// sign(y) log10(1 + |y|), which is defined for zero and for negative regret too.
class Axis {
 public:
  explicit Axis(const Chart& chart) {
    double low = 0, high = 0, least = HUGE_VAL;
    for (const auto& series : chart.series) {
      for (const auto& [x, y] : series.points) {
        low = std::min(low, y);
        high = std::max(high, y);
      }
      if (!series.points.empty()) least = std::min(least, std::max(0.5, std::abs(series.points.back().second)));
    }
    constexpr double kFlat = 40;  // a line this many times lower has 5 of the plot's 210 pixels
    logarithmic_ = std::max(high, -low) > kFlat * least;
    if (logarithmic_) {
      mark_powers(low, high);
    } else {
      mark_steps(low, std::max(high, low + 1e-9));
    }
  }

  // 0 at the foot, 1 at the top.
  double at(double y) const {
    return (scaled(y) - scaled(ticks_.front())) / (scaled(ticks_.back()) - scaled(ticks_.front()));
  }
  const std::vector<double>& ticks() const { return ticks_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  double scaled(double y) const { return !logarithmic_ ? y : y < 0 ? -std::log10(1 - y) : std::log10(1 + y); }

  // Steps of 1, 2 or 5 times a power of ten, four to eight of them.
  void mark_steps(double low, double high) {
    const double rough = (high - low) / 4, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough < 2 * power ? 1 : rough < 5 * power ? 2 : 5);
    for (double i = std::floor(low / step); i <= std::ceil(high / step); ++i) ticks_.push_back(i * step);
  }

  void mark_powers(double low, double high) {
    std::vector<double> below;
    for (double y = 1; below.empty() ? low < 0 : below.back() > low; y *= 10) below.push_back(-y);
    ticks_.assign(below.rbegin(), below.rend());
    ticks_.push_back(0);
    for (double y = 1; ticks_.back() < high; y *= 10) ticks_.push_back(y);
  }

  bool logarithmic_ = false;
  std::vector<double> ticks_;
};

// 12500 as 12,500; fractions as they are.
std::string tick_text(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return whole ? shown(value, 0, kPageLetters) : fmt::format("{:g}", value);
}

// One chart with its axes; x is logarithmic, since regret is looked at over orders of magnitude.
std::string plot(const Chart& chart) {
  const Axis axis(chart);
  double last = 10;
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) last = std::max(last, point.first);
  }
  const auto px = [&](double x) { return kLeft + std::log(x) / std::log(last) * (kWide - kLeft - kRight); };
  const auto py = [&](double y) { return kTop + (1 - axis.at(y)) * kPlot; };
  std::string svg = fmt::format("<text x=\"{}\" y=\"18\" font-weight=\"bold\" font-size=\"13\">{}</text>\n", kLeft,
                                html_text(chart.title));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#555\">{}</text>\n", kLeft, kTop - 7,
                     chart.y_name + (axis.logarithmic() ? ", log scale" : ""));
  for (const double y : axis.ticks()) {
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/><text x=\"{4}\" y=\"{5:.1f}\" "
        "text-anchor=\"end\" fill=\"#555\">{6}</text>\n",
        kLeft, kWide - kRight, py(y), y == 0 ? "#999" : "#e4e4e4", kLeft - 6, py(y) + 4, tick_text(y));
  }
  for (double x = 1; x <= last; x *= 10) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#e4e4e4\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\" fill=\"#555\">{4}</text>\n",
        px(x), kTop, kTop + kPlot, kTop + kPlot + 16, tick_text(x));
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>\n", kWide - kRight,
                     kTop + kPlot + 31, chart.x_name);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    svg += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-dasharray=\"{}\" "
        "points=\"",
        kColours[s % std::size(kColours)], kDashes[s % std::size(kDashes)]);
    for (const auto& [x, y] : chart.series[s].points) svg += fmt::format("{:.1f},{:.1f} ", px(x), py(y));
    svg += "\"/>\n";
  }
  return svg;
}

}  // namespace

std::string draw_svg(const std::vector<Chart>& charts) {
  // One legend for all charts, because their series are the same; as many names in a line as fit.
  const double wide = kWide * static_cast<double>(charts.size());
  std::string legend;
  double x = kLeft, y = kTop + kPlot + 50;
  for (std::size_t s = 0; s < charts.front().series.size(); ++s) {
    const std::string& name = charts.front().series[s].name;
    const double needs = 46 + 6.6 * static_cast<double>(name.size());
    if (x > kLeft && x + needs > wide) {
      x = kLeft;
      y += kLine;
    }
    legend += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{3}\" stroke-width=\"3\" "
        "stroke-dasharray=\"{4}\"/><text x=\"{5:.1f}\" y=\"{6}\">{7}</text>\n",
        x, x + 24, y - 4, kColours[s % std::size(kColours)], kDashes[s % std::size(kDashes)], x + 30, y,
        html_text(name));
    x += needs;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      wide, y + 14);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    svg += fmt::format("<g transform=\"translate({},0)\">\n<title>{}</title>\n{}</g>\n", kWide * static_cast<double>(i),
                       html_text(charts[i].title), plot(charts[i]));
  }
  return svg + legend + "</svg>\n";
}

}  // namespace hannan::detail
