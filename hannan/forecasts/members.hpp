// The members of a combination: a few forecasts made of the models' forecasts, of which the published one is the
// weighted mean.
//
//   mean, median        of the models that delivered
//   single              weights that follow the best model (AdaHedge over losses)
//   mixture             weights that follow the best fixed mixture (AdaHedge over slopes)
//   mixture by COLUMN   the same with weights of their own for every value of a column
//   a column            a finished forecast, such as the one in use today; where it is missing, the plain mean
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/forecasts/loss.hpp"

namespace hannan::detail {

inline constexpr std::size_t kMostMembers = 16;
inline constexpr std::uint64_t kMostPatience = 100'000;
inline constexpr std::uint64_t kDefaultPatience = 100;

struct ForecastMember {
  enum class Kind { kMean, kMedian, kSingle, kMixture, kMixtureBy, kColumn };
  Kind kind = Kind::kMean;
  std::string name;
  std::size_t place = 0;  // kMixtureBy: of the column in `by`; kColumn: of the forecast in a row

  bool mixes() const { return kind == Kind::kSingle || kind == Kind::kMixture || kind == Kind::kMixtureBy; }
};

struct CombinerPlan {
  std::vector<std::string> models;
  std::vector<std::string> columns;  // finished forecasts that are no models; behind the models in a row
  std::vector<std::string> by;       // columns with weights of their own
  std::vector<ForecastMember> members;
  ForecastLoss loss{};
  std::uint64_t patience = kDefaultPatience;  // rounds that an actual is waited for

  std::size_t width() const { return models.size() + columns.size(); }
  const ForecastMember* member(ForecastMember::Kind kind) const;
};

// Names as "mean", "median", "single", "mixture", "own:COLUMN", "today:COLUMN"; a member for each column of `by` comes
// last. A column may be a model too. Throws kUnknownName for other names, kUnavailable for one that is there twice and
// for a model that is named like a member, kOutOfRange beyond kMostMembers or outside 1 <= patience <= kMostPatience.
void set_members(CombinerPlan& plan, const std::vector<std::string>& names, const std::string& at);
const std::vector<std::string>& default_members();

}  // namespace hannan::detail
