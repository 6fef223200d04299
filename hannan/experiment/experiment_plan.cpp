// A plan from TOML: every part keeps its path, so that errors name line and field. Lists among a learner's settings
// spread into one learner per combination, in order, the last list fastest.
#include "hannan/experiment/experiment_plan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "hannan/contexts/column_orders.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<std::string_view, kMeasures> kMeasureNames{
    "regret", "difference", "ratio", "bound", "best", "calls", "nodes", "bounds", "certificates", "tracking"};
// Limits are chosen: what one would read in a table, and what a mistyped number may not start.
constexpr std::size_t kMostNamed = 64;  // learners that one list of settings may spread into
constexpr std::size_t kDrawn = 6;       // lines of a figure that can be told apart
constexpr std::int64_t kMostSeeds = 1'000'000;
constexpr std::int64_t kMostSwitches = 100'000;

std::string all_measures() {
  std::string names;
  for (const std::string_view name : kMeasureNames)
    names += (names.empty() ? "" : name == kMeasureNames.back() ? " or " : ", ") + std::string(name);
  return names;
}

// Names go into Markdown, HTML, SVG and CSV as they are.
std::string checked_name(const std::string& name, const std::string& path) {
  const bool plain = std::none_of(name.begin(), name.end(), [](unsigned char c) {
    return c < ' ' || c == '|' || c == '<' || c == '>' || c == '&' || c == '"';
  });
  if (!name.empty() && name.size() <= 200 && plain) return name;
  throw Error(Code::kOutOfRange,
              "found " + describe(Json(name)) + ", expected 1 to 200 characters without | < > & \" and line breaks",
              path);
}

// Reads a plan once, top to bottom. Parts are named, tables refer to them by name; a plan without tables has one of
// everything.
class PlanReader {
 public:
  PlanReader(const TomlDocument& document, PlanSize size)
      : small_(size == PlanSize::kSmall),
        folder_(std::filesystem::path(document.name).parent_path()),
        top_(document.value, "") {
    plan_.document = document;
  }

  ExperimentPlan read() {
    plan_.name = checked_name(top_.word("name", std::filesystem::path(plan_.document.name).stem().string()), "name");
    plan_.about = top_.word("about", "");
    plan_.seed = static_cast<std::uint64_t>(top_.integer("seed", kNatural, 0));
    read_small();
    seeds_ = seeds_of(top_, 1);
    for (auto& [path, json] : parts("problems")) plan_.problems.push_back(problem(json, path));
    if (plan_.problems.empty()) plan_.problems.push_back({.name = std::string(loss_kind().name), .path = "problems"});
    for (auto& [path, json] : parts("streams")) plan_.streams.push_back(stream(json, path));
    for (auto& [path, json] : parts("learners")) add_learners(json, path);
    need_some(plan_.streams, "streams");
    need_some(plan_.learners, "learners");
    distinct(plan_.problems);
    distinct(plan_.streams);
    distinct(plan_.learners);
    const auto tables = parts("tables");
    const Json all = Json::object();
    for (auto& [path, json] : tables) plan_.tables.push_back(table(json, path));
    if (tables.empty()) plan_.tables.push_back(table(all, "tables"));
    top_.done();
    return std::move(plan_);
  }

 private:
  // The parts of [[name]], in order.
  std::vector<std::pair<std::string, Json>> parts(const std::string& name) {
    std::vector<std::pair<std::string, Json>> all;
    const Json* found = top_.maybe(name);
    if (!found) return all;
    const auto& list = to_list(*found, name);
    for (std::size_t i = 0; i < list.size(); ++i) all.emplace_back(path_of(name, i), list[i]);
    return all;
  }

  template <class Part>
  static void need_some(const std::vector<Part>& some, const std::string& name) {
    if (some.empty()) throw Error(Code::kMissingField, "found no [[" + name + "]], expected at least one", name);
  }

