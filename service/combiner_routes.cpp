// Routes of learners that combine forecasts: the paths are those of all learners (docs/service.md, forecasts).
#include <utility>

#include "hannan/io/fields.hpp"
#include "service/codes.hpp"
#include "service/combiner_json.hpp"
#include "service/route_values.hpp"
#include "service/streams.hpp"

namespace hannan::detail::service {
namespace {

// A PUT whose body cannot be read is answered where all others are.
bool makes_combiner(const Request& request, std::string_view below) {
  try {
    const Json body = parse_json(request.body);
    return is_combiner_config(below.empty() ? body : state_body(body));
  } catch (const Error&) {
    return false;
  }
}

HostedCombiner::Done only(Json answer) { return {.answer = std::move(answer), .rows = {}}; }

Json with_config(Json answer, const CombinerEntry& entry) {
  return answer.set("config", entry.config()).set("created", entry.stored().created);
}

HostedCombiner::Find find_in(RowReader& log, const HostedCombiner& learner) {
  return [&](const std::string& id) { return log.find(learner.log(), id); };
}

// One outcome, {"outcomes": [...]}, or a line of JSON each.
std::vector<HostedCombiner::Line> outcome_lines(const Request& request, const OutcomeLimits& limits) {
  std::vector<HostedCombiner::Line> lines;
  const auto add = [&](Json told, std::string path) {
    if (lines.size() == limits.outcomes) refuse_many(limits, path);
    lines.push_back({std::move(told), std::move(path)});
  };
  if (is_lines(request)) {
    for_each_line(request.body, [&](Json told, std::size_t line) { add(std::move(told), path_of("outcomes", line)); });
  } else {
    const Json body = parse_json(request.body);
    if (body.is_object() && body.find("outcomes")) {
      Fields in(body, "");
      const auto& list = in.list("outcomes");
      in.done();
      for (std::size_t i = 0; i < list.size(); ++i) add(list[i], path_of("outcomes", i));
    } else {
      add(body, "");
    }
  }
  if (lines.empty()) refuse_empty();
  return lines;
}

}  // namespace

void Api::ask_combiner(Call& call, AskCombiner question) {
  const std::string name = call.name;
  host_.with_combiners(
      {name},
      [question = std::move(question)](std::span<CombinerEntry* const> entries, RowReader& log) {
        return question(*entries.front(), log);
      },
      [call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

// The learner as it is after a change, or why there was none.
Host::Answer<bool> Api::answer_combiner(Call call) {
  return [this, call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    try {
      call.respond(json_reply(combiner_json(*host_.find_combiner(call.name))));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  };
}

void Api::make_combiner(Call& call) { make_combiner(call, parse_json(call.request.body)); }

void Api::load_combiner(Call& call) { make_combiner(call, state_body(parse_json(call.request.body))); }

void Api::make_combiner(Call& call, Json body) {
  const std::string name = call.name;
  host_.make_combiner(
      name, std::move(body), [this, call = std::move(call)](Host::Made made, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        try {
          const auto entry = host_.find_combiner(call.name);
          call.respond(json_reply(with_config(combiner_json(*entry), *entry), made == Host::Made::kNew ? 201 : 200));
        } catch (...) {
          call.respond(error_reply(std::current_exception()));
        }
      });
}

// One that is quarantined cannot be asked: what was seen of it last.
void Api::show_combiner(Call& call) {
  const auto entry = host_.find_combiner(call.name);
  if (entry->now().status == Status::kQuarantined)
    return call.respond(json_reply(with_config(combiner_json(*entry), *entry)));
  ask_combiner(call, [](CombinerEntry& of, RowReader&) { return only(with_config(combiner_json(of), of)); });
}

void Api::decide_combined(Call& call) {
  const Json body = parse_json(call.request.body);
  const std::string key = idempotency_key(call.request), name = call.name;
  // Whether it was made now is known when it is answered.
  const auto duplicate = std::make_shared<bool>(false);
  ++metrics_.decisions;
  host_.with_combiners(
      {name},
      [body, key, duplicate](std::span<CombinerEntry* const> entries, RowReader& log) {
        HostedCombiner& learner = *entries.front()->own.learner;
        auto done = learner.decide(key, body, find_in(log, learner));
        *duplicate = done.duplicate;
        return done;
      },
      [call = std::move(call), duplicate](const Json& answer, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        Reply reply = json_reply(answer, *duplicate ? 200 : 201);
        reply.headers.emplace_back("ETag", quoted(answer.at("decision").as_string()));
        call.respond(std::move(reply));
      });
}

void Api::tell_combined(Call& call) {
  if (!call.request.header("if-match").empty())
    throw Error(Code::kUnavailable, "found If-Match, expected none: outcomes of forecasts name their decisions",
                "If-Match");
  const auto lines =
      std::make_shared<const std::vector<HostedCombiner::Line>>(outcome_lines(call.request, setting_.outcomes));
  const bool each = call.target.value("return") == "each";
  ask_combiner(call, [lines, each](CombinerEntry& entry, RowReader& log) {
    HostedCombiner& learner = *entry.own.learner;
    auto done = learner.tell(*lines, find_in(log, learner));
    if (!each) done.answer = without(done.answer, "each");
    return done;
  });
}

// The last forecast, or one of this generation by its name.
void Api::combined_decision(Call& call) {
  for (const char* query : {"context", "after", "wait", "explain"}) {
    if (call.target.query.contains(query))
      throw Error(Code::kUnavailable, "found a query, expected none: a forecast is made by POST", query);
  }
  ++metrics_.decisions;
  ask_combiner(call, [id = call.id](CombinerEntry& entry, RowReader& log) {
    const HostedCombiner& learner = *entry.own.learner;
    if (!id.empty()) return only(answer_of_decision(learner, log, id));
    if (learner.last_answer().is_null())
      throw Error(kUnknownDecision, "found no forecast yet, expected one; POST .../decisions makes it", "name");
    return only(learner.last_answer());
  });
}

// Of any generation, and of a learner that was ended: aside, with a reader of its own, so that no request waits.
void Api::record_combined(Call& call) {
  const auto entry = host_.combiner_of(call.name);
  const std::uint64_t current = entry->log().generation;
  const std::uint64_t generation =
      whole(call.target.value("generation", std::to_string(current)), current, "generation");
  if (generation == 0) throw Error(Code::kOutOfRange, "found 0, expected generations from 1 on", "generation");
  if (call.target.value("from", "1") != "1")
    throw Error(Code::kUnavailable, "found a part of a record, expected the whole: it is computed again from row 1",
                "from");
  const std::string name = call.name;
  host_.work_aside("rows of " + name, [this, entry, generation, call = std::move(call)] {
    try {
      const LogName log{entry->log().learner, generation};
      const HostedCombiner learner(parse_json(host_.combiner_config(*entry, generation)), log);
      const auto reader = host_.reader();
      Reply reply;
      reply.type = "application/x-ndjson";
      reply.body = learner.record(*reader, reader->last_round(log));
      call.respond(std::move(reply));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  });
}

void Api::log_combined(Call& call) {
  const auto entry = host_.combiner_of(call.name);
  const std::uint64_t current = entry->log().generation;
  const std::uint64_t from = whole(call.target.value("from", "1"), static_cast<std::uint64_t>(kNatural.hi), "from"),
                      generation =
                          whole(call.target.value("generation", std::to_string(current)), current, "generation");
  if (from == 0 || generation == 0)
    throw Error(Code::kOutOfRange, "found 0, expected rows and generations from 1 on",
                from == 0 ? "from" : "generation");
  Reply reply;
  reply.type = "application/x-ndjson";
  reply.stream = log_stream(host_.reader(), {entry->log().learner, generation}, from);
  reply.aside = beside(call.name);
  call.respond(std::move(reply));
}

// Aside, one of a learner at a time; asked for again while it runs it goes on.
void Api::verify_combined(Call& call) {
  const auto entry = host_.find_combiner(call.name);
  Json state = entry->checked();
  if (state.is_null() || state.at("state").as_string() != "running") {
    state = begun_check(*entry);
    entry->set_checked(state);
    host_.work_aside("rows of " + call.name, [this, entry] { entry->set_checked(check_record(*entry, host_)); });
  }
  call.respond(json_reply(state, 202));
}

void Api::end_combined(Call& call) {
  const auto log =
      call.target.value("purge", "false") == "true" ? Host::LogAfterEnd::kPurged : Host::LogAfterEnd::kKept;
  const std::string name = call.name;
  host_.end_combiner(name, log, [call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Reply reply;
    reply.status = 204;
    call.respond(std::move(reply));
  });
}

const std::vector<Api::CombinerRow>& Api::combiner_table() {
  static const std::vector<CombinerRow> rows{
      {{"PUT", ""}, &Api::make_combiner},
      {{"GET", ""}, &Api::show_combiner},
      {{"DELETE", ""}, &Api::end_combined},
      {{"POST", "/reset"}, &Api::reset_combined},
      {{"POST", "/quarantine"}, &Api::quarantine_combined},
      {{"DELETE", "/quarantine"}, &Api::release_combined},
      {{"GET", "/decision"}, &Api::combined_decision},
      {{"GET", "/decisions/{id}"}, &Api::combined_decision},
      {{"POST", "/decisions"}, &Api::decide_combined},
      {{"POST", "/outcomes"}, &Api::tell_combined},
      {{"GET", "/report"}, &Api::report_combined},
      {{"GET", "/state"}, &Api::state_combined},
      {{"PUT", "/state"}, &Api::load_combiner},
      {{"GET", "/record"}, &Api::record_combined},
      {{"GET", "/log"}, &Api::log_combined},
      {{"GET", "/course"}, &Api::course_combined},
      {{"GET", "/verify"}, &Api::verification_combined},
      {{"POST", "/verify"}, &Api::verify_combined},
      {{"GET", "/events"}, &Api::events_combined},
  };
  return rows;
}

void Api::reset_combined(Call& call) {
  Host::Reset reset{.if_decision = unquoted(call.request.header("if-match")), .key = idempotency_key(call.request)};
  const std::string name = call.name;
  host_.reset_combiner(name, std::move(reset), answer_combiner(std::move(call)));
}

void Api::quarantine_combined(Call& call) {
  std::string why = quarantine_reason(call.request);
  const std::string name = call.name;
  host_.quarantine_combiner(name, std::move(why), answer_combiner(std::move(call)));
}

void Api::release_combined(Call& call) {
  const std::string name = call.name;
  host_.release_combiner(name, answer_combiner(std::move(call)));
}

void Api::report_combined(Call& call) {
  ask_combiner(call, [](CombinerEntry& of, RowReader&) { return only(of.own.learner->learner().report()); });
}

void Api::state_combined(Call& call) {
  ask_combiner(call, [](CombinerEntry& of, RowReader&) { return only(of.own.learner->save()); });
}

void Api::course_combined(Call& call) {
  ask_combiner(call, [](CombinerEntry& of, RowReader& log) {
    of.own.course.read(log, *of.own.learner);
    return only(of.own.course.json(*of.own.learner));
  });
}

void Api::verification_combined(Call& call) {
  const Json found = host_.find_combiner(call.name)->checked();
  call.respond(json_reply(found.is_null() ? Json::object({{"state", "none"}}) : found));
}

void Api::events_combined(Call& call) {
  host_.find_combiner(call.name);  // which throws where there is none
  answer_events(call, combiner_events([this, name = call.name] { return host_.find_combiner(name); }));
}

bool Api::answered_by_combiner(Call& call, const Route& route) {
  constexpr std::string_view kLearner = "/v1/learners/{name}";
  if (!route.path.starts_with(kLearner)) return false;
  const std::string_view below = route.path.substr(kLearner.size());
  const bool makes = route.method == "PUT" && makes_combiner(call.request, below);
  if (!host_.combines(call.name)) {
    if (!makes) return false;
  } else if (route.method == "PUT" && !makes) {
    throw Error(kOtherBody, "found a learner of this name that combines forecasts, expected another name", "name");
  }
  for (const CombinerRow& row : combiner_table()) {
    if (row.route.method != route.method || row.route.path != below) continue;
    (this->*row.handler)(call);
    return true;
  }
  throw Error(Code::kUnavailable,
              std::string("found a learner that combines forecasts, ") +
                  (below == "/curve" ? "expected another: its errors over time are in .../course, and its regret to "
                                       "the best fixed mixture is on the page that hannan report makes of its record"
                                     : "expected another: forecasts have no price"),
              "name");
}

}  // namespace hannan::detail::service
