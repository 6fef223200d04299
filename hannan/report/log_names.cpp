// Names and money of a run from the summary of its log, and the blocks that show how the log was read.
#include "hannan/report/log_names.hpp"

#include "hannan/report/blocks.hpp"

namespace hannan::detail {

bool is_log_summary(const Json& json) {
  const Json* cap = json.find("cap");
  const Json* slots = json.find("slots");
  return json.find("rows") && json.find("auctions") && cap && cap->is_number() && slots && slots->is_array();
}

LogNames log_names(const Json& summary) {
  LogNames names;
  names.summary = summary;
  names.cap = summary.at("cap").as_number();
  if (const Json* currency = summary.find("currency"); currency && currency->is_string())
    names.currency = currency->as_string();
  for (const Json& slot : summary.at("slots").as_array()) {
    const Json* name = slot.find("name");
    names.slots.push_back(name ? shown(*name) : shown(slot));
  }
  return names;
}

void write_log_blocks(Json& blocks, const Json& summary) {
  PageTable slots{
      .title = "Bidders of the log", .about = {}, .header = {"slot", "auctions with a bid", "pooled"}, .rows = {}};
  Json rest = Json::object();
  for (const auto& [name, value] : summary.as_object()) {
    if (name != "slots") rest.set(name, value);
  }
  blocks.push_back(object_block("Data: what was read, used and dropped", rest));
  for (const Json& slot : summary.at("slots").as_array()) {
    const Json* name = slot.find("name");
    const Json* auctions = slot.find("auctions");
    const Json* pooled = slot.find("pooled");
    slots.rows.push_back({name ? shown(*name) : shown(slot), auctions ? shown(*auctions) : "-",
                          pooled && *pooled == Json(true) ? "yes" : "no"});
  }
  blocks.push_back(table_block(slots));
}

}  // namespace hannan::detail
