// Decisions out, outcomes in.
#include <chrono>
#include <mutex>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "service/accepted_json.hpp"
#include "service/codes.hpp"
#include "service/decision_prices.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::chrono::seconds kLongestWait{300};  // for a decision: chosen

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

// ?explain=1
Explained explained_in(const Target& target) {
  return whole(target.value("explain", "0"), 1, "explain") == 1 ? Explained::kYes : Explained::kNo;
}

}  // namespace

// The decision of the learner itself, for this context: it comes when its lane is free.
void Api::ask_decision(Call& call, const EntryPointer& entry, const std::vector<std::string>& context) {
  const Explained explained = explained_in(call.target);
  host_.with(
      entry, [context, explained](HostedLearner& learner) { return learner.decision_for(context, explained); },
      [entry, call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        call.respond(decision_reply(*entry, dump(answer), answer.at("decision").as_string()));
      });
}

// The same as a reply that is waited for.
Reply Api::asked_decision(const EntryPointer& entry, const std::vector<std::string>& context) {
  struct Asked {
    std::mutex mutex;
    std::optional<Reply> reply;
    std::weak_ptr<Wake> sleeper;
  };
  const auto asked = std::make_shared<Asked>();
  Reply reply;
  reply.held = std::make_shared<Reply::Held>();
  reply.held->until = std::chrono::steady_clock::now() + kLongestWait;
  reply.held->subscribe = [asked](std::weak_ptr<Wake> sleeper) {
    const std::lock_guard lock(asked->mutex);
    asked->sleeper = std::move(sleeper);
  };
  reply.held->ready = [asked](Patience patience) -> std::optional<Reply> {
    const std::lock_guard lock(asked->mutex);
    if (!asked->reply && patience == Patience::kOver) {
      return error_reply(std::make_exception_ptr(
          Error(kNotReady, "found a learner that is at work, expected one that has decided; ask again", "name")));
    }
    return asked->reply;
  };
  host_.with(
      entry, [context](HostedLearner& learner) { return learner.decision_for(context); },
      [entry, asked](const Json& answer, const std::exception_ptr& failure) {
        std::shared_ptr<Wake> woken;
        {
          const std::lock_guard lock(asked->mutex);
          asked->reply =
              failure ? error_reply(failure) : decision_reply(*entry, dump(answer), answer.at("decision").as_string());
          woken = asked->sleeper.lock();
        }
        if (woken) (*woken)();
      });
  return reply;
}

// A decision with another name than `current`, or, when no more time is left, whatever is there.
std::optional<Reply> Api::newer_decision(const WaitedFor& waited, Patience patience) {
  try {
    const auto entry = host_.find(waited.name);
    const auto seen = entry->now().published;
    const bool late = patience != Patience::kLeft;
    if (!seen && !late) return std::nullopt;
    if (!seen) throw Error(kNotReady, "found a learner that is not loaded yet, expected it soon; ask again");
    const std::string fresh = decision_name(seen->generation, seen->current);
    if (fresh == waited.current && !late) return std::nullopt;
    if (entry->columns() != waited.context.size())
      throw Error(kOldGeneration, "found a learner with other columns than before, expected the same; ask again");
    if (entry->columns() > 0) return asked_decision(entry, waited.context);
    return decision_reply(*entry, seen->decision_text, fresh);
  } catch (...) {
    return error_reply(std::current_exception());
  }
}

