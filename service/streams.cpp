// Bodies that are made while they are sent. A record: header, rows straight from the log, end with digest; memory is
// one piece of rows whatever the length. Events (server-sent events): status, round and switch, at most one of each in
// 100 ms, so that a learner of many rounds a second sends the newest state and not every round; a comment every 15 s
// keeps proxies from closing the connection.
#include "service/streams.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/play/record_writer.hpp"
#include "service/json_values.hpp"
#include "service/learner_figures.hpp"

namespace hannan::detail::service {
namespace {

// Chosen: a piece of some 100 KiB, so that a slow client holds little memory.
constexpr std::size_t kRowsAtATime = 512;

// The digest runs along with the rows, so the end needs no second pass.
class RecordStream final : public BodyStream {
 public:
  explicit RecordStream(RecordRequest request) : request_(std::move(request)), next_(request_.from) {}

  Chunk next() override {
    Chunk chunk;
    if (!begun_) {
      begun_ = true;
      add(chunk, request_.header);
    }
    // Where `from` is beyond `to` the difference wraps; rows are then read for nothing, none is added, and the stream
    // ends.
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kRowsAtATime, request_.to + 1 - next_));
    if (wanted > 0) {
      const auto rows = request_.reader->rows_after(request_.log, next_ - 1, wanted);
      for (const Row& row : rows) {
        if (row.t <= request_.to) add(chunk, row.line);  // a log may begin late, and go on meanwhile
      }
      next_ = rows.empty() ? request_.to + 1 : rows.back().t + 1;
    }
    if (next_ <= request_.to) return chunk;
    chunk.done = true;
    if (!request_.report.is_null()) {
      digest_.add(dump(request_.report));
      chunk.text += dump(Json::object({{"end", request_.report}, {"digest", digest_.hex()}})) + "\n";
    }
    return chunk;
  }

 private:
  void add(Chunk& chunk, const std::string& line) {
    digest_.add(line);
    digest_.add("\n");
    chunk.text += line;
    chunk.text += '\n';
  }
  RecordRequest request_;
  std::uint64_t next_;
  bool begun_ = false;
  Digest digest_;
};

// As many rows as there are when it comes to them.
class LogStream final : public BodyStream {
 public:
  LogStream(std::unique_ptr<RowReader> reader, LogName log, std::uint64_t from)
      : reader_(std::move(reader)), log_(log), next_(from) {}

  Chunk next() override {
    Chunk chunk;
    const auto rows = reader_->rows_after(log_, next_ - 1, kRowsAtATime);
    for (const Row& row : rows) {
      chunk.text += dump(Json::object(
          {{"t", row.t}, {"id", row.id}, {"decision", row.decision}, {"time", row.time}, {"line", row.line}}));
      chunk.text += '\n';
      next_ = row.t + 1;
    }
    chunk.done = rows.empty();
    return chunk;
  }

 private:
  std::unique_ptr<RowReader> reader_;
  LogName log_;
  std::uint64_t next_;
};

Json round_event(const Published& seen) {
  Json round = Json::object({{"round", seen.rounds}, {"generation", seen.generation}, {"total", seen.seen_total()}});
  if (!seen.part.is_null()) round.set("part", seen.part);
  add_best(round, seen);
  round.set("limit", seen.bound ? seen.bound->certain : Json())
      .set("mean", seen.bound ? seen.bound->mean : Json())
      .set("expected", seen.bound ? seen.bound->expected : Json());
  return round.set("drift", seen.drift).set("regime", seen.regime).set("decision", seen.decision);
}

// Woken by every commit of its learner; between two wakes it sleeps up to 15 s.
class EventStream final : public BodyStream {
 public:
  EventStream(EventLook look, std::uint64_t after) : look_(std::move(look)), rounds_(after) {}

