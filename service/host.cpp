// Threads. learners_, snapshots_, used_memory_ and cold_after_ belong to the writer alone and have no lock. entries_
// and sets_ are under entries_mutex_, the queues under queue_mutex_; no code takes one of these while it holds the
// other. An Entry's lock is the innermost: waking is done after it is given back, and sleepers only post to their own
// thread.
#include "service/host.hpp"

#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

// Chosen: a group is one commit, so that larger ones cost fewer syncs and make the first of them wait longer.
constexpr std::size_t kGroupRows = 512;
constexpr std::size_t kGroupBytes = 1U << 20U;
constexpr std::size_t kReplayRows = 4096;  // read at a time
constexpr auto kProbeEvery = std::chrono::seconds(1);
constexpr std::size_t kColdAtOnce = 64;  // learners that are listed at a time
constexpr double kLastSnapshotSeconds = 5;

[[noreturn]] void refuse_other_node() {
  throw Error(kOtherNode, "found a learner of another node, expected one of this node; ask the node of Location",
              "name");
}

}  // namespace

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kCold:
      return "cold";
    case Status::kReady:
      return "ready";
    case Status::kQuarantined:
      return "quarantined";
    case Status::kEnded:
      return "ended";
  }
  return "";
}

Entry::Entry(StoredLearner stored, LearnerConfig config, std::shared_ptr<const AnyProblem> problem, std::size_t columns)
    : stored_(std::move(stored)), config_(std::move(config)), problem_(std::move(problem)), columns_(columns) {}

Entry::Now Entry::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

void Entry::set(Now now) {
  {
    const std::lock_guard lock(mutex_);
    now_ = std::move(now);
  }
  wake();
}

// Sleepers that are gone are looked for when the list has doubled, so that adding one costs O(1) amortised and the list
// stays within twice the living ones, or 16.
void Entry::when_changed(std::weak_ptr<Wake> sleeper) {
  const std::lock_guard lock(mutex_);
  if (sleepers_.size() >= most_sleepers_) {
    std::erase_if(sleepers_, [](const auto& one) { return one.expired(); });
    most_sleepers_ = std::max<std::size_t>(16, 2 * sleepers_.size());
  }
  sleepers_.push_back(std::move(sleeper));
}

void Entry::wake() {
  std::vector<std::weak_ptr<Wake>> sleepers;
  {
    const std::lock_guard lock(mutex_);
    sleepers.swap(sleepers_);
  }
  for (const auto& one : sleepers) {
    if (const auto sleeper = one.lock()) (*sleeper)();
  }
}

Host::Host(std::unique_ptr<Store> store, HostLimits limits, Metrics& metrics)
    : store_(std::move(store)), limits_(limits), metrics_(metrics) {
  if (!store_->leases()) {
    for (const auto& stored : store_->learners()) {
      if (stored.status == kSetStatus) {
        keep_set(stored);
      } else {
        entries_[stored.name] = make_entry(stored);
      }
    }
    ready_ = entries_.empty();
    cold_left_ = !ready_;
  }
  writer_ = std::thread([this] { work(); });
}

EntryPointer Host::make_entry(const StoredLearner& stored) {
  // Allowed here whatever the flag says now: the learner was accepted when it was made, and refusing it would lose it.
  MadeLearner made = make_learner(parse_json(stored.config), ExternalOracles::kAllowed);
  const double bytes = estimated_bytes(*made.problem);
  // A learner is made only to be asked for its columns; the one that plays is loaded later, by the writer.
  const std::size_t columns =
      HostedLearner({.config = made.config, .problem = made.problem, .learner = std::move(made.learner)}, {}).columns();
  auto entry = std::make_shared<Entry>(stored, std::move(made.config), std::move(made.problem), columns);
  if (stored.status == "ended") {
    entry->set({.status = Status::kEnded, .why = {}, .published = nullptr});
  } else {
    used_memory_ += bytes;
  }
  return entry;
}

Host::~Host() { stop(); }

