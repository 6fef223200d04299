// Names of members to the plan of a combiner. Invariant: names are unique, also against those of models, because
// weights, certificates and records are stated by name; a place is that of a column in the row.
#include "hannan/forecasts/members.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"

namespace hannan::detail {
namespace {

using Kind = ForecastMember::Kind;

constexpr std::pair<std::string_view, Kind> kOfModels[] = {
    {"mean", Kind::kMean}, {"median", Kind::kMedian}, {"single", Kind::kSingle}, {"mixture", Kind::kMixture}};

ForecastMember column_member(const CombinerPlan& plan, const std::string& column, const std::string& at) {
  for (const auto* list : {&plan.models, &plan.columns}) {
    const auto found = std::ranges::find(*list, column);
    if (found == list->end()) continue;
    const auto place = static_cast<std::size_t>(found - list->begin());
    return {.kind = Kind::kColumn, .name = column, .place = list == &plan.models ? place : plan.models.size() + place};
  }
  throw Error(Code::kUnknownName, "found the column \"" + column + "\", which the table does not have", at);
}

ForecastMember member_of(const CombinerPlan& plan, const std::string& name, const std::string& at) {
  for (const auto& [known, kind] : kOfModels) {
    if (name == known) return {.kind = kind, .name = name};
  }
  for (const char* before : {"own:", "today:"}) {
    if (name.starts_with(before)) {
      ForecastMember made = column_member(plan, name.substr(std::string_view(before).size()), at);
      if (name.starts_with("today:")) made.name = "today";
      return made;
    }
  }
  throw Error(Code::kUnknownName,
              "found the member \"" + name + "\", expected mean, median, single, mixture or own:COLUMN" +
                  near_hint(name, default_members()),
              at);
}

}  // namespace

const ForecastMember* CombinerPlan::member(Kind kind) const {
  const auto found = std::ranges::find(members, kind, &ForecastMember::kind);
  return found == members.end() ? nullptr : &*found;
}

const std::vector<std::string>& default_members() {
  static const std::vector<std::string> kNames{"mean", "median", "single", "mixture"};
  return kNames;
}

void set_members(CombinerPlan& plan, const std::vector<std::string>& names, const std::string& at) {
  plan.members.clear();
  for (const std::string& name : names) plan.members.push_back(member_of(plan, name, at));
  for (std::size_t i = 0; i < plan.by.size(); ++i)
    plan.members.push_back({.kind = Kind::kMixtureBy, .name = "mixture by " + plan.by[i], .place = i});
  std::set<std::string> seen;
  for (const ForecastMember& member : plan.members) {
    if (!seen.insert(member.name).second)
      throw Error(Code::kUnavailable, "found the member \"" + member.name + "\" twice, expected each once", at);
    if (member.kind != Kind::kColumn && std::ranges::find(plan.models, member.name) != plan.models.end())
      throw Error(Code::kUnavailable,
                  "found a model called \"" + member.name + "\", which is the name of a member; rename the column", at);
  }
  if (plan.members.empty() || plan.members.size() > kMostMembers)
    throw Error(
        Code::kOutOfRange,
        "found " + std::to_string(plan.members.size()) + " members, expected 1 to " + std::to_string(kMostMembers), at);
  if (plan.patience < 1 || plan.patience > kMostPatience)
    throw Error(Code::kOutOfRange,
                "found a patience of " + std::to_string(plan.patience) + " rounds, expected 1 to " +
                    std::to_string(kMostPatience),
                at);
}

}  // namespace hannan::detail
