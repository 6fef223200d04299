#include "service/host.hpp"

#include <chrono>
#include <set>
#include <utility>

#include "hannan/runtime/version.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kGroupRows = 512;
constexpr std::size_t kGroupBytes = 1U << 20U;
constexpr std::size_t kReplayRows = 4096;  // read at a time

std::int64_t now_in_milliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A snapshot is of this very program: another one may go on otherwise.
std::string engine_name() { return std::string(kVersion) + "/" + kSignature; }

[[noreturn]] void refuse_not_ready(const std::string& why) {
  throw Error(kNotReady, "found the service " + why + ", expected one that writes; send the request again, unchanged");
}

std::size_t rows_of(const Submission& submission) {
  std::size_t rows = 0;
  for (const auto& part : submission.parts) rows += part.outcomes.size();
  return rows;
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
  const std::lock_guard lock(mutex_);
  now_ = std::move(now);
}

Host::Host(std::unique_ptr<Store> store, HostLimits limits, Metrics& metrics)
    : store_(std::move(store)), limits_(limits), metrics_(metrics) {
  for (auto& stored : store_->learners()) {
    MadeLearner made = make_learner(parse_json(stored.config), ExternalOracles::kAllowed);
    used_memory_ += estimated_bytes(*made.problem);
    const std::size_t columns =
        HostedLearner({.config = made.config, .problem = made.problem, .learner = std::move(made.learner)}, {})
            .columns();
    auto entry = std::make_shared<Entry>(stored, std::move(made.config), std::move(made.problem), columns);
    if (stored.status == "ended") entry->set({.status = Status::kEnded, .why = {}, .published = nullptr});
    entries_[stored.name] = std::move(entry);
  }
  ready_ = entries_.empty();
  writer_ = std::thread([this] { work(); });
}

Host::~Host() { stop(); }