EntryPointer Host::find(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(name);
  // entries_mutex_ is held while the entry's own lock is taken: in this order everywhere, never the other way round.
  if (found != entries_.end() && found->second->now().status != Status::kEnded) return found->second;
  if (cluster_ && !cluster_->here(name)) refuse_other_node();
  throw Error(Code::kUndefined, "found no learner of this name, expected one; make it with PUT", "name");
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

std::unique_ptr<RowReader> Host::reader() { return store_->reader(); }

void Host::add_task(Task task) {
  {
    const std::lock_guard lock(queue_mutex_);
    if (stopping_) refuse_not_ready("stopping");
    tasks_.push_back(std::move(task));
  }
  queue_changed_.notify_one();
}

void Host::check_waiting(const Submission& submission) const {
  if (waiting_bytes_ + submission.bytes > limits_.waiting_bytes) refuse_not_ready("with a full queue");
  for (const auto& part : submission.parts) {
    // A single request larger than the limit passes when nothing else waits: otherwise it could never be accepted.
    if (part.entry->waiting > 0 && part.entry->waiting + part.outcomes.size() > limits_.waiting_of_learner) {
      throw Error(kQueueFull, "found " + std::to_string(part.entry->waiting) +
                                  " outcomes of this learner that wait, expected room "
                                  "for more; wait and send the request again, unchanged");
    }
  }
}

// What waits is counted here and given back when the submission is settled, whatever comes of it. The limits are looked
// at without the lock: two at once may pass it by one submission each.
void Host::submit(Submission submission, Answer<Accepted> answer) {
  check_waiting(submission);
  {
    const std::lock_guard lock(queue_mutex_);
    if (stopping_) refuse_not_ready("stopping");
    waiting_bytes_ += submission.bytes;
    for (const auto& part : submission.parts) part.entry->waiting += part.outcomes.size();
    queue_.push_back({std::move(submission), std::move(answer)});
  }
  queue_changed_.notify_one();
}

// The loop of the writer. Tasks go before groups; a group takes submissions in order until it is full, at least one.
// When it stops, everything that waits is done first.
void Host::work() {
  for (;;) {
    std::deque<Waiting> group;
    Task task;
    {
      std::unique_lock lock(queue_mutex_);
      // With learners left to load there is no wait at all: one is loaded per turn of the loop. Otherwise the writer
      // wakes at least once a second, so that a log that could not be written is probed.
      if (!cold_left_) {
        queue_changed_.wait_for(lock, kProbeEvery, [&] { return stopping_ || !queue_.empty() || !tasks_.empty(); });
      }
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
      } else if (!queue_.empty()) {
        std::size_t rows = 0, bytes = 0;
        while (!queue_.empty()) {
          const std::size_t more = rows_of(queue_.front().submission), size = queue_.front().submission.bytes;
          if (!group.empty() && (rows + more > kGroupRows || bytes + size > kGroupBytes)) break;
          rows += more;
          bytes += size;
          group.push_back(std::move(queue_.front()));
          queue_.pop_front();
        }
      } else if (stopping_) {
        break;
      }
    }
    if (task) {
      task();
    } else if (!group.empty()) {
      run_group(std::move(group));
    } else if (!writable_) {
      probe();
    }
    // One more after each group: a busy service becomes ready too.
    if (cold_left_ && !load_next_cold()) {
      cold_left_ = false;
      ready_ = true;
    }
  }
  save_last();
}

// Snapshots at the end spare the next start a replay: those that spare most first, and for a few seconds only, because
// the log has everything.
void Host::save_last() {
  std::vector<std::pair<std::uint64_t, std::string>> behind;
  for (const auto& [name, learner] : learners_) {
    const std::uint64_t rows = learner->position() - std::min(learner->position(), snapshots_[name]);
    if (rows > 0) behind.emplace_back(rows, name);
  }
  std::sort(behind.rbegin(), behind.rend());
  const auto start = std::chrono::steady_clock::now();
  for (const auto& [rows, name] : behind) {
    if (seconds_since(start) > kLastSnapshotSeconds) return;
    try {
      take_snapshot(name, *learners_.at(name));
    } catch (const std::exception&) {
      continue;  // the next start replays more
    }
  }
}

// Clients that see /readyz send nothing while the log cannot be written, so no commit would show that it can again.
void Host::probe() {
  try {
    store_->probe();
    writable_ = true;
  } catch (const StoreFailure&) {
    return;  // the next one is a second away
  }
}

