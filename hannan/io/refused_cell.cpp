// Why a cell is no number, and what to do about it: dates are recognised by their shape alone.
#include "hannan/io/refused_cell.hpp"

#include "hannan/core/error.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// Takes the digits at the beginning off; how many there were.
std::size_t take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
  text.remove_prefix(count);
  return count;
}

}  // namespace

// Year first or year last, with - / or . between. Shape only: 2026-99-99 looks like one too, and is to be told as such.
bool looks_like_date(std::string_view cell) {
  std::string_view rest = trimmed(cell);
  const std::size_t first = take_digits(rest);
  if (rest.empty() || (rest[0] != '-' && rest[0] != '/' && rest[0] != '.')) return false;
  const char between = rest[0];
  rest.remove_prefix(1);
  const std::size_t second = take_digits(rest);
  if (rest.empty() || rest[0] != between) return false;
  rest.remove_prefix(1);
  const std::size_t third = take_digits(rest);
  if (!rest.empty() && rest[0] != ' ' && rest[0] != 'T') return false;
  const auto short_part = [](std::size_t digits) { return digits == 1 || digits == 2; };
  return short_part(second) && ((first == 4 && short_part(third)) || (third == 4 && short_part(first)));
}

// The message names the flag that would help: --timestamp for dates, --drop for other text.
void refuse_text_cell(std::string_view cell, std::string_view column, const std::string& at) {
  const std::string_view text = trimmed(cell);
  double ignored = 0;
  const bool word = !text.empty() && read_number(text, ignored) == Reading::kNone;
  std::string found = text.empty() ? "an empty field" : describe(Json(text));
  if (!column.empty()) found += " in the column \"" + std::string(column) + "\"";
  std::string remedy;
  if (word && column.empty()) {
    remedy = "; a first row with the names of the columns lets --drop NAME leave one out";
  } else if (word) {
    const std::string name(column);
    remedy = looks_like_date(text)
                 ? "; --timestamp " + name + " says that it holds dates, --drop " + name + " leaves it out"
                 : "; --drop " + name + " leaves it out";
  }
  throw Error(Code::kNotANumber, "found " + found + ", expected a finite number" + remedy, at);
}

}  // namespace hannan::detail
