// The sections of a page, one per file: title, where it came from, blocks (blocks.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"
#include "hannan/report/log_names.hpp"
#include "hannan/verify/record_lines.hpp"

namespace hannan::detail {

struct Section {
  Json json;                    // {"title","source","blocks"}
  std::optional<Error> failed;  // why a record does not verify; the section says so too
  bool of_record = false;       // so that a log belongs to it
};

enum class Checking { kVerify, kSkip };

struct RecordRequest {
  LineSource lines;
  std::string name;
  Checking checking = Checking::kVerify;
  LogNames log;
};
// One pass: the lines are read and verified together. Memory: that of the verifier, or O(1) without it.
Section record_section(const RecordRequest& request);

// Of a result of `hannan compare`, of `hannan compare forecasts`, of `hannan experiment`, of `hannan run --summary`, of
// `hannan convert`. Each throws kMalformed where the file has not the fields it must have.
Section comparison_section(const Json& result, const std::string& name);
Section forecast_section(const Json& result, const std::string& name);
// Of the lines of a record of combined forecasts. Throws kRejected where it does not verify, kUnavailable where it is
// of several horizons or of actuals in any order.
Section forecast_record_section(const std::vector<std::string>& lines, const std::string& name);
Section experiment_section(const Json& results, const std::string& name);
Section summary_section(const Json& summary, const std::string& name);
// Of a solution of `hannan solve`; it is verified where it needs no rows for that.
Section solution_section(const Json& solution, const std::string& name, Checking checking);
Section log_section(const Json& summary, const std::string& name);

// What `hannan run` reports of itself: the figures and the bounds; what the bounds rest on and the work done.
void write_report_blocks(Json& blocks, const Json& report);
void write_report_details(Json& blocks, const Json& report);

}  // namespace hannan::detail
