#include "experiment_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "chart.hpp"

namespace hannan::cli {
namespace {

struct TextTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct TableText {
  std::string title, about;
  std::vector<TextTable> tables;
  std::vector<ExperimentFile> figures;
};

// One digit after the point, four significant ones for what is small; a rounded nothing has no sign.
std::string digits(double value) {
  const double size = std::abs(value);
  std::string text = size >= 1e7                 ? fmt::format("{:.3g}", value)
                     : size >= 0.95 || size == 0 ? fmt::format("{:.1f}", value)
                                                 : fmt::format("{:.2g}", value);
  return text == "-0.0" ? "0.0" : text;
}
std::string digits(const std::optional<double>& value) { return value ? digits(*value) : "-"; }
// The error says how exact the mean is: both get its digits.
std::string digits(const MeanAndError& value) {
  if (value.error <= 1e-9 * std::abs(value.mean)) return digits(value.mean);  // rounding, not chance
  const int places = value.error >= 0.095 ? 1 : value.error >= 0.0095 ? 2 : 3;
  return fmt::format("{:.{}f} ± {:.{}f}", value.mean + 0.0, places, value.error, places);
}

class Writer {
 public:
  Writer(const ExperimentCells& cells, const std::vector<SimulatedRun>& results)
      : cells_(cells), plan_(cells.plan()), results_(results) {
    for (const auto& table : plan_.tables) summaries_.push_back(summarise(cells, table, results));
  }

  std::string csv() const {
    std::string text =
        "table,problem,stream,learner,seed,run,rounds,total,best,regret,bound,printed,closed,holds,calls,nodes,gap\n";
    const auto maybe = [](const std::optional<double>& value) { return value ? number_text(*value) : ""; };
    each([&](std::size_t t, const CellSummary& summary) {
      const ExperimentCell& cell = cells_.cells()[summary.cell];
      for (std::uint64_t run = 0; run < summary.runs; ++run) {
        const SimulatedRun& r = results_[cells_.first_task(summary.cell) + run];
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", t + 1, cell_text(plan_.problems[cell.problem].name),
            cell_text(plan_.streams[cell.stream].name), cell_text(plan_.learners[cell.learner].name), plan_.seed, run,
            cell.scene->rounds(), number_text(r.total), number_text(r.best), number_text(r.regret), maybe(r.bound),
            maybe(r.printed), maybe(r.closed), r.holds ? 1 : 0, r.oracle_calls, r.search_nodes, number_text(r.gap));
      }
    });
    return text;
  }

  Json json() const {
    Json tables = Json::array();
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      Json list = Json::array();
      for (const auto& summary : summaries_[t]) list.push_back(cell_json(summary));
      const auto& table = plan_.tables[t];
      Json show = Json::array(), figure = Json::array();
      for (const Measure measure : table.show) show.push_back(std::string(measure_name(measure)));
      for (const std::size_t l : table.figure) figure.push_back(plan_.learners[l].name);
      tables.push_back(Json::object({{"title", table.title},
                                     {"about", table.about},
                                     {"seeds", table.seeds},
                                     {"show", std::move(show)},
                                     {"figure", std::move(figure)},
                                     {"baseline", table.baseline ? Json(plan_.learners[*table.baseline].name) : Json()},
                                     {"cells", std::move(list)}}));
    }
    return Json::object({{"plan", plan_.name},
                         {"about", plan_.about},
                         {"seed", plan_.seed},
                         {"tasks", cells_.tasks().size()},
                         {"tables", std::move(tables)}});
  }

