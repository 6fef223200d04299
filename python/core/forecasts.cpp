// Combined forecasts for Python: tables through the reader that the program has, and a combiner round by round. The
// package around it (python/hannan/_forecasts.py, river.py, sklearn.py) has the documented classes.
#include "forecasts.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/forecasts/combiner.hpp"
#include "hannan/forecasts/run.hpp"
#include "hannan/io/json_archive.hpp"
#include "values.hpp"

namespace hannan::detail::python {
namespace {

// A loss of the user's own gives value and slope; what it raises is raised again.
ForecastLoss loss_of(const py::object& given) {
  if (py::isinstance<py::str>(given)) return forecast_loss(given.cast<std::string>(), "loss");
  ForecastLoss loss{.kind = ForecastLoss::Kind::kOwn};
  loss.own = [given](double p, double y) {
    const py::tuple pair = given(p, y);
    return ValueAndSlope{pair[0].cast<double>(), pair[1].cast<double>()};
  };
  return loss;
}

std::vector<std::string> names_at(const py::dict& of, const char* name) {
  return of.contains(name) ? of[name].cast<std::vector<std::string>>() : std::vector<std::string>();
}
std::string text_at(const py::dict& of, const char* name) {
  return of.contains(name) && !of[name].is_none() ? of[name].cast<std::string>() : std::string();
}

ForecastColumns columns_of(const py::dict& options) {
  ForecastColumns made{.actual = text_at(options, "actual"), .timestamp = text_at(options, "time")};
  made.series = names_at(options, "series");
  made.drop = names_at(options, "drop");
  made.models = names_at(options, "models");
  made.weight = text_at(options, "weight");
  made.today = text_at(options, "today");
  made.by = names_at(options, "by");
  made.model = text_at(options, "model");
  made.forecast = text_at(options, "forecast");
  made.level = text_at(options, "level");
  made.horizon = text_at(options, "horizon");
  made.truth = text_at(options, "truth");
  made.sort = options.contains("sort") && options["sort"].cast<bool>();
  if (text_at(options, "source").empty()) made.decimal = DecimalMark::kPoint;  // a frame, written by this package
  if (!made.model.empty()) made.format = ForecastColumns::Format::kLong;
  for (const std::string& member : names_at(options, "members")) {
    if (member.starts_with("own:")) made.own.push_back(member.substr(4));
  }
  return made;
}

template <class T>
py::array array_of(const std::vector<T>& values, std::vector<py::ssize_t> shape) {
  return py::array_t<T>(std::move(shape), values.data());
}

// A table in a file: the result of `hannan compare forecasts`, what is published, and a state to go on with.
py::dict combine_file(const std::string& path, const py::dict& options, const py::object& state) {
  ForecastTerms terms{
      .loss = loss_of(options["loss"]), .members = names_at(options, "members"), .today = text_at(options, "today")};
  if (options.contains("lag")) terms.lag = options["lag"].cast<std::uint64_t>();
  if (options.contains("patience") && !options["patience"].is_none())
    terms.patience = options["patience"].cast<std::uint64_t>();
  const ForecastTable table = read_forecasts(path, columns_of(options));
  auto run = state.is_none() ? std::make_unique<ForecastRun>(table, terms)
                             : std::make_unique<ForecastRun>(table, terms, parse_json(state.cast<std::string>()));
  run->play(ForecastRun::Weights::kAll);
  py::dict made;
  made["state"] = py::bytes(dump(run->state()));
  run->finish();
  bool judged = false;
  for (std::size_t i = 0; i < table.rows(); ++i) judged = judged || (!std::isnan(table.y[i]) && run->forecast[i]);
  const auto rows = static_cast<py::ssize_t>(table.rows()), depth = static_cast<py::ssize_t>(table.depth());
  made["result"] =
      judged
          ? from_json(forecast_comparison(
                {.run = *run, .terms = terms, .unit = text_at(options, "unit"), .source = text_at(options, "source")}))
          : py::none();
  py::list keys, names, members;
  for (const std::string& key : table.keys) keys.append(key);
  for (const std::string& name : table.key_names) names.append(name);
  for (const ForecastMember& member : run->plan().members) members.append(member.name);
  made["keys"] = keys;
  made["key_names"] = names;
  made["member_names"] = members;
  made["models"] = table.models;
  made["columns"] = table.columns;
  made["levels"] = table.levels;
  made["published"] = array_of(run->published, {rows, depth});
  made["members"] = array_of(run->members, {rows, depth, static_cast<py::ssize_t>(run->plan().members.size())});
  made["actual"] = array_of(table.y, {rows});
  std::vector<double> weights;
  py::list rounds;
  for (const auto& one : run->weights) {
    rounds.append(table.round_names[one.round]);
    weights.insert(weights.end(), one.total.begin(), one.total.end());
  }
  made["rounds"] = rounds;
  made["weights"] =
      array_of(weights, {static_cast<py::ssize_t>(run->weights.size()), static_cast<py::ssize_t>(table.width() + 1)});
  return made;
}

class PyCombiner {
 public:
  PyCombiner(const std::vector<std::string>& models, const py::object& loss, const std::vector<std::string>& members,
             std::uint64_t patience) {
    CombinerPlan plan{.models = models, .loss = loss_of(loss), .patience = patience};
    set_members(plan, members.empty() ? default_members() : members, "members");
    combiner_ = std::make_unique<Combiner>(std::move(plan));
  }

