// A page about several files, a section each, in the order given.
#include "hannan/report/report.hpp"

#include <algorithm>

#include "hannan/report/page.hpp"

namespace hannan::detail {

Report make_report(const ReportRequest& request) {
  const std::vector<LogNames> logs = request.logs.empty() ? std::vector<LogNames>(1) : request.logs;
  std::size_t records = 0;
  Json sections = Json::array();
  Report report{.title = request.title, .data = {}, .failed = {}};
  for (const auto& file : request.files) {
    // Whether a file is a record is known only once it is open; if it is, the next log belongs to it.
    Section section =
        open_section({.path = file, .checking = request.checking, .log = logs[std::min(records, logs.size() - 1)]});
    if (section.of_record) ++records;
    if (section.failed && !report.failed) report.failed = section.failed;
    if (report.title.empty()) report.title = section.json.at("title").as_string();
    sections.push_back(std::move(section.json));
  }
  if (logs.size() > 1 && logs.size() != records) {
    throw Error(Code::kUsage,
                "found " + std::to_string(logs.size()) + " logs and " + std::to_string(records) +
                    " records, expected one log, or one for each record in their order",
                "--log");
  }
  report.data = page_data(report.title, std::move(sections));
  return report;
}

}  // namespace hannan::detail
