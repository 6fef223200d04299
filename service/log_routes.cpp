// What is known of a learner: report, record, state, recent rounds, events.
#include <utility>

#include "hannan/core/interruption.hpp"
#include "hannan/io/fields.hpp"
#include "service/route_values.hpp"
#include "service/spool.hpp"
#include "service/streams.hpp"

namespace hannan::detail::service {
namespace {

// What a record begins and ends with.
Json record_facts(HostedLearner& learner, const std::string& why) {
  return Json::object({{"header", record_header(learner)},
                       {"rows", learner.position()},
                       {"report", learner.learner().report()},
                       {"why", why}});
}

}  // namespace

void Api::report(Call& call) {
  host_.with(
      host_.find(call.name), [](HostedLearner& learner) { return learner.report(); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

// Of which part of a log a record or an export is. Learners that were ended have one too, as long as it is kept.
Api::LogPart Api::log_part(const Call& call) const {
  LogPart part{.entry = host_.find_log(call.name)};
  const std::uint64_t current = part.entry->log().generation;
  part.from = whole(call.target.value("from", "1"), static_cast<std::uint64_t>(kNatural.hi), "from");
  part.generation = whole(call.target.value("generation", std::to_string(current)), current, "generation");
  if (part.from == 0 || part.generation == 0)
    throw Error(Code::kOutOfRange, "found 0, expected rounds and generations from 1 on",
                part.from == 0 ? "from" : "generation");
  return part;
}

// Streamed from the log with a reader of its own. The learner is asked once, for the header and the report; one that
// does not live any more, or is quarantined, is built from its log for that.
void Api::record(Call& call) {
  const LogPart part = log_part(call);
  const Status status = part.entry->now().status;
  const bool lives = status == Status::kCold || status == Status::kReady;
  if (!lives || part.generation != part.entry->log().generation) return past_record(call, part);
  host_.with(
      part.entry, [](HostedLearner& learner) { return record_facts(learner, ""); },
      [this, part, call](const Json& facts, const std::exception_ptr& failure) mutable {
        // It was found to be damaged just now.
        if (failure && part.entry->now().status == Status::kQuarantined) return past_record(call, part);
        answer_record(call, part, facts, failure);
      });
}

void Api::past_record(Call& call, const LogPart& part) {
  try {
    host_.with_past(part.entry, part.generation, record_facts,
                    [this, part, call](const Json& facts, const std::exception_ptr& failure) {
                      answer_record(call, part, facts, failure);
                    });
  } catch (...) {
    call.respond(error_reply(std::current_exception()));  // it may be a thread of the host's
  }
}

// Readers of one learner take turns with the work of the others, however many they are.
Aside Api::beside(const std::string& learner) {
  return [this, lane = "rows of " + learner](std::function<void()> work) { host_.work_aside(lane, std::move(work)); };
}

void Api::answer_record(const Call& call, const LogPart& part, const Json& facts, const std::exception_ptr& failure) {
  if (failure) return call.respond(error_reply(failure));
  try {
    Reply reply;
    reply.type = "application/x-ndjson";
    reply.stream = record_stream({.reader = host_.reader(),
                                  .entry = part.entry,
                                  .log = {part.entry->log().learner, part.generation},
                                  .header = facts.at("header").as_string(),
                                  .from = part.from,
                                  .to = static_cast<std::uint64_t>(facts.at("rows").as_number()),
                                  .report = part.from == 1 ? facts.at("report") : Json()});
    reply.aside = beside(call.name);
    if (const std::string& why = facts.at("why").as_string(); !why.empty())
      add_warning(reply, "199 - " + quoted(header_text("the record ends before " + why)));
    call.respond(std::move(reply));
  } catch (...) {
    call.respond(error_reply(std::current_exception()));
  }
}

// The rows as they are kept, whatever they hold: also those that no record can have.
void Api::log(Call& call) {
  const LogPart part = log_part(call);
  Reply reply;
  reply.type = "application/x-ndjson";
  reply.stream = log_stream(host_.reader(), {part.entry->log().learner, part.generation}, part.from);
  reply.aside = beside(call.name);
  call.respond(std::move(reply));
}

// What `hannan run --load` and PUT .../state take: the learner as it is now. Its lane is free again before the first
// byte is sent, however slow the client reads.
void Api::state(Call& call) {
  const auto spool = std::make_shared<Spool>();
  host_.with(
      host_.find(call.name),
      [spool](HostedLearner& learner) {
        learner.learner().save_to([&](std::string_view text) {
          interruption_point();
          spool->add(text);
        });
        return Json();
      },
      [spool, call](const Json&, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        Reply reply;
        reply.stream = spool_stream(spool);
        call.respond(std::move(reply));
      });
}

void Api::curve(Call& call) {
  const std::size_t points = whole(call.target.value("points", "1000"), 2048, "points");
  host_.with(
      host_.find(call.name),
      [points](HostedLearner& learner) {
        Json answer = learner.curve().json(points);
        answer.set("bounds", learner.baselines().json().at("bounds"));
        if (learner.turn().as<PortfolioLearner>()) {
          const Json gains = learner.gains().json(points);
          answer.set("portfolio", Json::object({{"rounds", gains.at("rounds")},
                                                {"gain", gains.at("total")},
                                                {"certain", gains.at("regret_range")}}));
        }
        return answer;
      },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

void Api::answer_events(const Call& call, EventLook look) {
  const std::string last = call.request.header("last-event-id");
  Reply reply;
  reply.type = "text/event-stream";
  reply.headers = {{"Cache-Control", "no-store"}};
  reply.stream = event_stream(std::move(look),
                              last.empty() ? 0 : whole(last, static_cast<std::uint64_t>(kNatural.hi), "Last-Event-ID"));
  call.respond(std::move(reply));
}

// Server-sent events; Last-Event-ID says which position the client has seen.
void Api::events(Call& call) {
  host_.find(call.name);  // which throws where there is none
  answer_events(call, events_of([this, name = call.name] { return host_.find(name); }));
}

}  // namespace hannan::detail::service
