// A page about several files: records, comparisons, experiments, summaries, each a section in the order given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/report/open_section.hpp"

namespace hannan::detail {

struct ReportRequest {
  std::vector<std::string> files;
  std::vector<LogNames> logs;  // none, one for all records, or one for each of them in their order
  std::string title;           // empty: that of the first section
  Checking checking = Checking::kVerify;
};

struct Report {
  std::string title;
  Json data;                    // for page_of()
  std::optional<Error> failed;  // of the first record that does not verify; the page says so too
};

// Throws what open_section throws, and kUsage where the logs do not fit the records.
Report make_report(const ReportRequest& request);

}  // namespace hannan::detail
