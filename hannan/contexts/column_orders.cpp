// Orders of columns from JSON and flags, with their checks. A single order is written as a plain list, so its errors
// name by[k], those of several by[i][k].
#include "hannan/contexts/column_orders.hpp"

#include <algorithm>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

// An element of `by`, in its plain form where there is one order.
std::string column_path(const ColumnOrders& orders, const std::string& path, std::size_t order, std::size_t column) {
  return path_of(orders.size() == 1 ? path : path_of(path, order), column);
}

}  // namespace

// A list of words is one order, a list of lists several. An empty list is no order.
ColumnOrders read_orders(const Json& json, const std::string& path) {
  ColumnOrders orders;
  const auto& list = to_list(json, path);
  if (!list.empty() && list.front().is_array()) {
    for (std::size_t i = 0; i < list.size(); ++i) orders.push_back(to_words(list[i], path_of(path, i)));
  } else if (!list.empty()) {
    orders.push_back(to_words(json, path));
  }
  check_orders(orders, path);
  return orders;
}

// Columns of all orders together are limited, because every one of them is looked up in every round. A column may stand
// in several orders, but once in each.
void check_orders(const ColumnOrders& orders, const std::string& path) {
  const std::size_t size = all_columns(orders).size();
  if (size > kMostColumns) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(size) + " columns, expected at most " + std::to_string(kMostColumns) +
                    (orders.size() > 1 ? ", all orders together" : ""),
                path);
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::vector<std::string>& order = orders[i];
    if (order.empty())
      throw Error(Code::kOutOfRange, "found an order without columns, expected some", path_of(path, i));
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::string at = column_path(orders, path, i, k);
      check_value(order[k], at);
      const auto here = order.begin() + static_cast<std::ptrdiff_t>(k);
      if (std::find(order.begin(), here, order[k]) != here)
        throw Error(Code::kUnavailable, "found the column \"" + order[k] + "\" twice, expected each once", at);
    }
    const auto here = orders.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(orders.begin(), here, order) != here)
      throw Error(Code::kUnavailable, "found the same order of columns twice, expected each once", path_of(path, i));
  }
}

// The form that was read: a single order as a plain list.
Json orders_json(const ColumnOrders& orders) {
  if (orders.size() == 1) return Json(orders.front());
  Json list = Json::array();
  for (const auto& order : orders) list.push_back(Json(order));
  return list;
}

// One order after another, repetitions included: the layout of a context's values.
std::vector<std::string> all_columns(const ColumnOrders& orders) {
  std::vector<std::string> all;
  for (const auto& order : orders) all.insert(all.end(), order.begin(), order.end());
  return all;
}

// At commas, empty parts included; check_orders() refuses what makes no sense.
std::vector<std::string> split_columns(std::string_view text) {
  std::vector<std::string> names;
  // from = text.size() still yields the empty part behind a last comma; the next from is beyond the end.
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    names.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return names;
}

}  // namespace hannan::detail
