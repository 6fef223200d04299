#include "data.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/price_list.hpp"
#include "hannan/io/price_fields.hpp"
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

std::unique_ptr<ContextTable> open_context_table(const DataFlags& data) {
  ContextRequest request{.columns = parse_context_columns(data.by, "--by"), .time = data.log.timestamp};
  return std::make_unique<ContextTable>(live_input(data.path), input_name(data.path), std::move(request));
}

// Outcomes with the context of each.
NamedSource source_by_context(const AnyProblem& problem, const DataFlags& data) {
  if (data.path.empty())
    throw Error(Code::kUnavailable, "found --by and no file of outcomes, expected CSV or JSON lines with the columns",
                "-d");
  if (looks_like_json_lines(data.path)) {
    return {json_lines_source(live_input(data.path), input_name(data.path), problem.game(),
                              parse_context_columns(data.by, "--by")),
            {}};
  }
  auto table = open_context_table(data);
  std::vector<std::string> names = table->names();
  return {table_source(std::move(table), problem.game()), std::move(names)};
}

// A table of outcomes behind its warm rows, whose numbers go to `seen`.
std::unique_ptr<Table> open_warm_table(const DataFlags& data, std::vector<double>& seen) {
  auto table = open_table(live_input(data.path), input_name(data.path));
  std::vector<double> row;
  for (std::uint64_t t = 0; t < data.warm; ++t) {
    if (!table->next(row)) {
      throw Error(Code::kEmpty,
                  "found " + std::to_string(t) + " rows, expected more than the " + std::to_string(data.warm) +
                      " that are not played",
                  "--warm");
    }
    seen.insert(seen.end(), row.begin(), row.end());
  }
  return table;
}

NamedSource source_of(const AnyProblem& problem, Imported imported, const ProblemFlags& flags, const DataFlags& data) {
  const std::string& path = data.path;
  if (!data.by.empty()) return source_by_context(problem, data);
  if (path.empty()) {
    if (imported.outcomes.empty())
      throw Error(Code::kUsage, flags.from + " holds no outcomes; give a file of them", "-d");
    return {listed_source(std::move(imported.outcomes), flags.from, problem.game()), {}};
  }
  if (looks_like_json_lines(path)) return {json_lines_source(live_input(path), input_name(path), problem.game()), {}};
  std::vector<double> unused;
  auto table = open_warm_table(data, unused);
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
  LogRequest wanted = log_request(request.problem, params, request.data.path, request.money);
  wanted.by = request.data.by;
  auto log = std::make_shared<LogData>(request.data.log, std::move(wanted));
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
  command.add("--warm", &flags.warm,
              "rows at the beginning of a table from which --prices quantiles:K takes its prices; they are not played");
  add_log_flags(command, flags.log);
}

std::unique_ptr<Source> ProblemAndData::again(const ProblemFlags& flags, const DataFlags& data) const {
  if (log) return log->open(*problem);
  return source_of(*problem, data.path.empty() ? flags.read() : Imported{}, flags, data).source;
}

ProblemAndData open_source(std::shared_ptr<AnyProblem> problem, const DataRequest& request) {
  check_log_flags(request);
  if (!request.data.log.format.empty()) return open_log(request, std::move(problem));
  const std::string& path = request.data.path;
  auto [source, names] =
      source_of(*problem, path.empty() ? request.problem.read() : Imported{}, request.problem, request.data);
  return {std::move(problem), std::move(source), nullptr, std::move(names)};
}

