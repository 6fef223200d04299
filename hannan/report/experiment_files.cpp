// Tables, figures and page of a finished experiment, each made from results.json alone.
#include "hannan/report/experiment_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/report/chart.hpp"
#include "hannan/report/experiment_tables.hpp"
#include "hannan/report/page.hpp"
#include "hannan/report/section.hpp"

namespace hannan::detail {
namespace {

void add_figures(std::vector<ReportFile>& files, const ResultTable& table, std::size_t number) {
  const auto pairs = table.pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Chart chart{.title = pairs[p], .x_name = "rounds", .y_name = "regret", .series = {}};
    for (const auto& learner : table.figure) {
      const ResultCell* cell = table.find(pairs[p], learner);
      if (!cell || cell->path.empty()) continue;
      Series series{.name = learner, .mark = '*', .points = {}};
      for (std::size_t i = 0; i < cell->path.size(); ++i)
        series.points.emplace_back(std::min(cell->rounds, std::exp2(static_cast<double>(i))), cell->path[i]);
      chart.series.push_back(std::move(series));
    }
    if (!chart.series.empty()) files.push_back({fmt::format("figure-{}-{}.svg", number, p + 1), draw_svg({chart})});
  }
}

}  // namespace

std::vector<ReportFile> experiment_files(const Json& results) {
  const ExperimentResults read = read_results(results);
  std::vector<ReportFile> files{{"tables.md", tables_markdown(read)}};
  for (std::size_t t = 0; t < read.tables.size(); ++t) add_figures(files, read.tables[t], t + 1);
  Json section = experiment_section(results, "results.json").json;
  const std::string title = section.at("title").as_string();
  files.push_back({"report.html", page_of(page_data(title, Json::array({std::move(section)})), title)});
  return files;
}

}  // namespace hannan::detail
