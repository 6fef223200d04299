// Cells (problem, stream, learner), their tasks (a run each) and batches of tasks that meet the same outcomes. The key
// of a task is a digest of all that its result depends on: problem, data or stream, learner, parameters, version, what
// is followed, and the number of the run. Looking a cell up is linear; plans have some hundreds.
#include "hannan/experiment/experiment_cells.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/external/external_program.hpp"
#include "hannan/io/formula.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/play/tracking.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

// Where in the plan a complaint about a part belongs: its own path, and what it says of the part after that. A
// complaint that names a file keeps it, being about the file.
Error in_part(const ExperimentPlan& plan, const Error& e, const std::string& part, const std::string& inside) {
  std::string path = part;
  for (const std::string prefix : {"params", "stream"}) {
    if (e.at() == prefix || e.at().starts_with(prefix + ".")) {
      const std::string rest = e.at().substr(std::min(e.at().size(), prefix.size() + 1));
      path = prefix == "params" ? path_of(path_of(part, inside), rest) : path_of(part, rest == "name" ? "kind" : rest);
      if (rest.empty()) path = part;
      return plan.placed(e, path);
    }
  }
  if (e.at() == "kind") return plan.placed(e, path_of(part, "kind"));
  if (e.code() >= Code::kCannotRead && e.code() < Code::kBadState) {
    return Error(e.code(), e.message(), plan.document.where(part) + ": " + e.at());
  }
  return plan.placed(e, part);
}

// M and gamma of the learner's perturbation, for formulas.
double perturbation_fact(const std::string& name, const AnyProblem& problem, const Json& set) {
  const Json* chosen = set.find("perturbation");
  for (const auto& matrix : problem.game().perturbations()) {
    if (chosen && *chosen != Json(matrix->name())) continue;
    if (name == "N") return static_cast<double>(matrix->columns());
    if (name == "M") {
      const Json* noise = set.find("noise");
      return problem.noise_size(matrix->name(), noise && noise->is_string() ? noise->as_string() : "laplace").value;
    }
    const Json* given = set.find("gamma");
    if (given && given->is_number()) return given->as_number();
    if (const std::optional<double> claimed = matrix->gamma()) return *claimed;
    throw Error(Code::kMissingField, "\"" + matrix->name() + "\" claims no gamma; give one", "params.gamma");
  }
  throw Error(Code::kUnknownName, "found no such perturbation", "params.perturbation");
}

// The parameters with the problem's own oracle in place of a program.
Json without_program(const Json& params) {
  const Json* oracle = params.find("oracle");
  if (!oracle || !oracle->is_string() || !is_external(oracle->as_string())) return params;
  check_external_name(oracle->as_string(), "params.oracle");
  Json others = Json::object();
  for (const auto& [name, value] : params.as_object()) {
    if (name != "oracle") others.set(name, value);
  }
  return others;
}

// A learner by segment needs a stream with its columns; `tree` is null for others.
void check_columns(const ContextLearner* tree, const PlannedStream& stream) {
  if (!tree || tree->by() == stream.segments.by) return;
  throw Error(Code::kMissingField,
              "found by " + dump(Json(tree->by())) + ", expected " + dump(Json(stream.segments.by)) +
                  " as the stream \"" + stream.name + "\" has them",
              "params.by");
}

}  // namespace

// Parameters with formulas ("=sqrt(T)") evaluated for this cell; what is kept as the cell's facts is the value.
Json ExperimentCells::settled(const PlannedLearner& learner, const AnyProblem& problem, std::uint64_t rounds) const {
  Json params = Json::object();
  for (const auto& [name, value] : learner.set.as_object()) {
    if (!value.is_string() || !value.as_string().starts_with("=")) {
      params.set(name, value);
      continue;
    }
    const auto names = [&](const std::string& word) -> double {
      if (word == "T") return static_cast<double>(rounds);
      if (word == "lnK") return problem.game().ln_size();
      if (word == "N" || word == "M" || word == "gamma") return perturbation_fact(word, problem, learner.set);
      throw Error(Code::kUnknownName, "found \"" + word + "\", expected one of T, lnK, N, M, gamma", "params." + name);
    };
    params.set(name, evaluate_formula(value.as_string().substr(1), names, "params." + name));
  }
  // The rivals that are tuned to the length of the run get to know it.
  const bool tuned = takes(learner.kind, "rounds");
  if (tuned && !params.find("rounds") && !params.find("beta") && !params.find("epsilon")) params.set("rounds", rounds);
  params.set("seed", plan_.seed);
  return params;
}

