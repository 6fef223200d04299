// Numbers, money and dates as pages write them. Amounts that stand together get one form (form_of): the same decimals,
// so that they can be compared.
#include "hannan/report/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "hannan/io/csv.hpp"
#include "hannan/io/year_last_date.hpp"

namespace hannan::detail {
namespace {

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

std::string page_difference(double amount, const std::string& currency) {
  const std::string text = money_difference_text(amount, currency, kPageLetters);
  const bool nothing = !text.starts_with('+') && !text.starts_with(kPageLetters.minus);
  return nothing ? with_unit("0", currency, kPageLetters) : text;
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
  return reads_as_zero(shown(std::abs(amount), form.places));
}

std::string page_amount(double amount, const AmountForm& form) {
  return with_unit(shown(amount, form.places, kPageLetters), form.unit, kPageLetters);
}

std::string page_signed(double amount, const AmountForm& form) {
  if (reads_as_nothing(amount, form)) return page_amount(0, {.unit = form.unit, .places = 0});
  return (amount > 0 ? "+" : "") + page_amount(amount, form);
}

std::string page_count(std::uint64_t count) {
  constexpr std::uint64_t kMillion = 1'000'000;
  if (count < kMillion) return shown(static_cast<double>(count));
  return shown(static_cast<double>(count) / static_cast<double>(kMillion), 2) + std::string(kPageLetters.space) +
         "million";
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
  return fmt::format("{}{}{}", static_cast<unsigned>(date.day()), kPageLetters.space, month_name(date).substr(0, 3));
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
