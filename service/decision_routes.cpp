// Decisions out, outcomes in.
#include <chrono>
#include <set>
#include <sstream>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "service/codes.hpp"
#include "service/learner_figures.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

// A context in the query: a JSON list, or values between commas, which then cannot hold a comma themselves.
std::vector<std::string> context_in(const std::string& text, std::size_t columns) {
  std::vector<std::string> context;
  if (text.starts_with('[')) {
    read_context(parse_json(text), columns, "context", context);
    return context;
  }
  Json list = Json::array();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  read_context(list, columns, "context", context);
  return context;
}

// The ETag is the name of the decision, so that a client that has it already is answered with 304.
Reply decision_reply(const Entry& entry, const std::string& body, const std::string& name) {
  Reply reply;
  reply.body = body;
  const std::uint64_t age = entry.config().max_age;
  reply.headers = {{"ETag", quoted(name)}, {"Cache-Control", age == 0 ? "no-store" : "max-age=" + std::to_string(age)}};
  return reply;
}

// What the learner looks like after the group that the outcomes were committed with, which may hold others' outcomes
// too.
Json accepted_json(const Accepted::Part& part, bool each) {
  const Published& seen = *part.published;
  Json answer = Json::object({{"accepted", part.accepted}, {"duplicates", part.duplicates}});
  if (part.accepted > 0) {
    answer.set("first", part.first);
    answer.set("last", part.last);
  }
  answer.set("total", seen.total);
  add_best(answer, seen);
  if (seen.delayed) {
    answer.set("settled", seen.rounds);
    answer.set("open", seen.open);
  } else {
    answer.set("next", seen.decision);
  }
  if (!each) return answer;
  Json list = Json::array();
  for (const auto& one : part.each)
    list.push_back(Json::object({{"round", one.round}, {"loss", one.loss}, {"duplicate", one.duplicate}}));
  answer.set("each", std::move(list));
  return answer;
}

// The learners that the lines of a batch name, up to the first line that cannot be read, where read_batch ends too.
std::set<std::string> names_of_batch(const std::string& body) {
  std::set<std::string> names;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Json json = parse_json(line);
      const Json* in = json.find("in");
      if (in && in->is_string()) names.insert(in->as_string());
    } catch (const Error&) {
      break;
    }
  }
  return names;
}

}  // namespace

// Three ways: a decision that depends on a context, or on a learner that is not loaded, is asked of the writer; the
// current one is answered at once from what was published; with `after` and `wait` the reply is held until there is a
// newer one.
void Api::decision(Call& call) {
  const auto entry = host_.find(call.name);
  ++metrics_.decisions;
  const bool has_context = call.target.query.contains("context");
  if (entry->columns() > 0 && !has_context)
    throw Error(Code::kMissingField, "found no context, expected one value for each column of the learner", "context");
  if (entry->columns() == 0 && has_context)
    throw Error(Code::kUnknownField, "found a context, expected none: the learner has no columns", "context");
  const auto now = entry->now();
  // Asked of the writer where the published decision does not serve: it depends on a context, nothing is published, or
  // what is published may be old. All others are answered from memory on this thread.
  if (entry->columns() > 0 || !now.published || now.published->decision.is_null() || now.behind ||
      now.status == Status::kQuarantined) {
    std::vector<std::string> context;
    if (entry->columns() > 0) context = context_in(call.target.value("context"), entry->columns());
    return host_.with(
        entry, [context](HostedLearner& learner) { return learner.decision_for(context); },
        [entry, call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
          if (failure) return call.respond(error_reply(failure));
          call.respond(decision_reply(*entry, dump(answer), answer.at("decision").as_string()));
        });
  }
  const std::string current = decision_name(now.published->generation, now.published->current);
  if (names_tag(call.request.header("if-none-match"), current)) {
    Reply reply;
    reply.status = 304;
    reply.headers = {{"ETag", quoted(current)}};
    return call.respond(std::move(reply));
  }
  if (call.target.value("after") != current) {
    Reply reply = decision_reply(*entry, now.published->decision_text, current);
    if (now.status != Status::kReady) add_warning(reply, "110 - \"Response is Stale\"");
    return call.respond(std::move(reply));
  }
  // Held until there is a newer one, or the time is over.
  using namespace std::chrono;
  const auto until = steady_clock::now() + seconds(whole(call.target.value("wait", "0"), 300, "wait"));
  Reply reply;
  reply.held = std::make_shared<Reply::Held>();
  reply.held->until = until;
  reply.held->ready = [this, name = call.name, current, until]() -> std::optional<Reply> {
    try {
      const auto held = host_.find(name);
      const auto seen = held->now().published;
      const bool late = steady_clock::now() >= until;
      if (!seen && !late) return std::nullopt;
      if (!seen) throw Error(kNotReady, "found a learner that is not loaded yet, expected it soon; ask again");
      const std::string fresh = decision_name(seen->generation, seen->current);
      if (fresh == current && !late) return std::nullopt;
      return decision_reply(*held, seen->decision_text, fresh);
    } catch (...) {
      return error_reply(std::current_exception());
    }
  };
  reply.held->subscribe = [this, name = call.name](std::weak_ptr<Wake> wake) {
    try {
      host_.find(name)->when_changed(std::move(wake));
    } catch (const Error&) {
      return;  // it was ended, which `ready` finds
    }
  };
  call.respond(std::move(reply));
}

