#include "hannan/report/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "hannan/core/money_text.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/year_last_date.hpp"
#include "hannan/report/blocks.hpp"

namespace hannan::detail {
namespace {

constexpr std::string_view kMinus = "\u2212", kSpace = "\u00a0";

// The number of a text that ends in a space and its unit, with the signs of a page.
std::string for_page(std::string text, const std::string& unit) {
  if (!unit.empty()) text.resize(text.size() - unit.size() - 1);
  if (text.starts_with('-')) text = std::string(kMinus) + text.substr(1);
  return unit.empty() ? text : fmt::format("{}{}{}", text, kSpace, unit);
}

std::chrono::year_month_day date_of(double seconds) {
  const auto days = static_cast<int>(std::floor(seconds / 86400));
  return std::chrono::year_month_day{std::chrono::sys_days{std::chrono::days{days}}};
}

std::string_view month_name(const std::chrono::year_month_day& date) {
  static constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                            "May",       "June",     "July",     "August",
                                                            "September", "October",  "November", "December"};
  return kMonths[static_cast<unsigned>(date.month()) - 1];
}

// The number that so many digits at a place of the text are, or -1.
int digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// Nothing where there is no such day.
std::optional<double> seconds_of_date(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return 86400.0 * static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count());
}

}  // namespace

std::string page_money(double amount, const std::string& currency) {
  return for_page(money_text(amount, currency), currency);
}

std::string page_difference(double amount, const std::string& currency) {
  const std::string text = money_difference_text(amount, currency);
  const bool signed_one = text.starts_with('+') || text.starts_with('-');  // else it is rounded to nothing
  return for_page(signed_one ? text : currency.empty() ? "0" : "0 " + currency, currency);
}

std::string page_percent(double share) { return for_page(percent_difference_text(share), "%"); }

std::string page_price(double amount, const std::string& currency) {
  return for_page(price_text(amount, currency), currency);
}

AmountForm form_of(std::span<const double> together, const std::string& currency) {
  constexpr double kWhole = 10, kNothing = 1e-4;  // as percents are written: 0.01 % is the least
  constexpr int kMostPlaces = 8;
  double least = HUGE_VAL, most = 0;
  for (const double figure : together) {
    most = std::max(most, std::abs(figure));
    if (figure != 0) least = std::min(least, std::abs(figure));
  }
  AmountForm form{.unit = currency, .places = 0};
  if (least >= kWhole) return form;  // also where all are zero
  form.places = decimals_of(currency);
  if (least < kNothing * most || !reads_as_nothing(least, form)) return form;
  form.places = std::min(kMostPlaces, 1 - static_cast<int>(std::floor(std::log10(least))));
  return form;
}

bool reads_as_nothing(double amount, const AmountForm& form) {
  return fmt::format("{:.{}f}", std::abs(amount), form.places).find_first_not_of("0.") == std::string::npos;
}

std::string page_amount(double amount, const AmountForm& form) {
  const std::string text = std::isfinite(amount) ? shown(amount, form.places) : number_text(amount);
  return for_page(form.unit.empty() ? text : text + " " + form.unit, form.unit);
}

std::string page_signed(double amount, const AmountForm& form) {
  if (reads_as_nothing(amount, form)) return page_amount(0, {.unit = form.unit, .places = 0});
  return (amount > 0 ? "+" : "") + page_amount(amount, form);
}

std::string page_count(std::uint64_t count) {
  constexpr std::uint64_t kMillion = 1'000'000;
  if (count < kMillion) return shown(static_cast<double>(count));
  return shown(static_cast<double>(count) / static_cast<double>(kMillion), 2) + std::string(kSpace) + "million";
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::optional<double> seconds_of(std::string_view text) {
  double number = 0;
  if (read_number(text, number) == Reading::kFinite) {
    constexpr double kFirst = 1e8, kLast = 1e11;  // of 1973 to the year 5138 as seconds; beyond, milliseconds
    if (number >= kLast) number /= 1000;
    return number >= kFirst && number < kLast ? std::optional(number) : std::nullopt;
  }
  const int year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
  if (year < 0 || month < 0 || day < 0 || text[4] != '-' || text[7] != '-') return std::nullopt;
  auto seconds = seconds_of_date(year, month, day);
  if (seconds && text.size() > 10 && (text[10] == 'T' || text[10] == ' ')) {
    const int hour = digits_at(text, 11, 2), minute = digits_at(text, 14, 2), second = digits_at(text, 17, 2);
    if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
    *seconds += 3600.0 * std::max(hour, 0) + 60.0 * std::max(minute, 0) + std::max(second, 0);
  }
  return seconds;
}

std::vector<double> seconds_of(std::span<const std::string> texts) {
  std::vector<double> times;
  std::vector<YearLastDate> dates;
  DateColumn column;
  for (const std::string& text : texts) {
    if (const auto seconds = seconds_of(text)) {
      times.push_back(*seconds);
    } else if (const auto date = year_last_date(text)) {
      column.see(*date);
      dates.push_back(*date);
    }
  }
  if (times.size() == texts.size()) return times;
  if (dates.size() != texts.size() || !column.order()) return {};
  for (const YearLastDate& date : dates) {
    const auto seconds = seconds_of(iso_date(date, *column.order()));
    if (!seconds) return {};
    times.push_back(*seconds);
  }
  return times;
}

std::string page_day(double seconds) {
  const auto date = date_of(seconds);
  return fmt::format("{}{}{}", static_cast<unsigned>(date.day()), kSpace, month_name(date).substr(0, 3));
}

std::string page_days(double first, double last) {
  const auto from = date_of(first), to = date_of(last);
  const auto text = [](const auto& date, bool year) {
    return fmt::format("{} {}{}", static_cast<unsigned>(date.day()), month_name(date),
                       year ? fmt::format(" {}", static_cast<int>(date.year())) : std::string());
  };
  if (from == to) return text(to, true);
  return text(from, from.year() != to.year()) + " to " + text(to, true);
}

}  // namespace hannan::detail
