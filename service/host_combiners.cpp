// Learners that combine forecasts, kept beside the others: in the same table and log, each in its own lane. A request
// is applied in memory, its rows are written, and only then it is answered; where writing fails the learner is dropped
// and built again from the log. Commits are one a request: forecasts come a few a day, not thousands a second.
#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/outcome_request.hpp"
#include "service/snapshots.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kReplayedAtATime = 500;
constexpr std::uint64_t kLookedBackRows = 500;  // for the last forecast: chosen

std::shared_ptr<const CombinerSeen> seen_of(const HostedCombiner& learner) {
  const Combiner& combiner = learner.learner().combiner();
  return std::make_shared<const CombinerSeen>(
      CombinerSeen{.position = learner.position(),
                   .rounds = combiner.rounds(),
                   .settled = combiner.settled(),
                   .rows = combiner.rows(),
                   .total = combiner.total(),
                   .today_total = combiner.member_total(held_against(combiner.plan())),
                   .decision = learner.last_answer()});
}

// A configuration without the state that a learner was made from.
Json from_round_one(const Json& config) {
  return Json::object(
      {{"problem", config.at("problem")}, {"learner", config.at("learner")}, {"tags", config.at("tags")}});
}

// A snapshot does not have the last answer: it is looked up in the last rows.
void find_last_answer(HostedCombiner& learner, RowReader& log) {
  if (!learner.last_answer().is_null() || learner.position() == 0) return;
  const std::uint64_t from = learner.position() > kLookedBackRows ? learner.position() - kLookedBackRows : 0;
  for (const Row& row : log.rows_after(learner.log(), from, kLookedBackRows)) {
    const Json line = parse_json(row.line);
    if (const Json* answer = line.find("answer")) learner.set_last_answer(*answer);
  }
}

}  // namespace

// Its memory is counted here; it is loaded when there is time, or by its first use.
void Host::adopt_combiner(const StoredLearner& stored) {
  auto entry = std::make_shared<CombinerEntry>(stored);
  if (entry->now().status != Status::kEnded) {
    const std::lock_guard lock(entries_mutex_);
    used_memory_ += entry->bytes();
  }
  show_combiner(entry);
  if (entry->now().status != Status::kCold) return;
  workers_.add(entry->name(), [this, entry](const Workers::Hold&) {
    try {
      if (combiner_of(entry->name()) == entry && entry->now().status == Status::kCold) loaded_combiner(*entry);
    } catch (const std::exception&) {
      return;  // whoever asks next is told
    }
  });
}

void Host::show_combiner(const CombinerPointer& entry) {
  const std::lock_guard lock(entries_mutex_);
  combiners_[entry->name()] = entry;
}

CombinerPointer Host::combiner_of(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = combiners_.find(name);
  return found == combiners_.end() ? nullptr : found->second;
}

CombinerPointer Host::find_combiner(const std::string& name) const {
  auto entry = combiner_of(name);
  if (entry && entry->now().status != Status::kEnded) return entry;
  if (cluster_ && !cluster_->here(name)) refuse_other_node();
  throw Error(Code::kUndefined, "found no learner of this name, expected one; make it with PUT", "name");
}

std::vector<CombinerPointer> Host::combiners() const {
  const std::lock_guard lock(entries_mutex_);
  std::vector<CombinerPointer> all;
  for (const auto& [name, entry] : combiners_) {
    if (entry->now().status != Status::kEnded) all.push_back(entry);
  }
  return all;
}

// In its lane. The newest snapshot of this very program, and the rows behind it. One whose rows come out otherwise is
// quarantined until the service starts again, or it is reset or ended.
HostedCombiner& Host::loaded_combiner(CombinerEntry& entry) {
  const auto now = entry.now();
  if (now.status == Status::kQuarantined)
    throw Error(Code::kInternal, "the learner is quarantined: " + now.why, "name");
  if (entry.own.learner) return *entry.own.learner;
  const LogName log = entry.log();
  const Json config = parse_json(entry.stored().config);
  auto built = std::make_unique<HostedCombiner>(config, log);
  for (const Snapshot& snapshot : store_->snapshots(log)) {
    if (snapshot.engine != engine_name()) continue;
    try {
      const auto state = read_snapshot(*store_, snapshot);
      if (!state) continue;
      built->load(parse_json(*state), snapshot.t);
      break;
    } catch (const Error&) {
      built = std::make_unique<HostedCombiner>(config, log);  // a damaged one only costs time
    }
  }
  try {
    for (;;) {
      const auto rows = store_->rows_after(log, built->position(), kReplayedAtATime);
      if (rows.empty()) break;
      for (const Row& row : rows) built->replay(row);
    }
    find_last_answer(*built, *store_);
  } catch (const Error& differs) {
    entry.set({.status = Status::kQuarantined, .why = differs.message(), .seen = now.seen});
    say(Level::kError, "quarantined", Json::object({{"learner", entry.name()}, {"why", differs.message()}}));
    throw Error(Code::kInternal, "the learner is quarantined: " + differs.message(), "name");
  }
  entry.own.snapshot = built->position();
  entry.own.learner = std::move(built);
  entry.set({.status = Status::kReady, .why = {}, .seen = seen_of(*entry.own.learner)});
  return *entry.own.learner;
}

