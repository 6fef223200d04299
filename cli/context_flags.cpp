// The flags of a decision for every segment (docs/contexts.md).
#include "data.hpp"

namespace hannan::detail::cli {

ColumnOrders ContextFlags::orders() const {
  ColumnOrders orders;
  for (const std::string& given : by) orders.push_back(split_columns(given));
  check_orders(orders, "--by");
  return orders;
}

Json ContextFlags::params() const {
  if (by.empty()) return {};
  return Json::object({{"by", orders_json(orders())}, {"open", open}, {"most", most}});
}

void add_context_flags(Command& command, ContextFlags& flags) {
  const auto add = [&](const char* name, Destination to, const char* about) -> Flag& {
    return command.add(name, to, about).in_group("A decision for every segment (docs/contexts.md)");
  };
  add("--by", &flags.by,
      "columns of the context, coarse first: a decision for every segment. country,site or price[10;20;50] (the "
      "interval of a number) or @hour, @weekday of --timestamp. Again: another order of columns, weighed with the "
      "first")
      .again();
  // Their ranges are checked where the learner is made (H105).
  add("--open", &flags.open, "rounds of a segment before its own learner plays").show_default();
  add("--most", &flags.most, "segments that may have a learner, all data included").show_default();
}

}  // namespace hannan::detail::cli
