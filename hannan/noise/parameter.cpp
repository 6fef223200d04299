// from_chars reads the same digits the same way in every locale; the whole text must be the number.
#include "hannan/noise/parameter.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {

double noise_parameter(std::string_view text, std::string_view form, std::string_view at) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || !std::isfinite(value))
    throw Error(Code::kNotANumber, fmt::format("noise {}: found \"{}\", expected a finite number", form, text),
                std::string(at));
  return value;
}

}  // namespace hannan::detail
