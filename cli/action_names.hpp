// Names of actions that are columns of the data: experts, by the header of their table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail::cli {

class ActionNames {
 public:
  ActionNames() = default;  // actions have no names
  // `columns` are those of the table. No names where the actions of this kind of problem are no columns.
  ActionNames(std::string_view kind, std::vector<std::string> columns);

  bool empty() const { return names_.empty(); }
  // The name of an action; empty where it has none, or shares it with another one.
  std::string name(const Json& action) const;
  // "alice (0)" for people; the JSON of an action without a name.
  std::string text(const Json& action) const;
  // An action as --fixed has it, where a name is its index. Throws kUnknownName for a text that is no name.
  Json action(const Json& given, const std::string& at) const;
  // "today=bob", "today=3", or "bob" alone, as a pair of name and action. Throws kUsage besides.
  std::pair<std::string, Json> fixed(const std::string& text, const std::string& at) const;
  // The report of a learner with best_action_name, where there is one.
  void add_to(Json& report) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace hannan::detail::cli