namespace {

void check_warm(const ProblemFlags& flags, const DataFlags& data) {
  const bool quantiles = quantiles_in_text(flags.prices, "--prices").has_value();
  if (quantiles && data.warm == 0) {
    throw Error(
        Code::kUsage,
        "found \"" + flags.prices +
            "\" alone, expected --warm N with it: the prices are taken from the first N rows, which are then not "
            "played",
        "--prices");
  }
  if (data.warm > 0 && (data.path.empty() || looks_like_json_lines(data.path) || !data.by.empty()))
    throw Error(Code::kUnavailable, "found warm rows, expected a table of outcomes without --by: CSV or .npy",
                "--warm");
}

// The problem, or null where only the parameter that the data gives is missing.
std::shared_ptr<AnyProblem> params_suffice(const std::string& kind, const Json& params, std::string_view inferred) {
  try {
    return make_problem(kind, params, "--param");
  } catch (const Error& e) {
    const bool missing = e.code() == Code::kMissingField && e.at() == path_of("--param", inferred);
    if (inferred.empty() || params.find(inferred) || !missing) throw;
    return nullptr;
  }
}

ProblemAndData open_outcomes(const ProblemFlags& flags, const DataFlags& data) {
  const std::string& path = data.path;
  if (path.empty() && flags.from.empty()) throw Error(Code::kUsage, "found no outcomes, expected a file of them", "-d");
  check_warm(flags, data);
  Imported imported = flags.read();
  Json& params = imported.params;
  const std::string_view inferred = columns_param(flags.kind);
  if (const auto count = quantiles_in_text(flags.prices, "--prices")) {
    std::vector<double> bids;
    auto table = open_warm_table(data, bids);
    params.set("prices", Json::array(quantile_prices(*count, bids).prices()));
    if (!inferred.empty() && !params.find(inferred)) params.set(inferred, table->columns());
    std::vector<std::string> names = table->names();
    std::shared_ptr<AnyProblem> problem = make_problem(flags.kind, params, "--param");
    auto source = table_source(std::move(table), problem->game());
    return {std::move(problem), std::move(source), nullptr, std::move(names)};
  }
  // Lists of prices may say how many bidders there are; the data then says nothing more.
  std::shared_ptr<AnyProblem> problem = params_suffice(flags.kind, params, inferred);
  if (looks_like_json_lines(path) && !problem) {
    throw Error(Code::kMissingField,
                "JSON lines do not say how many there are; add --param " + std::string(inferred) + "=N",
                std::string(inferred));
  }
  if (path.empty() && !problem) problem = make_problem(flags.kind, params, "--param");  // says what is missing
  if (problem) {
    auto [source, names] = source_of(*problem, std::move(imported), flags, data);
    return {std::move(problem), std::move(source), nullptr, std::move(names)};
  }
  const auto with = [&](auto table) -> ProblemAndData {
    std::vector<std::string> names = table->names();
    params.set(inferred, table->columns());
    problem = make_problem(flags.kind, params, "--param");
    auto source = table_source(std::move(table), problem->game());
    return {std::move(problem), std::move(source), nullptr, std::move(names)};
  };
  std::vector<double> unused;
  return data.by.empty() ? with(open_warm_table(data, unused)) : with(open_context_table(data));
}

}  // namespace

ColumnOrders ContextFlags::orders() const {
  ColumnOrders orders;
  for (const std::string& given : by) orders.push_back(split_columns(given));
  check_orders(orders, "--by");
  return orders;
}

Json ContextFlags::params() const {
  if (by.empty()) return {};
  return Json::object({{"by", orders_json(orders())}, {"open", open}, {"most", most}});
}

void add_context_flags(Command& command, ContextFlags& flags) {
  command
      .add("--by", &flags.by,
           "columns of the context, coarse first: a decision for every segment. country,site or price[10;20;50] (the "
           "interval of a number) or @hour, @weekday of --timestamp. Again: another order of columns, weighed with the "
           "first")
      .again();
  // Their ranges are checked where the learner is made (H105).
  command.add("--open", &flags.open, "rounds of a segment before its own learner plays").show_default();
  command.add("--most", &flags.most, "segments that may have a learner, all data included").show_default();
}

ProblemAndData open_data(const DataRequest& request) {
  check_log_flags(request);
  return request.data.log.format.empty() ? open_outcomes(request.problem, request.data) : open_log(request, nullptr);
}

ProblemAndData open_data(const ProblemFlags& flags, const std::string& path) {
  return open_outcomes(flags, {.path = path, .log = {}, .by = {}});
}

}  // namespace hannan::detail::cli
