// Outcomes of a request: one, a list, lines (ndjson), or lines that name their learners (batch). Everything is read and
// checked against the learner before it is submitted, with its place in the request. An outcome without an id gets one
// made of the request's Idempotency-Key where there is such a key; otherwise a random one, and the answer says that the
// request cannot be repeated. Runs on a server thread, not on the writer's.
#include "service/outcome_request.hpp"

#include <algorithm>
#include <charconv>
#include <random>

#include "hannan/contexts/context_values.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/registry.hpp"
#include "service/codes.hpp"
#include "service/part_message.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kLongestId = 128;

// An id of the server's own: nothing that a retry would send again.
std::string drawn_id() {
  static thread_local std::random_device device;
  std::string id = "drawn-";
  for (int i = 0; i < 4; ++i) {
    std::uint32_t bits = device();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4U) id += "0123456789abcdef"[bits & 15U];
  }
  return id;
}

// Whether all numbers of such an outcome are money, or would be with a cap: not counts, not places in a list.
bool is_amounts(const Entry& entry, const Json& outcome) {
  const ProblemKind& kind = problem_kind(entry.config().problem_kind);
  return kind.is_amounts && kind.is_amounts(outcome);
}

// Numbers of an outcome in money, in the unit of the problem.
Json scaled(const Json& value, double cap, const std::string& path) {
  if (value.is_array()) {
    Json list = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i) list.push_back(scaled(value[i], cap, path_of(path, i)));
    return list;
  }
  if (value.is_object())
    throw Error(Code::kUnavailable, "found an object, expected numbers or lists of them where the unit is money", path);
  const double money = to_number(value, path);
  if (money > cap) {
    throw Error(Code::kLossRange, "found " + number_text(money) + ", expected at most the cap " + number_text(cap),
                path);
  }
  return money / cap;
}

// Reads the outcomes of one request: counts them, gives each its id, and checks each against its learner.
class Reader {
 public:
  Reader(const Request& request, const OutcomeLimits& limits)
      : limits_(limits), key_(request.header("idempotency-key")) {}

  // `place`: of the list or the lines that it stands in; none: it is the body.
  void outcome(const Json& json, std::optional<std::size_t> place, Submission::Part& into) {
    const Entry& entry = *into.entry;
    const std::string path = place ? path_of("outcomes", *place) : std::string();
    if (++count_ > limits_.outcomes) refuse_many(limits_, path);
    Fields in(json, path);
    if (in_field_) in.need("in");
    Incoming incoming;
    incoming.id = id_of(in);
    if (const Json* decision = in.maybe("decision"))
      incoming.decision =
          read_decision(to_word(*decision, in.at("decision")), entry.log().generation, in.at("decision"));
    if (entry.columns() > 0) {
      read_context(in.need("context"), entry.columns(), in.at("context"), incoming.context);
      // What an older decision played for this context is not kept.
    }
    if (!entry.config().feedback.empty()) {
      incoming.seen = read_part_message(in, {.config = entry.config(), .game = entry.problem().game()});
      in.done();
      if (!entry.config().client_coins && !incoming.seen.find("outcome"))
        throw Error(Code::kMissingField, "found no outcome, expected one, or null where none was seen",
                    in.at("outcome"));
      into.outcomes.push_back(std::move(incoming));
      if (place) into.places.push_back(*place);
      return;
    }
    const Json& outcome = in.need("outcome");
    const std::string unit = in.choice("unit", {"problem", "money"}, "problem");
    incoming.warm = in.flag("warm", false);
    if (entry.config().learner_kind == "portfolio") read_of_portfolio(in, incoming);
    if (incoming.warm && incoming.decision != 0)
      throw Error(Code::kOutOfRange, "found a decision and a rehearsal, expected one of them: nothing was played",
                  in.at("warm"));
    in.done();
    const Game& game = entry.problem().game();
    if (unit == "money" && !entry.config().in_money() && game.loss_range() == LossRange::kUnitInterval) {
      if (!entry.config().cap)
        throw Error(Code::kUnavailable, "found money, expected a learner with a cap", in.at("unit"));
      if (!is_amounts(entry, outcome))
        throw Error(Code::kUnavailable,
                    "found money, expected outcomes in the unit of the problem: not all of their numbers are amounts",
                    in.at("unit"));
      game.read_outcome(scaled(outcome, *entry.config().cap, in.at("outcome")), in.at("outcome"), incoming.outcome);
    } else {
      game.read_outcome(outcome, in.at("outcome"), incoming.outcome);
    }
    into.outcomes.push_back(std::move(incoming));
    if (place) into.places.push_back(*place);
  }
  static void read_of_portfolio(Fields& in, Incoming& incoming) {
    if (in.has("losses")) {
      Fields losses = in.fields("losses");
      incoming.today = losses.number("today");
      losses.done();
    }
    if (in.has("proposals")) incoming.proposals = in.need("proposals");
  }
  void expect_in() { in_field_ = true; }
  bool repeatable() const { return repeatable_; }

 private:
  // The client's id, or the key of the request with the place of the outcome in it. Both are the same when the request
  // is sent again; a drawn id is not.
  std::string id_of(Fields& in) {
    if (const Json* given = in.maybe("id")) {
      const std::string& id = to_word(*given, in.at("id"));
      if (id.empty() || id.size() > kLongestId || id.find('\0') != std::string::npos) {
        throw Error(Code::kOutOfRange, "found an id of " + std::to_string(id.size()) + " bytes, expected 1 to 128",
                    in.at("id"));
      }
      return id;
    }
    if (!key_.empty()) return key_ + "/" + std::to_string(count_);
    repeatable_ = false;
    return drawn_id();
  }