// From where the last search ended, and once from the beginning: a start looks at every learner a few times, not at all
// of them for each.
bool Host::load_next_cold() {
  for (int turn = 0; turn < 2; cold_after_.clear(), ++turn) {
    for (auto some = list(cold_after_, kColdAtOnce); !some.empty(); some = list(cold_after_, kColdAtOnce)) {
      for (const auto& entry : some) {
        cold_after_ = entry->name();
        if (entry->now().status != Status::kCold) continue;
        try {
          loaded(*entry);
        } catch (const std::exception&) {
          if (entry->now().status == Status::kCold)
            return false;  // the log cannot be read now; the next use tries again
        }
        return true;
      }
    }
  }
  return false;
}

// The learner behind an entry, from memory or from its log. Whoever calls has an entry of earlier, so that it is looked
// up again by name.
HostedLearner& Host::loaded(Entry& given) {
  const EntryPointer entry = current(given);
  const auto now = entry->now();
  if (now.status == Status::kQuarantined)
    throw Error(Code::kInternal, "the learner is quarantined: " + now.why, "name");
  if (now.status == Status::kEnded)
    throw Error(Code::kUndefined, "found a learner that was ended, expected a live one");
  if (!learners_.contains(entry->name())) load(*entry);
  return *learners_.at(entry->name());
}

// The newest snapshot that fits, then all rows behind it, each played again and compared with the log. One of another
// program version is taken only where no row follows it: what that program would have decided next cannot be replayed.
// O(rows since the snapshot).
void Host::load(Entry& entry) {
  const auto start = std::chrono::steady_clock::now();
  const auto fresh = [&] {
    return std::make_unique<HostedLearner>(make_learner(parse_json(entry.stored().config), ExternalOracles::kAllowed),
                                           entry.log());
  };
  try {
    auto learner = fresh();
    bool moved = false;  // to this program from another, which may have decided otherwise
    // Newest first. A snapshot only shortens the replay, so any that does not fit is passed over.
    for (const Snapshot& snapshot : store_->snapshots(entry.log())) {
      const bool own = snapshot.engine == engine_name();
      if (!own && !store_->rows_after(entry.log(), snapshot.t, 1).empty()) continue;
      try {
        learner->load(snapshot.state);
        if (learner->position() != snapshot.t) throw Error(Code::kBadState, "found another round, expected its own");
        moved = !own;
        break;
      } catch (const Error&) {
        learner = fresh();  // an older one, or all rows
      }
    }
    snapshots_[entry.name()] = learner->position();
    // What a snapshot shows is better than nothing while rows are replayed: floors are served from it.
    if (!entry.now().published && learner->position() > 0) {
      entry.set({.status = Status::kCold,
                 .why = {},
                 .published = std::make_shared<Published>(learner->publish()),
                 .behind = true});
    }
    for (;;) {
      // Invariant: rows 1..position() are in the learner.
      const auto rows = store_->rows_after(entry.log(), learner->position(), kReplayRows);
      if (rows.empty()) break;
      const std::uint64_t before = learner->learned_again();
      learner->replay(rows, *store_, limits_.differing);
      moved = moved || learner->learned_again() > before;
    }
    if (moved) take_snapshot(entry.name(), *learner);  // the next start goes on from here
    entry.set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
    learners_[entry.name()] = std::move(learner);
  } catch (const StoreFailure& failure) {
    refuse_not_ready(std::string("unable to read its log (") + failure.what() + ")");
  } catch (const ReplayDiffers& differs) {
    auto now = entry.now();
    now.status = Status::kQuarantined;
    now.why = std::string(differs.what()) +
              "; if another version of the program wrote this, start that one and stop it, or see --replay-outcomes";
    const std::string why = now.why;
    entry.set(std::move(now));
    throw Error(Code::kInternal, "the learner is quarantined: " + why, "name");
  }
  metrics_.replay_seconds.add(seconds_since(start));
}

void Host::drop(const std::string& name) {
  learners_.erase(name);
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  auto now = found->second->now();
  if (now.status == Status::kReady) {
    now.status = Status::kCold;  // its last decision stays readable
    found->second->set(std::move(now));
  }
}

void Host::stop() {
  if (cluster_) cluster_->stop();
  {
    const std::lock_guard lock(queue_mutex_);
    stopping_ = true;
  }
  queue_changed_.notify_all();
  if (!writer_.joinable()) return;
  writer_.join();
  if (!cluster_) return;
  try {
    store_->leases()->leave();
  } catch (const StoreFailure&) {
    return;  // the end of the session does the same
  }
}

}  // namespace hannan::detail::service
