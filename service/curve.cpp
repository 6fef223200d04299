// Stretch i holds the rounds with one value of (round - 1) / width_; widths are powers of two, so that halving merges
// neighbours exactly and a curve does not depend on when it was halved. At most kMost stretches, O(1) amortised a
// round.
#include "service/curve.hpp"

#include <algorithm>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "service/json_values.hpp"

namespace hannan::detail::service {
namespace {

void widen(std::optional<double>& to, const std::optional<double>& value, bool upwards) {
  if (!value) return;
  to = !to ? *value : upwards ? std::max(*to, *value) : std::min(*to, *value);
}

}  // namespace

void Curve::add(const Point& point) {
  // Rounds may be left out, and the first need not be 1: a stretch is all rounds with the same (round - 1) / width.
  const auto is_new = [&] {
    return stretches_.empty() || (stretches_.back().round - 1) / width_ != (point.round - 1) / width_;
  };
  while (is_new() && stretches_.size() == kMost) halve();
  if (is_new()) stretches_.emplace_back();
  Stretch& last = stretches_.back();
  last.round = point.round;
  last.total = point.total;
  if (!point.regret) return;
  widen(last.least, point.regret->lo, false);
  widen(last.greatest, point.regret->hi, true);
  last.regret = point.regret;
}

// Twice the width, half the stretches. A stretch keeps the least and the greatest regret of all its rounds, so that no
// peak is lost by halving.
void Curve::halve() {
  width_ *= 2;
  std::vector<Stretch> merged;
  for (const Stretch& one : stretches_) {
    if (merged.empty() || (merged.back().round - 1) / width_ != (one.round - 1) / width_) {
      merged.push_back(one);
      continue;
    }
    Stretch& last = merged.back();
    last.round = one.round;
    last.total = one.total;
    widen(last.least, one.least, false);
    widen(last.greatest, one.greatest, true);
    if (one.regret) last.regret = one.regret;
  }
  stretches_ = std::move(merged);
}

Json Curve::json() const {
  Json rounds = Json::array(), total = Json::array(), least = Json::array(), greatest = Json::array(),
       range = Json::array();
  for (const Stretch& one : stretches_) {
    rounds.push_back(one.round);
    total.push_back(one.total);
    least.push_back(one.least);
    greatest.push_back(one.greatest);
    range.push_back(range_or_null(one.regret));
  }
  return Json::object({{"width", width_},
                       {"rounds", rounds},
                       {"total", total},
                       {"least", least},
                       {"greatest", greatest},
                       {"regret_range", range}});
}

// A copy is halved until it fits, so the learner's own curve keeps its points.
Json Curve::json(std::size_t points) const {
  Curve fewer = *this;
  while (fewer.stretches_.size() > std::max<std::size_t>(points, 2)) fewer.halve();
  return fewer.json();
}

// From a state; lists of different lengths are damage.
Curve Curve::of(const Json& json, std::string_view path) {
  Fields in(json, std::string(path));
  Curve curve;
  curve.width_ = static_cast<std::uint64_t>(in.integer("width", {1, kNatural.hi}));
  const auto rounds = in.integers("rounds", kNatural);
  const auto total = in.numbers("total");
  const auto& least = in.list("least");
  const auto& greatest = in.list("greatest");
  const Json::Array none(rounds.size());
  const auto& range = in.has("regret_range") ? in.list("regret_range") : none;  // states up to version 0.3 have none
  in.done();
  if (rounds.size() > kMost || total.size() != rounds.size() || least.size() != rounds.size() ||
      greatest.size() != rounds.size() || range.size() != rounds.size()) {
    throw Error(Code::kBadState, "found lists of other lengths, expected all of one length", std::string(path));
  }
  const auto value = [&](const Json& one) -> std::optional<double> {
    if (one.is_null()) return std::nullopt;
    return to_number(one, path);
  };
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    curve.stretches_.push_back({.round = static_cast<std::uint64_t>(rounds[i]),
                                .total = total[i],
                                .least = value(least[i]),
                                .greatest = value(greatest[i]),
                                .regret = to_range(range[i], path)});
  }
  return curve;
}

}  // namespace hannan::detail::service
