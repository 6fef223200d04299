// Shards that come to this node and go.
//
// Shards go kAway -> kComing -> kHere -> kGoing -> kComing (while the lock is given back) -> kAway. The looking thread
// takes locks and says what is to come or go; that is done in a lane of its own, in the order in which it was told. A
// shard goes once the lanes of its learners are held, so that no job works for a learner on its way.
#include <future>
#include <set>
#include <utility>

#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

const std::string kLane = "/shards";  // no learner has such a name

// What was published before it was away; whether it is quarantined says the log.
void keep_published(Entry& entry, const Entry& old) {
  auto now = entry.now();
  now.published = old.now().published;
  entry.set(std::move(now));
}

}  // namespace

void Host::join(ClusterSetting setting) {
  Leases* leases = store_->leases();
  if (!leases) return;
  const auto task = [this](void (Host::*step)(const std::vector<Shard>&, const Workers::Hold&)) {
    return [this, step](std::vector<Shard> shards) {
      workers_.add(
          kLane, [this, step, shards = std::move(shards)](const Workers::Hold& hold) { (this->*step)(shards, hold); });
    };
  };
  cluster_ = std::make_unique<Cluster>(
      *leases, std::move(setting),
      Cluster::Actions{
          .adopt = task(&Host::adopt), .release = task(&Host::release_shards), .forget = task(&Host::forget)});
  // On this thread, before the looking thread exists: the node serves what is free as soon as join() returns.
  cluster_->look();
  // The learners of the shards that were free are known when this returns.
  std::promise<void> adopted;
  workers_.add(kLane, [&](const Workers::Hold&) { adopted.set_value(); });
  adopted.get_future().wait();
  cluster_->start();
}

void Host::set_shards(const std::vector<Shard>& shards, Cluster::State state) {
  for (const Shard shard : shards) cluster_->set(shard, state);
}

// Their locks are ours. Learners are loaded by their first use or when there is time, from the snapshot and the log:
// another node may have gone on with them. Until then the last decision of those that were here before stays readable.
void Host::adopt(const std::vector<Shard>& shards, const Workers::Hold&) {
  try {
    std::vector<EntryPointer> entries;
    std::vector<StoredLearner> sets, combiners;
    for (const StoredLearner& stored : store_->leases()->adopt(shards)) {
      if (stored.status == kSetStatus) {
        sets.push_back(stored);
        continue;
      }
      if (is_combiner(stored)) {
        combiners.push_back(stored);
        continue;
      }
      try {
        entries.push_back(make_entry(stored));
      } catch (const Error& error) {
        cluster_->say("found a learner that this version cannot make, " + stored.name + ": " + error.what());
        continue;
      }
      const EntryPointer old = entry_of(stored.name);
      if (old && old->log().generation == stored.generation && stored.status != "ended")
        keep_published(*entries.back(), *old);
    }
    replace(shards, entries);
    for (const StoredLearner& set : sets) keep_set(set);
    for (const StoredLearner& combiner : combiners) {
      try {
        adopt_combiner(combiner);
      } catch (const Error& error) {
        cluster_->say("found a learner that this version cannot make, " + combiner.name + ": " + error.what());
      }
    }
    set_shards(shards, Cluster::State::kHere);
    for (const auto& entry : entries) load_in_time(entry);
  } catch (const StoreFailure&) {
    set_shards(shards, Cluster::State::kAway);  // the next look sees what became of them
    replace(shards, {});
    cluster_->wake();
  }
}

// Snapshots while the lock is still held, then the learners go from memory, then the lock: no other node can load a
// learner that this one might still write. With the lanes of their learners held, and that of the shards: what comes
// next there waits for it. Snapshots spare the node that comes next a replay.
void Host::release_shards(const std::vector<Shard>& shards, const Workers::Hold& hold) {
  const std::set<Shard> going(shards.begin(), shards.end());
  std::set<std::string> lanes;
  {
    const std::lock_guard lock(entries_mutex_);
    for (const auto& [name, entry] : entries_) {
      if (going.contains(cluster_->shard(name))) lanes.insert(name);
    }
    for (const auto& [name, entry] : combiners_) {
      if (going.contains(cluster_->shard(name))) lanes.insert(name);
    }
  }
  const auto go = [this, shards, lanes, hold](const Workers::Hold&) {
    try {
      for (const auto& name : lanes) {
        const EntryPointer entry = entry_of(name);
        if (entry && entry->own.learner && entry->own.learner->position() > entry->snapshot) take_snapshot(*entry);
        const CombinerPointer combiner = combiner_of(name);
        if (combiner && combiner->own.learner) keep_combiner_snapshot(*combiner, 1);
      }
    } catch (const std::exception& failure) {
      cluster_->say(std::string("found no way to keep a snapshot, the next node replays more: ") + failure.what());
    }
    set_shards(shards, Cluster::State::kComing);  // neither here nor to be taken
    replace(shards, {});
    try {
      for (const Shard shard : shards) store_->leases()->give_back(shard);
    } catch (const StoreFailure&) {
      cluster_->wake();  // the session was lost, and its locks with it
    }
    set_shards(shards, Cluster::State::kAway);
  };
  if (lanes.empty()) return go(hold);
  workers_.add(lanes, go);
}

// They were lost: what is being worked for them is refused by the log.
void Host::forget(const std::vector<Shard>& shards, const Workers::Hold&) { replace(shards, {}); }

// The learners of the shards are these from now on, and none of them is loaded.
void Host::replace(const std::vector<Shard>& shards, const std::vector<EntryPointer>& entries) {
  const std::set<Shard> changed(shards.begin(), shards.end());
  std::vector<EntryPointer> old;
  std::vector<CombinerPointer> old_combiners;
  {
    const std::lock_guard lock(entries_mutex_);
    for (const auto& [name, entry] : entries_) {
      if (changed.contains(cluster_->shard(name))) old.push_back(entry);
    }
    for (const auto& entry : old) entries_.erase(entry->name());
    std::erase_if(sets_, [&](const auto& set) { return changed.contains(cluster_->shard(set.second.name)); });
    for (const auto& [name, entry] : combiners_) {
      if (changed.contains(cluster_->shard(name))) old_combiners.push_back(entry);
    }
    for (const auto& entry : old_combiners) {
      if (entry->now().status != Status::kEnded) used_memory_ -= entry->bytes();
      combiners_.erase(entry->name());
    }
    for (const auto& entry : entries) entries_[entry->name()] = entry;
  }
  for (const auto& entry : old_combiners) entry->wake();
  for (const auto& entry : old) {
    if (entry->now().status != Status::kEnded) give_memory(estimated_bytes(entry->problem()));
    count_segments(*entry, 0);
    entry->stopped = true;
    entry->wake();  // those who wait see the new one, or that there is none
  }
}

}  // namespace hannan::detail::service
