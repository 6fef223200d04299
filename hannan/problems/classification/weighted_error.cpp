// The oracle of classification. A label 1 of weight w at a point adds w to the constant and -w to the point's gain; a
// label 0 adds w to the gain. Invariant: sums + waiting changes = the class's sums of `gain`, unless `outdated`.
#include "hannan/problems/classification/weighted_error.hpp"

#include "hannan/oracles/tabulate.hpp"

namespace hannan::detail {

void WeightedError::History::scale(double factor) {
  constant *= factor;
  for (auto* values : {&gain, &table}) {
    for (double& value : *values) value *= factor;
  }
  waiting.clear();
  outdated = true;  // summed anew, so that a saved run goes on with the same bits
}

void WeightedError::History::clear() {
  std::fill(gain.begin(), gain.end(), 0.0);
  constant = 0;
  table.clear();
  waiting.clear();
  outdated = true;
}

void WeightedError::History::archive(Archive& a) {
  a.field("gain", gain);
  a.field("constant", constant);
  a.list("table", table);
  waiting.clear();
  outdated = true;
}

namespace {

// Changes that wait before all points are summed anew instead.
// 64: chosen; applying changes one by one costs more than a new sum once they are many.
constexpr std::size_t kMostWaiting = 64;

void bring_up_to_date(const Hypotheses& all, const WeightedError::History& h) {
  if (all.sums() == 0) return;
  if (h.outdated) {
    h.sums.assign(all.sums(), 0.0);
    all.add_points(h.gain, h.sums);
  } else {
    for (const auto& [point, gain] : h.waiting) all.add_point(point, gain, h.sums);
  }
  h.waiting.clear();
  h.outdated = false;
}

}  // namespace

void WeightedError::add(const Classification&, History& h, const LabelledPoint& y, double weight) const {
  h.gain[y.point] += y.label ? -weight : weight;
  if (y.label) h.constant += weight;
  if (h.outdated) return;
  if (h.waiting.size() < kMostWaiting) {
    h.waiting.push_back({y.point, y.label ? -weight : weight});
  } else {
    h.outdated = true;
  }
}

void WeightedError::add_table(const Classification&, History& h, std::size_t, std::span<const double> values) const {
  h.table.resize(values.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) h.table[k] += values[k];
}

// Error of a classifier = constant + sum of the gains of the points where it says 1. Listed classes read it off their
// sums or along the walk, others search for it.
Answer<std::uint64_t> WeightedError::best(const Classification& p, Evidence<History> e, std::size_t keep) const {
  std::vector<double>& gain = e.data.evidence;
  gain = e.data.gain;
  double constant = e.data.constant;
  if (e.scale != 0) {
    for (std::size_t i = 0; i < gain.size(); ++i) gain[i] += e.scale * e.noise.gain[i];
    constant += e.scale * e.noise.constant;
  }
  const Hypotheses& all = p.hypotheses();
  bring_up_to_date(all, e.data);
  if (e.scale != 0) bring_up_to_date(all, e.noise);
  // All buffers belong to the history of the data, so that a call allocates nothing after the first.
  e.data.buffer.resize(all.sums());
  const Hypotheses::Errors gains{.gain = gain,
                                 .constant = constant,
                                 .data = e.data.sums,
                                 .noise = e.noise.sums,
                                 .scale = e.scale,
                                 .buffer = e.data.buffer};
  if (!all.walk()) return all.search(gains, keep);
  std::vector<double>& totals = e.data.totals;
  totals.assign(all.walk()->size(), 0.0);
  all.values(gains, totals);
  for (std::size_t k = 0; k < e.data.table.size(); ++k) totals[k] += e.data.table[k];
  if (e.scale != 0) {
    for (std::size_t k = 0; k < e.noise.table.size(); ++k) totals[k] += e.scale * e.noise.table[k];
  }
  return listed_answer(p, {totals, {}, 0.0}, keep);
}

}  // namespace hannan::detail