// A client that names the current decision, in If-None-Match or in `after`, is answered from what was published: with
// 304, or, with `wait`, when there is a newer one. Otherwise the current decision, from memory where it serves; one
// that depends on a context is asked of the learner, and so is one that nothing, or only old things, are published of.
void Api::decision(Call& call) {
  const auto entry = host_.find(call.name);
  ++metrics_.decisions;
  const bool has_context = call.target.query.contains("context");
  if (entry->columns() > 0 && !has_context)
    throw Error(Code::kMissingField, "found no context, expected one value for each column of the learner", "context");
  if (entry->columns() == 0 && has_context)
    throw Error(Code::kUnknownField, "found a context, expected none: the learner has no columns", "context");
  std::vector<std::string> context;
  if (has_context) context = context_in(call.target.value("context"), entry->columns());
  const auto seconds = std::chrono::seconds(whole(call.target.value("wait", "0"), kLongestWait.count(), "wait"));
  const auto now = entry->now();
  const bool serves = now.published && !now.published->decision.is_null() && !now.behind;
  const bool asked = explained_in(call.target) == Explained::kYes;
  if (!serves || asked || now.status == Status::kQuarantined) return ask_decision(call, entry, context);
  const std::string current = decision_name(now.published->generation, now.published->current);
  if (names_tag(call.request.header("if-none-match"), current)) {
    Reply reply;
    reply.status = 304;
    reply.headers = {{"ETag", quoted(current)}};
    return call.respond(std::move(reply));
  }
  if (call.target.value("after") != current) {
    if (has_context) return ask_decision(call, entry, context);
    Reply reply = decision_reply(*entry, now.published->decision_text, current);
    if (now.status != Status::kReady) add_warning(reply, "110 - \"Response is Stale\"");
    return call.respond(std::move(reply));
  }
  Reply reply;
  reply.held = std::make_shared<Reply::Held>();
  reply.held->until = std::chrono::steady_clock::now() + seconds;
  reply.held->ready = [this, waited = WaitedFor{call.name, current, std::move(context)}](Patience patience) {
    return newer_decision(waited, patience);
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
  if (round == now.published->current && entry->columns() == 0 && now.published->decision.is_null())
    return ask_decision(call, entry, {});  // of a portfolio that is decided by a request
  if (round == now.published->current && entry->columns() == 0)
    return call.respond(decision_reply(*entry, now.published->decision_text, call.id));
  if (round >= now.published->current)
    throw Error(kUnknownDecision, "found a decision that was never made, expected an earlier one", "id");
  const Json line = parse_json(row_of_decision(*entry, round).line);
  Json answer = Json::object({{"decision", call.id}, {"round", round}});
  for (const char* name : {"action", "context", "nodes", "weights", "pick", "multiplier", "eta", "regime"}) {
    if (const Json* value = line.find(name)) answer.set(name, *value);
  }
  const Json* action = line.find("action");
  if (!action) action = picked_action(line);
  if (action) {
    if (Json prices = prices_of(entry->config(), *action); !prices.is_null()) answer.set("prices", std::move(prices));
  }
  Reply reply = json_reply(answer);
  reply.headers = {{"ETag", service::quoted(call.id)}, {"Cache-Control", "max-age=31536000, immutable"}};
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

// Of a portfolio: the coming round, by what the request proposes.
void Api::decide_by_proposals(Call& call, const EntryPointer& entry) {
  const Explained explained = explained_in(call.target);
  Json request = call.request.body.empty() ? Json::object() : parse_json(call.request.body);
  host_.with(
      entry, [request, explained](HostedLearner& learner) { return learner.decide(request, explained); },
      [entry, call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        const Json& decision = answer.at("decision");
        Reply reply = decision_reply(*entry, dump(decision), decision.at("decision").as_string());
        reply.status = answer.at("made").as_bool() ? 201 : 200;
        call.respond(std::move(reply));
      });
}

// Opens a round of a learner with delayed outcomes. 201 for a new decision, 200 for the same Idempotency-Key again.
void Api::decide(Call& call) {
  const auto entry = host_.find(call.name);
  if (entry->config().learner_kind == "portfolio") return decide_by_proposals(call, entry);
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
  submission.parts.push_back({.entry = entry, .outcomes = {std::move(decide)}});
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
    Reply reply;
    reply.body = accepted_text(accepted.parts.front(), each ? Shown::kEach : Shown::kSums,
                               repeatable ? Repeatable::kYes : Repeatable::kNo);
    call.respond(std::move(reply));
  });
}

}  // namespace hannan::detail::service
