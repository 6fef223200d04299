// Which kind of file a section is made of, found by its content: record, comparison, experiment, summary of a run or of
// a log.
#include "hannan/report/open_section.hpp"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/io/bytes.hpp"
#include "hannan/verify/forecasts.hpp"
#include "hannan/verify/record_lines.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostText = std::size_t{512} << 20;  // of a file that is read whole

bool is_record(const std::string& line) {
  try {
    return parse_json(line).find("record") != nullptr;
  } catch (const Error&) {
    return false;
  }
}

Section section_of(const Json& json, const std::string& name, Checking checking) {
  if (json.find("solution")) return solution_section(json, name, checking);
  if (json.find("players") && json.find("series")) return comparison_section(json, name);
  if (json.find("forecast_comparison")) return forecast_section(json, name);
  if (json.find("plan") && json.find("tables")) return experiment_section(json, name);
  if (json.find("learner") && json.find("certificate")) return summary_section(json, name);
  if (is_log_summary(json)) return log_section(json, name);
  throw Error(Code::kMalformed,
              "found " + describe(json) +
                  ", expected what hannan run --record, run --summary, compare -o, experiment -o, solve -o or convert "
                  "--summary wrote",
              name);
}

// Faults of a field get the file's name; the path inside it stands before the message.
Error placed(const Error& e, const std::string& name) {
  if (e.at() == name) return e;
  const bool form = e.code() >= Code::kMissingField && e.code() <= Code::kUnknownName;
  return Error(form ? Code::kMalformed : e.code(), e.at().empty() ? e.message() : e.at() + ": " + e.message(), name);
}

}  // namespace

Section open_section(const SectionRequest& request) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(request.path, ignored);
  const std::string name =
      folder ? request.path + (request.path.ends_with("/") ? "" : "/") + "results.json" : request.path;
  const LineSource lines = lines_of_record(bytes_of_file(name), name);
  std::string first;
  if (!lines(first))
    throw Error(Code::kEmpty, "found nothing, expected what hannan run --record, compare -o or experiment -o wrote",
                name);
  if (is_forecast_record(first)) {
    std::vector<std::string> all{first};
    for (std::string line; lines(line);) all.push_back(line);
    return forecast_record_section(all, name);
  }
  if (is_record(first)) {
    bool given = false;
    const LineSource source = [&](std::string& line) {
      if (!std::exchange(given, true)) {
        line = first;
        return true;
      }
      return lines(line);
    };
    return record_section({.lines = source, .name = name, .checking = request.checking, .log = request.log});
  }
  for (std::string line; lines(line);) {
    first += '\n';
    first += line;
    if (first.size() > kMostText) throw Error(Code::kTooLarge, "found more than 512 MB, and no record of a run", name);
  }
  try {
    return section_of(parse_json(first), name, request.checking);
  } catch (const Error& e) {
    throw placed(e, name);
  }
}

}  // namespace hannan::detail
