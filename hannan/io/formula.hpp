// Small formulas in files that people write: "sqrt(8*lnK/T)".
//
//   sum      term (('+'|'-') term)*
//   term     factor (('*'|'/') factor)*
//   factor   '-' factor | base ('^' factor)?
//   base     number | name | sqrt(sum) | ln(sum) | floor(sum) | '(' sum ')'
//
// Depth is bounded, cost linear. The value must be finite.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace hannan::detail {

// The value of a name; throws for names it does not know.
using NameValue = std::function<double(const std::string& name)>;

// Throws kMalformed with the column, or kOutOfRange where the value is not finite; `path` is the formula's place.
double evaluate_formula(std::string_view text, const NameValue& names, const std::string& path);

}  // namespace hannan::detail
