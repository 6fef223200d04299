// Cells that a spreadsheet would run as formulas get an apostrophe, which reading takes off again: cell_text() of the
// cell that text_cell(x) writes is x.
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {
namespace {

// Would a spreadsheet run the text as a formula, or is it one that was escaped?
bool starts_a_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  return first != std::string_view::npos && std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool blank = text.starts_with(' ') || text.ends_with(' ');
  if (!blank && text.find_first_of(",;\t\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string text_cell(std::string_view text) {
  return csv_cell((starts_a_formula(text) ? "'" : "") + std::string(text));
}

std::string_view cell_text(std::string_view cell) {
  return cell.starts_with('\'') && starts_a_formula(cell) ? cell.substr(1) : cell;
}

}  // namespace hannan::detail