  template <class Part>
  static void distinct(const std::vector<Part>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (all[i].name == all[j].name)
          throw Error(Code::kOutOfRange, "found the name \"" + all[i].name + "\" twice, expected names that differ",
                      all[i].path);
      }
    }
  }

  // Limits on seeds and rounds for a quick look; they are read, and so checked, in a full run too.
  void read_small() {
    const Json* found = top_.maybe("small");
    if (!found) return;
    Fields fields(*found, "small");
    const auto seeds = fields.integer("seeds", {1, kMostSeeds}, kMostSeeds);
    const auto rounds = fields.integer("rounds", {1, kAnyInteger.hi}, kAnyInteger.hi);
    fields.done();
    if (!small_) return;
    most_seeds_ = static_cast<std::uint64_t>(seeds);
    most_rounds_ = static_cast<std::uint64_t>(rounds);
  }

  std::uint64_t seeds_of(Fields& fields, std::uint64_t fallback) const {
    return std::min(most_seeds_, static_cast<std::uint64_t>(
                                     fields.integer("seeds", {1, kMostSeeds}, static_cast<std::int64_t>(fallback))));
  }

  // Paths in a plan are relative to the plan, not to the folder that the program was started in.
  std::string file(Fields& fields, const std::string& name) const {
    const std::string found = fields.word(name, "");
    return found.empty() ? found : (folder_ / found).lexically_normal().string();
  }

  // With the fields of `small` in place of the full ones, where that is asked for.
  // `small` of a part replaces the fields it names; the rest of the part stays. Without --small it is left out, so that
  // a plan's keys do not depend on it.
  Json cut_down(const Json& part, const std::string& path) const {
    const Json* small = part.find("small");
    if (!small) return part;
    Fields(*small, path_of(path, "small"));  // an object
    Json full = Json::object();
    for (const auto& [name, value] : part.as_object()) {
      if (name != "small") full.set(name, value);
    }
    if (!small_) return full;
    for (const auto& [name, value] : small->as_object()) full.set(name, value);
    return full;
  }

  PlannedProblem problem(const Json& written, const std::string& path) const {
    const Json json = cut_down(written, path);
    Fields fields(json, path);
    PlannedProblem problem{.kind = fields.word("kind"), .path = path};
    problem.name = checked_name(fields.word("name", problem.kind), fields.at("name"));
    if (const Json* params = fields.maybe("params")) {
      Fields(*params, fields.at("params"));
      problem.params = *params;
    }
    problem.from = file(fields, "from");
    fields.done();
    return problem;
  }

  // Three kinds of stream: a file of data, outcomes recorded with the problem's file, or a simulated one by name.
  // Fields of another kind are unknown fields.
  PlannedStream stream(const Json& written, const std::string& path) const {
    const Json json = cut_down(written, path);
    Fields fields(json, path);
    PlannedStream stream{.name = {}, .spec = {}, .path = path};
    stream.data = file(fields, "data");
    stream.recorded = fields.flag("recorded", false);
    stream.losses = fields.flag("losses", false);
    const auto natural = [&](const char* name, std::uint64_t fallback) {
      return static_cast<std::uint64_t>(fields.integer(name, kNatural, static_cast<std::int64_t>(fallback)));
    };
    if (fields.has("rounds")) stream.rounds = static_cast<std::uint64_t>(fields.integer("rounds", {1, kAnyInteger.hi}));
    if (stream.rounds || most_rounds_ < stream.spec.rounds)
      stream.rounds = std::min(most_rounds_, stream.rounds.value_or(stream.spec.rounds));
    if (fields.has("by")) {
      stream.segments.by = fields.words("by");
      check_orders({stream.segments.by}, fields.at("by"));
      if (stream.recorded)
        throw Error(Code::kUnknownField, "found by and recorded, expected one of them: such outcomes have no contexts",
                    fields.at("by"));
    }
    if (!stream.data.empty() && fields.has("timestamp")) stream.timestamp = fields.word("timestamp");
    if (!stream.data.empty() || stream.recorded) {
      stream.name = checked_name(fields.word("name"), fields.at("name"));
      if (!stream.data.empty() && stream.recorded)
        throw Error(Code::kUnknownField, "found data and recorded, expected one of them", fields.at("recorded"));
    } else {
      stream.spec.name = fields.word("kind");
      stream.name = checked_name(fields.word("name", stream.spec.name), fields.at("name"));
      if (fields.has(kStreamActions)) stream.experts = natural(kStreamActions, 0);
      stream.spec.rounds = stream.rounds.value_or(stream.spec.rounds);
      stream.spec.best = fields.number("best", stream.spec.best);
      stream.spec.others = fields.number("others", stream.spec.others);
      stream.spec.hits = natural("hits", stream.spec.hits);
      stream.spec.period = natural("period", stream.spec.period);
      stream.spec.key.seed = plan_.seed;
      for (const char* name : {"segments", "fan"}) {
        if (fields.has(name) && stream.segments.by.empty())
          throw Error(Code::kMissingField, "expected the columns of the contexts", fields.at("by"));
      }
      stream.segments.kind = fields.word("segments", stream.segments.kind);
      stream.segments.fan = natural("fan", stream.segments.fan);
      stream.segments.period = stream.spec.period;
    }
    fields.done();
    return stream;
  }

  // A list among the settings stands for its items, one learner each; only alpha, mc and by are lists themselves.
  void add_learners(const Json& json, const std::string& path) {
    Fields fields(json, path);
    PlannedLearner first{.name = {}, .kind = fields.word("kind"), .path = path};
    first.name = checked_name(fields.word("name", first.kind), fields.at("name"));
    const Json none = Json::object();
    const Json* set = fields.maybe("set");
    Fields((set ? *set : none), fields.at("set"));
    fields.done();
    std::vector<PlannedLearner> spread{first};
    for (const auto& [name, value] : (set ? *set : none).as_object()) {
      const std::string at = path_of(path_of(path, "set"), name);
      if (name == "seed" || name == "run")
        throw Error(Code::kUnknownField, "found a " + name + " of one learner, expected `seed` and `seeds` of the plan",
                    at);
      const bool many = value.is_array() && name != "alpha" && name != "mc" && name != "by";
      if (many && value.size() == 0)
        throw Error(Code::kOutOfRange, "found an empty list, expected a value or several", at);
      std::vector<PlannedLearner> next;
      for (const auto& learner : spread) {
        for (std::size_t i = 0; i < (many ? value.size() : 1); ++i) {
          next.push_back(learner);
          const Json& item = many ? value[i] : value;
          next.back().set.set(name, item);
          if (many)
            next.back().name =
                checked_name(learner.name + " " + name + "=" + (item.is_string() ? item.as_string() : dump(item)), at);
        }
      }
      spread = std::move(next);
      if (spread.size() > kMostNamed)
        throw Error(Code::kOutOfRange, "found " + std::to_string(spread.size()) + " combinations, expected at most 64",
                    path);
    }
    for (auto& learner : spread) plan_.learners.push_back(std::move(learner));
  }

  // The places of the named parts; all of them where nothing is said. A name followed by settings in the plan is found
  // by its beginning.
  // In the order of the words, and within a word in the order of the plan; no part twice.
  template <class Part>
  static std::vector<std::size_t> places(Fields& fields, const std::string& name, const std::vector<Part>& parts) {
    std::vector<std::size_t> found;
    if (!fields.has(name)) {
      for (std::size_t i = 0; i < parts.size(); ++i) found.push_back(i);
      return found;
    }
    const auto words = fields.words(name);
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::size_t before = found.size();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].name != words[w] && !spread_from(parts, i, words[w])) continue;
        if (std::find(found.begin(), found.end(), i) != found.end()) {
          throw Error(Code::kOutOfRange, "found \"" + parts[i].name + "\" twice, expected each once",
                      path_of(fields.at(name), w));
        }
        found.push_back(i);
      }
      if (found.size() == before) {
        std::string names;
        for (const auto& part : parts) names += (names.empty() ? "" : ", ") + part.name;
        throw Error(Code::kUnknownName, "found \"" + words[w] + "\", expected one of " + names,
                    path_of(fields.at(name), w));
      }
    }
    if (found.empty())
      throw Error(Code::kOutOfRange, "found an empty list, expected at least one name", fields.at(name));
    return found;
  }

  template <class Part>
  static bool spread_from(const std::vector<Part>&, std::size_t, const std::string&) {
    return false;
  }
  // A learner that a list of settings was spread into: "gftpl c=2" comes from "gftpl".
  static bool spread_from(const std::vector<PlannedLearner>& learners, std::size_t i, const std::string& name) {
    const auto same_path =
        std::count_if(learners.begin(), learners.end(), [&](const auto& l) { return l.path == learners[i].path; });
    return same_path > 1 && learners[i].name.starts_with(name + " ");
  }

  // The numbers in order, each once; naming some asks for their table.
  static void read_switches(Fields& fields, PlannedTable& table) {
    const bool shown = std::ranges::count(table.show, Measure::kTracking) > 0;
    if (!fields.has("switches")) {
      if (shown) throw Error(Code::kMissingField, "expected numbers of switches, to track", fields.at("switches"));
      return;
    }
    const auto& list = fields.list("switches");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto found = to_integer(list[i], path_of(fields.at("switches"), i), {0, kMostSwitches});
      const auto n = static_cast<std::uint64_t>(found);
      if (!table.switches.empty() && n <= table.switches.back())
        throw Error(Code::kOutOfRange, "found " + std::to_string(n) + ", expected numbers that increase",
                    path_of(fields.at("switches"), i));
      table.switches.push_back(n);
    }
    if (table.switches.empty())
      throw Error(Code::kOutOfRange, "found an empty list, expected at least one number", fields.at("switches"));
    if (!shown) table.show.push_back(Measure::kTracking);
  }

  // All parts where a list is left out. The figure shows at most kDrawn learners, the first of the table.
  PlannedTable table(const Json& json, const std::string& path) {
    Fields fields(json, path);
    PlannedTable table{.title = checked_name(fields.word("title", plan_.name), fields.at("title")),
                       .about = fields.word("about", ""),
                       .path = path};
    table.problems = places(fields, "problems", plan_.problems);
    table.streams = places(fields, "streams", plan_.streams);
    table.learners = places(fields, "learners", plan_.learners);
    table.seeds = fields.has("seeds") ? seeds_of(fields, seeds_) : seeds_;
    if (fields.has("baseline")) {
      const std::string name = fields.word("baseline");
      for (const std::size_t l : table.learners) {
        if (plan_.learners[l].name == name) table.baseline = l;
      }
      if (!table.baseline)
        throw Error(Code::kUnknownName, "found \"" + name + "\", expected one of the table's learners",
                    fields.at("baseline"));
    }
    for (const std::string& word : fields.has("show") ? fields.words("show") : std::vector<std::string>{"regret"}) {
      const auto at = std::find(kMeasureNames.begin(), kMeasureNames.end(), word);
      if (at == kMeasureNames.end())
        throw Error(Code::kUnknownName, "found \"" + word + "\", expected " + all_measures(), fields.at("show"));
      table.show.push_back(static_cast<Measure>(at - kMeasureNames.begin()));
      if (table.show.back() == Measure::kDifference && !table.baseline)
        throw Error(Code::kMissingField, "expected a baseline, to differ from", fields.at("baseline"));
    }
    read_switches(fields, table);
    table.figure = fields.has("figure") ? places(fields, "figure", plan_.learners) : table.learners;
    for (std::size_t i = 0; i < table.figure.size(); ++i) {
      if (std::find(table.learners.begin(), table.learners.end(), table.figure[i]) == table.learners.end()) {
        throw Error(Code::kUnknownName,
                    "found \"" + plan_.learners[table.figure[i]].name + "\", which is not in the table",
                    fields.at("figure"));
      }
    }
    if (table.figure.size() > kDrawn) table.figure.resize(kDrawn);
    fields.done();
    return table;
  }

  bool small_;
  std::filesystem::path folder_;
  Fields top_;
  ExperimentPlan plan_;
  std::uint64_t seeds_ = 1;
  std::uint64_t most_seeds_ = kMostSeeds;
  std::uint64_t most_rounds_ = static_cast<std::uint64_t>(kAnyInteger.hi);
};

}  // namespace

std::string_view measure_name(Measure measure) { return kMeasureNames[static_cast<std::size_t>(measure)]; }

Error ExperimentPlan::placed(const Error& error, const std::string& path) const {
  return Error(error.code(), error.message(), document.where(path) + (path.empty() ? "" : ": " + path));
}

// Errors get the file and the line of the part that they are about.
ExperimentPlan read_plan(const TomlDocument& document, PlanSize size) {
  try {
    return PlanReader(document, size).read();
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), document.where(e.at()) + (e.at().empty() ? "" : ": " + e.at()));
  }
}

}  // namespace hannan::detail
