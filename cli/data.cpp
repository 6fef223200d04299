// From flags to a problem and the source of its outcomes: a table, JSON lines, a bid log, or what --from holds.
// Parameters that were left out are taken from the data: the width of a table says how many experts or bidders there
// are, quantiles of bids become prices. A source that can be read once only is opened once; commands that need two
// passes say so themselves.
#include "data.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/problems/price_fields.hpp"
#include "hannan/problems/price_list.hpp"
#include "hannan/runtime/registry.hpp"
#include "live_input.hpp"
#include "loss_question.hpp"
#include "played_table.hpp"

namespace hannan::detail::cli {
namespace {

struct NamedSource {
  std::unique_ptr<Source> source;
  std::vector<std::string> names;
};

// Outcomes with the context of each.
NamedSource source_by_context(const AnyProblem& problem, const TableRequest& request) {
  const DataFlags& data = request.data;
  if (data.path.empty())
    throw Error(Code::kUnavailable,
                std::string("found ") + (data.by.empty() ? "--propose" : "--by") +
                    " and no file of outcomes, expected CSV or JSON lines with the columns",
                "-d");
  if (looks_like_json_lines(data.path)) {
    return {json_lines_source(live_input(data.path), input_name(data.path), problem.game(), zoned_columns(data)), {}};
  }
  auto table = open_context_table(request);
  std::vector<std::string> names = table->names();
  return {table_source(std::move(table), problem.game()), std::move(names)};
}

// The kinds in order: with contexts, without a file (the outcomes of --from), JSON lines, a table.
NamedSource source_of(const AnyProblem& problem, Imported imported, const ProblemFlags& flags,
                      const TableRequest& request) {
  const std::string& path = request.data.path;
  if (request.data.names_columns()) return source_by_context(problem, request);
  if (path.empty()) {
    if (imported.outcomes.empty())
      throw Error(Code::kUsage, flags.from + " holds no outcomes; give a file of them", "-d");
    return {listed_source(std::move(imported.outcomes), flags.from, problem.game()), {}};
  }
  if (looks_like_json_lines(path) && request.picks()) {
    throw Error(Code::kUsage, "found JSON lines, which have no columns, expected a CSV table with it",
                request.drop.empty() ? "--timestamp" : "--drop");
  }
  if (looks_like_json_lines(path)) return {json_lines_source(live_input(path), input_name(path), problem.game()), {}};
  auto table = open_played_table(request);
  std::vector<std::string> names = table->names();
  return {table_source(std::move(table), problem.game()), std::move(names)};
}

// Looks at the table once more from its beginning; H213 where the numbers do not look like losses.
void ask_about_table(const AnyProblem& problem, const ProblemFlags& flags, const TableRequest& request,
                     const std::vector<std::string>& names) {
  const TableRequest again{request.data, request.drop, nullptr};
  ask_about_losses({problem, flags, request.data.path, names, [&] { return open_played_table(again); }});
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
  if (!request.problem.drop.empty()) {
    throw Error(Code::kUsage,
                "found --drop and a bid log, expected --columns with --format wide: other logs are read by the columns "
                "that are named",
                "--drop");
  }
  if (!request.money.log.empty())
    throw Error(Code::kUsage,
                "found --log and --format, expected one of them: a log that is read says itself what it holds",
                "--log");
}

// Chosen: fine enough to tell prices apart, few enough for exact searches.
constexpr std::size_t kQuantiles = 20;  // prices from a log where none are given

// Quantiles of bids that become prices: of the first rounds, or of all.
struct BidQuantiles {
  std::size_t count = 0;  // 0: none are taken
  bool all = false;
};

// Decisions in money where the parameters name none, as the kind of problem chooses them.
// Only for a new problem: one from a saved state has its prices.
BidQuantiles choose_prices(const DataRequest& request, Json& params) {
  const LogUse& use = log_use(request.problem.kind);
  const bool posted = use.posted != LogShape::kNone && request.data.log.payment == "posted";
  if (use.in_money != LogShape::kNone || posted) {
    const std::string& text = request.problem.prices;
    if (const auto count = quantiles_in_text(text, "--prices")) return {*count};
    if (const auto count = all_quantiles_in_text(text, "--prices")) return {*count, true};
  }
  const LogTerms terms{
      .reverse = request.data.log.reverse, .posted = posted, .scaled = request.money.cap || request.data.log.quantile};
  if (!use.choose || !use.choose(params, terms)) return {};
  params.set("prices", "quantiles");
  return {kQuantiles};
}

// One list of prices for all bidders, or one for each good.
Json quantile_lists(std::size_t count, const LogData::Amounts& amounts, const std::vector<std::string>& goods) {
  if (amounts.size() == 1) return Json::array(quantile_prices(count, amounts.front()).prices());
  Json lists = Json::array();
  for (std::size_t good = 0; good < amounts.size(); ++good) {
    const auto& prices = amounts[good];
    if (std::none_of(prices.begin(), prices.end(), [](double price) { return price > 0; }))
      throw Error(Code::kEmpty,
                  "found no price of \"" + goods[good] +
                      "\" above 0 in the rounds that prices are taken from, expected some: --warm N takes more rounds, "
                      "--prices states them",
                  "--prices");
    lists.push_back(Json::array(quantile_prices(count, prices).prices()));
  }
  return lists;
}

// Warm rounds are read first and never charged: prices must not be chosen from rounds that they are judged on. They are
// learned from, unless --cold says otherwise.
ProblemAndData open_log(const DataRequest& request, std::shared_ptr<AnyProblem> problem) {
  Json params = problem ? problem->params() : request.problem.read().params;
  BidQuantiles quantiles;
  if (!problem) quantiles = choose_prices(request, params);
  LogRequest wanted = log_request(request.problem, params, request.data.path, request.money);
  wanted.by = request.data.by;
  wanted.proposed = request.data.proposed;
  auto log = std::make_shared<LogData>(request.data.log, std::move(wanted));
  if (quantiles.count > 0) {
    const auto amounts = quantiles.all ? log->all_amounts() : log->warm_up(request.data.warm, request.data.warm_use());
    params.set("prices", quantile_lists(quantiles.count, amounts, log->names()));
    if (!quantiles.all) log->set_gave_prices();
  } else if (request.data.warm > 0) {
    log->warm_up(request.data.warm, request.data.warm_use());
  }
  log->fill(params);
  if (!problem) problem = make_problem(request.problem.kind, params, "--param");
  auto source = log->open(*problem);
  const std::uint64_t rehearsed = log->rehearsed();
  return {.problem = std::move(problem),
          .source = std::move(source),
          .log = std::move(log),
          .names = {},
          .rehearsed = rehearsed};
}

}  // namespace

void add_data_flags(Command& command, DataFlags& flags) {
  command.add("-d,--data", &flags.path,
              "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input; left out: those of --from. "
              "With --format: a bid log");
  command
      .add("--warm", &flags.warm,
           "rounds at the beginning that are rehearsed: everyone learns from them, nothing of them is charged or "
           "judged. "
           "Those that --prices quantiles:K takes its prices from; of a log a tenth where it is left out, else none")
      .in_group("Columns and rows of the data");
  command.add("--cold", &flags.cold, "no player learns from the rounds of --warm: they are seen for prices alone")
      .in_group("Columns and rows of the data");
  add_log_flags(command, flags.log);
}

std::unique_ptr<Source> ProblemAndData::again(const ProblemFlags& flags, const DataFlags& data) const {
  if (log) return log->open(*problem);
  return source_of(*problem, data.path.empty() ? flags.read() : Imported{}, flags, {data, flags.drop, nullptr}).source;
}

ProblemAndData open_source(std::shared_ptr<AnyProblem> problem, const DataRequest& request) {
  check_log_flags(request);
  if (!request.data.log.format.empty()) return open_log(request, std::move(problem));
  const std::string& path = request.data.path;
  auto times = std::make_shared<SeenTimes>();
  auto [source, names] = source_of(*problem, path.empty() ? request.problem.read() : Imported{}, request.problem,
                                   {request.data, request.problem.drop, times});
  return {.problem = std::move(problem),
          .source = std::move(source),
          .log = nullptr,
          .names = std::move(names),
          .times = std::move(times),
          .rehearsed = request.data.cold ? 0 : request.data.warm};
}

namespace {

void check_warm(const ProblemFlags& flags, const DataFlags& data) {
  const bool quantiles = quantiles_in_text(flags.prices, "--prices").has_value();
  if (quantiles && data.warm == 0) {
    throw Error(
        Code::kUsage,
        "found \"" + flags.prices +
            "\" alone, expected --warm N with it: the prices are taken from the first N rows, which are learned from "
            "and not played",
        "--prices");
  }
  // What is rehearsed alone may be any outcomes.
  const bool seen = quantiles || data.cold;
  if (seen && data.warm > 0 && (data.path.empty() || looks_like_json_lines(data.path) || data.names_columns()))
    throw Error(Code::kUnavailable,
                std::string("found ") + (quantiles ? "prices of the first rows" : "--cold") +
                    ", expected a table of outcomes without --by: CSV or .npy",
                "--warm");
  if (quantiles && !data.cold && read_once(data.path))
    throw Error(Code::kUnavailable,
                std::string("found ") + (data.path == "-" ? "standard input" : "a pipe") +
                    ", which is read once, expected a file: the rows that give the prices are read again to be learned "
                    "from; save it to a file first, or leave them out with --cold",
                "-d");
}

// The problem. Where parameters are missing and the data may be a log, that is said too.
std::unique_ptr<AnyProblem> problem_of_table(const std::string& kind, const Json& params) {
  try {
    return make_problem(kind, params, "--param");
  } catch (const Error& e) {
    if (e.code() != Code::kMissingField || log_use(kind).shape == LogShape::kNone) throw;
    throw Error(e.code(), e.message() + "; of a log of bids say how it is read: --format long (hannan help logs)",
                e.at());
  }
}

// The same, or null where only the parameter that the data gives is missing.
std::shared_ptr<AnyProblem> params_suffice(const std::string& kind, const Json& params, std::string_view inferred) {
  try {
    return problem_of_table(kind, params);
  } catch (const Error& e) {
    const bool missing = e.code() == Code::kMissingField && e.at() == path_of("--param", inferred);
    if (inferred.empty() || params.find(inferred) || !missing) throw;
    return nullptr;
  }
}

// Adds what the summary of `hannan convert` says of the problem, where nothing else does.
void add_logged_params(const DataRequest& request, Json& params) {
  if (request.money.log.empty()) return;
  const Json summary = request.money.facts().summary;
  const Json *made_for = summary.find("for"), *known = summary.find("params");
  if (!made_for || !known || !known->is_object() || *made_for != Json(request.problem.kind)) return;
  for (const auto& [name, value] : known->as_object()) {
    if (!params.find(name)) params.set(name, value);
  }
}

// The cases in the order in which they can be told apart: prices from all rows, prices from the first rows, parameters
// that suffice, parameters that the width of the table completes.
ProblemAndData open_outcomes(const DataRequest& request) {
  const ProblemFlags& flags = request.problem;
  const DataFlags& data = request.data;
  const std::string& path = data.path;
  const ProblemKind& kind = problem_kind(flags.kind);
  if (path.empty() && flags.from.empty()) {
    throw Error(Code::kUsage,
                std::string("found no outcomes, expected a file of them") + (kind.help.data.empty() ? "" : ": ") +
                    std::string(kind.help.data) + "; hannan help " + flags.kind + " has an example",
                "-d");
  }
  check_warm(flags, data);
  Imported imported = flags.read();
  Json& params = imported.params;
  add_logged_params(request, params);
  const std::string_view inferred = kind.columns_param;
  auto times = std::make_shared<SeenTimes>();
  const TableRequest table_request{data, flags.drop, times};
  const std::uint64_t rehearsed = data.cold ? 0 : data.warm;
  const auto with = [&](auto table) -> ProblemAndData {
    std::vector<std::string> names = table->names();
    if (!inferred.empty() && !params.find(inferred)) params.set(inferred, table->columns());
    std::shared_ptr<AnyProblem> problem = problem_of_table(flags.kind, params);
    ask_about_table(*problem, flags, table_request, names);
    auto source = table_source(std::move(table), problem->game());
    return {.problem = std::move(problem),
            .source = std::move(source),
            .log = nullptr,
            .names = std::move(names),
            .times = times,
            .rehearsed = rehearsed};
  };
  if (const auto count = all_quantiles_in_text(flags.prices, "--prices")) {
    if (path.empty() || looks_like_json_lines(path) || data.names_columns())
      throw Error(Code::kUnavailable,
                  "found \"" + flags.prices + "\", expected a table of bids (CSV or .npy), or a log", "--prices");
    std::vector<double> bids, row;
    for (auto table = open_warm_table(table_request, bids); table->next(row);)
      bids.insert(bids.end(), row.begin(), row.end());
    params.set("prices", Json::array(quantile_prices(*count, bids).prices()));
    return with(open_played_table(table_request));
  }
  if (const auto count = quantiles_in_text(flags.prices, "--prices")) {
    std::vector<double> bids;
    auto table = open_warm_table(table_request, bids);
    params.set("prices", Json::array(quantile_prices(*count, bids).prices()));
    return data.cold ? with(std::move(table)) : with(open_whole_table(table_request));
  }
  // Lists of prices may say how many bidders there are; the data then says nothing more.
  std::shared_ptr<AnyProblem> problem = params_suffice(flags.kind, params, inferred);
  if (looks_like_json_lines(path) && !problem) {
    const auto missing = missing_parameters(kind.help, params);
    throw Error(Code::kMissingField,
                "JSON lines do not say how many there are; add " +
                    (missing.empty() ? "--param " + std::string(inferred) + "=N" : suggested_text(missing, "--param ")),
                std::string(inferred));
  }
  if (path.empty() && !problem) problem = make_problem(flags.kind, params, "--param");  // says what is missing
  if (problem) {
    std::vector<double> logged = path.empty() ? std::move(imported.logged) : std::vector<double>();
    auto [source, names] = source_of(*problem, std::move(imported), flags, table_request);
    ask_about_table(*problem, flags, table_request, names);
    return {.problem = std::move(problem),
            .source = std::move(source),
            .log = nullptr,
            .names = std::move(names),
            .times = std::move(times),
            .rehearsed = rehearsed,
            .logged = std::move(logged)};
  }
  return data.names_columns() ? with(open_context_table(table_request)) : with(open_played_table(table_request));
}

// The table that the summary of `hannan convert` names: as it was given there, or beside the summary.
std::string table_of_log(const std::string& log) {
  const Json summary = read_json_file(log);
  const Json* table = summary.find("table");
  if (!table || !table->is_string() || table->as_string() == "-") return {};
  const std::filesystem::path given(table->as_string());
  std::error_code unknown;
  if (std::filesystem::exists(given, unknown) || given.is_absolute()) return given.string();
  return (std::filesystem::path(log).parent_path() / given.filename()).string();
}

}  // namespace

bool looks_at_all_bids(const std::string& prices) { return all_quantiles_in_text(prices, "--prices").has_value(); }

ProblemAndData open_data(const DataRequest& request) {
  check_log_flags(request);
  return request.data.log.format.empty() ? open_outcomes(request) : open_log(request, nullptr);
}

ProblemAndData open_data(const ProblemFlags& flags, const std::string& path) {
  const DataFlags data{.path = path, .log = {}, .by = {}};
  const MoneyFlags money;
  return open_outcomes({.problem = flags, .data = data, .money = money});
}

void settle_data_flags(const SettledFlags& flags) {
  DataFlags& data = flags.data;
  data.by = all_columns(flags.contexts.orders());
  // A table may have a column of times as well.
  data.log.first_given = first_log_flag(flags.command, {"--timestamp", "--zone"});
  if (data.path.empty() && !flags.money.log.empty() && flags.problem.from.empty())
    data.path = table_of_log(flags.money.log);
  if (!flags.problem.from.empty() && data.path.empty() && !data.log.timestamp.empty())
    flags.problem.drop.push_back(data.log.timestamp);
}

}  // namespace hannan::detail::cli
