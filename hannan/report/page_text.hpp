// Numbers and dates as pages write them: full digits, a true minus, a no-break space before the unit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/amount_text.hpp"

namespace hannan::detail {

inline std::string page_money(double amount, const std::string& currency) {  // "1,643 USD"
  return money_text(amount, currency, kPageLetters);
}
inline std::string page_percent(double share) { return percent_difference_text(share, kPageLetters); }  // "+23.0 %"
inline std::string page_price(double amount, const std::string& currency) {  // "3.60 USD": always with the decimals
  return price_text(amount, currency, kPageLetters);
}
std::string page_difference(double amount, const std::string& currency);  // "+1,643 USD", "−44 USD", "0 USD"

// How figures that stand beside each other are written: with the same unit and the same decimals.
struct AmountForm {
  std::string unit;
  int places = 0;
};
// The decimals that the smallest of these figures needs, zeros not counted: none from 10 up, else those of the currency
// (two where it is not known). A figure that would read 0 gets two significant digits, if it is at least a hundredth of
// a percent of the largest. So sums and their difference never contradict each other: "70.63 instead of 70.40, +0.23".
AmountForm form_of(std::span<const double> together, const std::string& currency);
std::string page_amount(double amount, const AmountForm& form);  // "70.63 USD"
std::string page_signed(double amount, const AmountForm& form);  // "+0.23 USD"; nothing as "0 USD"
bool reads_as_nothing(double amount, const AmountForm& form);
std::string page_count(std::uint64_t count);  // "3,623"; "1.04 million" from a million on
std::string capital(std::string text);        // its first letter, if it is one of a to z

// Seconds since 1970 of a time as logs write it: 2026-03-01, with or without a time of day, or seconds or milliseconds
// since 1970. Zones are not looked at. Nothing for all else: small numbers count days or rounds, not time.
std::optional<double> seconds_of(std::string_view text);
// Of all of them, also where they are written 4/25/2003 or 25/4/2003: which of the two is said by a part above 12.
// Empty where one cannot be read, or where no part decides.
std::vector<double> seconds_of(std::span<const std::string> texts);
std::string page_day(double seconds);              // "5 May"
std::string page_days(double first, double last);  // "1 March to 31 May 2026"

}  // namespace hannan::detail
