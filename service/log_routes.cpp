// What is known of a learner: report, record, state, recent rounds, events.
#include <utility>

#include "hannan/io/fields.hpp"
#include "service/route_values.hpp"
#include "service/streams.hpp"

namespace hannan::detail::service {
void Api::report(Call& call) {
  host_.with(
      host_.find(call.name), [](HostedLearner& learner) { return learner.report(); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

// Streamed from the log with a reader of its own; the writer is asked once for the header, and for the report where the
// record is that of the present generation.
void Api::record(Call& call) {
  const auto entry = host_.find(call.name);
  const std::uint64_t from = whole(call.target.value("from", "1"), static_cast<std::uint64_t>(kNatural.hi), "from");
  const std::uint64_t current = entry->log().generation;
  const std::uint64_t generation =
      whole(call.target.value("generation", std::to_string(current)), current, "generation");
  if (from == 0 || generation == 0)
    throw Error(Code::kOutOfRange, "found 0, expected rounds and generations from 1 on",
                from == 0 ? "from" : "generation");
  // An earlier generation has no learner any more, so no report and no known length: its rows are streamed until they
  // end.
  const bool now = generation == current;
  host_.with(
      entry,
      [now](HostedLearner& learner) {
        Json answer = Json::object({{"header", record_header(learner)}, {"rows", learner.position()}});
        if (now) answer.set("report", learner.learner().report());
        return answer;
      },
      [this, entry, call, from, generation, now](const Json& facts, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        try {
          Reply reply;
          reply.type = "application/x-ndjson";
          const auto rows = now ? static_cast<std::uint64_t>(facts.at("rows").as_number())
                                : static_cast<std::uint64_t>(kNatural.hi) - 1;
          reply.stream = record_stream({.reader = host_.reader(),
                                        .entry = entry,
                                        .log = {entry->log().learner, generation},
                                        .header = facts.at("header").as_string(),
                                        .from = from,
                                        .to = rows,
                                        .report = now && from == 1 ? facts.at("report") : Json()});
          call.respond(std::move(reply));
        } catch (...) {
          call.respond(error_reply(std::current_exception()));
        }
      });
}

// What `hannan run --load` and PUT .../state take: the learner as it is now.
void Api::state(Call& call) {
  host_.with(
      host_.find(call.name), [](HostedLearner& learner) { return learner.learner().save(); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

void Api::curve(Call& call) {
  const std::size_t points = whole(call.target.value("points", "1000"), 2048, "points");
  host_.with(
      host_.find(call.name),
      [points](HostedLearner& learner) {
        Json answer = learner.curve().json(points);
        answer.set("bounds", learner.baselines().json().at("bounds"));
        return answer;
      },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

// Server-sent events; Last-Event-ID says which position the client has seen.
void Api::events(Call& call) {
  host_.find(call.name);  // which throws where there is none
  const std::string last = call.request.header("last-event-id");
  Reply reply;
  reply.type = "text/event-stream";
  reply.headers = {{"Cache-Control", "no-store"}};
  reply.stream = event_stream([this, name = call.name] { return host_.find(name); },
                              last.empty() ? 0 : whole(last, static_cast<std::uint64_t>(kNatural.hi), "Last-Event-ID"));
  call.respond(std::move(reply));
}

}  // namespace hannan::detail::service
