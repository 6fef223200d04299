// The module hannan._core: the run-time interface of the library for Python. The package around it (python/hannan) has
// the documented classes; names here are its own business.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "arguments.hpp"
#include "errors.hpp"
#include "experiment.hpp"
#include "forecasts.hpp"
#include "functions.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/runtime/version.hpp"
#include "learner.hpp"
#include "log.hpp"
#include "own_oracle.hpp"
#include "part.hpp"
#include "portfolio.hpp"
#include "problem.hpp"
#include "python_rules.hpp"
#include "solve.hpp"
#include "summary.hpp"
#include "threads.hpp"

namespace hannan::detail::python {
namespace {

// Counts and texts come as objects and are converted here, so that a wrong type is an error of this package with the
// name of the argument.
void define_problem(py::module_& module) {
  py::class_<PyProblem>(module, "Problem")
      .def(py::init<const std::string&, const py::dict&>(), py::arg("kind"), py::arg("params"))
      .def_property_readonly("kind", &PyProblem::kind)
      .def_property_readonly("params", &PyProblem::params)
      .def_property_readonly("row_width", &PyProblem::row_width)
      .def_property_readonly("actions_are_columns", &PyProblem::actions_are_columns)
      .def("doubt_losses", &PyProblem::doubt_losses, py::arg("names"), py::arg("rows"))
      .def("describe", &PyProblem::describe)
      .def("actions", [](const PyProblem& problem,
                         const py::object& limit) { return problem.actions(count_argument(limit, "limit")); })
      .def("loss", &PyProblem::loss, py::arg("action"), py::arg("outcome"))
      .def("raw", &PyProblem::raw, py::arg("action"), py::arg("outcome"))
      .def("losses", &PyProblem::losses, py::arg("outcome"))
      .def("row", &PyProblem::row, py::arg("perturbation"), py::arg("action"))
      .def("outcomes", [](const PyProblem& problem,
                          const py::object& limit) { return problem.outcomes(count_argument(limit, "limit")); })
      .def("noise_size",
           [](const PyProblem& problem, const py::object& perturbation, const py::object& noise) {
             return problem.noise_size(text_argument(perturbation, "perturbation"), text_argument(noise, "noise"));
           })
      .def("check",
           [](const PyProblem& problem, const py::object& perturbation, const py::object& outcomes,
              const py::dict& options) {
             return problem.check(text_argument(perturbation, "perturbation"), outcomes, options);
           })
      .def("best", [](const PyProblem& problem, const py::object& outcomes, const py::object& weights,
                      const py::object& keep, const py::object& oracle) {
        return problem.best({.outcomes = outcomes,
                             .weights = weights,
                             .keep = count_argument(keep, "keep"),
                             .oracle = text_argument(oracle, "oracle")});
      });
}

// Of functions with one name the first that takes the arguments is called; the last, misuse(), takes anything and
// explains.
void define_learner(py::module_& module) {
  py::class_<PyLearner>(module, "Learner")
      .def(py::init([](const PyProblem& problem, const std::string& kind, const py::dict& params) {
             return std::make_unique<PyLearner>(problem.problem(), kind, params);
           }),
           py::arg("problem"), py::arg("kind"), py::arg("params"))
      .def(py::init([](const py::bytes& state) { return PyLearner::load(state); }), py::arg("state"))
      .def("act", &PyLearner::act, py::arg("context") = py::none(), py::arg("round") = py::none(),
           py::arg("awake") = py::none(),
           "The action of the coming round. A pure read: asking twice gives the same answer.")
      .def("act", misuse("act", {"context", "round", "awake"}))
      .def("_decision", &PyLearner::decision, py::arg("round") = py::none())
      .def("action_row", &PyLearner::action_row, py::arg("into").noconvert(),
           "Writes the action of the coming round into an int32 array.")
      .def("observe", &PyLearner::observe, py::arg("outcome"), py::arg("context") = py::none(),
           py::arg("round") = py::none(), py::arg("warm") = false,
           "Takes the outcome of the round and gives its Step; with warm the round is rehearsed.")
      .def(
          "observe",
          [](const py::object& self, const py::object& row, const py::object& context, const py::object& round,
             bool warm) {
            if (!has_names(row)) throw py::reference_cast_error();
            return self.attr("_observe_row")(row, context, round, warm);
          },
          py::arg("outcome"), py::arg("context") = py::none(), py::arg("round") = py::none(), py::arg("warm") = false)
      .def("observe", misuse("observe", {"outcome", "context", "round", "warm"}))
      .def("_name_actions", &PyLearner::name_actions, py::arg("names"))
      .def("_play",
           [](PyLearner& learner, const py::object& outcomes, bool actions, const py::object& progress,
              const std::string& record, const py::object& contexts, std::size_t first, std::uint64_t warm) {
             return learner.play(outcomes, {.actions = actions,
                                            .progress = progress,
                                            .record = record,
                                            .contexts = contexts,
                                            .first = first,
                                            .warm = warm});
           })
      .def("_nodes", &PyLearner::nodes, py::arg("context"))
      .def(
          "_act_portfolio",
          [](PyLearner& learner, const py::object& request) {
            return portfolio_answer(learner, request, &act_portfolio);
          },
          py::arg("request"))
      .def(
          "_observe_portfolio",
          [](PyLearner& learner, const py::object& request) {
            return portfolio_answer(learner, request, &observe_portfolio);
          },
          py::arg("request"))
      .def("_strategies", &portfolio_strategies)
      .def(
          "_act_part",
          [](PyLearner& learner, const py::object& request) { return part_answer(learner, request, &act_in_part); },
          py::arg("request"))
      .def(
          "_observe_part",
          [](PyLearner& learner, const py::object& request) { return part_answer(learner, request, &observe_in_part); },
          py::arg("request"))
      .def("_segments", [](PyLearner& learner, const std::vector<std::string>& under,
                           const py::object& limit) { return learner.segments(under, count_argument(limit, "limit")); })
      .def("_report", &PyLearner::report)
      .def("_save", &PyLearner::save)
      .def("_facts", &PyLearner::facts)
      .def_property_readonly("kind", [](PyLearner& learner) { return learner.learner().kind(); })
      .def_property_readonly("params", [](PyLearner& learner) { return from_json(learner.learner().params()); })
      .def_property_readonly("rounds", [](PyLearner& learner) { return learner.learner().rounds(); })
      .def_property_readonly("_index", &PyLearner::index)
      .def_property_readonly("delayed",
                             [](PyLearner& learner) { return learner.turn().as<DelayedLearner>() != nullptr; })
      .def_property_readonly("_by_context",
                             [](PyLearner& learner) { return learner.turn().as<ContextLearner>() != nullptr; })
      .def_property_readonly("_problem", [](PyLearner& learner) { return PyProblem(learner.problem()); });
}

// Names without a place in the package's documentation; python/hannan calls them and checks what users give.
void define_functions(py::module_& module) {
  module.def("ask", &ask, py::arg("request"));
  module.def("verify", &verify, py::arg("path"), py::arg("data") = "");
  module.def("solve", [](const PyProblem& problem, const py::object& outcomes, const std::vector<std::string>& columns,
                         const std::vector<std::vector<std::string>>& labels, const py::dict& options) {
    return solve_problem(problem, {.outcomes = outcomes, .columns = columns, .labels = labels}, options);
  });
  module.def("verify_solution",
             [](const std::string& solution, const py::object& outcomes, const std::vector<std::string>& columns,
                const std::vector<std::vector<std::string>>& labels) {
               return verify_solved(solution, {.outcomes = outcomes, .columns = columns, .labels = labels});
             });
  module.def("page", &page, py::arg("files"), py::arg("title"));
  module.def("compare", [](const PyProblem& problem, const py::object& outcomes, const py::list& learners,
                           const py::dict& fixed, const py::dict& options, const std::vector<std::string>& slots) {
    return compare({.problem = problem.problem(),
                    .outcomes = outcomes,
                    .learners = learners,
                    .fixed = fixed,
                    .options = options,
                    .slots = slots});
  });
  module.def("convert", &convert, py::arg("text"), py::arg("name"), py::arg("options"));
  module.def("floors", [](const PyProblem& problem, const py::object& action, const py::object& summary,
                          const std::string& field, const std::string& model) {
    return floors(
        {.problem = *problem.problem(), .action = action, .summary = summary, .field = field, .model = model});
  });
  const auto handed_on = [](const PyProblem& problem, const py::dict& asked) {
    return HandedOn{.problem = *problem.problem(),
                    .result = asked["result"],
                    .player = asked["player"].cast<std::size_t>(),
                    .summary = asked["summary"],
                    .field = asked["field"].cast<std::string>(),
                    .otherwise = asked["otherwise"],
                    .names = asked["names"]};
  };
  module.def("floors_of_player", [handed_on](const PyProblem& problem, const py::dict& asked) {
    return floors_of_player(handed_on(problem, asked));
  });
  module.def("decisions_of_player", [handed_on](const PyProblem& problem, const py::dict& asked) {
    return decisions_of_player(handed_on(problem, asked));
  });
  module.def("experiment", [](const std::string& plan, const std::string& folder, bool small, const py::object& threads,
                              std::uint64_t rank, std::uint64_t ranks) {
    constexpr IntegerRange kThreads{1, 1024};
    return experiment(
        {.plan = plan,
         .folder = folder,
         .size = small ? PlanSize::kSmall : PlanSize::kFull,
         .run = {.threads = static_cast<unsigned>(to_integer(to_json(threads, "threads"), "threads", kThreads)),
                 .rank = rank,
                 .ranks = ranks,
                 .stop = {},
                 .progress = {}}});
  });
  module.def(
      "register_oracle", [](const std::string& name, const py::object& function, bool takes_negative, bool exact) {
        register_python_oracle(
            {.name = name, .function = function, .claims = {.takes_negative_weights = takes_negative, .exact = exact}});
      });
  module.def("forget_oracle", &forget_own_oracle);
  py::class_<PySearchThreads>(module, "SearchThreads")
      .def(py::init<const py::object&>(), py::arg("most"))
      .def("enter", &PySearchThreads::enter)
      .def("leave", &PySearchThreads::leave);
  module.def("own_problem", [](const std::string& name, const std::string& oracle, const py::tuple& rules,
                               double ln_size, const py::object& outcomes, const py::list& columns) {
    return make_own_problem({.name = name,
                             .oracle = oracle,
                             .loss = rules[0],
                             .check = rules[1],
                             .ln_size = ln_size,
                             .outcomes = outcomes,
                             .columns = columns});
  });
  module.def("forget_problem", &forget_own_problem);
  module.def("renamed_state", [](const std::string& state, const std::string& problem, const std::string& oracle) {
    return py::bytes(dump(renamed_state(parse_json(state), {.problem = problem, .oracle = oracle})));
  });
  module.def("marked_state", [](const std::string& state, const std::string& rules) {
    return py::bytes(dump(marked_state(parse_json(state), rules)));
  });
  module.def("unmarked_state",
             [](const std::string& state) { return py::bytes(dump(unmarked_state(parse_json(state)))); });
  module.def("problem_kinds", [] {
    py::dict kinds;  // name: (about, the parameter that a width gives, parameters to test it with)
    for (const auto& row : problem_kinds()) {
      py::list tested;
      for (const auto text : row.instances.tested) tested.append(from_json(parse_json(text)));
      kinds[py::str(std::string(row.name))] =
          py::make_tuple(std::string(row.about), std::string(row.columns_param), tested);
    }
    return kinds;
  });
  // The kinds that problems of one's own are played as: rows of losses with the parameter of their width, and a table.
  module.def("usual_kinds", [] {
    return py::make_tuple(std::string(loss_kind().name), std::string(loss_kind().columns_param),
                          std::string(table_kind().name));
  });
  // (kind, parameters) of so many goods at posted prices, without a decision.
  module.def("goods_problem", [](std::size_t goods) {
    const std::string kind = first_log_kind([](const LogUse& use) { return use.posted != LogShape::kNone; });
    return py::make_tuple(kind, from_json(log_use(kind).unplayed({.owners = goods})));
  });
  module.def("learner_kinds", [] {
    py::dict kinds;  // name: (about, names of its parameters)
    for (const auto& row : learner_kinds())
      kinds[py::str(std::string(row.name))] =
          py::make_tuple(std::string(row.about), py::str(std::string(row.params)).attr("split")());
    return kinds;
  });
  // The state with the names of the columns of its outcomes.
  module.def("state_with_columns", [](const std::string& state, const std::vector<std::string>& names) {
    return py::bytes(dump(state_with_columns(parse_json(state), names)));
  });
  module.def("use_words", [](const py::object& words) { words_of_python() = words.inc_ref().ptr(); });
  module.def("use_tuples", [](const py::object& step, const py::object& decision) {
    tuple_classes() = {.step = reinterpret_cast<PyTypeObject*>(step.inc_ref().ptr()),
                       .decision = reinterpret_cast<PyTypeObject*>(decision.inc_ref().ptr())};
  });
}

}  // namespace

// Errors first: the definitions after them may raise them.
PYBIND11_MODULE(_core, module) {
  define_errors(module);
  define_problem(module);
  define_learner(module);
  define_forecasts(module);
  define_summary(module);
  define_functions(module);
  module.attr("version") = kVersion;
}

}  // namespace hannan::detail::python
