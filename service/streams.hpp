// Bodies that are made while they are sent: records of the log, server-sent events, and a decision that is waited for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "service/host.hpp"
#include "service/http_message.hpp"

namespace hannan::detail::service {

// Rows of the record before those of the log: 0, unless the learner was made from a state.
std::uint64_t rows_before(const LearnerConfig& config);
std::string record_header(HostedLearner& learner);  // the first line of its record

struct RecordRequest {
  std::unique_ptr<RowReader> reader;
  EntryPointer entry;
  LogName log;
  std::string header;  // the first line of the record
  std::uint64_t from = 1, to = 0;
  Json report;  // the end, of round `to`; null: the record goes without an end
};
std::shared_ptr<BodyStream> record_stream(RecordRequest request);
// Rows from `from` on as they are kept, a line {"t","id","decision","time","line"} each; `line` is that of the record.
std::shared_ptr<BodyStream> log_stream(std::unique_ptr<RowReader> reader, LogName log, std::uint64_t from);

// What a stream of events looks at: a learner as it is now.
struct EventFacts {
  std::string status, why;
  bool seen = false;  // the rest is known
  std::uint64_t position = 0, generation = 0, rounds = 0;
  std::string regime = {};
  std::function<Json()> round = {};  // what the event of a round has
};
// Asked to wake the sleeper at the next change before it looks, so that no change is missed. Throws where the learner
// was ended.
using EventLook = std::function<EventFacts(std::weak_ptr<Wake> sleeper)>;
EventLook events_of(std::function<EntryPointer()> find);
EventLook combiner_events(std::function<CombinerPointer()> find);

// Events of a learner: at most ten rounds a second, a comment every 15 seconds. The learner may be of another
// generation each time it is looked at.
std::shared_ptr<BodyStream> event_stream(EventLook look, std::uint64_t after);

}  // namespace hannan::detail::service
