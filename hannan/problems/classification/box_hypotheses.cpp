// Axis-parallel boxes in the plane: say 1 where low <= (x, y) <= high, or nowhere.
//
// Rule 0 is the empty one; then (left, right, bottom, top) in ranks, the last fastest.
#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"
#include "hannan/problems/classification/box_search.hpp"
#include "hannan/problems/classification/coded_hypotheses.hpp"

namespace hannan::detail {
namespace {

class BoxClass final : public CodedHypotheses {
 public:
  explicit BoxClass(const Points& points)
      : CodedHypotheses(points.size()),
        ranks_(points),
        across_(static_cast<std::uint64_t>(ranks_.distinct(0))),
        up_(static_cast<std::uint64_t>(ranks_.distinct(1))) {}

  Answer<std::uint64_t> search(const Errors& errors, std::size_t keep) const override {
    const BoxFound found = least_box(ranks_, errors.gain, errors.constant);
    const double floor = std::min(found.floor, errors.constant);
    Answer<std::uint64_t> answer{
        .action = rule_of(found.box), .value = found.value, .floor = floor, .pool = {}, .rest = floor};
    if (errors.constant <= floor + tie_window(floor)) {  // the empty box is the smallest of all and wins ties
      answer.action = 0;
      answer.value = errors.constant;
    }
    if (keep > 0) fill_pool(errors, keep, answer);
    return answer;
  }

 protected:
  double rules() const override {
    const auto ends = [](std::uint64_t n) { return static_cast<double>(n) * static_cast<double>(n + 1) / 2; };
    return 1 + ends(across_) * ends(up_);
  }

  // The next rule in the order of (left, right, bottom, top), passing over codes that are none: top first, then bottom
  // with top at it, then right, then left with right at it.
  std::optional<std::uint64_t> next(std::uint64_t rule) const override {
    if (rule == 0) return rule_of({});
    RankBox box = box_of(rule);
    if (++box.top < ranks_.distinct(1)) return rule_of(box);
    if (++box.bottom < ranks_.distinct(1)) return rule_of({box.left, box.right, box.bottom, box.bottom});
    if (++box.right < ranks_.distinct(0)) return rule_of({box.left, box.right, 0, 0});
    if (++box.left < ranks_.distinct(0)) return rule_of({box.left, box.left, 0, 0});
    return std::nullopt;
  }

  bool is_rule(std::uint64_t code) const override {
    if (code == 0) return true;
    if (code > across_ * across_ * up_ * up_) return false;
    const RankBox box = box_of(code);
    return box.left <= box.right && box.bottom <= box.top && rule_of(box) == code;
  }
  bool rule_says(std::uint64_t rule, std::size_t point) const override {
    if (rule == 0) return false;
    const RankBox box = box_of(rule);
    const int x = ranks_.rank[0][point], y = ranks_.rank[1][point];
    return box.left <= x && x <= box.right && box.bottom <= y && y <= box.top;
  }

  ClassifierRule describe_rule(std::uint64_t rule) const override {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (rule == 0) return BoxRule{.low = {kInf, kInf}, .high = {-kInf, -kInf}};
    const RankBox box = box_of(rule);
    return BoxRule{.low = {ranks_.cut(0, box.left), ranks_.cut(1, box.bottom)},
                   .high = {ranks_.cut(0, box.right), ranks_.cut(1, box.top)}};
  }

  // The ranks that lie within the written bounds; bounds between two values mean the same rule as the values
  // themselves.
  std::optional<std::uint64_t> find_rule(const ClassifierRule& written) const override {
    const auto* given = std::get_if<BoxRule>(&written);
    if (!given) return std::nullopt;
    const auto last = [&](std::size_t f) {  // the last rank that is not above
      const auto& all = ranks_.values[f];
      return static_cast<int>(std::upper_bound(all.begin(), all.end(), given->high[f]) - all.begin()) - 1;
    };
    const RankBox box{.left = ranks_.reach(0, given->low[0]),
                      .right = last(0),
                      .bottom = ranks_.reach(1, given->low[1]),
                      .top = last(1)};
    return box.left > box.right || box.bottom > box.top ? 0 : rule_of(box);
  }

 private:
  // The choice first, then by value and code; rest is the least value left outside.
  void fill_pool(const Errors& errors, std::size_t keep, Answer<std::uint64_t>& answer) const {
    std::vector<Ranked<std::uint64_t>> all{{0, errors.constant}};
    for (const auto& [box, value] : best_boxes(ranks_, errors.gain, errors.constant, keep + 1))
      all.push_back({rule_of(box), value});
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.action < b.action;
    });
    answer.pool.push_back({answer.action, answer.value});
    answer.rest = std::numeric_limits<double>::infinity();
    for (const auto& ranked : all) {
      if (ranked.action == answer.action) continue;
      if (answer.pool.size() < keep) {
        answer.pool.push_back(ranked);
      } else {
        answer.rest = std::min(answer.rest, ranked.value);
      }
    }
  }

  // Mixed radix: 1 + ((left * X + right) * Y + bottom) * Y + top, X and Y the numbers of distinct x and y, at most 2048
  // each, so codes stay below 2^45. Codes with left > right or bottom > top are no rules.
  std::uint64_t rule_of(const RankBox& b) const {
    const auto u = [](int rank) { return static_cast<std::uint64_t>(rank); };
    return 1 + ((u(b.left) * across_ + u(b.right)) * up_ + u(b.bottom)) * up_ + u(b.top);
  }
  RankBox box_of(std::uint64_t rule) const {
    --rule;
    const std::uint64_t y = rule % (up_ * up_), x = rule / (up_ * up_);
    return {.left = static_cast<int>(x / across_),
            .right = static_cast<int>(x % across_),
            .bottom = static_cast<int>(y / up_),
            .top = static_cast<int>(y % up_)};
  }

  FeatureRanks ranks_;
  std::uint64_t across_, up_;  // distinct x and y
};

}  // namespace
HypothesesPtr box_hypotheses(const Points& points, Listing listing) {
  using namespace detail;
  const auto boxes = std::make_shared<BoxClass>(points);
  if (listing == Listing::kWhereFew) boxes->list();
  return boxes;
}

}  // namespace hannan::detail
