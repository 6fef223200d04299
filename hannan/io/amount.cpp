// Taking a cell apart: signs and marks of currencies from both ends, then the groups of digits that are left.
//
// Order of the work: one spelling for all dashes, spaces and apostrophes; everything before the first digit (signs,
// mark of a currency), everything behind the last one, and the digits between with their marks. A cell that leaves
// anything unexplained is no amount. Cells beyond 80 bytes are not looked at. Cost: linear in the cell.
#include "hannan/io/amount.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/core/digit.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/currency_marks.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostBytes = 80;  // of a cell that can be an amount

// Characters that are written in several ways. Those of Windows-1252 count in text that is not UTF-8.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSame{{{"\xC2\xA0", " "},
                                                                               {"\xE2\x80\xAF", " "},
                                                                               {"\xE2\x80\x89", " "},
                                                                               {"\xE2\x80\x87", " "},
                                                                               {"\xE2\x80\x99", "'"},
                                                                               {"\xE2\x80\x98", "'"},
                                                                               {"\xE2\x88\x92", "-"},
                                                                               {"\xE2\x80\x93", "-"},
                                                                               {"\xE2\x80\x94", "-"},
                                                                               {"\t", " "}}};
// Bytes of Windows-1252 that occur in amounts; in UTF-8 they never stand alone.
constexpr std::array<std::pair<char, std::string_view>, 6> kWindows{
    {{'\x80', "€"}, {'\xA3', "£"}, {'\xA5', "¥"}, {'\xA0', " "}, {'\x92', "'"}, {'\x96', "-"}}};

// Dashes, spaces and apostrophes of any kind become the ASCII ones. Text that is not UTF-8 is read as Windows-1252,
// which spreadsheets write.
std::string in_one_way(std::string_view cell) {
  std::string out;
  const bool utf8 = is_utf8(cell);
  while (!cell.empty()) {
    std::string_view to = cell.substr(0, 1);
    std::size_t taken = 1;
    if (utf8) {
      for (const auto& [from, same] : kSame) {
        if (cell.starts_with(from)) {
          to = same;
          taken = from.size();
        }
      }
    } else {
      for (const auto& [from, same] : kWindows) {
        if (cell[0] == from) to = same;
      }
    }
    out += to;
    cell.remove_prefix(taken);
  }
  return out;
}

std::string_view without_spaces(std::string_view text) { return trimmed(text); }

// One mark, or two with a space between them that agree: "US$", "USD $".
bool is_mark(std::string_view text) {
  if (!codes_of_mark(text).empty()) return true;
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return false;
  CurrencySet both;
  const std::string_view first = text.substr(0, space), second = without_spaces(text.substr(space));
  return !codes_of_mark(first).empty() && !codes_of_mark(second).empty() && both.narrow(first) && both.narrow(second);
}

// What stands before the first digit: signs, a mark, and a decimal mark that belongs to the number. False: not known.
bool take_before(std::string_view text, WrittenAmount& into, bool& open) {
  const auto take_signs = [&] {
    for (text = without_spaces(text); !text.empty(); text = without_spaces(text.substr(1))) {
      if (text[0] == '-' && !into.negative) {
        into.negative = true;
      } else if (text[0] == '(' && !open) {
        open = true;
      } else if (text[0] != '+' || into.negative) {
        break;
      }
    }
  };
  take_signs();
  if (text.empty()) return true;
  if (text == "." || text == ",") {
    into.number = text;
    return true;
  }
  if (is_mark(text)) {
    into.mark = text;
    return true;
  }
  // A sign or a decimal mark behind the currency: "$-3", "$.50".
  if (text.back() == '.' || text.back() == ',') {
    into.number = text.substr(text.size() - 1);
    text = without_spaces(text.substr(0, text.size() - 1));
  }
  if (!text.empty() && text.back() == '-' && !into.negative) {
    into.negative = true;
    text = without_spaces(text.substr(0, text.size() - 1));
  }
  into.mark = text;
  return text.empty() || is_mark(text);
}

