// The functions of the module that belong to no problem and no learner: bounds, records, pages, comparisons.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_players.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/play/record_data.hpp"
#include "hannan/report/page.hpp"
#include "hannan/report/report.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/verifier.hpp"
#include "learner.hpp"
#include "problem.hpp"
#include "signals.hpp"

namespace hannan::detail::python {

// A request as the pipe answers it, in a session of its own.
// Nothing is kept between two calls: verbs that need a problem or a learner of an earlier request have none here.
inline py::object ask(const py::dict& request) {
  Pipe pipe;
  const Json answer = pipe.answer(to_json(request, ""));
  if (answer.at("ok").as_bool()) return from_json(answer);
  const Json& error = answer.at("error");
  const int code = std::stoi(error.at("code").as_string().substr(1));
  throw Error(static_cast<Code>(code), error.at("message").as_string(), error.at("at").as_string());
}

// The outcomes of a file as the problem of a record's header reads them.
inline HeldAgainstData::Opened open_recorded(const std::string& data, const Json& header) {
  const Json& problem = header.at("problem");
  const std::shared_ptr<AnyProblem> made =
      make_problem(problem.at("kind").as_string(), problem.at("params"), "problem.params");
  const Game& game = made->game();
  if (header.at("learner").at("params").find("by"))
    throw Error(Code::kUnavailable, "found a record with contexts, expected hannan verify RECORD -d FILE for it",
                "data");
  auto source = looks_like_json_lines(data) ? json_lines_source(bytes_of_file(data), data, game)
                                            : table_source(open_table(data), game);
  return {.owner = made, .game = &game, .source = std::move(source)};
}

// `data`: a file that the record is held against; empty: none.
inline py::dict verify(const std::string& path, const std::string& data) {
  std::string against;
  const Verification found = without_lock([&] {
    const LineSource lines = lines_of_record(bytes_of_file(path), path);
    if (data.empty()) return verify_record(lines, path);
    HeldAgainstData held(path, data, [&](const Json& header) { return open_recorded(data, header); });
    const Verification result = verify_record(
        [&](std::string& line) {
          if (!lines(line)) return false;
          held.line(line);
          return true;
        },
        path);
    against = held.words();
    return result;
  });
  py::dict dict;
  dict["rounds"] = found.rounds;
  const auto seen = [&](double value) -> py::object {
    return found.in_part.empty() ? py::object(py::float_(value)) : py::object(py::none());
  };
  dict["total"] = seen(found.total);
  dict["best"] = seen(found.best);
  dict["floor"] = seen(found.floor);
  dict["regret"] = seen(found.regret);
  dict["verdict"] = verdict_of(found);
  dict["verified"] = found.trusted.empty();
  dict["checked"] = found.checked;
  if (!against.empty()) dict["checked"].cast<py::list>().append(against);
  dict["trusted"] = found.trusted;
  dict["recorded"] = found.recorded;
  dict["data"] = found.data.empty() ? py::object(py::none()) : py::object(py::str(found.data));
  return dict;
}

// The page of `hannan report` over these files; and whether every record in them verifies.
inline std::pair<std::string, bool> page(const std::vector<std::string>& files, const std::string& title) {
  return without_lock([&] {
    const Report report = make_report({.files = files, .logs = {}, .title = title, .checking = Checking::kVerify});
    return std::pair(page_of(report.data, report.title), !report.failed);
  });
}

// What the Python package hands over; options are checked here, by name.
struct CompareQuery {
  std::shared_ptr<AnyProblem> problem;
  py::object outcomes;
  py::list learners;  // (label, kind, params)
  py::dict fixed;     // name: action
  py::dict options;
  std::vector<std::string> slots;  // names of columns, bidders or items
};
// What `hannan compare --json` prints. The option `log` is the summary of one, whose money is then the baseline.
// What a comparison is asked of its portfolio: "risk" (a number, or a share as text), "hard", "strategies", "shadows",
// and "propose", by name an action or null for each round.
inline void take_portfolio_options(Fields& in, double unit, ComparisonPlan& plan) {
  PortfolioDefaults& into = plan.portfolio;
  for (const char* name : {"risk", "hard", "strategies", "shadows", "propose"}) into.asked = into.asked || in.has(name);
  if (in.has("risk")) {
    const Json& risk = in.need("risk");
    take_risk(risk.is_string() ? risk.as_string() : number_text(risk.as_number()), unit, into);
  }
  if (in.has("hard")) into.hard = in.number("hard", 1.0) / unit;
  if (in.has("strategies")) into.strategies = in.need("strategies");
  if (in.has("shadows")) into.shadows = to_words(in.need("shadows"), "options.shadows");
  if (!in.has("propose")) return;
  const Game& game = plan.problem->game();
  std::vector<std::vector<Proposal>> rounds;
  for (const auto& [name, list] : in.need("propose").as_object()) {
    into.given.push_back(name);
    rounds.resize(std::max(rounds.size(), list.as_array().size()));
    for (std::size_t t = 0; t < list.size(); ++t) {
      const std::string at = path_of(path_of("propose", name), t);
      try {
        rounds[t].push_back({name, list[t].is_null() ? std::nullopt : std::optional(game.parse_action(list[t], at))});
      } catch (const Error& e) {
        throw Error(Code::kBadAction, "strategy \"" + name + "\" proposes what is no action: " + e.message(), at);
      }
    }
  }
  // Copied into every reading of the outcomes, which begins at the first round.
  plan.proposals = [rounds = std::make_shared<const std::vector<std::vector<Proposal>>>(std::move(rounds)),
                    t = std::size_t{0}](std::span<const std::string>) mutable {
    return t < rounds->size() ? (*rounds)[t++] : std::vector<Proposal>();
  };
}

inline py::object compare(const CompareQuery& query) {
  const Outcomes outcomes = outcomes_of(query.outcomes, query.problem->game());
  const Json options = to_json(query.options, "options");
  Fields in(options, "options");
  ComparisonPlan plan;
  plan.problem = query.problem;
  plan.open = [&] { return outcomes.open(query.problem->game()); };
  plan.rivals = in.flag("rivals", true) ? Rivals::kAll : Rivals::kNone;
  plan.hedge_most = static_cast<std::uint64_t>(in.integer("hedge_most", kNatural, 1024));
  plan.seed = static_cast<std::uint64_t>(in.integer("seed", kNatural, 0));
  plan.track = in.choice("track", {"every", "powers", "end"}, "every");
  plan.rounds = static_cast<std::uint64_t>(in.integer("rounds", kNatural, 0));
  plan.rehearsed = static_cast<std::uint64_t>(in.integer("warm", kNatural, 0));
  MoneyScale scale{.seed = plan.seed, .doubts = doubts_of_log(Json())};
  scale.unit = in.number("cap", 1.0);
  scale.currency = in.word("currency", "");
  scale.block = static_cast<std::uint64_t>(in.integer("block", kNatural, 0));
  Json summary;
  if (in.has("log")) {
    summary = in.need("log");
    plan.as_logged = as_logged_of_rows(*query.problem, summary, scale.unit);
    scale.doubts = doubts_of_log(summary);
    scale.outside = most_outside(summary);
    scale.largest = largest_amount(summary);
  }
  const double unit = query.problem->game().normaliser() * scale.unit;
  const bool named = !in.flag("portfolio_first", false);
  take_portfolio_options(in, unit, plan);
  if (const auto largest = largest_gain(*query.problem, scale)) plan.portfolio.largest = *largest / unit;
  in.done();
  for (const py::handle row : query.learners) {
    const auto who = row.cast<py::tuple>();
    plan.learners.push_back(
        {.label = who[0].cast<std::string>(), .kind = who[1].cast<std::string>(), .params = to_json(who[2], "params")});
  }
  const Json fixed = to_json(query.fixed, "fixed");
  for (const auto& [name, action] : fixed.as_object()) plan.fixed.push_back({name, action});
  // A comparison of part of the rounds is none: a signal ends it by an exception.
  plan.stop = [] {
    interruption_point();
    return false;
  };
  const Json result = without_lock([&] {
    if (named) {
      check_named_portfolio(plan, scale.doubts);
    } else {
      add_default_portfolio(plan, scale.doubts);
    }
    const Comparison comparison = hannan::detail::compare(plan);
    if (comparison.rounds == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", "outcomes");
    ComparisonResult found = comparison_result(comparison, *query.problem, scale);
    found.slots = query.slots;
    found.data = summary;
    found.take_money_facts(summary);
    return result_json(found);
  });
  return from_json(result);
}

}  // namespace hannan::detail::python
