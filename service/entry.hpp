// A learner of the service as every thread may see it, and what only the job that holds its lane may touch.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "service/hosted_learner.hpp"
#include "service/http_message.hpp"
#include "service/sleepers.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {

enum class Status { kCold, kReady, kQuarantined, kEnded };
std::string_view status_name(Status status);

// What was decided for a round.
struct DecidedAction {
  std::uint64_t generation = 1, round = 0;
  Json action;
  double look_share = 0;  // of a decision whose coins the client throws: the part of rounds without it
};

class Entry {
 public:
  Entry(StoredLearner stored, LearnerConfig config, std::shared_ptr<const AnyProblem> problem, std::size_t columns);

  // Of a learner that the store did not know when this was made. Before any other thread sees it.
  void set_id(std::int64_t id);

  const std::string& name() const { return stored_.name; }
  const StoredLearner& stored() const { return stored_; }
  const LearnerConfig& config() const { return config_; }
  const AnyProblem& problem() const { return *problem_; }
  std::size_t columns() const { return columns_; }
  LogName log() const { return {stored_.id, stored_.generation}; }

  struct Now {
    Status status = Status::kCold;
    std::string why;                             // it is quarantined
    std::shared_ptr<const Published> published;  // null while cold, unless a snapshot was found
    bool behind = false;                         // it is that of a snapshot, and rows follow
    std::optional<DecidedAction> last = {};      // of the log, where nothing was published: it is quarantined
    // The newest decision that is known, where it does not depend on a context.
    std::optional<DecidedAction> decided() const;
  };
  Now now() const;
  void set(Now now);  // and wakes those who wait
  // Woken once, at the next change. Those that are gone by then are forgotten.
  void when_changed(std::weak_ptr<Wake> sleeper);
  void wake();

  std::atomic<std::size_t> waiting = 0;  // outcomes that are not committed
  // Of the newest snapshot: its position, and its bytes where this process wrote it. Written by the job that holds its
  // lane.
  std::atomic<std::uint64_t> snapshot = 0, snapshot_bytes = 0;
  // Its work ends at the next point where a search can be left (core/interruption.hpp), and is not kept.
  std::atomic<bool> stopped = false;

  // Bytes of its segments as they are counted against --memory; under the host's lock of entries.
  double segment_bytes = 0;

  // Of the job that holds its lane (workers.hpp) alone.
  struct Own {
    std::unique_ptr<HostedLearner> learner;  // null: it is to be built from the log
    std::unique_ptr<HostedLearner> coming;   // with some of its rows played
    bool moved = false;                      // `coming` is another program's, which may have decided otherwise
  };
  Own own;

 private:
  StoredLearner stored_;
  LearnerConfig config_;
  std::shared_ptr<const AnyProblem> problem_;
  std::size_t columns_;
  mutable std::mutex mutex_;
  Now now_;
  Sleepers sleepers_;
};
using EntryPointer = std::shared_ptr<Entry>;

// Outcomes that are accepted together or not at all.
struct Submission {
  struct Part {
    EntryPointer entry;
    std::vector<Incoming> outcomes;
    // Where its outcomes stand in the request, for errors: their numbers in the list or the lines; none: the body is
    // one outcome.
    std::vector<std::size_t> places = {};
    enum class Named { kByPath, kInLines } named = Named::kByPath;  // the learner, in the request
    std::string at(std::size_t i, std::string_view field) const;
    std::string learner_at() const { return named == Named::kInLines ? at(0, "in") : "name"; }
  };
  std::vector<Part> parts;
  std::optional<std::uint64_t> if_round;  // only if this is the round of the current decision; of a single part
  std::size_t bytes = 0;
};
struct Accepted {
  struct Each {
    std::uint64_t round = 0;
    double loss = 0;
    bool duplicate = false;
    Json decision;  // where one was asked for
  };
  struct Part {
    std::size_t accepted = 0, duplicates = 0;
    std::uint64_t first = 0, last = 0;  // rounds; 0: none
    std::shared_ptr<const Published> published;
    std::vector<Each> each;
  };
  std::vector<Part> parts;
};

}  // namespace hannan::detail::service
