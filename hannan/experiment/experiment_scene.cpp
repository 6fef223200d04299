// Where the outcomes of a cell come from: a file, outcomes of the problem's own file, a stream of losses or a market;
// and what identifies them. A file is read once beforehand, which counts its rounds and digests its outcomes: the
// digest, not the name, is part of every task's key.
#include <algorithm>
#include <limits>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/experiment/experiment_cells.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/runtime/loss_rows.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/labelled_source.hpp"
#include "hannan/streams/loss_doubt.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

// The parameter that the number of columns of a table stands for, such as experts or bidders; empty: none.
std::string_view columns_param(const std::string& kind) {
  for (const auto& row : problem_kinds()) {
    if (row.name == kind) return row.columns_param;
  }
  return {};
}

// The first rounds of a source.
class CutSource final : public Source {
 public:
  CutSource(std::unique_ptr<Source> source, std::uint64_t rounds) : source_(std::move(source)), left_(rounds) {}
  bool next(AnyOutcome& outcome) override { return take() && source_->next(outcome); }
  std::span<const std::string> context() const override { return source_->context(); }
  std::uint64_t context_not_numbers() const override { return source_->context_not_numbers(); }
  bool skip() override { return take() && source_->skip(); }
  bool answers_actions() const override { return source_->answers_actions(); }
  void saw(const Json& action) override { source_->saw(action); }

 private:
  bool take() { return left_ > 0 && left_-- > 0; }

  std::unique_ptr<Source> source_;
  std::uint64_t left_;
};

}  // namespace

ExperimentScene::ExperimentScene(const PlannedProblem& problem, const PlannedStream& stream)
    : problem_(problem), stream_(stream), spec_(stream.spec), params_(problem.params) {
  if (!problem.from.empty()) {
    Imported imported = import_problem(problem.kind, params_, problem.from);
    params_ = std::move(imported.params);
    recorded_ = std::make_shared<const std::vector<Json>>(std::move(imported.outcomes));
  }
  if (!stream.data.empty() || stream.recorded) {
    settle_data();
  } else {
    rounds_ = spec_.rounds;
    if (simulation() == Simulation::kLosses) fit_actions();
  }
}

// Only of a kind that is registered: the others are refused where the problem is made.
Simulation ExperimentScene::simulation() const {
  for (const ProblemKind& row : problem_kinds()) {
    if (row.name == problem_.kind) return row.simulation;
  }
  return Simulation::kMarket;
}

// Who has how many actions: the stream or the problem says it, and if both do they agree.
void ExperimentScene::fit_actions() {
  const std::string name(columns_param(problem_.kind));
  const Json* said = params_.find(name);
  if (stream_.experts) spec_.experts = *stream_.experts;
  if (!stream_.experts && said && said->is_number() && said->as_number() >= 1)
    spec_.experts = static_cast<std::uint64_t>(said->as_number());
  const auto found = make_loss_stream(spec_)->experts();
  if (said && *said != Json(found)) {
    throw Error(Code::kOutOfRange,
                "found " + dump(*said) + " " + name + " in the problem, expected " + std::to_string(found) +
                    " as in stream \"" + stream_.name + "\"",
                "params." + name);
  }
  params_.set(name, found);
}

