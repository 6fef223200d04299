// Numbers and dates as pages write them: full digits, a true minus, a no-break space before the unit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

// Kept apart from core/money_text.hpp, whose texts are for terminals.
std::string page_money(double amount, const std::string& currency);       // "1,643 USD"
std::string page_difference(double amount, const std::string& currency);  // "+1,643 USD", "−44 USD"
std::string page_percent(double share);                                   // "+23.0 %"
std::string page_price(double amount, const std::string& currency);       // "3.60 USD": always with the decimals
// Counts that may come from a mean: the nearest whole number; differences with their sign, nothing as 0.
std::string page_whole(double amount);
std::string page_whole_difference(double amount);
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
