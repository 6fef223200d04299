// Halfplanes: say 1 where a x + b y >= c; every way in which a line can part the points, and the two constants.
//
// Move a line that parts the points until it touches two of them: on one side of the line through them
// all points are ones, on the other zeros, and those on the line are cut once, the ones in front or
// behind. So lines through pairs of points, both sides, and the cuts of the points on them give all of
// the at most m (m-1) + 2 classifiers; O(m^3), once. Sorted by the number of ones and then by angle,
// neighbours mostly differ by one exchange, so the walk has about 2 K flips and a call costs O(m^2).
//
// Points count as on a line when they are as near as rounding of their coordinates may bring them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_set>

#include "hannan/core/interruption.hpp"
#include "hannan/problems/classification/listed_hypotheses.hpp"

namespace hannan::detail {
namespace {

constexpr int kConstant = -1;

// The ones are the points left (+1) or right (-1) of the line from point i to point j, and `taken` of
// those on it, from its front (+1) or its back (-1). line.i = kConstant: ones everywhere if taken.
struct Line {
  int i, j;
};
struct Parting {
  Line line;
  int side, end;
  int taken;
};

struct Vec {
  double x, y;
};
Vec minus(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y}; }
double cross(const Vec& a, const Vec& b) { return a.x * b.y - a.y * b.x; }
double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y; }
double norm(const Vec& a) { return std::abs(a.x) + std::abs(a.y); }

// The points seen from one line: their side, and those on it from front to back.
class LineView {
 public:
  LineView(const std::vector<Vec>& points, double slack, const Line& line) {
    const Vec from = points[static_cast<std::size_t>(line.i)],
              along = minus(points[static_cast<std::size_t>(line.j)], from);
    side.reserve(points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      const Vec to = minus(points[p], from);
      const double turn = cross(along, to);
      const bool touches = std::abs(turn) <= slack * (norm(along) + norm(to));
      side.push_back(touches ? 0 : turn > 0 ? 1 : -1);
      if (touches) on.push_back({dot(along, to), p});
    }
    std::sort(on.begin(), on.end());
  }
  // A cut before place t of `on` does not part equal points.
  bool may_cut(std::size_t t) const { return t == 0 || t == on.size() || on[t - 1].first < on[t].first; }
  // Place t of `on` counted from an end.
  std::size_t point(int end, std::size_t t) const { return on[end > 0 ? t : on.size() - 1 - t].second; }

  std::vector<int> side;
  std::vector<std::pair<double, std::size_t>> on;
};

// Rises with the angle of a vector, from -2 to 2; divisions only, so every machine sorts alike.
double pseudo_angle(const Vec& v) {
  const double part = v.x / norm(v);
  return v.y >= 0 ? 1 - part : part - 1;
}

class Builder {
 public:
  explicit Builder(const Points& points) {
    double largest = 0;
    for (const auto& point : points) {
      points_.push_back({point[0], point[1]});
      largest = std::max({largest, std::abs(point[0]), std::abs(point[1])});
    }
    // Coordinates of this size are rounded by epsilon / 2 each; 8 leaves a margin for the differences and products.
    slack_ = 8 * std::numeric_limits<double>::epsilon() * largest;
    const int m = static_cast<int>(points.size());
    keep({}, {.parting = {{kConstant, 0}, 1, 1, 0}, .ones = 0, .angle = 0});
    SetPrint all;
    for (std::size_t p = 0; p < points.size(); ++p) all.flip(p);
    keep(all, {.parting = {{kConstant, 0}, 1, 1, 1}, .ones = points.size(), .angle = 0});
    for (int i = 0; i < m; ++i) {
      interruption_point();
      for (int j = i + 1; j < m; ++j) add_line({i, j});
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return std::tie(a.ones, a.angle, a.serial) < std::tie(b.ones, b.angle, b.serial);
    });
  }

  // In the order of the class: the code of a classifier is its place here.
  std::vector<Parting> partings() const {
    std::vector<Parting> all;
    for (const auto& found : found_) all.push_back(found.parting);
    return all;
  }
  double slack() const { return slack_; }
  const std::vector<Vec>& points() const { return points_; }

  // What a parting says of every point, O(m log m).
  static std::vector<bool> row(const std::vector<Vec>& points, double slack, const Parting& parting) {
    if (parting.line.i == kConstant) return std::vector<bool>(points.size(), parting.taken > 0);
    const LineView view(points, slack, parting.line);
    std::vector<bool> says(points.size());
    for (std::size_t p = 0; p < points.size(); ++p) says[p] = view.side[p] == parting.side;
    for (std::size_t t = 0; t < static_cast<std::size_t>(parting.taken); ++t) says[view.point(parting.end, t)] = true;
    return says;
  }

 private:
  struct Found {
    Parting parting;
    std::size_t ones;
    double angle;
    std::size_t serial = 0;  // by order of discovery
  };
  struct PrintHash {
    std::size_t operator()(const SetPrint& p) const { return static_cast<std::size_t>(p.low); }
  };

  // A parting is new if the set of its ones is; sets are compared by their 128-bit prints (hypothesis_walk.hpp).
  void keep(const SetPrint& print, Found found) {
    found.serial = found_.size();
    if (seen_.insert(print).second) found_.push_back(found);
  }

  // Both sides of the line, and all cuts of the points on it from either end: O(m log m) a line.
  void add_line(const Line& line) {
    const Vec along = minus(points_[static_cast<std::size_t>(line.j)], points_[static_cast<std::size_t>(line.i)]);
    if (along.x == 0 && along.y == 0) return;
    const LineView view(points_, slack_, line);
    for (const int side : {1, -1}) {
      SetPrint base;
      std::size_t ones = 0;
      for (std::size_t p = 0; p < points_.size(); ++p) {
        if (view.side[p] != side) continue;
        base.flip(p);
        ++ones;
      }
      // The direction in which the ones lie; it orders partings of equally many ones, so that neighbours differ little.
      const double angle = pseudo_angle({-along.y * side, along.x * side});
      for (const int end : {1, -1}) {
        SetPrint print = base;
        for (std::size_t t = 0; t <= view.on.size(); ++t) {
          if (t > 0) print.flip(view.point(end, t - 1));
          if (!view.may_cut(end > 0 ? t : view.on.size() - t)) continue;
          keep(print, {.parting = {line, side, end, static_cast<int>(t)}, .ones = ones + t, .angle = angle});
        }
      }
    }
  }

  std::vector<Vec> points_;
  double slack_ = 0;
  std::unordered_set<SetPrint, PrintHash> seen_;
  std::vector<Found> found_;
};

