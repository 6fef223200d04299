// What several commands share: name=value pairs as JSON (text that is no JSON is a word), flags of problems and of
// learners, and parameters from files.
#include "command.hpp"

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/runtime/loss_rows.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::cli {

// A value that is no JSON is a word: --set noise=lp:2 needs no quotes.
Json object_of_pairs(const std::vector<std::string>& pairs, const std::string& flag) {
  Json object = Json::object();
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(Code::kUsage, "found \"" + pair + "\", expected name=value", flag);
    }
    const std::string text = pair.substr(equals + 1);
    Json value(text);
    try {
      value = parse_json(text);
    } catch (const Error&) {
      // A plain word, such as one-hot.
    }
    object.set(pair.substr(0, equals), std::move(value));
  }
  return object;
}

// Errors name the file, and the line within it.
Json read_json_file(const std::string& path) {
  const auto source = bytes_of_file(path);
  std::string text;
  char block[1 << 16];
  while (const std::size_t got = source->read(block, sizeof block)) {
    text.append(block, got);
    if (text.size() > (std::size_t{1} << 30))
      throw Error(Code::kTooLarge, "found more than 1 GiB, expected a JSON file", path);
  }
  try {
    return parse_json(text);
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), path + ": " + e.at());
  }
}

// Flags of their own give way to --set, which may name any parameter.
// "portfolio:risk=10,hard=20" is the kind with two parameters, as `simulate` and `compare` take it.
std::string LearnerFlags::name() const { return kind.substr(0, kind.find(':')); }

// "0,0,0" is a list, as actions are often written; anything else is JSON.
void LearnerFlags::set_feedback(Json& params) const {
  params.set("feedback", feedback);
  if (look.empty()) return;
  const bool list = look.find(',') != std::string::npos && look.front() != '[';
  try {
    params.set("look", parse_json(list ? "[" + look + "]" : look));
  } catch (const Error& e) {
    throw Error(Code::kUsage, "found \"" + look + "\", expected an action, such as 0,0,0, or null: " + e.message(),
                "--look");
  }
}

Json LearnerFlags::params(std::uint64_t run) const {
  Json params = object_of_pairs(set, "--set");
  const Json beside = parse_simulated_learner(kind).params;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const auto& [name, value] = beside.as_object()[i];
    if (params.find(name)) throw Error(Code::kUsage, "found " + name + " twice, expected it once", "-l");
    params.set(name, value);
  }
  if (!params.find("seed")) params.set("seed", seed);
  if (!params.find("run") && run > 0) params.set("run", run);
  if (!feedback.empty()) set_feedback(params);
  // One that sees a part of its rounds looks for no best action.
  const Json* seen = params.find("feedback");
  const bool whole = !seen || *seen == Json("full");
  if (!params.find("track") && (whole || track_given)) params.set("track", track);
  return params;
}

void add_learner_flags(Command& command, LearnerFlags& flags) {
  std::vector<NamedValue> kinds;
  for (const auto& kind : learner_kinds()) kinds.push_back({std::string(kind.name), std::string(kind.about)});
  command.add("-l,--learner", &flags.kind, "the learner that plays").such_as(std::move(kinds)).show_default();
  command
      .add("--set", &flags.set,
           "a learner's parameter, name=value; e.g. --set c=0.5 --set perturbation=one-hot --set noise=lp:2")
      .again();
  constexpr const char* kPart = "Rounds that are seen in part";
  command
      .add("--feedback", &flags.feedback,
           "what the learner sees of each outcome: everything, looks (a coin decides), or the elements of its action")
      .one_of({"full", "looks", "elements"})
      .in_group(kPart);
  command
      .add("--look", &flags.look,
           "with --feedback looks: the action that is played in a look, e.g. 0,0,0, or null: the learner's own")
      .in_group(kPart);
  command.add("--seed", &flags.seed, "seed of all randomness").show_default();
  command.add("--track", &flags.track, "when the best action in hindsight is looked for: every round, powers, end")
      .one_of({"every", "powers", "end"})
      .show_default();
}

// A file of parameters first, then single ones over it, then flags that stand for parameters.
Imported ProblemFlags::read() const {
  Json all = file.empty() ? Json::object() : read_json_file(file);
  if (!all.is_object()) throw Error(Code::kWrongType, "found " + describe(all) + ", expected an object", file);
  const Json pairs = object_of_pairs(params, "--param");
  for (const auto& [name, value] : pairs.as_object()) all.set(name, value);
  if (!prices.empty()) all.set("prices", prices);
  if (!missing.empty()) all.set("missing", missing);
  if (!labels.empty()) all.set("labels", labels);
  if (!decided.empty()) all.set("decided", decided);
  if (!drop.empty() && !from.empty()) all.set("drop", Json(drop));
  if (!from.empty()) return import_problem(kind, std::move(all), from);
  return {std::move(all), {}, {}};
}

void add_column_flags(Command& command, ProblemFlags& flags) {
  constexpr const char* kGroup = "Columns and rows of the data";
  command.add("--drop", &flags.drop, "leave these columns of a table out, A,B,...")
      .split_at(',')
      .again()
      .in_group(kGroup);
  command
      .add("--losses", &flags.losses,
           kinds_text(rows_are_losses) + ": the columns are losses, though they look like forecasts (H213)")
      .in_group(kGroup);
  command
      .add("--labels", &flags.labels, kinds_text([](const ProblemKind& kind) {
                                        return kind.simulation == Simulation::kLabels;
                                      }) + ": a CSV file with the labels of the rows of --from")
      .in_group(kGroup);
}

void add_problem_flags(Command& command, ProblemFlags& flags) {
  std::vector<NamedValue> kinds, files;
  for (const auto& kind : problem_kinds()) {
    kinds.push_back({std::string(kind.name), std::string(kind.about)});
    if (kind.import) files.push_back({std::string(kind.name), std::string(kind.file_about)});
  }
  command.add("problem", &flags.kind, "the game").such_as(std::move(kinds)).required();
  command.add("--param", &flags.params, "a parameter of the problem, name=value; e.g. --param levels=16").again();
  constexpr const char* kGroup = "More about the problem (hannan help PROBLEM)";
  command
      .add(
          "--prices", &flags.prices,
          "prices in money, of auctions: 0,0.5,1,2 or linear:K:TOP, geometric:K:LOW:TOP or, with "
          "--warm, quantiles:K (quantiles-all:K: of all bids, known only in hindsight); the same as --param prices=...")
      .in_group(kGroup);
  command.add("--params", &flags.file, "the problem's parameters as a JSON file").in_group(kGroup);
  command
      .add("--missing", &flags.missing,
           kinds_text(rows_are_losses) + ": what an empty cell is: an error, the worst loss, an expert asleep")
      .one_of({"refuse", "worst", "sleep"})
      .in_group(kGroup);
  command.add("--from", &flags.from, "a file that the problem is read from").such_as(std::move(files)).in_group(kGroup);
}

}  // namespace hannan::detail::cli