EntryPointer Host::find(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(name);
  if (found != entries_.end() && found->second->now().status != Status::kEnded) return found->second;
  throw Error(Code::kUndefined, "found no learner of this name, expected one; make it with PUT", "name");
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

void Host::check_room(const Submission& submission) const {
  if (waiting_bytes_ + submission.bytes > limits_.waiting_bytes) refuse_not_ready("with a full queue");
  for (const auto& part : submission.parts) {
    if (part.entry->waiting > 0 && part.entry->waiting + part.outcomes.size() > limits_.waiting_of_learner) {
      throw Error(kQueueFull, "found " + std::to_string(part.entry->waiting) +
                                  " outcomes of this learner that wait, expected room "
                                  "for more; wait and send the request again, unchanged");
    }
  }
}

void Host::submit(Submission submission, Answer<Accepted> answer) {
  check_room(submission);
  {
    const std::lock_guard lock(queue_mutex_);
    if (stopping_) refuse_not_ready("stopping");
    waiting_bytes_ += submission.bytes;
    for (const auto& part : submission.parts) part.entry->waiting += part.outcomes.size();
    queue_.push_back({std::move(submission), std::move(answer)});
  }
  queue_changed_.notify_one();
}

void Host::work() {
  for (;;) {
    std::deque<Waiting> group;
    Task task;
    {
      std::unique_lock lock(queue_mutex_);
      const bool idle_work = !ready_;
      if (!idle_work) {
        queue_changed_.wait(lock, [&] { return stopping_ || !queue_.empty() || !tasks_.empty(); });
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
    }
    // One more after each group: a busy service becomes ready too.
    if (!ready_ && !load_next_cold()) ready_ = true;
  }
  for (auto& [name, learner] : learners_) {
    try {
      if (learner->rounds() > snapshots_[name]) take_snapshot(*learner);
    } catch (const std::exception&) {
      // The log has everything: without a snapshot the next start replays more.
    }
  }
}

bool Host::load_next_cold() {
  for (const auto& entry : list("", limits_.learners + 1)) {
    if (entry->now().status != Status::kCold) continue;
    try {
      loaded(*entry);
    } catch (const std::exception&) {
      if (entry->now().status == Status::kCold) return false;  // the log cannot be read now; the next use tries again
    }
    return true;
  }
  return false;
}

HostedLearner& Host::loaded(Entry& entry) {
  const auto now = entry.now();
  if (now.status == Status::kQuarantined)
    throw Error(Code::kInternal, "the learner is quarantined: " + now.why, "name");
  if (now.status == Status::kEnded)
    throw Error(Code::kUndefined, "found a learner that was ended, expected a live one");
  if (!learners_.contains(entry.name())) load(entry);
  return *learners_.at(entry.name());
}

void Host::load(Entry& entry) {
  const auto start = std::chrono::steady_clock::now();
  const auto fresh = [&] {
    return std::make_unique<HostedLearner>(make_learner(parse_json(entry.stored().config), ExternalOracles::kAllowed),
                                           entry.log());
  };
  try {
    auto learner = fresh();
    for (const Snapshot& snapshot : store_->snapshots(entry.log())) {
      if (snapshot.engine != engine_name()) continue;
      try {
        learner->load(snapshot.state);
        if (learner->rounds() != snapshot.t) throw Error(Code::kBadState, "found another round, expected its own");
        break;
      } catch (const Error&) {
        learner = fresh();  // an older one, or all rows
      }
    }
    snapshots_[entry.name()] = learner->rounds();
    for (;;) {
      const auto rows = store_->rows_after(entry.log(), learner->rounds(), kReplayRows);
      if (rows.empty()) break;
      learner->replay(rows, *store_);
    }
    entry.set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
    learners_[entry.name()] = std::move(learner);
  } catch (const StoreFailure& failure) {
    refuse_not_ready(std::string("unable to read its log (") + failure.what() + ")");
  } catch (const ReplayDiffers& differs) {
    entry.set({.status = Status::kQuarantined, .why = differs.what(), .published = nullptr});
    throw Error(Code::kInternal, std::string("the learner is quarantined: ") + differs.what(), "name");
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

// What the group does, step by step.
class Host::Group {
 public:
  explicit Group(Host& host) : host_(host) {}

  // Applies a submission, or answers it with what is wrong with it.
  void apply(Waiting waiting) {
    const std::size_t before = rows_.size();
    try {
      Accepted accepted;
      for (auto& part : waiting.submission.parts) check(part, waiting.submission.if_round);
      for (auto& part : waiting.submission.parts) accepted.parts.push_back(play(part));
      applied_.push_back({std::move(waiting), std::move(accepted)});
    } catch (...) {
      rows_.resize(before);
      // Where rounds were played that are not kept, memory is ahead of the log.
      for (const auto& name : touched_now_) dirty_.insert(name);
      host_.metrics_.refused += rows_of(waiting.submission);
      settle(waiting, {}, std::current_exception());
    }
    touched_now_.clear();
  }
  void commit() {
    try {
      if (!rows_.empty()) {
        const auto start = std::chrono::steady_clock::now();
        const std::int64_t time = now_in_milliseconds();
        for (Row& row : rows_) row.time = time;
        host_.store_->append(rows_);
        host_.metrics_.commit_seconds.add(seconds_since(start));
        host_.metrics_.commit_rows.add(static_cast<double>(rows_.size()));
      }
      host_.writable_ = true;
    } catch (const StoreFailure& failure) {
      host_.writable_ = false;
      for (const auto& name : touched_) host_.drop(name);
      const auto refused = std::make_exception_ptr(
          Error(kNotReady, std::string("found a log that cannot be written (") + failure.what() +
                               "), expected one that can; send the request again, unchanged"));
      for (auto& one : applied_) settle(one.waiting, {}, refused);
      return;
    }
    publish();
    for (auto& one : applied_) {
      for (std::size_t i = 0; i < one.accepted.parts.size(); ++i) {
        auto& part = one.accepted.parts[i];
        part.published = one.waiting.submission.parts[i].entry->now().published;
        host_.metrics_.accepted += part.accepted;
        host_.metrics_.duplicates += part.duplicates;
      }
      settle(one.waiting, std::move(one.accepted), nullptr);
    }
  }

 private:
  struct Applied {
    Waiting waiting;
    Accepted accepted;
  };

  void check(Submission::Part& part, const std::optional<std::uint64_t>& if_round) {
    Entry& entry = *part.entry;
    if (dirty_.contains(entry.name())) refuse_not_ready("recovering this learner");
    HostedLearner& learner = host_.loaded(entry);
    if (learner.log().generation != entry.log().generation)
      throw Error(kOldGeneration, "found a learner that was reset, expected its current generation; ask again");
    const std::uint64_t current = learner.rounds() + 1;
    if (if_round && *if_round != current) {
      throw Error(kNotCurrent, "found that the current decision is " + decision_name(entry.log().generation, current) +
                                   ", expected the one of If-Match");
    }
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      if (part.outcomes[i].decision > current + i)
        throw Error(
            kUnknownDecision,
            "found a decision that was never made, expected one of round " + std::to_string(current + i) + " at most",
            path_of(path_of(part.path, i), "decision"));
    }
  }

  Accepted::Part play(Submission::Part& part) {
    Entry& entry = *part.entry;
    HostedLearner& learner = host_.loaded(entry);
    Accepted::Part result;
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      Incoming& incoming = part.outcomes[i];
      if (const auto* known = find(entry, incoming.id, found_)) {
        require_same(entry, *known, incoming, path_of(part.path, i));
        ++result.duplicates;
        result.each.push_back({.round = known->t, .loss = loss_of(*known), .duplicate = true});
        continue;
      }
      touched_now_.insert(entry.name());
      touched_.insert(entry.name());
      Row row = learner.play(incoming, *host_.store_);
      ids_[{row.log.learner, row.id}] = rows_.size();
      result.each.push_back({.round = row.t, .loss = learner.last_loss(), .duplicate = false});
      if (result.accepted++ == 0) result.first = row.t;
      result.last = row.t;
      rows_.push_back(std::move(row));
    }
    return result;
  }

  // The row with this id, of this group or of the log.
  const Row* find(const Entry& entry, const std::string& id, std::optional<Row>& buffer) {
    const auto here = ids_.find({entry.log().learner, id});
    if (here != ids_.end() && here->second < rows_.size() && rows_[here->second].id == id) return &rows_[here->second];
    buffer = host_.store_->find(entry.log(), id);
    return buffer ? &*buffer : nullptr;
  }
  static double loss_of(const Row& row) { return parse_json(row.line).at("loss").as_number(); }
  static void require_same(const Entry& entry, const Row& known, const Incoming& incoming, const std::string& path) {
    const Json line = parse_json(known.line);
    bool same = line.at("outcome") == entry.problem().game().outcome_json(incoming.outcome);
    if (entry.columns() > 0) same = same && line.at("context") == Json(incoming.context);
    const bool named = incoming.decision != 0;
    if (named) same = same && (known.decision == incoming.decision || known.decision == 0);
    if (same) return;
    throw Error(kIdConflict,
                "found id \"" + incoming.id + "\" with other content than round " + std::to_string(known.t) +
                    " has, expected the same or another id",
                path_of(path, "id"));
  }

  void publish() {
    for (const auto& name : touched_) {
      if (dirty_.contains(name)) {
        host_.drop(name);
        continue;
      }
      const auto entry = host_.find(name);
      host_.after_commit(*entry, host_.loaded(*entry));
    }
  }
  void settle(Waiting& waiting, Accepted accepted, const std::exception_ptr& failure) {
    host_.waiting_bytes_ -= waiting.submission.bytes;
    for (const auto& part : waiting.submission.parts) part.entry->waiting -= part.outcomes.size();
    waiting.answer(std::move(accepted), failure);
  }

  Host& host_;
  std::vector<Row> rows_;
  std::map<std::pair<std::int64_t, std::string>, std::size_t> ids_;
  std::vector<Applied> applied_;
  std::set<std::string> touched_, touched_now_, dirty_;
  std::optional<Row> found_;
};

void Host::run_group(std::deque<Waiting> group) {
  Group work(*this);
  for (auto& waiting : group) work.apply(std::move(waiting));
  work.commit();
}

void Host::after_commit(Entry& entry, HostedLearner& learner) {
  entry.set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner.publish())});
  if (learner.rounds() < snapshots_[entry.name()] + limits_.snapshot_every) return;
  try {
    const std::uint64_t older = snapshots_[entry.name()];
    take_snapshot(learner);
    const std::uint64_t keep = entry.config().keep_rounds;
    if (keep > 0 && learner.rounds() > keep) store_->trim(entry.log(), std::min(older, learner.rounds() - keep) + 1);
  } catch (const StoreFailure&) {
    // Nothing is lost without it; the next group tries again.
  }
}