  std::vector<TableText> texts() const {
    std::vector<TableText> all;
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      const auto& table = plan_.tables[t];
      TableText text{.title = table.title, .about = table.about, .tables = {}, .figures = figures(t)};
      for (const Measure measure : table.show)
        text.tables.push_back(measure == Measure::kBounds ? bounds(t) : overview(t, measure));
      text.tables.push_back(details(t));
      all.push_back(std::move(text));
    }
    return all;
  }

 private:
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t t = 0; t < summaries_.size(); ++t) {
      for (const auto& summary : summaries_[t]) visit(t, summary);
    }
  }

  // RFC 4180: a name with a comma is quoted; quotes are not among the characters of names.
  static std::string cell_text(const std::string& name) {
    return name.find(',') == std::string::npos ? name : "\"" + name + "\"";
  }

  std::string pair_name(const PlannedTable& table, std::size_t problem, std::size_t stream) const {
    if (table.problems.size() == 1) return plan_.streams[stream].name;
    return table.streams.size() == 1 ? plan_.problems[problem].name
                                     : plan_.problems[problem].name + ", " + plan_.streams[stream].name;
  }
  std::string pair_name(const PlannedTable& table, const CellSummary& summary) const {
    return pair_name(table, cells_.cells()[summary.cell].problem, cells_.cells()[summary.cell].stream);
  }
  const std::string& learner_name(const CellSummary& summary) const {
    return plan_.learners[cells_.cells()[summary.cell].learner].name;
  }

  Json cell_json(const CellSummary& summary) const {
    const ExperimentCell& cell = cells_.cells()[summary.cell];
    const auto maybe = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    const auto pair = [](const MeanAndError& value) {
      return Json::object({{"mean", value.mean}, {"error", value.error}});
    };
    Json quantiles = Json::object();
    for (std::size_t q = 0; q < kQuantiles.size(); ++q) quantiles.set(number_text(kQuantiles[q]), summary.quantiles[q]);
    return Json::object({{"problem", plan_.problems[cell.problem].name},
                         {"stream", plan_.streams[cell.stream].name},
                         {"learner", learner_name(summary)},
                         {"kind", plan_.learners[cell.learner].kind},
                         {"set", cell.params},
                         {"rounds", cell.scene->rounds()},
                         {"runs", summary.runs},
                         {"regret", pair(summary.regret)},
                         {"quantiles", std::move(quantiles)},
                         {"difference", summary.difference ? pair(*summary.difference) : Json()},
                         {"total", summary.total},
                         {"best", summary.best},
                         {"bound", maybe(summary.bound)},
                         {"ratio", maybe(summary.ratio)},
                         {"printed", maybe(summary.printed)},
                         {"closed", maybe(summary.closed)},
                         {"beyond_bound", summary.beyond},
                         {"calls_a_round", summary.calls_a_round},
                         {"nodes_a_round", summary.nodes_a_round},
                         {"gap", summary.gap},
                         {"path", Json(summary.path)}});
  }

  static std::string ratio(const CellSummary& summary, const std::optional<double>& bound) {
    if (!bound || !(*bound > 0)) return "-";
    const double value = summary.regret.mean / *bound;
    return std::abs(value) < 0.0095 ? fmt::format("{:.1g}", value) : fmt::format("{:.3f}", value);
  }

  static std::string shown(const CellSummary& summary, Measure measure) {
    switch (measure) {
      case Measure::kRegret:
        return digits(summary.regret);
      case Measure::kDifference:
        return summary.difference ? digits(*summary.difference) : "-";
      case Measure::kRatio:
        return ratio(summary, summary.bound);
      case Measure::kBound:
        return digits(summary.bound);
      case Measure::kBest:
        return digits(summary.best);
      case Measure::kCalls:
        return fmt::format("{:.3f}", summary.calls_a_round);
      case Measure::kNodes:
        return digits(summary.nodes_a_round);
      case Measure::kBounds:
        break;
    }
    return {};
  }

  static std::string heading(Measure measure) {
    switch (measure) {
      case Measure::kRegret:
        return "Regret";
      case Measure::kDifference:
        return "Regret less the baseline's, run by run";
      case Measure::kRatio:
        return "Regret / bound";
      case Measure::kBound:
        return "Bound";
      case Measure::kBest:
        return "Loss of the best action, L*";
      case Measure::kCalls:
        return "Oracle calls a round";
      case Measure::kNodes:
        return "Search nodes a round";
      case Measure::kBounds:
        return "Regret and bounds";
    }
    return {};
  }

  // Learners by pairs of problem and stream.
  TextTable overview(std::size_t t, Measure measure) const {
    const auto& table = plan_.tables[t];
    TextTable text{.title = heading(measure), .header = {"learner"}, .rows = {}};
    if (measure == Measure::kRegret) text.rows.push_back({"mean L*"});
    for (const std::size_t l : table.learners) text.rows.push_back({plan_.learners[l].name});
    const std::size_t first = text.rows.size() - table.learners.size();
    for (std::size_t i = 0; i < summaries_[t].size(); ++i) {
      const auto& summary = summaries_[t][i];
      if (i % table.learners.size() == 0) {
        text.header.push_back(pair_name(table, summary));
        if (first > 0) text.rows[0].push_back(shared_best(t, i));
      }
      text.rows[first + i % table.learners.size()].push_back(shown(summary, measure));
    }
    return text;
  }

  // Regret beside Theorem 1 as printed and as mended, where a learner has either.
  TextTable bounds(std::size_t t) const {
    TextTable text{.title = heading(Measure::kBounds),
                   .header = {"stream", "learner", "regret", "printed bound", "ratio", "mended bound", "ratio"},
                   .rows = {}};
    for (const auto& summary : summaries_[t]) {
      if (!summary.printed && !summary.closed) continue;
      text.rows.push_back({pair_name(plan_.tables[t], summary), learner_name(summary), digits(summary.regret),
                           digits(summary.printed), ratio(summary, summary.printed), digits(summary.closed),
                           ratio(summary, summary.closed)});
    }
    return text;
  }

  // An adversary who answers the learner leaves each with an L* of its own.
  std::string shared_best(std::size_t t, std::size_t from) const {
    const auto& all = summaries_[t];
    for (std::size_t i = from; i < from + plan_.tables[t].learners.size(); ++i) {
      if (std::abs(all[i].best - all[from].best) > 1e-6 * (1 + std::abs(all[from].best))) return "-";
    }
    return digits(all[from].best);
  }

  TextTable details(std::size_t t) const {
    const auto& table = plan_.tables[t];
    TextTable text{.title = "Details",
                   .header = {"stream", "learner", "runs", "regret", "5%", "median", "95%", "bound", "ratio", "beyond",
                              "calls/round"},
                   .rows = {}};
    if (table.baseline) text.header.push_back("less " + plan_.learners[*table.baseline].name);
    for (const auto& summary : summaries_[t]) {
      text.rows.push_back({pair_name(table, summary), learner_name(summary), std::to_string(summary.runs),
                           digits(summary.regret), digits(summary.quantiles[0]), digits(summary.quantiles[2]),
                           digits(summary.quantiles[4]), digits(summary.bound), shown(summary, Measure::kRatio),
                           std::to_string(summary.beyond), shown(summary, Measure::kCalls)});
      if (table.baseline) text.rows.back().push_back(shown(summary, Measure::kDifference));
    }
    return text;
  }

  std::vector<ExperimentFile> figures(std::size_t t) const {
    constexpr char kMarks[] = {'*', 'o', '+', 'x', '#', '@'};
    const auto& table = plan_.tables[t];
    std::vector<ExperimentFile> all;
    for (std::size_t from = 0; from < summaries_[t].size(); from += table.learners.size()) {
      Chart chart{.title = pair_name(table, summaries_[t][from]), .x_name = "rounds", .y_name = "regret", .series = {}};
      for (const std::size_t l : table.figure) {
        const auto at = static_cast<std::size_t>(std::find(table.learners.begin(), table.learners.end(), l) -
                                                 table.learners.begin());
        const auto& summary = summaries_[t][from + at];
        Series series{
            .name = plan_.learners[l].name, .mark = kMarks[chart.series.size() % std::size(kMarks)], .points = {}};
        const auto rounds = static_cast<double>(cells_.cells()[summary.cell].scene->rounds());
        for (std::size_t p = 0; p < summary.path.size(); ++p)
          series.points.emplace_back(std::min(rounds, std::exp2(static_cast<double>(p))), summary.path[p]);
        if (!series.points.empty()) chart.series.push_back(std::move(series));
      }
      if (chart.series.empty()) continue;
      all.push_back({fmt::format("figure-{}-{}.svg", t + 1, from / table.learners.size() + 1), draw_svg({chart})});
    }
    return all;
  }

  const ExperimentCells& cells_;
  const ExperimentPlan& plan_;
  const std::vector<SimulatedRun>& results_;
  std::vector<std::vector<CellSummary>> summaries_;
};