// One scene for each pair of problem and stream, shared by its cells: data are read once.
std::shared_ptr<const ExperimentScene> ExperimentCells::scene_of(std::size_t problem, std::size_t stream) {
  for (const auto& cell : cells_) {
    if (cell.problem == problem && cell.stream == stream) return cell.scene;
  }
  const auto& p = plan_.problems[problem];
  const auto& s = plan_.streams[stream];
  try {
    make_problem(p.kind, Json::object(), "params");
  } catch (const Error& e) {
    if (e.code() == Code::kUnknownName && e.at() == "kind") throw in_part(plan_, e, p.path, "params");
  }
  std::shared_ptr<const ExperimentScene> scene;
  try {
    scene = std::make_shared<const ExperimentScene>(p, s);
    const auto face = scene->problem();
    scene->source(*face, 0);
  } catch (const Error& e) {
    const bool of_problem = e.at() == "--from" || e.at() == "params" || e.at().starts_with("params.") ||
                            (!p.from.empty() && e.at().starts_with(p.from));
    throw in_part(plan_, e, of_problem ? p.path : s.path, "params");
  }
  return scene;
}

// The learner is made once here, so that a plan with a bad part fails before hours of work, with the line of that part.
std::size_t ExperimentCells::add_cell(std::size_t problem, std::size_t stream, std::size_t learner) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].problem == problem && cells_[i].stream == stream && cells_[i].learner == learner) return i;
  }
  ExperimentCell cell{.problem = problem, .stream = stream, .learner = learner, .scene = scene_of(problem, stream)};
  const auto& who = plan_.learners[learner];
  try {
    const auto face = cell.scene->problem();
    cell.params = settled(who, *face, cell.scene->rounds());
    const auto made = face->turn<ReplayTurn>(
        who.kind, programs_ == OraclePrograms::kStart ? cell.params : without_program(cell.params));
    check_columns(made.as<ContextLearner>(), plan_.streams[stream]);
    sizes_.push_back(made->known_noise_size());
  } catch (const Error& e) {
    const Error placed = in_part(plan_, e, who.path, "set");
    throw Error(placed.code(), placed.message() + " (with problem \"" + plan_.problems[problem].name + "\")",
                placed.at());
  }
  Json facts = cell.scene->facts();
  facts.set("learner", who.kind).set("set", cell.params).set("version", kVersion);
  cell.facts = dump(facts);
  cells_.push_back(std::move(cell));
  return cells_.size() - 1;
}

// What one more table wants of a cell that may be there already.
void ExperimentCells::ask_more(ExperimentCell& cell, const PlannedTable& table) const {
  cell.runs = std::max(cell.runs, table.seeds);
  cell.follow_limit = cell.follow_limit || std::ranges::count(table.show, Measure::kCertificates) > 0;
  if (table.switches.empty()) return;
  std::vector<std::uint64_t> both;
  std::ranges::set_union(cell.switches, table.switches, std::back_inserter(both));
  cell.switches = std::move(both);
  const std::string why = tracking_refused(cell.scene->problem()->game(), cell.scene->rounds(), cell.switches.back());
  if (why.empty()) return;
  throw plan_.placed(Error(Code::kUnavailable, "found switches, which problem \"" + plan_.problems[cell.problem].name +
                                                   "\" cannot be tracked with: " + why),
                     path_of(table.path, "switches"));
}