  OutcomeLimits limits_;
  std::string key_;
  std::size_t count_ = 0;
  bool repeatable_ = true, in_field_ = false;
};

}  // namespace

void refuse_many(const OutcomeLimits& limits, const std::string& path) {
  throw Error(Code::kTooLarge,
              "found more than " + std::to_string(limits.outcomes) + " outcomes, expected at most so many a request",
              path);
}

void for_each_line(const std::string& text, const EachLine& each) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string path = path_of("outcomes", number);
    try {
      each(parse_json(line), number);
    } catch (const Error& e) {
      if (e.code() != Code::kNotJson) throw;
      throw Error(e.code(), e.message(), path);
    }
  }
}

bool is_lines(const Request& request) { return request.header("content-type").find("ndjson") != std::string::npos; }

void refuse_empty() { throw Error(Code::kEmpty, "found no outcome, expected at least one", "outcomes"); }

// Of a line of a batch.
const std::string& name_in(const Json& json, const std::string& at) {
  const Json* in = json.find("in");
  if (!in) throw Error(Code::kMissingField, "found no name of a learner, expected one", at);
  return to_word(*in, at);
}

// The round of "g1.1042". A decision of an earlier generation is told apart from a name that is none: the client then
// knows that the learner was reset.
std::uint64_t read_decision(const std::string& text, std::uint64_t generation, const std::string& path) {
  const auto number = [&](std::size_t from, std::size_t to) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
    if (error != std::errc() || end != text.data() + to || value == 0) return std::nullopt;
    return value;
  };
  const std::size_t dot = text.find('.');
  if (text.starts_with('g') && dot != std::string::npos && dot > 1 && dot + 1 < text.size()) {
    const auto named = number(1, dot), round = number(dot + 1, text.size());
    if (named && round) {
      if (*named < generation) {
        throw Error(kOldGeneration,
                    "found a decision of generation " + std::to_string(*named) + ", expected one of generation " +
                        std::to_string(generation),
                    path);
      }
      if (*named == generation) return *round;
    }
  }
  throw Error(kUnknownDecision, "found \"" + text + "\", expected the name of a decision, such as \"g1.1042\"", path);
}

// Three forms: ndjson, {"outcomes": [..]}, or a single outcome as the body.
ReadOutcomes read_outcomes(const Request& request, const EntryPointer& entry, const OutcomeLimits& limits) {
  ReadOutcomes read;
  Reader reader(request, limits);
  Submission::Part part{.entry = entry, .outcomes = {}};
  if (is_lines(request)) {
    for_each_line(request.body, [&](const Json& json, std::size_t line) { reader.outcome(json, line, part); });
  } else {
    const Json body = parse_json(request.body);
    if (body.find("outcomes")) {
      Fields in(body, "");
      const auto& list = in.list("outcomes");
      in.done();
      part.outcomes.reserve(std::min(list.size(), limits.outcomes));
      for (std::size_t i = 0; i < list.size(); ++i) reader.outcome(list[i], i, part);
    } else {
      reader.outcome(body, std::nullopt, part);
    }
  }
  if (part.outcomes.empty()) refuse_empty();
  read.repeatable = reader.repeatable();
  read.submission.bytes = request.body.size();
  read.submission.parts.push_back(std::move(part));
  return read;
}

namespace {

EntryPointer found(const Host& host, const std::string& name, const std::string& at) {
  try {
    return host.find(name);
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), at);
  }
}

}  // namespace

// The texts of a batch by the place that they are for. Every text has a line for each line of the batch, which is empty
// where it is for others: errors then name the lines of the batch, wherever they are found. Ids of a key are made here,
// of the lines' places in the whole batch, so that a repetition finds them whatever has moved meanwhile; without a key
// each place has its own way.
std::map<std::string, std::string> split_batch(const Request& request, const OutcomeLimits& limits,
                                               const PlaceOf& place_of) {
  std::map<std::string, std::string> texts;
  const std::string key = request.header("idempotency-key");
  std::size_t count = 0;
  for_each_line(request.body, [&](Json json, std::size_t line) {
    const std::string path = path_of("outcomes", line);
    if (++count > limits.outcomes) refuse_many(limits, path);
    const std::string at = path_of(path, "in");
    std::string& text = texts[place_of(name_in(json, at), at)];
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    text.append(line - lines, '\n');
    if (!key.empty() && !json.find("id")) json.set("id", key + "/" + std::to_string(count));
    text += dump(json) + "\n";
  });
  return texts;
}

// Lines in any order; those of one learner keep theirs.
ReadOutcomes read_batch(const Request& request, const Host& host, const OutcomeLimits& limits) {
  ReadOutcomes read;
  Reader reader(request, limits);
  reader.expect_in();
  std::map<std::string, std::size_t> places;
  auto& parts = read.submission.parts;
  for_each_line(request.body, [&](const Json& json, std::size_t line) {
    const std::string at = path_of(path_of("outcomes", line), "in");
    const std::string& name = name_in(json, at);
    const auto [place, added] = places.emplace(name, parts.size());
    if (added)
      parts.push_back({.entry = found(host, name, at), .outcomes = {}, .named = Submission::Part::Named::kInLines});
    reader.outcome(json, line, parts[place->second]);
  });
  if (parts.empty()) refuse_empty();
  read.repeatable = reader.repeatable();
  read.submission.bytes = request.body.size();
  return read;
}

}  // namespace hannan::detail::service