// Passes over the whole file once: every row is looked at before any work starts.
void ExperimentScene::settle_data() {
  if (stream_.recorded && (!recorded_ || recorded_->empty())) {
    throw Error(
        Code::kMissingField,
        "found no outcomes in a file of the problem \"" + problem_.name + "\", expected some: its `from` holds none",
        "recorded");
  }
  const std::string_view inferred = columns_param(problem_.kind);
  if (!stream_.data.empty() && !inferred.empty() && !params_.find(inferred)) {
    if (looks_like_json_lines(stream_.data)) {
      throw Error(
          Code::kMissingField,
          "JSON lines do not say how many there are; expected " + std::string(inferred) + " among the problem's params",
          "data");
    }
    params_.set(inferred,
                stream_.segments.by.empty() ? open_table(stream_.data)->columns() : context_table()->columns());
  }
  const auto face = problem();
  ask_about_losses(*face);
  const auto all = source(*face, 0);
  Digest digest;
  AnyOutcome outcome;
  for (; all->next(outcome); ++rounds_) {
    if (!stream_.segments.by.empty()) digest.add(dump(Json(std::vector(all->context().begin(), all->context().end()))));
    digest.add(dump(face->game().outcome_json(outcome)) + "\n");
  }
  if (rounds_ == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", stream_.data);
  digest_ = digest.hex();
}

void ExperimentScene::ask_about_losses(const AnyProblem& problem) const {
  if (stream_.losses || stream_.data.empty() || looks_like_json_lines(stream_.data) ||
      !rows_are_losses(problem_kind(problem_.kind)))
    return;
  std::unique_ptr<Table> table;
  if (stream_.segments.by.empty()) {
    table = open_table(stream_.data);
  } else {
    table = context_table();
  }
  const std::vector<double> numbers = first_rows(*table);
  doubt_losses(
      {.problem = problem.kind(), .names = table->names(), .numbers = numbers, .range = problem.game().loss_range()},
      problem.row_width(), stream_.data);
}

std::unique_ptr<ContextTable> ExperimentScene::context_table() const {
  ContextRequest request{.columns = parse_context_columns(stream_.segments.by, "stream.by"), .time = stream_.timestamp};
  return std::make_unique<ContextTable>(bytes_of_file(stream_.data), stream_.data, std::move(request));
}

// A fresh reader for each run: files are read again rather than kept in memory.
std::unique_ptr<Source> ExperimentScene::file_source(const Game& game) const {
  const bool lines = looks_like_json_lines(stream_.data);
  if (stream_.segments.by.empty()) {
    return lines ? json_lines_source(bytes_of_file(stream_.data), stream_.data, game)
                 : table_source(open_table(stream_.data), game);
  }
  if (!lines) return table_source(context_table(), game);
  return json_lines_source(bytes_of_file(stream_.data), stream_.data, game,
                           parse_context_columns(stream_.segments.by, "stream.by"));
}

std::unique_ptr<AnyProblem> ExperimentScene::problem() const { return make_problem(problem_.kind, params_, "params"); }

// Run r of a simulated stream has the key (seed, run + r), so that runs are independent and each can be repeated alone.
std::unique_ptr<Source> ExperimentScene::source(const AnyProblem& problem, std::uint64_t run) const {
  const Game& game = problem.game();
  const std::uint64_t most = stream_.rounds.value_or(kAll);
  if (stream_.recorded) return std::make_unique<CutSource>(listed_source(*recorded_, problem_.from, game), most);
  if (!stream_.data.empty()) {
    return std::make_unique<CutSource>(file_source(game), most);
  }
  StreamSpec spec = spec_;
  spec.key.run += run;
  SegmentSpec segments = stream_.segments;
  segments.key = spec.key;
  if (simulation() == Simulation::kLosses) return simulated_source(make_loss_stream(spec), game, segments);
  if (simulation() == Simulation::kLabels && labels_points(spec.name)) {
    if (!segments.by.empty())
      throw Error(Code::kUnavailable, "found columns of contexts, which this stream has none of", "stream.by");
    auto source = labelled_source(game, spec);
    const auto thresholds = game.labelled_points() + 1;
    if (stream_.experts && *stream_.experts != thresholds) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(*stream_.experts) + ", expected " + std::to_string(thresholds) +
                      ": the points of problem \"" + problem_.name + "\" and one more",
                  "stream.experts");
    }
    return source;
  }
  return market_source(game, {.market = {.name = spec.name, .key = spec.key, .period = spec.period},
                              .rounds = spec.rounds,
                              .segments = segments});
}

// Then runs differ in the learner's draws alone, and all of them can share one pass over the outcomes.
bool ExperimentScene::same_in_every_run() const {
  if (stream_.recorded || !stream_.data.empty()) return true;
  const bool of_losses =
      simulation() == Simulation::kLosses || (simulation() == Simulation::kLabels && labels_points(spec_.name));
  if (!stream_.segments.by.empty()) return false;
  return of_losses && !make_loss_stream(spec_)->random();
}

// All that the outcomes depend on but for seed and run, which a task adds; names and paths of files are no part of it.
Json ExperimentScene::facts() const {
  Json json = Json::object({{"problem", problem_.kind}, {"params", params_}});
  if (!digest_.empty()) return json.set("data", digest_).set("rounds", rounds_);
  if (!stream_.segments.by.empty()) {
    json.set("segments",
             Json::object(
                 {{"kind", stream_.segments.kind}, {"by", Json(stream_.segments.by)}, {"fan", stream_.segments.fan}}));
  }
  return json.set("stream", Json::object({{"name", spec_.name},
                                          {kStreamActions, spec_.experts},
                                          {"rounds", spec_.rounds},
                                          {"best", spec_.best},
                                          {"others", spec_.others},
                                          {"hits", spec_.hits},
                                          {"period", spec_.period}}));
}

}  // namespace hannan::detail
