#include "data.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/runtime/registry.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {
namespace {

std::string_view columns_param(const std::string& kind) {
  for (const auto& row : problem_kinds()) {
    if (row.name == kind) return row.columns_param;
  }
  return {};
}

struct NamedSource {
  std::unique_ptr<Source> source;
  std::vector<std::string> names;
};

NamedSource source_of(const AnyProblem& problem, Imported imported, const ProblemFlags& flags,
                      const std::string& path) {
  if (path.empty()) {
    if (imported.outcomes.empty())
      throw Error(Code::kUsage, flags.from + " holds no outcomes; give a file of them", "-d");
    return {listed_source(std::move(imported.outcomes), flags.from, problem.game()), {}};
  }
  if (looks_like_json_lines(path)) return {json_lines_source(live_input(path), input_name(path), problem.game()), {}};
  auto table = open_table(live_input(path), input_name(path));
  std::vector<std::string> names = table->names();
  return {table_source(std::move(table), problem.game()), std::move(names)};
}

void check_log_flags(const DataRequest& request) {
  const LogFlags& log = request.data.log;
  if (log.format.empty()) {
    if (!log.first_given.empty()) {
      throw Error(Code::kUsage,
                  "found " + log.first_given +
                      ", expected --format long, wide or openrtb with it: without, -d holds outcomes and no log",
                  log.first_given);
    }
    return;
  }
  if (request.data.path.empty()) throw Error(Code::kUsage, "found --format and no log, expected a file of bids", "-d");
  if (!request.money.log.empty())
    throw Error(Code::kUsage,
                "found --log and --format, expected one of them: a log that is read says itself what it holds",
                "--log");
}

ProblemAndData open_log(const DataRequest& request, std::shared_ptr<AnyProblem> problem) {
  Json params = problem ? problem->params() : request.problem.read().params;
  auto log = std::make_shared<LogData>(request.data.log,
                                       log_request(request.problem, params, request.data.path, request.money));
  log->fill(params);
  if (!problem) problem = make_problem(request.problem.kind, params, "--param");
  auto source = log->open(*problem);
  return {std::move(problem), std::move(source), std::move(log), {}};
}

}  // namespace

void add_data_flags(Command& command, DataFlags& flags) {
  command.add("-d,--data", &flags.path,
              "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input; left out: those of --from. "
              "With --format: a bid log");
  add_log_flags(command, flags.log);
}

std::unique_ptr<Source> ProblemAndData::again(const ProblemFlags& flags, const std::string& path) const {
  if (log) return log->open(*problem);
  return source_of(*problem, path.empty() ? flags.read() : Imported{}, flags, path).source;
}

ProblemAndData open_source(std::shared_ptr<AnyProblem> problem, const DataRequest& request) {
  check_log_flags(request);
  if (!request.data.log.format.empty()) return open_log(request, std::move(problem));
  const std::string& path = request.data.path;
  auto [source, names] = source_of(*problem, path.empty() ? request.problem.read() : Imported{}, request.problem, path);
  return {std::move(problem), std::move(source), nullptr, std::move(names)};
}

ProblemAndData open_data(const DataRequest& request) {
  check_log_flags(request);
  return request.data.log.format.empty() ? open_data(request.problem, request.data.path) : open_log(request, nullptr);
}

ProblemAndData open_data(const ProblemFlags& flags, const std::string& path) {
  if (path.empty() && flags.from.empty()) throw Error(Code::kUsage, "found no outcomes, expected a file of them", "-d");
  Imported imported = flags.read();
  Json& params = imported.params;
  const std::string_view inferred = columns_param(flags.kind);
  if (looks_like_json_lines(path) && !inferred.empty() && !params.find(inferred)) {
    throw Error(Code::kMissingField,
                "JSON lines do not say how many there are; add --param " + std::string(inferred) + "=N",
                std::string(inferred));
  }
  if (path.empty() || looks_like_json_lines(path) || inferred.empty() || params.find(inferred)) {
    std::shared_ptr<AnyProblem> problem = make_problem(flags.kind, params, "--param");
    auto [source, names] = source_of(*problem, std::move(imported), flags, path);
    return {std::move(problem), std::move(source), nullptr, std::move(names)};
  }
  auto table = open_table(live_input(path), input_name(path));
  std::vector<std::string> names = table->names();
  params.set(inferred, table->columns());
  std::shared_ptr<AnyProblem> problem = make_problem(flags.kind, params, "--param");
  auto source = table_source(std::move(table), problem->game());
  return {std::move(problem), std::move(source), nullptr, std::move(names)};
}

}  // namespace hannan::detail::cli
