#include "hannan/core/money_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hannan::detail {

int decimals_of(std::string_view currency) {
  static constexpr std::array<std::string_view, 16> kNone{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW",
                                                          "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"};
  static constexpr std::array<std::string_view, 7> kThree{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"};
  if (std::find(kNone.begin(), kNone.end(), currency) != kNone.end()) return 0;
  if (std::find(kThree.begin(), kThree.end(), currency) != kThree.end()) return 3;
  return 2;
}

namespace {

// Digits before the point in groups of three.
std::string grouped(std::string digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  // From the right: what is inserted does not move the places still to come.
  for (std::size_t at = whole; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string amount_text(double amount, std::string_view currency) {
  if (!std::isfinite(amount)) return "inf";
  return grouped(fmt::format("{:.{}f}", amount, amount >= 10 ? 0 : decimals_of(currency)));
}

bool is_zero(const std::string& text) { return text.find_first_not_of("0.,") == std::string::npos; }

std::string with_sign(double amount, std::string_view currency, std::string_view plus) {
  const std::string text = amount_text(std::abs(amount), currency);
  std::string shown = is_zero(text) ? text : fmt::format("{}{}", amount < 0 ? "-" : plus, text);
  if (!currency.empty()) shown += fmt::format(" {}", currency);
  return shown;
}

}  // namespace

std::string money_text(double amount, std::string_view currency) { return with_sign(amount, currency, ""); }

std::string money_difference_text(double amount, std::string_view currency) { return with_sign(amount, currency, "+"); }

std::string price_text(double amount, std::string_view currency) {
  if (!std::isfinite(amount)) return money_text(amount, currency);
  const std::string text = grouped(fmt::format("{:.{}f}", std::abs(amount), decimals_of(currency)));
  return fmt::format("{}{}{}{}", amount < 0 && !is_zero(text) ? "-" : "", text, currency.empty() ? "" : " ", currency);
}

std::string percent_difference_text(double share) {
  const double percent = 100 * share;
  if (!std::isfinite(percent)) return percent > 0 ? "+inf %" : "-inf %";
  const std::string text = fmt::format("{:.{}f}", std::abs(percent), std::abs(percent) < 0.05 ? 2 : 1);
  if (is_zero(text)) return "0.0 %";
  return fmt::format("{}{} %", percent < 0 ? "-" : "+", text);
}

}  // namespace hannan::detail