// a x + b y >= c.
struct Halfplane {
  Vec normal;
  double offset;
  bool says(const Vec& p) const { return dot(normal, p) >= offset; }
};

// A line well inside the gap: that of the parting moved half way to the next point, or turned about the
// middle of its cut by half of what is free.
Halfplane line_of(const std::vector<Vec>& points, double slack, const Parting& parting) {
  if (parting.line.i == kConstant) return {{0, 0}, parting.taken > 0 ? 0.0 : 1.0};
  const LineView view(points, slack, parting.line);
  const Vec from = points[static_cast<std::size_t>(parting.line.i)];
  const Vec along = minus(points[static_cast<std::size_t>(parting.line.j)], from);
  const double length = std::sqrt(dot(along, along));
  const Vec u{along.x / length * parting.end, along.y / length * parting.end};
  const Vec normal{-along.y / length * parting.side, along.x / length * parting.side};
  const auto taken = static_cast<std::size_t>(parting.taken);
  if (taken == 0 || taken == view.on.size()) {
    const double toward = taken == 0 ? 1 : -1;  // the zeros on the line stay behind, or the ones stay inside
    double distance_left = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double distance = toward * dot(normal, minus(points[p], from));
      if (view.side[p] != 0 && distance > 0) distance_left = std::min(distance_left, distance);
    }
    return {normal, dot(normal, from) + toward * (std::isfinite(distance_left) ? distance_left / 2 : 1)};
  }
  const Vec a = points[view.point(parting.end, taken - 1)], b = points[view.point(parting.end, taken)];
  const Vec middle{a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2};
  double turn = 1;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (view.side[p] == 0) continue;
    const Vec to = minus(points[p], middle);
    if (dot(u, to) != 0) turn = std::min(turn, std::abs(dot(normal, to) / dot(u, to)) / 2);
  }
  const Vec turned{normal.x - turn * u.x, normal.y - turn * u.y};
  return {turned, dot(turned, middle)};
}

class HalfplaneClass final : public ListedHypotheses {
 public:
  HalfplaneClass(HypothesisWalk walk, std::vector<std::vector<bool>> rows, const Builder& builder)
      : ListedHypotheses(std::move(walk)),
        rows_(std::move(rows)),
        points_(builder.points()),
        slack_(builder.slack()),
        partings_(builder.partings()) {}

  bool says(std::uint64_t code, std::size_t point) const override { return rows_[code][point]; }

  // As numbers where they say the same on every point, rounding included; else by place.
  ClassifierRule describe(std::uint64_t code) const override {
    const Halfplane h = line_of(points_, slack_, partings_[code]);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (h.says(points_[p]) != rows_[code][p]) return ListedRule{code};
    }
    return HalfplaneRule{.normal = {h.normal.x, h.normal.y}, .offset = h.offset};
  }

  std::optional<std::uint64_t> find(const ClassifierRule& rule) const override {
    if (const auto* listed = std::get_if<ListedRule>(&rule))
      return listed->place < rows_.size() ? std::optional(listed->place) : std::nullopt;
    const auto* given = std::get_if<HalfplaneRule>(&rule);
    if (!given) return std::nullopt;
    const Halfplane h{{given->normal[0], given->normal[1]}, given->offset};
    return look_up([&](std::size_t p) { return h.says(points_[p]); });
  }

 private:
  std::vector<std::vector<bool>> rows_;
  std::vector<Vec> points_;
  double slack_;
  std::vector<Parting> partings_;
};

}  // namespace
// Rows are kept, m bits each: says() is asked in every round and must not compute a line.
HypothesesPtr halfplane_hypotheses(const Points& points) {
  using namespace detail;
  const Builder builder(points);
  HypothesisWalk walk(points.size());
  std::vector<std::vector<bool>> rows;
  for (const auto& parting : builder.partings()) {
    rows.push_back(Builder::row(builder.points(), builder.slack(), parting));
    walk.go([&](std::size_t i) { return rows.back()[i]; });
    walk.stop();
  }
  return std::make_shared<HalfplaneClass>(std::move(walk), std::move(rows), builder);
}

}  // namespace hannan::detail
