// The columns of contexts: one list, coarse first, for each order in which segments are made from them.
//
// The context of a round is the values of all orders, one order after the other; several orders are trees of segments
// under one root (docs/contexts.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

using ColumnOrders = std::vector<std::vector<std::string>>;

// A list of names, or a list of such lists. [] is no order. Throws kWrongType, and what check_orders throws.
ColumnOrders read_orders(const Json& json, const std::string& path);
// kOutOfRange for an order without columns or more than kMostColumns in all, kUnavailable for a column twice in one
// order or the same order twice.
// One column may be in several orders.
void check_orders(const ColumnOrders& orders, const std::string& path);
// As read_orders takes it: one order as a plain list.
Json orders_json(const ColumnOrders& orders);
// The columns of the values of a context.
std::vector<std::string> all_columns(const ColumnOrders& orders);
// "country,site", parted at its commas.
std::vector<std::string> split_columns(std::string_view text);

}  // namespace hannan::detail
