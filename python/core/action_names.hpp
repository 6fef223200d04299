// Actions by the names of their columns, where every column of the outcomes is an action and has a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "values.hpp"

namespace hannan::detail::python {

class ActionNames {
 public:
  // In the order of the columns; empty: actions are shown by their places.
  void set(std::vector<std::string> names) {
    names_ = std::move(names);
    shown_.clear();
    for (const std::string& name : names_) shown_.emplace_back(name);
  }

  // What is shown for the action in this place.
  py::object shown(std::int64_t place) const {
    const auto at = static_cast<std::size_t>(place);
    return at < shown_.size() ? py::object(shown_[at]) : py::object(py::int_(place));
  }
  // A list of actions with places for names; the rest as it is.
  Json places(const Json& given, const std::string& path) const {
    if (!given.is_array() || names_.empty()) return given;
    Json made = Json::array();
    for (const Json& one : given.as_array()) made.push_back(one.is_string() ? Json(place(one.as_string(), path)) : one);
    return made;
  }

 private:
  std::size_t place(const std::string& name, const std::string& path) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    throw Error(Code::kUnknownName, "found \"" + name + "\", expected a column" + near_hint(name, names_), path);
  }

  std::vector<std::string> names_;
  std::vector<py::str> shown_;
};

}  // namespace hannan::detail::python
