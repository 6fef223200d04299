// Learners that combine forecasts, kept beside the others: in the same table and log, each in its own lane. A request
// is applied in memory, its rows are written, and only then it is answered; where writing fails the learner is dropped
// and built again from the log. Commits are one a request: forecasts come a few a day, not thousands a second.
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/snapshots.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kReplayedAtATime = 500;
constexpr double kCombinerBytes = 1e5, kModelBytes = 1e3;  // for the limit, not for an account

double combiner_bytes(const CombinerPlan& plan) {
  return kCombinerBytes + kModelBytes * static_cast<double>(plan.width());
}

}  // namespace

void Host::adopt_combiner(const StoredLearner& stored) {
  const double bytes = combiner_bytes(HostedCombiner(parse_json(stored.config), {}).learner().combiner().plan());
  keep_combiner(stored, bytes);
  const std::lock_guard lock(entries_mutex_);
  used_memory_ += bytes;
}

void Host::keep_combiner(const StoredLearner& stored, double bytes) {
  auto kept = std::make_shared<StoredCombiner>();
  kept->stored = stored;
  kept->bytes = bytes;
  const std::lock_guard lock(entries_mutex_);
  combiners_[stored.name] = std::move(kept);
}

std::shared_ptr<Host::StoredCombiner> Host::combiner_of(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = combiners_.find(name);
  return found == combiners_.end() ? nullptr : found->second;
}

// In its lane. The newest snapshot of this very program, and the rows behind it.
HostedCombiner& Host::loaded_combiner(StoredCombiner& of) {
  if (of.learner) return *of.learner;
  const LogName log{of.stored.id, of.stored.generation};
  const Json config = parse_json(of.stored.config);
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
  for (;;) {
    const auto rows = store_->rows_after(log, built->position(), kReplayedAtATime);
    if (rows.empty()) break;
    for (const Row& row : rows) built->replay(row);
  }
  of.snapshot = built->position();
  of.learner = std::move(built);
  return *of.learner;
}

void Host::make_combiner(std::string name, Json body, Answer<Made> answer) {
  check_learner_name(name);
  add_task<Made>(
      name,
      [this, name, body = std::move(body)] {
        HostedCombiner made(body, {});
        if (const auto old = combiner_of(name)) {
          if (HostedCombiner(parse_json(old->stored.config), {}).config() == made.config()) return Made::kSame;
          throw Error(kOtherBody,
                      "found a learner of this name with another configuration, expected the same or another name",
                      "name");
        }
        if (entry_of(name))
          throw Error(kOtherBody, "found a learner of this name of another kind, expected another name", "name");
        check_number();
        const double bytes = combiner_bytes(made.learner().combiner().plan());
        take_memory(bytes);
        StoredLearner stored{.id = 0,
                             .name = name,
                             .generation = 1,
                             .config = dump(made.config()),
                             .status = std::string(kCombinerStatus),
                             .created = now_in_milliseconds()};
        try {
          stored.id = store_->add_learner(stored);
        } catch (...) {
          give_memory(bytes);
          throw;
        }
        keep_combiner(stored, bytes);
        return Made::kNew;
      },
      std::move(answer));
}

void Host::end_combiner(const std::string& name, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name] {
        const auto kept = combiner_of(name);
        if (!kept) throw Error(Code::kUndefined, "found no learner of this name, expected one", "name");
        purge_whole(*store_, kept->stored.id);
        give_memory(kept->bytes);
        const std::lock_guard lock(entries_mutex_);
        combiners_.erase(name);
        return true;
      },
      std::move(answer));
}

void Host::with_combiner(const std::string& name, CombinerWork work, Answer<Json> answer) {
  add_task<Json>(
      name,
      [this, name, work = std::move(work)] {
        const auto kept = combiner_of(name);
        if (!kept)
          throw Error(Code::kUndefined, "found no learner of this name, expected one; make it with PUT", "name");
        HostedCombiner& learner = loaded_combiner(*kept);
        const std::uint64_t before = learner.position();
        HostedCombiner::Done done;
        try {
          done = work(learner, *store_);
          for (Row& row : done.rows) row.time = now_in_milliseconds();
          if (!done.rows.empty()) store_->append(done.rows);
        } catch (...) {
          // Memory may be ahead of what is kept.
          if (!done.rows.empty() || learner.position() != before) kept->learner.reset();
          throw;
        }
        if (learner.position() >= kept->snapshot + limits_.snapshot_every) {
          SnapshotWriter writer(*store_,
                                {.log = learner.log(), .t = learner.position(), .engine = engine_name(), .state = {}});
          try {
            writer.add(dump(learner.save()));
            writer.done();
          } catch (const StoreFailure&) {
            return done.answer;  // nothing is lost without it
          }
          kept->snapshot = learner.position();
        }
        return done.answer;
      },
      std::move(answer));
}

}  // namespace hannan::detail::service
