// Learners: make, look, list, end, reset, quarantine.
#include <utility>

#include "hannan/io/fields.hpp"
#include "hannan/runtime/pipe.hpp"
#include "service/floor_set.hpp"
#include "service/learner_figures.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {

void Api::hello(Call& call) {
  Json answer = Pipe().answer(Json::object({{"op", "hello"}}));
  answer.set("limits", Json::object({{"body", setting_.body}, {"outcomes", setting_.outcomes.outcomes}}));
  answer.set("schema", 1);
  call.respond(json_reply(answer));
}

Json Api::learner_json(const Entry& entry) const {
  const auto now = entry.now();
  Json answer = Json::object({{"name", entry.name()},
                              {"status", status_name(now.status)},
                              {"generation", entry.log().generation},
                              {"problem", entry.config().problem_kind},
                              {"learner", entry.config().learner_kind},
                              {"tags", entry.config().tags},
                              {"words", words_json(entry)}});
  if (!now.why.empty()) answer.set("why", now.why);
  if (now.published) {
    const Published& seen = *now.published;
    answer.set("rounds", seen.rounds);
    answer.set("total", seen.seen_total());
    add_best(answer, seen);
    if (!seen.part.is_null()) answer.set("part", part_json(entry, seen));
    answer.set("played", !seen.part.is_null() ? Json()
                                              : Json::object({{"total", seen.played},
                                                              {"drift", seen.drift},
                                                              {"late", seen.late},
                                                              {"unattributed", seen.unattributed}}));
    answer.set("oracle_calls", seen.oracle_calls);
    answer.set("decision", seen.current == 0 ? Json() : Json(decision_name(seen.generation, seen.current)));
    if (seen.delayed) answer.set("open", seen.open);
    add_figures(answer, entry, seen);
  }
  return answer;
}

void Api::make(Call& call) {
  const Json body = parse_json(call.request.body);
  make(call, body);
}

void Api::load(Call& call) { make(call, state_body(parse_json(call.request.body))); }

void Api::make(Call& call, const Json& body) {
  const std::string name = call.name;
  host_.make(name, body, [this, call = std::move(call)](Host::Made made, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    try {
      const auto entry = host_.find(call.name);
      Json answer = learner_json(*entry);
      answer.set("config", entry->config().json());
      answer.set("floors", floors_offer(entry->config()));
      call.respond(json_reply(answer, made == Host::Made::kNew ? 201 : 200));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  });
}

void Api::learner(Call& call) {
  const auto entry = host_.find(call.name);
  Json answer = learner_json(*entry);
  answer.set("config", entry->config().json());
  answer.set("created", entry->stored().created);
  answer.set("floors", floors_offer(entry->config()));
  call.respond(json_reply(answer));
}

void Api::end(Call& call) {
  const bool purge = call.target.value("purge", "false") == "true";
  const std::string name = call.name;
  host_.end(name, purge, [call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Reply reply;
    reply.status = 204;
    call.respond(std::move(reply));
  });
}

// The learner as it is after a change, or why there was none.
Host::Answer<bool> Api::answer_learner(Call call) {
  return [this, call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    try {
      call.respond(json_reply(learner_json(*host_.find(call.name))));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  };
}

void Api::reset(Call& call) {
  host_.find(call.name);  // which throws where there is none
  Host::Reset reset{.if_decision = unquoted(call.request.header("if-match")), .key = idempotency_key(call.request)};
  const std::string name = call.name;
  host_.reset(name, std::move(reset), answer_learner(std::move(call)));
}

void Api::quarantine(Call& call) {
  std::string why = quarantine_reason(call.request);
  const std::string name = call.name;
  host_.quarantine(name, std::move(why), answer_learner(std::move(call)));
}

void Api::release(Call& call) {
  const std::string name = call.name;
  host_.release(name, answer_learner(std::move(call)));
}

}  // namespace hannan::detail::service
