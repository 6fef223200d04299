// The first screen of a record or a summary of a run: what was earned, against what, and whether it was checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/report/log_names.hpp"

namespace hannan::detail {

enum class Checked { kAgrees, kDoesNotHold, kNot, kInPart };

struct RecordHeadline {
  const Json& report;  // of the run; null where there is none
  std::string problem;
  Json params;  // of the problem
  LogNames log;
  std::uint64_t rounds = 0;
  Checked checked = Checked::kNot;
  std::vector<std::string> details;  // why it does not hold, or what was not checked
  std::string unchecked;             // kInPart: what was not checked, in a few words
  std::string lede;                  // what that means and what to do
};

// A block "headline" as in verdict_blocks.hpp.
Json record_headline(const RecordHeadline& of);

}  // namespace hannan::detail