// Tables may share cells: a cell is played once, with the most runs and the most figures that any table asks for.
// first_[c] is the first task of cell c, and its runs follow each other.
ExperimentCells::ExperimentCells(const ExperimentPlan& plan, OraclePrograms programs)
    : plan_(plan), programs_(programs) {
  for (const auto& table : plan.tables) {
    for (const std::size_t p : table.problems) {
      for (const std::size_t s : table.streams) {
        for (const std::size_t l : table.learners) {
          ask_more(cells_[add_cell(p, s, l)], table);
        }
      }
    }
  }
  std::unordered_map<std::string, std::size_t> cell_of_key;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    first_.push_back(tasks_.size());
    for (std::uint64_t run = 0; run < cells_[c].runs; ++run) {
      Digest digest;
      std::string more = cells_[c].follow_limit ? "#limit#" : "#";
      for (const std::uint64_t n : cells_[c].switches) more += "switches " + std::to_string(n) + "#";
      digest.add(cells_[c].facts + more + std::to_string(run));
      tasks_.push_back({c, run, digest.hex()});
      // Equal tasks share a key; unequal ones do so once in 10^19 pairs.
      const auto [known, fresh] = cell_of_key.emplace(tasks_.back().key, c);
      if (!fresh && cells_[known->second].facts != cells_[c].facts)
        throw Error(Code::kInternal,
                    "found two different tasks with one key, expected a key for each; run the plan with another seed");
    }
  }
  gather_batches();
}

// Every cell of a table was added by the constructor.
std::size_t ExperimentCells::cell(std::size_t problem, std::size_t stream, std::size_t learner) const {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].problem == problem && cells_[i].stream == stream && cells_[i].learner == learner) return i;
  }
  throw Error(Code::kInternal, "a table asks for a cell that was not played");
}

// Learners of one table meet the same outcomes, run by run; where the outcomes are the same in every run, so do the
// runs. A batch is kept small enough to be lost without regret when a run is interrupted.
void ExperimentCells::gather_batches() {
  // 32: chosen; learners of a batch share the outcomes, and an interruption loses at most one batch a thread.
  constexpr std::size_t kMost = 32;
  std::map<std::pair<const ExperimentScene*, std::uint64_t>, std::size_t> open;
  std::map<const ExperimentScene*, bool> answers, same;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto* scene = cells_[tasks_[i].cell].scene.get();
    if (!answers.contains(scene)) {
      const auto problem = scene->problem();
      answers[scene] = scene->source(*problem, 0)->answers_actions();
      same[scene] = scene->same_in_every_run();
    }
    const auto [place, fresh] = open.try_emplace({scene, same[scene] ? 0 : tasks_[i].run}, batches_.size());
    if (!fresh && !answers[scene] && batches_[place->second].size() < kMost) {
      batches_[place->second].push_back(i);
    } else {
      place->second = batches_.size();
      batches_.push_back({i});
    }
  }
}

// M is the same for all runs of a cell and may cost seconds: the first run that measures it leaves it for the others.
// Its value is a function of the cell, so that it does not matter which run that was.
ReplayTurn ExperimentCells::learner(const AnyProblem& problem, const ExperimentTask& task) const {
  const std::string& kind = plan_.learners[cells_[task.cell].learner].kind;
  Json params = cells_[task.cell].params;
  params.set("run", task.run);
  std::optional<NoiseSize> size;
  {
    const std::lock_guard lock(sizes_lock_);
    size = sizes_[task.cell];
  }
  // Only those that play by M need it to be made.
  if (size && !params.find("M") && takes(kind, "gap")) params.set("M", size->value);
  auto made = problem.turn<ReplayTurn>(kind, params);
  if (size) made->take_noise_size(*size);
  return made;
}

// All tasks of a batch in one pass over the outcomes. None where `stop` asked for an end: half a run is no result.
std::optional<std::vector<SimulatedRun>> ExperimentCells::play(const ExperimentBatch& some,
                                                               const std::function<bool()>& stop) const {
  const ExperimentTask& first = tasks_[some.front()];
  const ExperimentScene& scene = *cells_[first.cell].scene;
  const auto problem = scene.problem();
  const auto source = scene.source(*problem, first.run);
  LearnerGroup group;
  for (const std::size_t i : some) group.join(learner(*problem, tasks_[i]));
  std::vector<bool> follow;
  std::vector<std::vector<std::uint64_t>> switches;
  for (const std::size_t i : some) {
    follow.push_back(cells_[tasks_[i].cell].follow_limit);
    switches.push_back(cells_[tasks_[i].cell].switches);
  }
  auto results = run_to_end(group, *source,
                            {.rounds = scene.rounds(), .stop = stop, .follow_limit = follow, .switches = switches});
  if (!results) return results;
  const std::lock_guard lock(sizes_lock_);
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (const auto size = group[i].known_noise_size()) sizes_[tasks_[some[i]].cell] = size;
  }
  return results;
}

}  // namespace hannan::detail
