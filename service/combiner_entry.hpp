// A learner that combines forecasts as every thread may see it, and what only the job that holds its lane may touch.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "service/combiner_course.hpp"
#include "service/entry.hpp"
#include "service/hosted_combiner.hpp"

namespace hannan::detail::service {

// What was committed last; never changes.
struct CombinerSeen {
  std::uint64_t position = 0;         // rows of the log
  std::uint64_t rounds = 0;           // that were forecast
  std::uint64_t settled = 0;          // of them
  std::uint64_t rows = 0;             // with a loss
  double total = 0, today_total = 0;  // losses: of the combined forecast, of the one it is held against
  Json decision;                      // the last answer; null: none was given
};

class CombinerEntry {
 public:
  // The stored configuration is read here. Throws where it is none.
  explicit CombinerEntry(StoredLearner stored);

  const std::string& name() const { return stored_.name; }
  const StoredLearner& stored() const { return stored_; }
  const Json& config() const { return config_; }  // with every default
  const Json& tags() const { return config_.at("tags"); }
  LogName log() const { return {stored_.id, stored_.generation}; }
  double bytes() const { return bytes_; }  // that are counted for it
  // Of a learner that the store did not know when this was made. Before any other thread sees it.
  void set_id(std::int64_t id) { stored_.id = id; }

  struct Now {
    Status status = Status::kCold;
    std::string why;                           // it is quarantined
    std::shared_ptr<const CombinerSeen> seen;  // null: it was not loaded yet
  };
  Now now() const;
  void set(Now now);  // and wakes those who wait
  void when_changed(std::weak_ptr<Wake> sleeper) { sleepers_.add(std::move(sleeper)); }
  void wake() { sleepers_.wake(); }

  // What the last check of its record found (docs/service.md, verify); null: none was asked for.
  Json checked() const;
  void set_checked(Json found);

  // Of the job that holds its lane alone.
  struct Own {
    std::unique_ptr<HostedCombiner> learner;  // null: it is to be built from the log
    std::uint64_t snapshot = 0;               // the row of the last one
    CombinerCourse course;
  };
  Own own;

 private:
  StoredLearner stored_;
  Json config_;
  double bytes_ = 0;
  mutable std::mutex mutex_;
  Now now_;
  Json checked_;
  Sleepers sleepers_;
};
using CombinerPointer = std::shared_ptr<CombinerEntry>;

// The status of a stored learner of this kind begins with kCombinerStatus, and is one of: this alone, this and
// kCombinerEnded, this and kQuarantined with the reason behind it.
inline constexpr std::string_view kCombinerStatus = "forecasts", kCombinerEnded = ", ended",
                                  kCombinerQuarantined = ", quarantined: ";
inline bool is_combiner(const StoredLearner& stored) { return stored.status.starts_with(kCombinerStatus); }

// The member that a combined forecast is held against: today's where one is named, else the plain mean, else the first.
std::size_t held_against(const CombinerPlan& plan);

}  // namespace hannan::detail::service