  Chunk next() override {
    using namespace std::chrono_literals;
    Chunk chunk{.text = {}, .done = false, .pause = 100ms, .rest = 15s};
    EventFacts now;
    try {
      woken_ = std::make_shared<Wake>(wake_);  // the wake of before is forgotten
      now = look_(woken_);
    } catch (const std::exception&) {
      return {.text = event("status", 0, Json::object({{"status", "ended"}})), .done = true};
    }
    if (now.status != status_) {
      chunk.text += event("status", rounds_, Json::object({{"status", now.status}, {"why", now.why}}));
      status_ = now.status;
    }
    if (now.seen && (now.position != rounds_ || now.generation != generation_)) {
      rounds_ = now.position;
      chunk.text += event("round", rounds_, now.round());
      if (!regime_.empty() && now.regime != regime_)
        chunk.text += event("switch", rounds_, Json::object({{"round", now.rounds}, {"regime", now.regime}}));
      regime_ = now.regime;
      generation_ = now.generation;
    }
    const auto clock = std::chrono::steady_clock::now();
    if (!chunk.text.empty()) {
      last_ = clock;
    } else if (clock - last_ >= 15s) {
      last_ = clock;
      chunk.text = ": alive\n\n";
    }
    return chunk;
  }
  void wake_with(Wake wake) override { wake_ = std::move(wake); }

 private:
  static std::string event(std::string_view name, std::uint64_t id, const Json& data) {
    return fmt::format("event: {}\nid: {}\ndata: {}\n\n", name, id, dump(data));
  }
  EventLook look_;
  Wake wake_ = [] {};
  std::shared_ptr<Wake> woken_;
  std::uint64_t rounds_, generation_ = 0;
  std::string status_, regime_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

// Rows that a learner made from a state has behind it, in another log: its rounds, or with `delayed` decisions and
// arrivals.
std::uint64_t rows_before(const LearnerConfig& config) {
  if (config.state.is_null()) return 0;
  if (!config.delayed) return config.first_rounds;
  const Json& saved = config.state.at("state");
  auto arrived = static_cast<std::uint64_t>(saved.at("settled").at("rounds").as_number());
  for (const Json& open : saved.at("open").as_array()) arrived += open.find("outcome") ? 1 : 0;
  return config.first_rounds + arrived;
}

// The first line of a record, without its line end. A learner that goes on from a state says how many rows came before.
std::string record_header(HostedLearner& learner) {
  std::string header;
  RecordWriter writer([&](std::string_view line) { header.assign(line.substr(0, line.size() - 1)); });
  writer.begin(*learner.problem(), learner.learner());
  const std::uint64_t before = rows_before(learner.config());
  return before == 0 ? header : dump(parse_json(header).set("from", before));
}

std::shared_ptr<BodyStream> record_stream(RecordRequest request) {
  return std::make_shared<RecordStream>(std::move(request));
}

std::shared_ptr<BodyStream> log_stream(std::unique_ptr<RowReader> reader, LogName log, std::uint64_t from) {
  return std::make_shared<LogStream>(std::move(reader), log, from);
}

namespace {

// What learners of both kinds have; `add` gives the facts of what was published, if anything was.
template <class Find, class Add>
EventLook look_of(Find find, Add add) {
  return [find = std::move(find), add](std::weak_ptr<Wake> sleeper) {
    const auto entry = find();
    entry->when_changed(std::move(sleeper));
    const auto now = entry->now();
    EventFacts facts{.status = std::string(status_name(now.status)), .why = now.why};
    facts.seen = add(*entry, now, facts);
    return facts;
  };
}

}  // namespace

EventLook events_of(std::function<EntryPointer()> find) {
  return look_of(std::move(find), [](const Entry&, const Entry::Now& now, EventFacts& facts) {
    if (!now.published) return false;
    facts.position = now.published->position;
    facts.generation = now.published->generation;
    facts.rounds = now.published->rounds;
    facts.regime = now.published->regime;
    facts.round = [published = now.published] { return round_event(*published); };
    return true;
  });
}

EventLook combiner_events(std::function<CombinerPointer()> find) {
  return look_of(std::move(find), [](const CombinerEntry& entry, const CombinerEntry::Now& now, EventFacts& facts) {
    if (!now.seen) return false;
    facts.position = now.seen->position;
    facts.generation = entry.log().generation;
    facts.rounds = now.seen->rounds;
    facts.round = [seen = now.seen, generation = facts.generation] {
      return Json::object({{"round", seen->rounds},
                           {"generation", generation},
                           {"settled", seen->settled},
                           {"total", seen->total},
                           {"decision", seen->decision}});
    };
    return true;
  });
}

std::shared_ptr<BodyStream> event_stream(EventLook look, std::uint64_t after) {
  return std::make_shared<EventStream>(std::move(look), after);
}

}  // namespace hannan::detail::service
