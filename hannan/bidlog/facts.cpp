#include "hannan/bidlog/facts.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"

namespace hannan::detail {

LogFacts log_facts(Json summary, const std::string& at) {
  LogFacts facts;
  facts.summary = std::move(summary);
  const Json* cap = facts.summary.find("cap");
  const Json* slots = facts.summary.find("slots");
  if (!cap || !cap->is_number() || !slots || !slots->is_array()) {
    throw Error(Code::kUsage, "found no \"cap\" and \"slots\", expected a file that `hannan convert --summary` wrote",
                at);
  }
  facts.cap = cap->as_number();
  facts.priced = true;
  if (const Json* currency = facts.summary.find("currency"); currency && currency->is_string())
    facts.currency = currency->as_string();
  for (const Json& slot : slots->as_array()) {
    const Json* name = slot.is_object() ? slot.find("name") : nullptr;
    const Json* pooled = slot.is_object() ? slot.find("pooled") : nullptr;
    if (!name || !name->is_string() || !pooled || !pooled->is_bool()) {
      throw Error(Code::kUsage,
                  "found slots without \"name\" and \"pooled\", expected a file that `hannan convert --summary` wrote",
                  at);
    }
    facts.slots.push_back(name->as_string());
    if (pooled->as_bool()) facts.rest.push_back(facts.slots.back());
  }
  return facts;
}

void match_names(LogFacts& facts, const std::vector<std::string>& header, const std::string& table,
                 const std::string& at) {
  if (facts.slots.empty()) facts.slots = header;
  // Another number of names is reported where the number matters.
  if (header.size() != facts.slots.size() || header == facts.slots) return;
  const auto other = std::mismatch(header.begin(), header.end(), facts.slots.begin());
  throw Error(Code::kUsage,
              "found \"" + *other.second + "\", expected \"" + *other.first + "\" as in the header of " + table +
                  ": is it the summary of another table?",
              at);
}

}  // namespace hannan::detail
