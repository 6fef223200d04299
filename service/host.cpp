// Threads. Learners themselves (Entry::own) are touched by jobs of their lanes alone and have no lock. entries_, sets_
// and used_memory_ are under entries_mutex_, what waits under queue_mutex_; no code takes one of these while it holds
// the other, or a lock of the workers'.
#include "service/host.hpp"

#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_group.hpp"
#include "service/host_values.hpp"
#include "service/locked_store.hpp"

namespace hannan::detail::service {
Host::Host(std::unique_ptr<Store> store, HostLimits limits, Metrics& metrics)
    : store_(make_locked_store(std::move(store))),
      limits_(limits),
      metrics_(metrics),
      workers_(limits.workers, [this](Workers::Thread thread) { return after_job(thread); }) {
  if (!store_->leases()) {  // else join() takes what is this node's
    for (const auto& stored : store_->learners()) {
      if (stored.status == kSetStatus) {
        keep_set(stored);
      } else if (is_combiner(stored)) {
        adopt_combiner(stored);
      } else {
        entries_[stored.name] = make_entry(stored);
      }
    }
    for (const auto& [name, entry] : entries_) load_in_time(entry);
  }
  writer_ = std::thread([this] { write_many(); });
}

EntryPointer Host::make_entry(const StoredLearner& stored) {
  MadeLearner made = make_learner(parse_json(stored.config), ExternalOracles::kAllowed);
  const double bytes = estimated_bytes(*made.problem);
  const std::size_t columns =
      HostedLearner({.config = made.config, .problem = made.problem, .learner = std::move(made.learner)}, {}).columns();
  auto entry = std::make_shared<Entry>(stored, std::move(made.config), std::move(made.problem), columns);
  if (stored.status == "ended") {
    entry->set({.status = Status::kEnded, .why = {}, .published = nullptr});
    return entry;
  }
  if (stored.status.starts_with(kQuarantinedStatus))
    entry->set({.status = Status::kQuarantined,
                .why = stored.status.substr(kQuarantinedStatus.size()),
                .published = nullptr,
                .last = last_decision(*entry)});
  const std::lock_guard lock(entries_mutex_);
  used_memory_ += bytes;
  return entry;
}

Host::~Host() { stop(); }

EntryPointer Host::find(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(name);
  // entries_mutex_ is held while the entry's own lock is taken: in this order everywhere, never the other way round.
  if (found != entries_.end() && found->second->now().status != Status::kEnded) return found->second;
  if (const auto combiner = combiners_.find(name);
      combiner != combiners_.end() && combiner->second->now().status != Status::kEnded)
    throw Error(Code::kUnavailable, "found a learner that combines forecasts, expected one with actions", "name");
  if (cluster_ && !cluster_->here(name)) refuse_other_node();
  throw Error(Code::kUndefined, "found no learner of this name, expected one; make it with PUT", "name");
}

EntryPointer Host::find_log(const std::string& name) const {
  const EntryPointer entry = entry_of(name);
  return entry && entry->now().status == Status::kEnded ? entry : find(name);
}

EntryPointer Host::entry_of(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

// The learner as it is now: an entry that was found earlier may have been replaced by a reset or a change of nodes.
EntryPointer Host::current(const Entry& entry) const {
  if (cluster_ && !cluster_->here(entry.name())) refuse_other_node();
  if (auto found = entry_of(entry.name())) return found;
  throw Error(Code::kUndefined, "found a learner that was ended, expected a live one");
}

std::vector<EntryPointer> Host::list(const std::string& after, std::size_t limit) const {
  const std::lock_guard lock(entries_mutex_);
  std::vector<EntryPointer> some;
  for (auto it = entries_.upper_bound(after); it != entries_.end() && some.size() < limit; ++it) {
    if (it->second->now().status != Status::kEnded) some.push_back(it->second);
  }
  return some;
}

std::size_t Host::size() const {
  const std::lock_guard lock(entries_mutex_);
  return entries_.size();
}

std::size_t Host::count(Status status) const {
  const std::lock_guard lock(entries_mutex_);
  const auto has = [&](const auto& one) { return one.second->now().status == status; };
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), has) +
                                  std::count_if(combiners_.begin(), combiners_.end(), has));
}

std::size_t Host::stalled() const { return workers_.longer_than(kStalledSeconds); }

double Host::used_memory() const {
  const std::lock_guard lock(entries_mutex_);
  return used_memory_;
}

std::unique_ptr<RowReader> Host::reader() { return store_->reader(); }

void Host::say(Level level, std::string_view event, const Json& what) const {
  if (limits_.journal) limits_.journal->write(level, event, what);
}

void Host::check_open() const {
  const std::lock_guard lock(queue_mutex_);
  if (stopping_) refuse_not_ready("stopping");
}

// The blank keeps its lane apart from those of learners.
void Host::work_aside(const std::string& name, std::function<void()> work) {
  workers_.add(
      "aside " + name, [work = std::move(work)](const Workers::Hold&) { work(); }, Place::kLast,
      Workers::Length::kLong);
}

// A job of the learner's lane that finds it in memory. Where it has to be built from the log first, that is done a part
// at a time, so that other lanes come between; where it cannot be built, the job finds out by itself.
void Host::add_job(const EntryPointer& entry, const Workers::Job& job, Place place) {
  workers_.add(
      entry->name(),
      [this, entry, job](const Workers::Hold& hold) {
        if (prepared(*entry)) return job(hold);
        add_job(entry, job, Place::kFirst);
      },
      place);
}

// Snapshots at the end spare the next start a replay: those that spare most first, and for a few seconds only, because
// the log has everything. No job is left, so that this thread may touch the learners.
void Host::save_last(Clock::time_point end) {
  std::vector<std::pair<std::uint64_t, EntryPointer>> behind;
  {
    const std::lock_guard lock(entries_mutex_);
    for (const auto& [name, entry] : entries_) {
      if (!entry->own.learner || entry->own.learner->position() <= entry->snapshot) continue;
      behind.emplace_back(entry->own.learner->position() - entry->snapshot, entry);
    }
  }
  std::sort(behind.begin(), behind.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::function<void()> in_time = [&] {
    if (Clock::now() > end) throw WorkStopped();
  };
  const Interruption scope(in_time);
  for (const auto& [rows, entry] : behind) {
    if (Clock::now() > end) return;
    try {
      take_snapshot(*entry);
    } catch (const std::exception&) {
      continue;  // the next start replays more
    }
  }
}

void Host::stop(const End& end) {
  if (cluster_) cluster_->stop();
  {
    const std::lock_guard lock(queue_mutex_);
    stopping_ = true;
  }
  if (!writer_.joinable()) return;
  if (!workers_.wait_until(end.work)) at_once_ = true;
  workers_.finish();
  ready_.end();
  writer_.join();
  save_last(end.snapshots);
  if (cluster_) {
    try {
      store_->leases()->leave();
    } catch (const StoreFailure&) {
      // the end of the session does the same
    }
  }
  store_.reset();
}

}  // namespace hannan::detail::service
