// The files that a combined forecast is handed out in (forecast_comparison.hpp).
#include <fmt/format.h>

#include <cmath>

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {
namespace {

void put(std::string& text, double value) {
  text += ',';
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(text), "{:.12g}", value == 0 ? 0 : value);
}

void put_keys(std::string& text, const ForecastTable& table, std::size_t row) {
  if (table.key_names.empty()) {
    text += std::to_string(row + 1);
    return;
  }
  for (std::size_t c = 0; c < table.key_names.size(); ++c)
    text += (c ? "," : "") + text_cell(table.keys[row * table.key_names.size() + c]);
}

std::string key_heading(const ForecastTable& table) {
  if (table.key_names.empty()) return "row";
  std::string text;
  for (const std::string& name : table.key_names) text += (text.empty() ? "" : ",") + text_cell(name);
  return text;
}

}  // namespace

std::string predictions_csv(const ForecastRun& run) {
  const ForecastTable& table = run.table();
  const std::size_t depth = table.depth(), m = run.plan().members.size();
  std::string text = key_heading(table);
  if (table.levels.empty()) {
    text += ",forecast,actual,error";
    for (const ForecastMember& member : run.plan().members) text += "," + text_cell(member.name);
  } else {
    for (const double level : table.levels) text += ",forecast@" + number_text(level);
    text += ",actual";
  }
  text += '\n';
  text.reserve(text.size() + table.rows() * (24 + 18 * (depth + 2 + (table.levels.empty() ? m : 0))));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    put_keys(text, table, i);
    for (std::size_t q = 0; q < depth; ++q) put(text, run.published[i * depth + q]);
    put(text, table.y[i]);
    if (table.levels.empty()) {
      put(text, table.y[i] - run.published[i]);
      for (std::size_t j = 0; j < m; ++j) put(text, run.members[i * m + j]);
    }
    text += '\n';
  }
  return text;
}

std::string weights_csv(const ForecastRun& run) {
  const ForecastTable& table = run.table();
  std::string text = table.key_names.empty() ? "row" : text_cell(table.key_names.front());
  for (const auto* names : {&table.models, &table.columns}) {
    for (const std::string& name : *names) text += "," + text_cell(name);
  }
  text += ",median\n";
  for (const auto& round : run.weights) {
    text += text_cell(table.round_names[round.round]);
    for (const double weight : round.total) put(text, weight);
    text += '\n';
  }
  return text;
}

}  // namespace hannan::detail
