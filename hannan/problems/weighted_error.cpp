#include "hannan/problems/weighted_error.hpp"

#include "hannan/oracles/tabulate.hpp"

namespace hannan {

void WeightedError::History::clear() {
  std::fill(gain.begin(), gain.end(), 0.0);
  constant = 0;
  table.clear();
}

void WeightedError::History::archive(Archive& a) {
  a.field("gain", gain);
  a.field("constant", constant);
  a.field("table", table);
}

void WeightedError::add(const Classification&, History& h, const LabelledPoint& y, double weight) const {
  h.gain[y.point] += y.label ? -weight : weight;
  if (y.label) h.constant += weight;
}

void WeightedError::add_table(const Classification&, History& h, std::size_t, std::span<const double> values) const {
  h.table.resize(values.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) h.table[k] += values[k];
}

Answer<std::uint64_t> WeightedError::best(const Classification& p, Evidence<History> e, std::size_t keep) const {
  std::vector<double> gain = e.data.gain;
  double constant = e.data.constant;
  if (e.scale != 0) {
    for (std::size_t i = 0; i < gain.size(); ++i) gain[i] += e.scale * e.noise.gain[i];
    constant += e.scale * e.noise.constant;
  }
  const Hypotheses& all = p.hypotheses();
  if (!all.walk()) {
    const auto found = all.search({gain, constant});
    Answer<std::uint64_t> answer{.action = found.code, .value = found.value, .floor = found.floor, .pool = {}, .rest = found.floor};
    if (keep > 0) answer.pool.push_back({found.code, found.value});
    return answer;
  }
  Tabulate<Classification>::History errors{std::vector<double>(all.walk()->size())}, nothing;
  all.walk()->values({gain, constant}, errors.totals);
  for (std::size_t k = 0; k < e.data.table.size(); ++k) errors.totals[k] += e.data.table[k];
  if (e.scale != 0) {
    for (std::size_t k = 0; k < e.noise.table.size(); ++k) errors.totals[k] += e.scale * e.noise.table[k];
  }
  return Tabulate<Classification>{}.best(p, {errors, nothing, 0.0}, keep);
}

}  // namespace hannan