void Host::take_snapshot(HostedLearner& learner) {
  const auto entry_name = [&] {
    for (const auto& [name, one] : learners_) {
      if (one.get() == &learner) return name;
    }
    return std::string();
  }();
  store_->keep_snapshot(
      {.log = learner.log(), .t = learner.rounds(), .engine = engine_name(), .state = learner.save()});
  snapshots_[entry_name] = learner.rounds();
}

void Host::make(std::string name, Json body, Answer<Made> answer) {
  add_task([this, name = std::move(name), body = std::move(body), answer = std::move(answer)] {
    Made made = Made::kNew;
    try {
      make_now(name, body, [&](Made which, const std::exception_ptr&) { made = which; });
    } catch (...) {
      return answer({}, std::current_exception());
    }
    answer(made, nullptr);
  });
}

void Host::make_now(const std::string& name, const Json& body, const Answer<Made>& answer) {
  check_learner_name(name);
  MadeLearner made = make_learner(body, limits_.oracles);
  const Json config = made.config.json();
  EntryPointer old;
  {
    const std::lock_guard lock(entries_mutex_);
    const auto found = entries_.find(name);
    if (found != entries_.end()) old = found->second;
  }
  if (old && old->now().status != Status::kEnded) {
    if (old->config().json() == config) return answer(Made::kSame, nullptr);
    throw Error(kOtherBody,
                "found a learner of this name with another configuration, expected the same or another name", "name");
  }
  if (size() >= limits_.learners) throw Error(kNoMemory, "found as many learners as --max-learners allows");
  const double bytes = estimated_bytes(*made.problem);
  if (used_memory_ + bytes > limits_.memory)
    throw Error(kNoMemory, "found less memory left than this learner may take, expected more; see --memory");
  StoredLearner stored{.id = 0,
                       .name = name,
                       .generation = 1,
                       .config = dump(made.config.given()),
                       .status = "live",
                       .created = now_in_milliseconds()};
  try {
    if (old) {  // it was ended: its log stays, and a new generation begins
      stored.id = old->stored().id;
      stored.generation = old->stored().generation + 1;
      store_->change_learner(stored);
    } else {
      stored.id = store_->add_learner(stored);
    }
  } catch (const StoreFailure& failure) {
    refuse_not_ready(std::string("unable to write (") + failure.what() + ")");
  }
  used_memory_ += bytes;
  auto learner = std::make_unique<HostedLearner>(std::move(made), LogName{stored.id, stored.generation});
  auto entry = std::make_shared<Entry>(stored, learner->config(), learner->problem(), learner->columns());
  entry->set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
  learners_[name] = std::move(learner);
  snapshots_[name] = 0;
  {
    const std::lock_guard lock(entries_mutex_);
    entries_[name] = std::move(entry);
  }
  answer(Made::kNew, nullptr);
}

