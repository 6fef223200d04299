// A result of `hannan compare forecasts` in the words and numbers of its page: errors with their unit, never as losses.
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ForecastWords {
  explicit ForecastWords(const Json& result);

  const Json& result;
  std::string unit;   // empty: none
  std::string kind;   // "root mean squared error"
  std::string round;  // "round", "day", "week", "month"
  std::string today;  // "the plain mean", "your forecast (gam)"
  int places = 0;
  double ours = 0, theirs = 0, avoided = 0;  // errors of the combined forecast and of today's
  bool percent = false;                      // errors are shares, shown in percent

  std::string amount(double error) const;       // "1,451 MW"
  std::string bare(double error) const;         // "1,451"
  std::string signed_bare(double error) const;  // "+109"
  std::string side(double avoided) const;       // "109 MW less"
  std::string share(double avoided) const;      // "7.0 %" of today's error
  std::string in_unit() const { return percent ? ", %" : unit.empty() ? "" : ", " + unit; }
  std::string rounds(double count) const;  // "112 weeks"
};

// Names of players for people: "Mixture of the models", with a line about them.
struct ForecastPlayerWords {
  std::string name, about;
};
ForecastPlayerWords forecast_player_words(const std::string& name, const std::string& role);

}  // namespace hannan::detail