void Host::make_combiner(std::string name, Json body, Answer<Made> answer) {
  check_learner_name(name);
  add_task<Made>(
      name,
      [this, name, body = std::move(body)] {
        const HostedCombiner made(body, {});
        const auto old = combiner_of(name);
        if (old && old->now().status != Status::kEnded) {
          if (old->config() == made.config()) return Made::kSame;
          throw Error(kOtherBody,
                      "found a learner of this name with another configuration, expected the same or another name",
                      "name");
        }
        if (entry_of(name))
          throw Error(kOtherBody, "found a learner of this name of another kind, expected another name", "name");
        check_number();
        StoredLearner stored{.id = 0,
                             .name = name,
                             .generation = 1,
                             .config = dump(made.given()),
                             .status = std::string(kCombinerStatus),
                             .created = now_in_milliseconds()};
        if (old) {  // it was ended: its log stays, and a new generation begins
          stored.id = old->stored().id;
          stored.generation = old->stored().generation + 1;
        }
        const auto entry = std::make_shared<CombinerEntry>(stored);
        take_memory(entry->bytes());
        try {
          if (old) {
            store_->begin_generation(stored, "");
          } else {
            entry->set_id(store_->add_learner(stored));
          }
        } catch (...) {
          give_memory(entry->bytes());
          throw;
        }
        show_combiner(entry);
        loaded_combiner(*entry);
        return Made::kNew;
      },
      std::move(answer));
}

// The store first: where it fails the learner goes on as it was.
void Host::end_combiner(const std::string& name, LogAfterEnd log, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name, log] {
        const auto entry = combiner_of(name);
        const bool ended = entry && entry->now().status == Status::kEnded;
        if (!entry || (ended && log == LogAfterEnd::kKept))
          throw Error(Code::kUndefined, "found no learner of this name, expected one", "name");
        StoredLearner stored = entry->stored();
        stored.status = std::string(kCombinerStatus) + std::string(kCombinerEnded);
        if (log == LogAfterEnd::kKept) {
          store_->change_learner(stored);
        } else {
          purge_whole(*store_, stored.id);
        }
        if (!ended) give_memory(entry->bytes());
        entry->own = {};
        entry->set({.status = Status::kEnded, .why = {}, .seen = nullptr});
        if (log == LogAfterEnd::kKept) return true;
        const std::lock_guard lock(entries_mutex_);
        combiners_.erase(name);
        return true;
      },
      std::move(answer));
}

// As for other learners (host_tasks.cpp): the log begins anew, rows of the old generation stay, and a key that ended a
// generation before is a request that was sent again.
void Host::reset_combiner(const std::string& name, Reset reset, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name, reset = std::move(reset)] {
        const auto old = find_combiner(name);
        if (!reset.key.empty()) {
          const auto ended = store_->generations(old->stored().id);
          if (std::ranges::any_of(ended, [&](const auto& one) { return one.ended_by == reset.key; })) return true;
        }
        if (!reset.if_decision.empty()) {
          if (old->now().status == Status::kCold) loaded_combiner(*old);
          const std::uint64_t round = read_decision(reset.if_decision, old->log().generation, "If-Match");
          const auto seen = old->now().seen;
          if (!seen || seen->rounds != round)
            throw Error(kNotCurrent, "found another last decision or none, expected the one of If-Match");
        }
        StoredLearner stored = old->stored();
        stored.config = dump(from_round_one(old->config()));
        ++stored.generation;
        stored.status = std::string(kCombinerStatus);
        const auto entry = std::make_shared<CombinerEntry>(stored);
        store_->begin_generation(stored, reset.key);
        show_combiner(entry);
        loaded_combiner(*entry);
        old->wake();  // those who wait see the new one
        return true;
      },
      std::move(answer));
}

