// Bid logs as outcomes: what `hannan convert` does, on a file or on text in memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/bidlog/log_options.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/compare/exported.hpp"
#include "hannan/compare/tested_log.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/source.hpp"
#include "problem.hpp"
#include "signals.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// The options of `hannan convert` by the same names, with _ for -; each missing one keeps its default.
inline LogOptions log_options(Fields& in) {
  LogOptions options;
  for (const auto& [name, word] :
       std::initializer_list<std::pair<const char*, std::string*>>{{"format", &options.format},
                                                                   {"header", &options.header},
                                                                   {"separator", &options.separator},
                                                                   {"round", &options.round},
                                                                   {"bidder", &options.bidder},
                                                                   {"bid", &options.bid},
                                                                   {"segment", &options.segment},
                                                                   {"item", &options.item},
                                                                   {"quantity", &options.quantity},
                                                                   {"timestamp", &options.timestamp},
                                                                   {"sort_by", &options.sort_by},
                                                                   {"dates", &options.dates},
                                                                   {"decimal", &options.decimal},
                                                                   {"zone", &options.zone},
                                                                   {"me", &options.me},
                                                                   {"opening", &options.opening},
                                                                   {"paid", &options.paid},
                                                                   {"won", &options.won},
                                                                   {"scale", &options.scale},
                                                                   {"choice", &options.choice},
                                                                   {"value", &options.value},
                                                                   {"currency_column", &options.currency_column},
                                                                   {"rates", &options.rates}})
    *word = in.word(name, *word);
  options.slots = in.choice("slots", {"identity", "segment", "all", "order", "rank"}, "identity");
  options.rest = in.choice("rest", {"pool", "drop"}, "pool");
  options.again = in.choice("again", {"refuse", "drop", "new"}, "refuse");
  if (in.has("payment"))
    options.payment = in.choice("payment", {"second-price", "pay-as-bid", "posted"}, "second-price");
  options.reverse = in.flag("reverse", false);
  options.top_hidden = in.flag("top_hidden", false);
  options.outside_factor = in.number("scale_factor", options.outside_factor);
  options.value_factor = in.number("value_factor", options.value_factor);
  if (in.has("rest_slots")) options.rest_slots = static_cast<std::uint64_t>(in.integer("rest_slots", kNatural));
  for (const auto& [name, list] : std::initializer_list<std::pair<const char*, std::vector<std::string>*>>{
           {"columns", &options.columns}, {"where", &options.where}, {"names", &options.names}}) {
    if (in.has(name)) *list = in.words(name);
  }
  for (const auto& [name, count] : std::initializer_list<std::pair<const char*, std::uint64_t*>>{
           {"count", &options.count}, {"drop_top", &options.drop_top}, {"least", &options.least}})
    *count = static_cast<std::uint64_t>(in.integer(name, kNatural, static_cast<std::int64_t>(*count)));
  options.lot = in.number("lot", options.lot);
  if (in.has("cap_quantile")) options.quantile = in.number("cap_quantile");
  options.strict = in.flag("strict", false);
  options.randomised = in.flag("randomised", false);
  if (in.has("today")) options.today = in.number("today");
  return options;
}

// As `hannan compare --randomised` has it, with the facts of the log.
struct TestedQuery {
  const Json& summary;
  std::optional<double> today;
};
inline ComparisonResult tested_result(const TestedLog& test, const TestedQuery& query) {
  if (test.rounds() == 0) throw Error(Code::kEmpty, "found no offer, expected at least one", "log");
  const LogFacts facts = log_facts(query.summary, "log");
  ComparisonResult result = test.result(
      {.goods = facts.slots, .today = query.today, .currency = facts.currency, .doubts = doubts_of_log(query.summary)});
  result.slots = facts.slots;
  result.data = query.summary;
  result.take_money_facts(query.summary);
  return result;
}