std::string markdown(const TextTable& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const auto& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  std::string text = line(table.header) + "|---|";
  for (std::size_t i = 1; i < table.header.size(); ++i) text += "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string markdown(const ExperimentPlan& plan, const std::vector<TableText>& texts) {
  std::string text = "# " + plan.name + "\n" + (plan.about.empty() ? "" : "\n" + plan.about + "\n");
  for (std::size_t t = 0; t < texts.size(); ++t) {
    text += fmt::format("\n## {}\n{}", texts[t].title, texts[t].about.empty() ? "" : "\n" + texts[t].about + "\n");
    text += fmt::format("\nSeed {}, runs {}.\n", plan.seed, plan.tables[t].seeds);
    for (const auto& table : texts[t].tables) text += "\n### " + table.title + "\n\n" + markdown(table);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string html(const ExperimentPlan& plan, const std::vector<TableText>& texts) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><meta "
      "charset=\"utf-8\"><title>{0}</title>\n<style>body{{font-family:sans-serif;max-width:80em;margin:2em "
      "auto;padding:0 1em}}"
      "table{{border-collapse:collapse;display:block;overflow-x:auto}}td,th{{padding:.2em .6em;border-bottom:1px solid "
      "#ddd;text-align:right}}"
      "td:first-child,th:first-child{{text-align:left}}svg{{max-width:42em}}</style>\n<h1>{0}</h1>\n<p>{1}</p>\n",
      escaped(plan.name), escaped(plan.about));
  for (std::size_t t = 0; t < texts.size(); ++t) {
    text += fmt::format("<h2>{}</h2>\n<p>{} Seed {}, runs {}.</p>\n", escaped(texts[t].title), escaped(texts[t].about),
                        plan.seed, plan.tables[t].seeds);
    for (const auto& table : texts[t].tables) {
      text += "<h3>" + escaped(table.title) + "</h3>\n<table>\n<tr>";
      for (const auto& cell : table.header) text += "<th>" + escaped(cell) + "</th>";
      for (const auto& row : table.rows) {
        text += "</tr>\n<tr>";
        for (const auto& cell : row) text += "<td>" + escaped(cell) + "</td>";
      }
      text += "</tr>\n</table>\n";
    }
    for (const auto& figure : texts[t].figures) text += figure.content;
  }
  return text + "</html>\n";
}

}  // namespace

std::vector<ExperimentFile> experiment_files(const ExperimentCells& cells, const std::vector<SimulatedRun>& results) {
  const Writer writer(cells, results);
  const auto texts = writer.texts();
  std::vector<ExperimentFile> files{{"results.csv", writer.csv()},
                                    {"results.json", pretty(writer.json()) + "\n"},
                                    {"tables.md", markdown(cells.plan(), texts)},
                                    {"report.html", html(cells.plan(), texts)}};
  for (const auto& text : texts) files.insert(files.end(), text.figures.begin(), text.figures.end());
  return files;
}

Json experiment_json(const ExperimentCells& cells, const std::vector<SimulatedRun>& results) {
  return Writer(cells, results).json();
}

std::string experiment_tables(const ExperimentCells& cells, const std::vector<SimulatedRun>& results) {
  return markdown(cells.plan(), Writer(cells, results).texts());
}

}  // namespace hannan::cli