  // (round, forecasts, weights): rows are those of one round.
  py::tuple forecast(const py::array_t<double, py::array::c_style | py::array::forcecast>& x) {
    const std::size_t width = combiner_->plan().width();
    if (x.ndim() != 2 || static_cast<std::size_t>(x.shape(1)) != width)
      throw Error(Code::kColumnCount, "found another number of forecasts, expected " + std::to_string(width) + " a row",
                  "x");
    std::vector<ForecastRow> rows;
    for (py::ssize_t i = 0; i < x.shape(0); ++i) rows.push_back({.x = {x.data(i, 0), width}});
    const CombinerRound& made = combiner_->forecast(rows);
    std::vector<double> weights(rows.size() * (width + 1));
    for (std::size_t i = 0; i < rows.size(); ++i)
      combiner_->total_weights(made, i, {weights.data() + i * (width + 1), width + 1});
    return py::make_tuple(made.id, array_of(made.published, {x.shape(0)}),
                          array_of(weights, {x.shape(0), static_cast<py::ssize_t>(width + 1)}));
  }
  // The same of a copy: asking changes nothing.
  py::tuple peek(const py::array_t<double, py::array::c_style | py::array::forcecast>& x) const {
    PyCombiner copy(*combiner_);
    return copy.forecast(x);
  }
  void tell(std::uint64_t round, std::size_t row, double y) { combiner_->tell(round, row, y); }
  // Each row a round, forecast and settled at once. What was published, and the rows with the mixture in the place of
  // what is missing, whose best fixed mixture can be looked for; a row without any model is not among them.
  py::tuple learn(const py::array_t<double, py::array::c_style | py::array::forcecast>& x,
                  const py::array_t<double, py::array::c_style | py::array::forcecast>& y) {
    const CombinerPlan& plan = combiner_->plan();
    const std::size_t width = plan.width();
    if (x.ndim() != 2 || static_cast<std::size_t>(x.shape(1)) != width || y.ndim() != 1 || y.shape(0) != x.shape(0))
      throw Error(Code::kColumnCount, "found other shapes, expected a row of forecasts for each actual", "x");
    for (py::ssize_t i = 0; i < y.shape(0); ++i) check_actual(plan.loss, y.at(i), "y[" + std::to_string(i) + "]");
    const ForecastMember* const mixture = plan.member(ForecastMember::Kind::kMixture);
    const auto at = mixture ? static_cast<std::size_t>(mixture - plan.members.data()) : 0;
    std::vector<double> published, filled, actuals;
    for (py::ssize_t i = 0; i < x.shape(0); ++i) {
      const ForecastRow row{.x = {x.data(i, 0), width}};
      const CombinerRound& made = combiner_->forecast({&row, 1});
      published.push_back(made.published[0]);
      if (made.rows[0] == CombinerRound::Row::kEmpty) continue;
      const double member = made.members[at];
      for (const double one : row.x) filled.push_back(std::isnan(one) ? member : one);
      actuals.push_back(y.at(i));
      combiner_->tell(made.id, 0, y.at(i));
    }
    const auto rows = static_cast<py::ssize_t>(actuals.size());
    return py::make_tuple(array_of(published, {x.shape(0)}), array_of(filled, {rows, x.shape(1)}),
                          array_of(actuals, {rows}));
  }
  double total() const { return combiner_->total(); }
  std::uint64_t rows() const { return combiner_->rows(); }
  std::uint64_t rounds() const { return combiner_->rounds(); }
  py::object certificate() const { return from_json(certificate_json(certificate_of(*combiner_), combiner_->plan())); }
  py::bytes save() const {
    JsonWriter writer;
    combiner_->archive(writer);
    return py::bytes(dump(writer.take()));
  }
  void load(const std::string& state) {
    const Json json = parse_json(state);
    auto fresh = std::make_unique<Combiner>(combiner_->plan());
    JsonReader reader(json, "state");
    fresh->archive(reader);
    combiner_ = std::move(fresh);
  }

