// Outcomes summed exactly (hannan/fold/summary.hpp): of arrays, of lists of JSON values, and of files.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/fold/parts.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/table.hpp"
#include "hannan/streams/source.hpp"
#include "outcomes.hpp"
#include "problem.hpp"
#include "signals.hpp"

namespace hannan::detail::python {

class PySummary {
 public:
  PySummary(const PyProblem& problem, const std::string& oracle) : summary_(problem.problem(), oracle) {}
  explicit PySummary(Summary summary) : summary_(std::move(summary)) {}

  static PySummary of_bytes(const py::bytes& text) { return PySummary(parse_sums(std::string(text), "bytes")); }
  // A folder of `hannan fold`, or a file.
  static PySummary read(const std::string& path) {
    return PySummary(without_lock([&] { return std::move(read_sums(path).summary); }));
  }

  // What it throws, or Ctrl-C, changes nothing.
  void add(const py::object& given, const py::object& weights) {
    const Outcomes outcomes = outcomes_of(given, summary_.problem().game());
    const std::vector<double> each = numbers_argument(weights, "weights");
    if (!weights.is_none() && each.size() != outcomes.size())
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(each.size()) + " weights, expected one per outcome, " +
                      std::to_string(outcomes.size()),
                  "weights");
    add_all(*outcomes.open(summary_.problem().game()), each);
  }
  void add_file(const std::string& path) {
    const Game& game = summary_.problem().game();
    const auto source = looks_like_json_lines(path) ? json_lines_source(bytes_of_file(path), path, game)
                                                    : table_source(open_table(path), game);
    add_all(*source, {});
  }
  void merge(const PySummary& other) { summary_.add(other.summary_, "+"); }
  PySummary copy() const { return PySummary(copied()); }

  // Of a copy: while it is read without the interpreter's lock other threads may add to this one.
  py::object best(std::uint64_t keep, const std::string& oracle) const {
    const Summary sums = copied();
    return from_json(without_lock([&] { return sums.best(keep, oracle); }));
  }
  py::object outcomes() const {
    const Summary sums = copied();
    return from_json(without_lock([&] { return sums.outcomes(); }));
  }
  py::bytes text() const { return py::bytes(sums_text(summary_)); }
  std::uint64_t rounds() const { return summary_.rounds(); }
  std::size_t size() const { return summary_.numbers() + summary_.keys(); }
  const std::string& oracle() const { return summary_.oracle(); }
  PyProblem problem() const { return PyProblem(make_problem(kind(), summary_.problem().params(), "params")); }

 private:
  std::string kind() const { return std::string(summary_.problem().kind()); }
  Summary copied() const {
    Summary made = summary_.nothing();
    made.add(summary_, "+");
    return made;
  }

  // Into a summary of its own first, so that a failure or Ctrl-C in the middle changes nothing.
  void add_all(Source& source, const std::vector<double>& weights) {
    Summary part = summary_.nothing();
    without_lock([&] {
      AnyOutcome y;
      for (std::size_t i = 0; source.next(y); ++i) {
        interruption_point();
        part.add(y, weights.empty() ? 1.0 : weights[i]);
      }
      return true;
    });
    summary_.add(part, "+");
  }

  Summary summary_;
};

inline void define_summary(py::module_& module) {
  py::class_<PySummary>(module, "Summary")
      .def(py::init<const PyProblem&, const std::string&>(), py::arg("problem"), py::arg("oracle"))
      .def_static("of_bytes", &PySummary::of_bytes, py::arg("text"))
      .def_static("read", &PySummary::read, py::arg("path"))
      .def("add", &PySummary::add, py::arg("outcomes"), py::arg("weights"))
      .def("add_file", &PySummary::add_file, py::arg("path"))
      .def("merge", &PySummary::merge, py::arg("other"))
      .def("copy", &PySummary::copy)
      .def("best",
           [](const PySummary& summary, const py::object& keep, const py::object& oracle) {
             return summary.best(count_argument(keep, "keep"), text_argument(oracle, "oracle"));
           })
      .def("outcomes", &PySummary::outcomes)
      .def("text", &PySummary::text)
      .def_property_readonly("rounds", &PySummary::rounds)
      .def_property_readonly("size", &PySummary::size)
      .def_property_readonly("oracle", &PySummary::oracle)
      .def_property_readonly("problem", &PySummary::problem);
}

}  // namespace hannan::detail::python
