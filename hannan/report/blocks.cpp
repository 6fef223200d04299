// Blocks of a page as JSON; the script draws them (page/page.js). Numbers are rounded here, once, so that page, text
// and download show the same digits.
#include "hannan/report/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hannan::detail {

// Seven digits: more than a page can show, and short in its JSON.
double rounded(double value) {
  if (!std::isfinite(value) || value == std::floor(value)) return value;
  const std::string text = fmt::format("{:.7g}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

// What is only rounding beside numbers of this size becomes 0.
double cleared(double value, double scale) { return std::abs(value) < 1e-9 * std::abs(scale) ? 0.0 : value; }

std::string shown(const Json& value) {
  if (value.is_number()) return shown(value.as_number());
  return value.is_string() ? value.as_string() : value.is_null() ? "-" : dump(value);
}

std::string counted(std::uint64_t count, const std::string& one) {
  return shown(static_cast<double>(count)) + " " + one + (count == 1 ? "" : "s");
}

// Cut between characters, not within one.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 160;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole characters
  return text.substr(0, end) + " ... (" + counted(text.size(), "character") + ")";
}

PageSeries series_of(std::string name, const std::vector<ThinnedPoint>& points) {
  PageSeries series{.name = std::move(name), .at = {}, .values = {}};
  for (const auto& point : points) {
    series.at.push_back(static_cast<double>(point.round));
    series.values.emplace_back(point.value);
  }
  return series;
}

namespace {

Json block(const char* kind) { return Json::object({{"block", kind}}); }

Json titled(const char* kind, const std::string& title, const std::string& about) {
  Json json = block(kind);
  if (!title.empty()) json.set("title", title);
  if (!about.empty()) json.set("about", about);
  return json;
}

Json texts(const PageRow& row) {
  Json list = Json::array();
  for (const auto& text : row) list.push_back(text);
  return list;
}

// Nested objects as names with dots.
void flatten(const std::string& prefix, const Json& value, std::vector<std::pair<std::string, std::string>>& to) {
  if (!value.is_object()) {
    to.emplace_back(prefix, shortened(shown(value)));
    return;
  }
  for (const auto& [name, inner] : value.as_object()) flatten(prefix.empty() ? name : prefix + "." + name, inner, to);
}

}  // namespace

Json text_block(const std::string& text) { return block("text").set("text", text); }

Json facts_block(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts) {
  Json list = Json::array();
  for (const auto& [name, value] : facts) list.push_back(Json::array({Json(name), Json(value)}));
  return titled("facts", title, "").set("facts", std::move(list));
}

Json verdict_block(Verdict verdict, const std::string& text, const std::vector<std::string>& details) {
  static constexpr const char* kNames[] = {"good", "bad", "open"};
  return block("verdict")
      .set("verdict", kNames[static_cast<std::size_t>(verdict)])
      .set("text", text)
      .set("details", texts(details));
}

// Values that are not finite are gaps. The options are those that page.js knows.
Json chart_block(const PageChart& chart) {
  Json json = titled("chart", chart.title, chart.about)
                  .set("alt", chart.alt)
                  .set("x_name", chart.x_name)
                  .set("y_name", chart.y_name);
  if (!chart.now.empty()) json.set("now", chart.now);
  if (chart.line == PageChart::Line::kStep) json.set("step", true);
  if (chart.x_axis == PageChart::Axis::kLogarithmic) json.set("log_x", true);
  if (chart.x_axis == PageChart::Axis::kTime) json.set("time", true);
  if (chart.axis_start == PageChart::AxisStart::kData) json.set("free_y", true);
  if (!chart.at.empty()) json.set("at", Json(chart.at));
  double scale = 0;
  for (const auto& series : chart.series) {
    for (const auto& value : series.values)
      scale = value && std::isfinite(*value) ? std::max(scale, std::abs(*value)) : scale;
  }
  Json list = Json::array();
  for (const auto& series : chart.series) {
    Json one = Json::object({{"name", series.name}});
    if (series.ink) one.set("ink", *series.ink);
    if (series.look != PageSeries::Look::kLine)
      one.set("look", series.look == PageSeries::Look::kPoints ? "points" : "faint");
    if (!series.at.empty()) one.set("at", Json(series.at));
    Json values = Json::array();
    for (const auto& value : series.values)
      values.push_back(value && std::isfinite(*value) ? Json(rounded(cleared(*value, scale))) : Json());
    list.push_back(one.set("values", std::move(values)));
  }
  return json.set("series", std::move(list));
}

Json charts_block(const std::string& title, const std::string& about, const std::vector<PageChart>& charts) {
  Json list = Json::array();
  for (const auto& chart : charts) list.push_back(chart_block(chart));
  return titled("charts", title, about).set("charts", std::move(list));
}

Json table_block(const PageTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(texts(row));
  return titled("table", table.title, table.about).set("header", texts(table.header)).set("rows", std::move(rows));
}

Json fold_block(const std::string& title, const std::string& about, Json blocks) {
  return titled("fold", title, about).set("blocks", std::move(blocks));
}

Json points_block(const std::string& title, const std::vector<std::pair<std::string, std::string>>& points) {
  Json list = Json::array();
  for (const auto& [what, text] : points) list.push_back(Json::object({{"what", what}, {"text", text}}));
  return titled("points", title, "").set("points", std::move(list));
}

Json download_block(const PageFile& file) {
  return Json::object({{"block", "download"}, {"name", file.name}, {"button", file.button}, {"text", file.text}});
}

Json chosen_block(const std::string& title, const std::string& about, const std::vector<ChosenRow>& rows) {
  Json list = Json::array();
  for (const ChosenRow& row : rows) {
    Json stretches = Json::array();
    for (const auto& [from, to] : row.stretches)
      stretches.push_back(Json::array({Json(rounded(from)), Json(rounded(to))}));
    list.push_back(Json::object({{"name", row.name}, {"share", row.share}, {"stretches", std::move(stretches)}}));
  }
  return titled("chosen", title, about).set("rows", std::move(list));
}

// Parameters as a list of facts, for the technical part of a page.
Json object_block(const std::string& title, const Json& object) {
  std::vector<std::pair<std::string, std::string>> facts;
  flatten("", object, facts);
  return facts_block(title, facts);
}

}  // namespace hannan::detail
