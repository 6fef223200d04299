// Numbers, sums of money and shares as people read them: full digits in groups of three, no false decimals. One writer
// for terminals, files and pages, which differ in two letters only. Pages write in their scripts by the same rules
// (hannan/report/page/kit/text.js).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hannan::detail {

struct Letters {
  std::string_view minus = "-", space = " ";
};
inline constexpr Letters kPageLetters{.minus = "\u2212",
                                      .space = "\u00a0"};  // a true minus, a space that does not break

// With so many digits after the point: "-1,234.50"; what is rounded to nothing has no sign; "inf" beyond all numbers.
std::string shown(double value, int places, const Letters& letters = {});
// With as many as its size asks for: 1,234,567 / 12.3 / 0.00123; a dash for nothing.
std::string shown(double value);
std::string shown(const std::optional<double>& value);
// For tables on terminals: about four significant digits without groups; a dash for nothing.
std::string brief(const std::optional<double>& value);

// Decimals of a currency's minor unit (ISO 4217): JPY none, USD two; two where it is not known.
int decimals_of(std::string_view currency);

// "1,362,504,117 JPY": whole units from 10 up, the decimals of the currency below (two where it is not known), at most
// fifteen digits that the number holds. Without a currency the number alone.
std::string money_text(double amount, std::string_view currency, const Letters& letters = {});

// The same with its sign: "+1,643 USD", "-44 USD", "0.00 USD".
std::string money_difference_text(double amount, std::string_view currency, const Letters& letters = {});

// A price: always with the decimals of its currency, "3.60 USD", "12 JPY".
std::string price_text(double amount, std::string_view currency, const Letters& letters = {});

// "+23.0 %", two decimals where one would read 0.0.
std::string percent_difference_text(double share, const Letters& letters = {});

// A number and its unit, if it has one.
std::string with_unit(std::string number, std::string_view unit, const Letters& letters);

// True where the text of a number, without its sign, has no digit other than 0: it was rounded to nothing.
bool reads_as_zero(std::string_view number);

}  // namespace hannan::detail