// {table, contexts, summary, tested}: the outcomes as an array, or as a list where they are no rows; the values of the
// columns `by` of each, None without; what `hannan compare` says of prices drawn at random, None of others. `text` is
// the log itself, or None: then `name` is its file.
inline py::dict convert(const py::object& text, const std::string& name, const py::dict& given) {
  const Json fields = to_json(given, "");
  Fields in(fields, "");
  LogRequest request{.path = name, .problem = in.word("problem", first_log_kind([](const LogUse&) { return true; }))};
  request.demand = in.choice("demand", {"single", "unit"}, "single");
  if (in.has("units")) request.units = static_cast<std::uint64_t>(in.integer("units", {1, 1'000'000}));
  if (in.has("cap")) request.cap = in.number("cap");
  request.currency = in.word("currency", "");
  request.in_money = in.flag("money", false);
  if (in.has("by")) {
    request.by = in.words("by");
    check_orders({request.by}, "by");
  }
  LogOptions options = log_options(in);
  options.accept_hidden = in.flag("accept_hidden", false);
  in.done();
  need_log_problem(request.problem, "problem");
  if (options.format.empty() && looks_like_json_lines(name)) options.format = "openrtb";
  const LogPlan plan = log_plan(options, request);

  // A log is read twice or three times (columns, names and cap, the auctions): text in memory is opened anew each time.
  const bool held = !text.is_none();
  const std::string bytes = held ? text.cast<std::string>() : std::string();
  const auto open = [&]() { return held ? bytes_of_memory(bytes) : bytes_of_file(name); };
  std::vector<double> numbers, row;
  std::vector<Json> list;
  std::vector<std::vector<std::string>> contexts;
  std::size_t columns = 0;
  bool rows = true;
  TestedLog test(name);
  Json tested;
  // The log is read without the interpreter's lock, so other Python threads run meanwhile; only plain values are
  // touched.
  const Json summary = without_lock([&] {
    LogOutcomes outcomes(open, name, plan);
    rows = outcomes.rows();
    const auto keep_context = [&] {
      if (!request.by.empty()) contexts.push_back(outcomes.log().context().values);
    };
    Json outcome;
    if (rows) {
      columns = outcomes.table().columns();
      for (; outcomes.table().next(row); keep_context()) numbers.insert(numbers.end(), row.begin(), row.end());
    } else {
      for (; outcomes.list().next(outcome); keep_context()) {
        list.push_back(outcome);
        if (options.randomised) test.add(outcomes.list().offers());
      }
    }
    const LoggedMoney* money = outcomes.log().money();
    if (money && !options.accept_hidden) refuse_hidden(money->hidden_json(), name);
    Json said = outcomes.summary(request.problem);
    if (options.randomised) tested = result_json(tested_result(test, {.summary = said, .today = options.today}));
    return said;
  });
  py::dict found;
  if (rows) {
    const auto height = columns > 0 ? numbers.size() / columns : 0;
    py::array_t<double> table({height, columns});
    std::copy(numbers.begin(), numbers.end(), table.mutable_data());
    found["table"] = std::move(table);
  } else {
    found["table"] = from_json(Json(std::move(list)));
  }
  found["contexts"] = request.by.empty() ? py::object(py::none()) : py::object(py::cast(contexts));
  found["summary"] = from_json(summary);
  found["tested"] = from_json(tested);
  return found;
}

struct FloorsQuery {
  const AnyProblem& problem;
  py::object action;
  py::object summary;  // of the log
  std::string field;
  std::string model;
};
// Reserves as price floors of Prebid.
inline py::object floors(const FloorsQuery& query) {
  const LogFacts log = log_facts(to_json(query.summary, "log"), "log");
  const Json reserves = to_json(query.action, "action");
  return from_json(price_floors({.problem = FloorProblem::of(query.problem.game()),
                                 .action = reserves,
                                 .log = log,
                                 .field = query.field,
                                 .model = with_currency_note(query.model, log)}));
}

// What is handed on of a player of a comparison: `result` has players, of which the one at `player` is written.
struct HandedOn {
  const AnyProblem& problem;
  py::object result;
  std::size_t player;
  py::object summary;    // of the log; None: actions are no money
  std::string field;     // of the floors
  py::object otherwise;  // how to have a losing decision anyway; None: it is had anyway
  py::object names;      // of the actions, where they are columns
};
// The same checks as the command line makes: a decision that loses money is refused unless the caller insists.
inline ExportedDecision handed_on(const HandedOn& of, const LogFacts& log) {
  const ComparisonResult result = read_result(to_json(of.result, "result"));
  const Json names = to_json(of.names, "names");
  const ExportedDecision decision = exported_decision(
      result, {.player = of.player, .orders = {}, .words = [&](const Json& action) {
                 const auto place = action.is_number() ? action.as_number() : -1;
                 const bool named = names.is_array() && place >= 0 && place < static_cast<double>(names.size());
                 return named ? names[static_cast<std::size_t>(place)].as_string()
                              : action_words(of.problem.kind(), action);
               }});
  if (!of.otherwise.is_none())
    refuse_loss(decision, {.currency = log.currency, .at = "floors", .otherwise = of.otherwise.cast<std::string>()});
  return decision;
}
inline LogFacts facts_of_summary(const py::object& summary) {
  return summary.is_none() ? LogFacts{} : log_facts(to_json(summary, "log"), "log");
}

// The file of `--floors`, of a player.
inline py::object floors_of_player(const HandedOn& of) {
  const LogFacts log = facts_of_summary(of.summary);
  const ExportedDecision decision = handed_on(of, log);
  return from_json(price_floors({.problem = FloorProblem::of(of.problem.game()),
                                 .action = decision.segments[0].action,
                                 .log = log,
                                 .field = of.field,
                                 .model = with_currency_note(model_text(decision), log)}));
}

// The file of `--decisions`, of a player.
inline py::object decisions_of_player(const HandedOn& of) {
  const LogFacts log = facts_of_summary(of.summary);
  if (const ComparisonResult result = read_result(to_json(of.result, "result")); result.price_test)
    return from_json(
        tested_decision(result, {.losing = of.otherwise.is_none() ? Losing::kWritten : Losing::kLeftOut,
                                 .at = "decisions",
                                 .otherwise = of.otherwise.is_none() ? "" : of.otherwise.cast<std::string>()}));
  const ActionMoney money(of.problem.game().money().get(), log.priced ? std::optional(log.cap) : std::nullopt);
  return from_json(decision_json(handed_on(of, log), money, log));
}

}  // namespace hannan::detail::python
