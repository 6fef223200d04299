// Routes of learners that combine forecasts: the paths are those of all learners (docs/service.md, forecasts).
#include <utility>

#include "hannan/io/fields.hpp"
#include "service/codes.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

Json combiner_json(const std::string& name, const HostedCombiner& learner) {
  const Combiner& combiner = learner.learner().combiner();
  return Json::object({{"name", name},
                       {"status", "ready"},
                       {"generation", learner.log().generation},
                       {"problem", kForecastsKind},
                       {"learner", kCombineKind},
                       {"rounds", combiner.rounds()},
                       {"settled", combiner.settled()},
                       {"total", combiner.total()},
                       {"config", learner.config()}});
}

// A PUT whose body cannot be read is answered where all others are.
bool makes_combiner(const Request& request) {
  try {
    return is_combiner_config(parse_json(request.body));
  } catch (const Error&) {
    return false;
  }
}

HostedCombiner::Done only(Json answer) { return {.answer = std::move(answer), .rows = {}}; }

}  // namespace

void Api::ask_combiner(Call& call, Host::CombinerWork work, int status) {
  const std::string name = call.name;
  host_.with_combiner(name, std::move(work),
                      [call = std::move(call), status](const Json& answer, const std::exception_ptr& failure) {
                        call.respond(failure ? error_reply(failure) : json_reply(answer, status));
                      });
}

void Api::make_combiner(Call& call) {
  const std::string name = call.name;
  host_.make_combiner(name, parse_json(call.request.body),
                      [this, call = std::move(call)](Host::Made made, const std::exception_ptr& failure) mutable {
                        if (failure) return call.respond(error_reply(failure));
                        const std::string of = call.name;
                        const Respond respond = call.respond;
                        try {
                          ask_combiner(
                              call,
                              [of](HostedCombiner& learner, RowReader&) { return only(combiner_json(of, learner)); },
                              made == Host::Made::kNew ? 201 : 200);
                        } catch (...) {
                          respond(error_reply(std::current_exception()));  // on a thread of the host's
                        }
                      });
}

void Api::decide_combined(Call& call) {
  const Json body = parse_json(call.request.body);
  const std::string key = idempotency_key(call.request), name = call.name;
  // Whether it was made now is known when it is answered.
  const auto duplicate = std::make_shared<bool>(false);
  host_.with_combiner(
      name,
      [body, key, duplicate](HostedCombiner& learner, RowReader& log) {
        auto done = learner.decide(key, body, [&](const std::string& id) { return log.find(learner.log(), id); });
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
  const Json body = parse_json(call.request.body);
  ask_combiner(call, [body](HostedCombiner& learner, RowReader& log) {
    return learner.tell(body, [&](const std::string& id) { return log.find(learner.log(), id); });
  });
}

// The record is written in the learner's lane, so that no row is added meanwhile.
void Api::record_combined(Call& call) {
  const std::string name = call.name;
  host_.with_combiner(
      name, [](HostedCombiner& learner, RowReader& log) { return only(Json(learner.record(log))); },
      [call = std::move(call)](const Json& text, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        Reply reply;
        reply.type = "application/x-ndjson";
        reply.body = text.as_string();
        call.respond(std::move(reply));
      });
}

bool Api::answered_by_combiner(Call& call, const Route& route) {
  constexpr std::string_view kLearner = "/v1/learners/{name}";
  const auto is = [&](std::string_view method, std::string_view below) {
    return route.method == method && route.path == std::string(kLearner) + std::string(below);
  };
  if (!host_.combines(call.name)) {
    if (!is("PUT", "") || !makes_combiner(call.request)) return false;
    make_combiner(call);
    return true;
  }
  const std::string name = call.name;
  if (is("PUT", "")) {
    if (!makes_combiner(call.request))
      throw Error(kOtherBody, "found a learner of this name that combines forecasts, expected another name", "name");
    make_combiner(call);
  } else if (is("GET", "")) {
    ask_combiner(call, [name](HostedCombiner& learner, RowReader&) { return only(combiner_json(name, learner)); });
  } else if (is("POST", "/decisions")) {
    decide_combined(call);
  } else if (is("POST", "/outcomes")) {
    tell_combined(call);
  } else if (is("GET", "/report")) {
    ask_combiner(call, [](HostedCombiner& learner, RowReader&) { return only(learner.learner().report()); });
  } else if (is("GET", "/state")) {
    ask_combiner(call, [](HostedCombiner& learner, RowReader&) { return only(learner.save()); });
  } else if (is("GET", "/record")) {
    record_combined(call);
  } else if (is("DELETE", "")) {
    if (call.target.value("purge", "false") != "true")
      throw Error(Code::kUnavailable,
                  "found no purge=true, expected it: the log of a learner that combines forecasts goes with it",
                  "purge");
    host_.end_combiner(name, [call = std::move(call)](bool, const std::exception_ptr& failure) {
      if (failure) return call.respond(error_reply(failure));
      Reply reply;
      reply.status = 204;
      call.respond(std::move(reply));
    });
  } else {
    throw Error(Code::kUnavailable,
                "found a learner that combines forecasts, which has no such answer; it takes decisions and outcomes, "
                "and gives report, record and state",
                "name");
  }
  return true;
}

}  // namespace hannan::detail::service
