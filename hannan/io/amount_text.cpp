// Groups of three are put into the digits from the point leftwards; all other texts are built on those of shown().
#include "hannan/io/amount_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hannan/core/text.hpp"

namespace hannan::detail {
namespace {

// Without its sign.
std::string grouped(double value, int places) {
  if (!std::isfinite(value)) return number_text(std::abs(value));
  std::string text = fmt::format("{:.{}f}", std::abs(value), places);
  for (std::size_t at = std::min(text.find('.'), text.size()); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

// What rounds to 0 has no sign: "-0.00" would be one.
std::string with_sign(double value, std::string text, std::string_view plus, const Letters& letters) {
  return reads_as_zero(text) ? text : std::string(value < 0 ? letters.minus : plus) + text;
}

// From 10 units on whole ones are enough to read; below that the currency's own decimals.
int money_places(double amount, std::string_view currency) {
  constexpr double kWhole = 10;
  return std::abs(amount) >= kWhole ? 0 : decimals_of(currency);
}

}  // namespace

bool reads_as_zero(std::string_view number) { return number.find_first_not_of("0.,") == std::string_view::npos; }

std::string shown(double value, int places, const Letters& letters) {
  return with_sign(value, grouped(value, places), "", letters);
}

// As many places as leave four to six digits; very small and very large numbers in powers of ten.
std::string shown(double value) {
  const double size = std::abs(value);
  if (size > 0 && (size < 1e-3 || size >= 1e15) && std::isfinite(value)) return fmt::format("{:.3g}", value);
  const bool whole = value == std::floor(value);
  return shown(value, whole ? 0 : size >= 1000 ? 1 : size >= 100 ? 2 : size >= 1 ? 3 : 5);
}

std::string shown(const std::optional<double>& value) { return value ? shown(*value) : "-"; }

// For narrow columns of tables.
std::string brief(const std::optional<double>& value) {
  if (!value) return "-";
  const double size = std::abs(*value);
  if (size >= 1e7 || (size > 0 && size < 1e-3)) return fmt::format("{:.3g}", *value);
  return fmt::format("{:.{}f}", *value, size >= 100 ? 1 : size >= 1 ? 2 : 4);
}

// By ISO 4217; two where the currency is not listed.
int decimals_of(std::string_view currency) {
  static constexpr std::array<std::string_view, 16> kNone{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW",
                                                          "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"};
  static constexpr std::array<std::string_view, 7> kThree{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"};
  if (std::find(kNone.begin(), kNone.end(), currency) != kNone.end()) return 0;
  if (std::find(kThree.begin(), kThree.end(), currency) != kThree.end()) return 3;
  return 2;
}

std::string with_unit(std::string number, std::string_view unit, const Letters& letters) {
  if (!unit.empty()) number.append(letters.space).append(unit);
  return number;
}

std::string money_text(double amount, std::string_view currency, const Letters& letters) {
  return with_unit(shown(amount, money_places(amount, currency), letters), currency, letters);
}

std::string money_difference_text(double amount, std::string_view currency, const Letters& letters) {
  const std::string text = grouped(amount, money_places(amount, currency));
  return with_unit(with_sign(amount, text, "+", letters), currency, letters);
}

std::string price_text(double amount, std::string_view currency, const Letters& letters) {
  return with_unit(shown(amount, decimals_of(currency), letters), currency, letters);
}

// Two places below a twentieth of a percent, else one.
std::string percent_difference_text(double share, const Letters& letters) {
  const double percent = 100 * share;
  std::string text = fmt::format("{:.{}f}", std::abs(percent), std::abs(percent) < 0.05 ? 2 : 1);
  if (reads_as_zero(text)) text = "0.0";
  return with_unit(with_sign(percent, text, "+", letters), "%", letters);
}

}  // namespace hannan::detail
