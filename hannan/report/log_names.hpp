// What money and names the numbers of a run stand for, from the summary that `hannan convert` writes.
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct LogNames {
  double cap = 1;                  // money of a bid of 1
  std::string currency;            // empty: not known
  std::vector<std::string> slots;  // empty: not known
  Json summary;                    // null: there is none
  bool in_money() const { return cap != 1 || !currency.empty() || !summary.is_null(); }
};

// Whether this is such a summary.
bool is_log_summary(const Json& json);
LogNames log_names(const Json& summary);
// What was read, used and dropped, as blocks of a page.
void write_log_blocks(Json& blocks, const Json& summary);

}  // namespace hannan::detail
