// Sums of money and shares as people read them: full digits in groups of three, no exponents, no false decimals.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// Decimals of a currency's minor unit (ISO 4217): JPY none, USD two; two where it is not known.
int decimals_of(std::string_view currency);

// "1,362,504,117 JPY": whole units from 10 up, the decimals of the currency below (two where it is not known), at most
// fifteen digits that the number holds. Without a currency the number alone.
std::string money_text(double amount, std::string_view currency);

// The same with its sign: "+1,643 USD", "-44 USD", "0 USD".
std::string money_difference_text(double amount, std::string_view currency);

// A price: always with the decimals of its currency, "3.60 USD", "12 JPY".
std::string price_text(double amount, std::string_view currency);

// "+23.0 %", two decimals where one would read 0.0.
std::string percent_difference_text(double share);

}  // namespace hannan::detail