// It stays so over restarts, until it is released, reset or ended.
void Host::quarantine_combiner(const std::string& name, std::string why, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name, why = std::move(why)] {
        const auto old = find_combiner(name);
        StoredLearner stored = old->stored();
        stored.status = std::string(kCombinerStatus) + std::string(kCombinerQuarantined) + why;
        const auto entry = std::make_shared<CombinerEntry>(stored);
        store_->change_learner(stored);
        entry->set({.status = Status::kQuarantined, .why = why, .seen = old->now().seen});
        show_combiner(entry);
        old->wake();
        say(Level::kWarning, "quarantined", Json::object({{"learner", name}, {"why", why}}));
        return true;
      },
      std::move(answer), Place::kFirst);
}

void Host::release_combiner(const std::string& name, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name] {
        const auto old = find_combiner(name);
        if (old->now().status != Status::kQuarantined)
          throw Error(Code::kUndefined, "found a learner that is not quarantined, expected one that is", "name");
        StoredLearner stored = old->stored();
        stored.status = std::string(kCombinerStatus);
        const auto entry = std::make_shared<CombinerEntry>(stored);
        store_->change_learner(stored);
        show_combiner(entry);
        old->wake();
        loaded_combiner(*entry);
        return true;
      },
      std::move(answer));
}

// In the lanes of all. Their rows are written together: on disk are all or none. Where that fails, those whose memory
// is ahead of the log are built again from it.
void Host::with_combiners(std::set<std::string> names, CombinerWork work, Answer<Json> answer) {
  check_open();
  workers_.add(names, [this, names, work = std::move(work), answer = std::move(answer)](const Workers::Hold&) {
    std::vector<CombinerPointer> held;
    std::vector<CombinerEntry*> entries;
    std::vector<std::uint64_t> before;
    HostedCombiner::Done done;
    try {
      for (const std::string& name : names) {
        held.push_back(find_combiner(name));
        entries.push_back(held.back().get());
        before.push_back(loaded_combiner(*held.back()).position());
      }
      try {
        done = work(entries, *store_);
        for (Row& row : done.rows) row.time = now_in_milliseconds();
        if (!done.rows.empty()) store_->append(done.rows);
      } catch (...) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
          if (entries[i]->own.learner->position() == before[i] && done.rows.empty()) continue;
          const auto seen = entries[i]->now().seen;
          entries[i]->own.learner.reset();
          entries[i]->set({.status = Status::kCold, .why = {}, .seen = seen});
        }
        throw;
      }
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i]->own.learner->position() == before[i]) continue;
        entries[i]->set({.status = Status::kReady, .why = {}, .seen = seen_of(*entries[i]->own.learner)});
        keep_combiner_snapshot(*entries[i], limits_.snapshot_every);
      }
    } catch (const StoreFailure& failure) {
      return answer({}, not_written(failure));
    } catch (...) {
      return answer({}, said_of_stopped(std::current_exception()));
    }
    metrics_.accepted += done.accepted;
    answer(std::move(done.answer), nullptr);
  });
}

// When enough rows have come since the last one. Nothing is lost without it.
void Host::keep_combiner_snapshot(CombinerEntry& entry, std::uint64_t rows) {
  HostedCombiner& learner = *entry.own.learner;
  if (learner.position() < entry.own.snapshot + std::max<std::uint64_t>(1, rows)) return;
  SnapshotWriter writer(*store_, {.log = learner.log(), .t = learner.position(), .engine = engine_name(), .state = {}});
  try {
    writer.add(dump(learner.save()));
    writer.done();
  } catch (const StoreFailure&) {
    return;
  }
  entry.own.snapshot = learner.position();
}

std::string Host::combiner_config(const CombinerEntry& entry, std::uint64_t generation) {
  if (generation == entry.log().generation) return entry.stored().config;
  for (const StoredGeneration& ended : store_->generations(entry.stored().id)) {
    if (ended.generation == generation) return ended.config;
  }
  throw Error(kTrimmed, "found no configuration of this generation, expected a later one", "generation");
}

}  // namespace hannan::detail::service
