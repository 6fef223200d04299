// Actions by the names of their columns: experts whose table has a header are shown and accepted by name. Other
// problems, and tables without a header, have no names, and every function then passes the action through.
#include "action_names.hpp"

#include <algorithm>
#include <utility>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::cli {

ActionNames::ActionNames(std::string_view kind, std::vector<std::string> columns) {
  const ProblemKind& row = problem_kind(std::string(kind));
  if (row.action_labels.shape == ActionLabels::Shape::kIndex && !row.columns_param.empty()) names_ = std::move(columns);
}

std::string ActionNames::name(const Json& action) const {
  if (!action.is_number() || !(action.as_number() >= 0) || !(action.as_number() < static_cast<double>(names_.size())))
    return {};
  const std::string& name = names_[static_cast<std::size_t>(action.as_number())];
  return std::ranges::count(names_, name) == 1 ? name : std::string();
}

std::string ActionNames::text(const Json& action) const {
  const std::string known = name(action);
  return printable(known.empty() ? dump(action) : known + " (" + dump(action) + ")");
}

Json ActionNames::action(const Json& given, const std::string& at) const {
  if (names_.empty() || !given.is_string()) return given;
  const auto found = std::ranges::find(names_, given.as_string());
  if (found != names_.end() && !name(Json(found - names_.begin())).empty()) return Json(found - names_.begin());
  constexpr std::size_t kShown = 20;
  std::string all;
  for (std::size_t i = 0; i < std::min(kShown, names_.size()); ++i) all += (i ? ", " : "") + names_[i];
  throw Error(Code::kUnknownName,
              "found \"" + given.as_string() + "\", expected one of " + all + (names_.size() > kShown ? " ..." : "") +
                  ", or its place from 0" + near_hint(given.as_string(), names_),
              at);
}

std::pair<std::string, Json> ActionNames::fixed(const std::string& text, const std::string& at) const {
  const bool named = std::ranges::find(names_, text) != names_.end();
  if (named || (text.find('=') == std::string::npos && !names_.empty())) return {text, action(Json(text), at)};
  const Json pair = object_of_pairs({text}, at);
  const auto& [name, value] = pair.as_object().front();
  return {name, action(value, at)};
}

void ActionNames::add_to(Json& report) const {
  const Json* best = report.find("best_action");
  if (!best) return;
  if (const std::string best_name = name(*best); !best_name.empty()) report.set("best_action_name", best_name);
}

}  // namespace hannan::detail::cli
