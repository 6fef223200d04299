#include "data.hpp"

#include <cstdio>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::cli {
namespace {

std::unique_ptr<ByteSource> bytes_of(const std::string& path) {
  return path == "-" ? bytes_of_stream(stdin, "stdin") : bytes_of_file(path);
}

std::string name_of(const std::string& path) { return path == "-" ? "stdin" : path; }

std::string_view columns_param(const std::string& kind) {
  for (const auto& row : problem_kinds()) {
    if (row.name == kind) return row.columns_param;
  }
  return {};
}

std::unique_ptr<Source> source_of(const ProblemFace& problem, Imported imported, const ProblemFlags& flags, const std::string& path) {
  if (path.empty()) {
    if (imported.outcomes.empty()) throw Error(Code::kUsage, flags.from + " holds no outcomes; give a file of them", "-d");
    return listed_source(std::move(imported.outcomes), flags.from, problem);
  }
  if (looks_like_json_lines(path)) return json_lines_source(bytes_of(path), name_of(path), problem);
  return table_source(open_table(bytes_of(path), name_of(path)), problem);
}

}  // namespace

std::unique_ptr<Source> open_source(const ProblemFace& problem, const ProblemFlags& flags, const std::string& path) {
  return source_of(problem, path.empty() ? flags.read() : Imported{}, flags, path);
}

ProblemAndData open_data(const ProblemFlags& flags, const std::string& path) {
  if (path.empty() && flags.from.empty()) throw Error(Code::kUsage, "found no outcomes, expected a file of them", "-d");
  Imported imported = flags.read();
  Json& params = imported.params;
  const std::string_view inferred = columns_param(flags.kind);
  if (looks_like_json_lines(path) && !inferred.empty() && !params.find(inferred)) {
    throw Error(Code::kMissingField, "JSON lines do not say how many there are; add --param " + std::string(inferred) + "=N", std::string(inferred));
  }
  if (path.empty() || looks_like_json_lines(path) || inferred.empty() || params.find(inferred)) {
    std::shared_ptr<ProblemFace> problem = make_problem(flags.kind, params, "--param");
    auto source = source_of(*problem, std::move(imported), flags, path);
    return {std::move(problem), std::move(source)};
  }
  auto table = open_table(bytes_of(path), name_of(path));
  params.set(inferred, table->columns());
  std::shared_ptr<ProblemFace> problem = make_problem(flags.kind, params, "--param");
  auto source = table_source(std::move(table), *problem);
  return {std::move(problem), std::move(source)};
}

}  // namespace hannan::cli