// Decisions do not change once a later one was made, so that caches may keep the answer for ever.
void Api::past_decision(Call& call) {
  const auto entry = host_.find(call.name);
  const std::uint64_t round = read_decision(call.id, entry->log().generation, "id");
  const auto now = entry->now();
  if (!now.published) throw Error(kNotReady, "found a learner that is not loaded yet, expected it soon; ask again");
  if (round == now.published->current && entry->columns() == 0)
    return call.respond(decision_reply(*entry, now.published->decision_text, call.id));
  if (round >= now.published->current)
    throw Error(kUnknownDecision, "found a decision that was never made, expected an earlier one", "id");
  const Json line = parse_json(row_of_decision(*entry, round).line);
  Json answer = Json::object({{"decision", call.id}, {"round", round}});
  for (const char* name : {"action", "context", "nodes", "weights", "pick", "multiplier", "eta", "regime"}) {
    if (const Json* value = line.find(name)) answer.set(name, *value);
  }
  Reply reply = json_reply(answer);
  reply.headers = {{"ETag", quoted(call.id)}, {"Cache-Control", "max-age=31536000, immutable"}};
  call.respond(std::move(reply));
}

// The row that has the action of a decision.
service::Row Api::row_of_decision(const Entry& entry, std::uint64_t round) {
  const auto reader = host_.reader();
  if (entry.config().delayed) {
    if (auto row = reader->find(entry.log(), "d:" + std::to_string(round))) return *std::move(row);
  } else {
    const auto rows = reader->rows_after(entry.log(), round - 1, 1);
    if (!rows.empty() && rows.front().t == round) return rows.front();
  }
  throw Error(kTrimmed, "found that this round is no longer kept, expected a later one", "id");
}

// Opens a round of a learner with delayed outcomes. 201 for a new decision, 200 for the same Idempotency-Key again.
void Api::decide(Call& call) {
  const auto entry = host_.find(call.name);
  if (!entry->config().delayed) {
    throw Error(Code::kUnavailable,
                "found a learner without delayed outcomes, expected one with them; GET .../decision reads the decision "
                "of this one",
                "name");
  }
  Incoming decide;
  decide.kind = Incoming::Kind::kDecide;
  decide.id = idempotency_key(call.request);
  Submission submission;
  submission.parts.push_back({.entry = entry, .outcomes = {std::move(decide)}, .path = ""});
  submission.bytes = call.request.body.size();
  host_.submit(std::move(submission),
               [entry, call = std::move(call)](const Accepted& accepted, const std::exception_ptr& failure) {
                 if (failure) return call.respond(error_reply(failure));
                 const auto& each = accepted.parts.front().each.front();
                 Reply reply = decision_reply(*entry, dump(each.decision), each.decision.at("decision").as_string());
                 reply.status = each.duplicate ? 200 : 201;
                 call.respond(std::move(reply));
               });
}

// Read and checked on this thread, submitted to the writer, answered when the group is on disk.
void Api::outcomes(Call& call) {
  const auto entry = host_.find(call.name);
  ReadOutcomes read = read_outcomes(call.request, entry, setting_.outcomes);
  const std::string match = call.request.header("if-match");
  if (!match.empty()) read.submission.if_round = read_decision(unquoted(match), entry->log().generation, "If-Match");
  const bool each = call.target.value("return") == "each", repeatable = read.repeatable;
  host_.submit(std::move(read.submission), [entry, call = std::move(call), each, repeatable](
                                               const Accepted& accepted, const std::exception_ptr& failure) {
    if (failure) {
      Reply reply = error_reply(failure);
      // The client's decision is no longer current: the answer brings the one that is, so that it need not ask again.
      if (reply.status == 412) {
        if (const auto seen = entry->now().published) {
          Json body = parse_json(reply.body);
          body.set("next", seen->decision);
          reply.body = dump(body);
        }
      }
      return call.respond(std::move(reply));
    }
    Json answer = accepted_json(accepted.parts.front(), each);
    if (!repeatable) answer.set("repeatable", false);
    call.respond(json_reply(answer));
  });
}

// Outcomes of several learners, accepted together or not at all. Tokens are checked before anything is said of a
// learner.
void Api::batch(Call& call) {
  const std::string authorization = call.request.header("authorization");
  // Before the lines are held against their learners: errors would say what others' learners are.
  if (!tokens_.allowed(Scope::kObserve, authorization).all()) {
    for (const auto& name : names_of_batch(call.request.body)) tokens_.check(Scope::kObserve, authorization, name);
  }
  ReadOutcomes read = read_batch(call.request, host_, setting_.outcomes);
  std::vector<std::string> names;
  for (const auto& part : read.submission.parts) {
    names.push_back(part.entry->name());
    tokens_.check(Scope::kObserve, authorization, names.back());  // what was read is what is told
  }
  const bool each = call.target.value("return") == "each", repeatable = read.repeatable;
  host_.submit(std::move(read.submission), [call = std::move(call), each, repeatable, names](
                                               const Accepted& accepted, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Json learners = Json::object();
    std::size_t count = 0, duplicates = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      count += accepted.parts[i].accepted;
      duplicates += accepted.parts[i].duplicates;
      learners.set(names[i], accepted_json(accepted.parts[i], each));
    }
    Json answer = Json::object({{"accepted", count}, {"duplicates", duplicates}, {"learners", learners}});
    if (!repeatable) answer.set("repeatable", false);
    call.respond(json_reply(answer));
  });
}

}  // namespace hannan::detail::service