void Host::end(std::string name, bool purge, Answer<bool> answer) {
  add_task([this, name = std::move(name), purge, answer = std::move(answer)] {
    try {
      EntryPointer entry;
      {
        const std::lock_guard lock(entries_mutex_);
        const auto found = entries_.find(name);
        if (found == entries_.end() || (!purge && found->second->now().status == Status::kEnded))
          throw Error(Code::kUndefined, "found no learner of this name, expected one", "name");
        entry = found->second;
      }
      StoredLearner stored = entry->stored();
      stored.status = "ended";
      if (purge) {
        store_->purge(stored.id);
      } else {
        store_->change_learner(stored);
      }
      learners_.erase(name);
      snapshots_.erase(name);
      used_memory_ -= estimated_bytes(entry->problem());
      entry->set({.status = Status::kEnded, .why = {}, .published = nullptr});
      if (purge) {
        const std::lock_guard lock(entries_mutex_);
        entries_.erase(name);
      }
    } catch (const StoreFailure& failure) {
      return answer(false, std::make_exception_ptr(Error(kNotReady, failure.what())));
    } catch (...) {
      return answer(false, std::current_exception());
    }
    answer(true, nullptr);
  });
}

void Host::reset(std::string name, std::optional<std::uint64_t> if_round, Answer<bool> answer) {
  add_task([this, name = std::move(name), if_round, answer = std::move(answer)] {
    try {
      const EntryPointer old = find(name);
      if (if_round && old->now().published && *if_round != old->now().published->rounds + 1)
        throw Error(kNotCurrent, "found another current decision, expected the one of If-Match");
      StoredLearner stored = old->stored();
      ++stored.generation;
      store_->change_learner(stored);
      auto learner = std::make_unique<HostedLearner>(make_learner(parse_json(stored.config), ExternalOracles::kAllowed),
                                                     LogName{stored.id, stored.generation});
      auto entry = std::make_shared<Entry>(stored, learner->config(), learner->problem(), learner->columns());
      entry->set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
      learners_[name] = std::move(learner);
      snapshots_[name] = 0;
      const std::lock_guard lock(entries_mutex_);
      entries_[name] = std::move(entry);
    } catch (const StoreFailure& failure) {
      return answer(false, std::make_exception_ptr(Error(kNotReady, failure.what())));
    } catch (...) {
      return answer(false, std::current_exception());
    }
    answer(true, nullptr);
  });
}

void Host::with(EntryPointer entry, std::function<Json(HostedLearner&)> question, Answer<Json> answer) {
  add_task([this, entry = std::move(entry), question = std::move(question), answer = std::move(answer)] {
    Json found;
    try {
      found = question(loaded(*entry));
    } catch (...) {
      return answer({}, std::current_exception());
    }
    answer(std::move(found), nullptr);
  });
}

void Host::stop() {
  {
    const std::lock_guard lock(queue_mutex_);
    stopping_ = true;
  }
  queue_changed_.notify_all();
  if (writer_.joinable()) writer_.join();
}

}  // namespace hannan::detail::service