// What stands behind the last digit.
bool take_behind(std::string_view text, WrittenAmount& into, bool open) {
  if (text.size() >= 2 && (text[0] == '.' || text[0] == ',') && text[1] == '-') {
    text.remove_prefix(2);  // "12.-" is 12
  } else if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
    into.number += text[0];
    text.remove_prefix(1);
  }
  text = without_spaces(text);
  bool closed = false;
  const auto take_end = [&] {
    if (!text.empty() && text[0] == '-' && !into.negative) {
      into.negative = true;
    } else if (!text.empty() && text[0] == ')' && open && !closed) {
      closed = true;
    } else {
      return false;
    }
    text = without_spaces(text.substr(1));
    return true;
  };
  while (take_end()) {
  }
  std::size_t end = text.size();
  while (end > 0 && (text[end - 1] == ')' || text[end - 1] == '-')) --end;
  into.second_mark = without_spaces(text.substr(0, end));
  text = text.substr(end);
  while (take_end()) {
  }
  if (open && (!closed || into.negative)) return false;
  into.negative = into.negative || open;
  return text.empty() && (into.second_mark.empty() || is_mark(into.second_mark));
}

// Digits with at most one kind of mark between groups, as one run of digits; nothing where the groups are not regular.
std::optional<std::string> joined_groups(std::string_view text, char decimal) {
  const auto mark = std::ranges::find_if_not(text, is_digit);
  if (mark == text.end()) return std::string(text);
  const char between = *mark;
  if (between == decimal) return std::nullopt;
  std::vector<std::string_view> groups;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    groups.push_back(text.substr(at, end - at));
    if (!std::ranges::all_of(groups.back(), is_digit)) return std::nullopt;
    at = end + 1;
  }
  const std::string_view first = groups.front();
  if (first.empty() || first.size() > 3 || first[0] == '0' || groups.back().size() != 3) return std::nullopt;
  const auto all_of_size = [&](std::size_t size) {
    return std::all_of(groups.begin() + 1, groups.end() - 1,
                       [&](std::string_view group) { return group.size() == size; });
  };
  // The Indian way: 12,34,567 has groups of two before the last three.
  const bool by_two = between == ',' && first.size() <= 2 && all_of_size(2);
  if (!all_of_size(3) && !by_two) return std::nullopt;
  std::string digits;
  for (const std::string_view group : groups) digits += group;
  return digits;
}

}  // namespace

// Empty where the cell is no amount. Marks on both ends must agree: "$12 USD" is one, "$12 EUR" is none.
WrittenAmount take_apart(std::string_view cell) {
  if (cell.size() > kMostBytes) return {};
  const std::string text = in_one_way(cell);
  const auto digit = std::ranges::find_if(text, is_digit);
  if (digit == text.end()) return {};
  const auto first = static_cast<std::size_t>(digit - text.begin());
  const std::size_t last = text.find_last_of("0123456789");
  const std::string_view all = text;
  const std::string_view middle = all.substr(first, last - first + 1);
  if (middle.find_first_not_of("0123456789., '") != std::string_view::npos) return {};
  WrittenAmount amount;
  bool open = false;
  if (!take_before(all.substr(0, first), amount, open)) return {};
  amount.number += middle;
  if (!take_behind(all.substr(last + 1), amount, open)) return {};
  CurrencySet marks;
  const bool agree =
      (amount.mark.empty() || marks.narrow(amount.mark.substr(0, amount.mark.find(' ')))) &&
      (amount.second_mark.empty() || marks.narrow(amount.second_mark.substr(0, amount.second_mark.find(' '))));
  return agree ? amount : WrittenAmount{};
}

// The number of an amount under one reading of its decimal mark: "1,234" is 1234 with a point and 1.234 with a comma.
Reading value_of(const WrittenAmount& amount, DecimalMark decimal, double& number) {
  const char mark = decimal == DecimalMark::kPoint ? '.' : ',';
  const std::string_view text = amount.number;
  const std::size_t at = text.find(mark);
  const std::string_view fraction = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  if (!std::ranges::all_of(fraction, is_digit)) return Reading::kNone;
  auto digits = joined_groups(text.substr(0, at), mark);
  if (!digits || (digits->empty() && fraction.empty())) return Reading::kNone;
  if (!fraction.empty()) *digits += "." + std::string(fraction);
  const Reading reading = read_number(*digits, number);
  if (reading == Reading::kFinite && amount.negative) number = 0.0 - number;
  return reading;
}

// Plain numbers first, which most cells are; the long way only where that fails.
Reading read_amount(std::string_view cell, DecimalMark decimal, double& number) {
  // With a decimal comma a point may be that of groups.
  if (decimal == DecimalMark::kPoint || cell.find('.') == std::string_view::npos) {
    const Reading plain = read_number(cell, number);
    if (plain != Reading::kNone) return plain;
  }
  return value_of(take_apart(trimmed(cell)), decimal, number);
}

}  // namespace hannan::detail
