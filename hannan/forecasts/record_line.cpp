#include "hannan/forecasts/record_line.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace hannan::detail {
namespace {

Json recorded_numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double v : values) list.push_back(std::isnan(v) ? Json() : Json(v));
  return list;
}

}  // namespace

Json recorded_round(const Combiner& combiner, const CombinerRound& made, std::uint64_t time,
                    std::span<const RecordedRow> facts) {
  const std::size_t width = combiner.plan().width(), m = combiner.plan().members.size();
  Json rows = Json::array(), said = Json::array(), gaps = Json::array();
  for (std::size_t i = 0; i < made.size(); ++i) {
    Json row = Json::object({{"x", recorded_numbers({made.x.data() + i * width, width})},
                             {"y", std::isnan(facts[i].y) ? Json() : Json(facts[i].y)}});
    if (made.weight[i] != 1) row.set("w", made.weight[i]);
    if (facts[i].never) row.set("never", true);
    if (!facts[i].by.empty())
      row.set("by", Json::array(std::vector<std::string>(facts[i].by.begin(), facts[i].by.end())));
    rows.push_back(std::move(row));
    said.push_back(recorded_numbers({made.members.data() + i * m, m}));
  }
  gaps.push_back(combiner.top().gap());
  for (const RegretHedge* hedge : {combiner.single(), combiner.mixture()}) {
    if (hedge) gaps.push_back(hedge->gap());
  }
  return Json::object({{"t", made.id},
                       {"time", time},
                       {"rows", std::move(rows)},
                       {"v", recorded_numbers(made.top)},
                       {"c", std::move(said)},
                       {"p", recorded_numbers(made.published)},
                       {"Delta", std::move(gaps)}});
}

}  // namespace hannan::detail