 private:
  explicit PyCombiner(const Combiner& of) : combiner_(std::make_unique<Combiner>(of)) {}

  std::unique_ptr<Combiner> combiner_;
};

// (weights, value, floor) of complete rows; the floor is None where it was found on a part of them.
py::tuple best_mixture_of(const py::array_t<double, py::array::c_style | py::array::forcecast>& x,
                          const py::array_t<double, py::array::c_style | py::array::forcecast>& y,
                          const py::object& loss) {
  const ForecastLoss of = loss_of(loss);
  std::vector<double> said(x.data(), x.data() + x.size());
  for (double& one : said) one = of.taken(one);
  const BestMixture best = best_mixture({.x = said,
                                         .y = {y.data(), static_cast<std::size_t>(y.size())},
                                         .weight = {},
                                         .models = static_cast<std::size_t>(x.shape(1)),
                                         .loss = of});
  return py::make_tuple(array_of(best.weights, {x.shape(1)}), best.value, best.floor);
}

}  // namespace

void define_forecasts(py::module_& module) {
  module.def("best_mixture", &best_mixture_of, py::arg("x"), py::arg("y"), py::arg("loss"));
  module.def("combine_file", &combine_file, py::arg("path"), py::arg("options"), py::arg("state") = py::none());
  py::class_<PyCombiner>(module, "Combiner")
      .def(py::init<const std::vector<std::string>&, const py::object&, const std::vector<std::string>&,
                    std::uint64_t>(),
           py::arg("models"), py::arg("loss"), py::arg("members"), py::arg("patience"))
      .def("forecast", &PyCombiner::forecast, py::arg("x"))
      .def("peek", &PyCombiner::peek, py::arg("x"))
      .def("tell", &PyCombiner::tell, py::arg("round"), py::arg("row"), py::arg("y"))
      .def("learn", &PyCombiner::learn, py::arg("x"), py::arg("y"))
      .def_property_readonly("total", &PyCombiner::total)
      .def_property_readonly("rows", &PyCombiner::rows)
      .def_property_readonly("rounds", &PyCombiner::rounds)
      .def("certificate", &PyCombiner::certificate)
      .def("save", &PyCombiner::save)
      .def("load", &PyCombiner::load, py::arg("state"));
}

}  // namespace hannan::detail::python
