// One row adds to every segment along its context: O(columns) look-ups and one loss. Stretches are halved when there
// are too many, so that the chart has 64 to 128 of them however many rounds were read.
#include "service/segment_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "service/learner_figures.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kMostStretches = 128;  // that are drawn: chosen

}  // namespace

void SegmentRounds::add(const Entry& entry, const Json& line) {
  if (entry.config().orders.size() != 1) return;
  const Json *context = line.find("context"), *nodes = line.find("nodes"), *outcome = line.find("outcome");
  const Json* given = line.find("weights");
  const auto loss = line.find_number("loss");
  if (!context || !nodes || !outcome || !given || !loss || nodes->size() == 0) return;
  const double one = entry.problem().loss((*nodes)[0].at("action"), *outcome).loss, gain = one - *loss;
  std::vector<double> weights;
  for (const Json& weight : given->as_array()) weights.push_back(weight.as_number());
  add_levels(weights);
  std::vector<std::string> path;
  for (std::size_t depth = 0; depth <= context->size(); ++depth) {
    if (depth > 0) path.push_back((*context)[depth - 1].as_string());
    auto found = all_.find(path);
    if (found == all_.end() && all_.size() >= kMostSegments) {
      ++left_out_;
      return;
    }
    Sums& sums = found == all_.end() ? all_[path] : found->second;
    ++sums.rounds;
    sums.gain += gain;
    sums.squares += gain * gain;
    sums.one += one;
    sums.share = depth < weights.size() ? weights[depth] : 0;
    sums.action = depth < nodes->size() ? (*nodes)[depth].at("action") : Json();
  }
}

void SegmentRounds::add_levels(const std::vector<double>& weights) {
  if (stretches_.empty() || stretches_.back().rounds == stretch_) stretches_.emplace_back();
  const auto add_to = [](Stretch& stretch, std::uint64_t rounds, const std::vector<double>& sums) {
    stretch.rounds += rounds;
    stretch.weights.resize(std::max(stretch.weights.size(), sums.size()), 0);
    for (std::size_t depth = 0; depth < sums.size(); ++depth) stretch.weights[depth] += sums[depth];
  };
  add_to(stretches_.back(), 1, weights);
  if (stretches_.size() < kMostStretches || stretches_.back().rounds < stretch_) return;
  std::vector<Stretch> fewer;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    if (i % 2 == 0) fewer.emplace_back();
    add_to(fewer.back(), stretches_[i].rounds, stretches_[i].weights);
  }
  stretches_ = std::move(fewer);
  stretch_ *= 2;
}

// In the money of the learner where it has one, else in losses. The spread is half the width of the 95 % range of a sum
// of so many gains, 1.96 sqrt(sum of squared deviations): it says what may be chance, and judges nothing.
Json SegmentRounds::json(const Entry& entry, const ActionMoney& money, const std::optional<MoneyScale>& scale) const {
  if (entry.config().orders.size() != 1 || all_.empty()) return {};
  const double unit = scale ? scale->unit : entry.problem().game().normaliser();
  Json rows = Json::array();
  for (const auto& [path, sums] : all_) {
    const auto rounds = static_cast<double>(sums.rounds);
    const double mean = sums.gain / rounds;
    Json row =
        Json::object({{"path", Json(path)},
                      {"rounds", sums.rounds},
                      {"gain", unit * sums.gain},
                      {"spread", unit * kNormal95 * std::sqrt(std::max(0.0, sums.squares - rounds * mean * mean))},
                      {"one", scale ? scale->of(sums.one, rounds) : sums.one},
                      {"share", sums.share}});
    if (!sums.action.is_null() && !money.what().empty()) {
      row.set("amounts", Json(money.of(sums.action)));
    } else {
      row.set("action", sums.action);
    }
    rows.push_back(std::move(row));
  }
  std::size_t levels = 0;
  for (const Stretch& one : stretches_) levels = std::max(levels, one.weights.size());
  Json rounds = Json::array(), shares = Json::array();
  for (const Stretch& one : stretches_) rounds.push_back(one.rounds);
  for (std::size_t depth = 0; depth < levels; ++depth) {
    Json level = Json::array();
    for (const Stretch& one : stretches_)
      level.push_back(depth < one.weights.size() ? one.weights[depth] / static_cast<double>(one.rounds) : 0.0);
    shares.push_back(std::move(level));
  }
  return Json::object({{"columns", Json(entry.config().orders.front())},
                       {"left_out", left_out_},
                       {"levels", Json::object({{"rounds", std::move(rounds)}, {"shares", std::move(shares)}})},
                       {"rows", std::move(rows)}});
}

}  // namespace hannan::detail::service
