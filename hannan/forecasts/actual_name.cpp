#include "hannan/forecasts/actual_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hannan::detail {
namespace {

constexpr std::array<std::string_view, 12> kActuals = {"actual", "actuals",  "target",      "truth",
                                                       "true",   "observed", "observation", "obs",
                                                       "y",      "outcome",  "realised",    "realized"};

}  // namespace

bool names_actual(const std::string& name) {
  const std::size_t first = name.find_first_not_of(" \t"), last = name.find_last_not_of(" \t");
  std::string word = first == std::string::npos ? std::string() : name.substr(first, last - first + 1);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word.starts_with("actual") || std::ranges::find(kActuals, word) != kActuals.end();
}

std::size_t actual_column(std::span<const std::string> names) {
  return static_cast<std::size_t>(std::ranges::find_if(names, names_actual) - names.begin());
}

}  // namespace hannan::detail
