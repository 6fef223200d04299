// Every way in which the tests damage a saved state, one value at a time: numbers become negative, fractional, huge and
// infinite, lists lose, repeat and gain elements, fields are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail::conformance {

// What a value of a state may be damaged to.
inline std::vector<Json> damages(const Json& value) {
  std::vector<Json> all{Json()};
  if (value.is_number()) {
    const double x = value.as_number();
    for (const double other : {x + 1, -x - 1, x + 0.5, 1e300, -1e300, 1e9, 9007199254740991.0}) all.emplace_back(other);
    all.emplace_back(std::numeric_limits<double>::infinity());
  } else if (value.is_array()) {
    Json::Array items = value.as_array();
    all.push_back(Json(Json::Array{}));
    if (items.empty()) {
      all.push_back(Json(Json::Array{Json(1)}));
      all.push_back(Json(Json::Array{Json::object()}));
      return all;
    }
    Json::Array longer = items, doubled = items, shorter = items;
    longer.push_back(items.back());
    doubled.insert(doubled.end(), items.begin(), items.end());
    shorter.pop_back();
    for (Json::Array* list : {&longer, &doubled, &shorter}) all.push_back(Json(std::move(*list)));
  } else if (value.is_object()) {
    for (const auto& left_out : value.as_object()) {
      Json rest = Json::object();
      for (const auto& [name, field] : value.as_object()) {
        if (name != left_out.first) rest.set(name, field);
      }
      all.push_back(std::move(rest));
    }
  }
  return all;
}

// Calls use(state) for every damage of every value inside, the whole being put together by `around`.
using Use = std::function<void(const Json&, const std::string& where)>;
inline void damage_all(const Json& value, const std::string& where, const Use& use) {
  // Three of the ways for each number, other ones for the next: a state has many numbers of each sort.
  static std::size_t turn = 0;
  const std::vector<Json> ways = damages(value);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (value.is_number() && (i + turn) % ways.size() >= 3) continue;
    if (!(ways[i] == value)) use(ways[i], where);
  }
  ++turn;
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      // Long lists of numbers: the first, the last and some between.
      if (value.size() > 8 && value[i].is_number() && i != 0 && i + 1 != value.size() && i % 7 != 0) continue;
      damage_all(value[i], where + "[" + std::to_string(i) + "]", [&](const Json& item, const std::string& at) {
        Json::Array items = value.as_array();
        items[i] = item;
        use(Json(std::move(items)), at);
      });
    }
  } else if (value.is_object()) {
    for (const auto& [name, field] : value.as_object()) {
      damage_all(field, where + "." + name, [&, key = name](const Json& inner, const std::string& at) {
        Json object = value;
        use(object.set(key, inner), at);
      });
    }
  }
}

inline Json without_digest(const Json& state) {
  Json rest = Json::object();
  for (const auto& [name, field] : state.as_object()) {
    if (name != "digest") rest.set(name, field);
  }
  return rest;
}

}  // namespace hannan::detail::conformance
