// The looking thread compares what the database says with states_ and moves at most its part of the shards. Ownership
// is the lock in the database, not states_: where both differ the database is right, and the next look finds it.
// O(shards) a look.
#include "service/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hannan::detail::service {
namespace {

// Three looks that did not come: as after a process that stood still.
constexpr int kLooksMissed = 3;

}  // namespace

Cluster::Cluster(Leases& leases, ClusterSetting setting, Actions actions)
    : leases_(leases),
      setting_(std::move(setting)),
      actions_(std::move(actions)),
      states_(leases.shards()),
      urls_(leases.shards()),
      contact_(Clock::now().time_since_epoch().count()) {
  for (auto& state : states_) state = State::kAway;
}

Cluster::~Cluster() { stop(); }

// The looking thread. Everything it decides is carried out by the writer, through actions_.
void Cluster::start() {
  thread_ = std::thread([this] {
    for (;;) {
      {
        std::unique_lock lock(thread_mutex_);
        // A look may take long (a slow database): the pause is counted from its end.
        changed_.wait_for(lock, setting_.look_every, [this] { return stopping_ || woken_; });
        if (stopping_) return;
        woken_ = false;
      }
      look();
    }
  });
}

// Waits for a look that is under way. Safe to call twice.
void Cluster::stop() {
  {
    const std::lock_guard lock(thread_mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// After a failure of the store: the next look comes at once instead of at its time.
void Cluster::wake() {
  if (failed_) return;  // the next look comes anyway
  {
    const std::lock_guard lock(thread_mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

// The only place that talks to the database about nodes. A failure is said once, not at every look.
void Cluster::look() {
  try {
    look_at(leases_.look(setting_.url));
    contact_ = Clock::now().time_since_epoch().count();
    if (failed_.exchange(false)) say("the database is reached again");
  } catch (const StoreFailure& failure) {
    if (!failed_.exchange(true)) say(std::string("lost the database: ") + failure.what());
  }
}

// Shards first, then what other threads read: the addresses of the nodes that have the others.
void Cluster::look_at(const NodeList& list) {
  if (list.session != session_) take_back(list);
  balance(list);
  const std::lock_guard lock(mutex_);
  seen_ = list;
  std::fill(urls_.begin(), urls_.end(), "");
  for (const Node& node : list.nodes) {
    if (node.id == leases_.node()) continue;
    for (const Shard shard : node.shards) {
      if (shard < urls_.size()) urls_[shard] = node.url;
    }
  }
}

// The session is a new one, and the locks of the old one are gone. What no other node took meanwhile is taken again.
void Cluster::take_back(const NodeList& list) {
  std::vector<Shard> had;
  for (Shard shard = 0; shard < states_.size(); ++shard) {
    if (states_[shard] != State::kAway) had.push_back(shard);
  }
  // Taken before session_ is set: if this throws, the next look tries again with the same session number.
  const std::vector<Shard> got = had.empty() ? had : leases_.take(had);
  session_ = list.session;
  if (had.empty()) return;
  std::vector<Shard> lost;
  for (const Shard shard : had) {
    if (std::find(got.begin(), got.end(), shard) != got.end()) continue;
    states_[shard] = State::kAway;
    ++lost_;
    lost.push_back(shard);
  }
  // Forgotten before anything is adopted, so that the writer never has a learner of a shard that another node writes.
  if (!lost.empty()) actions_.forget(lost);
  if (!got.empty()) actions_.adopt(got);
  say(fmt::format("a new session with the database: {} of {} shards were kept", got.size(), had.size()));
}

// low and high are the floor and the ceiling of shards per node. A node takes up to high + 1 while all have low, and
// gives back what is above (see the header). `largest` names one node in ties, by its id, so that only one gives.
void Cluster::balance(const NodeList& list) {
  const std::size_t shards = states_.size(), nodes = std::max<std::size_t>(1, list.nodes.size());
  const std::size_t low = shards / nodes, high = (shards + nodes - 1) / nodes;
  const std::size_t own = count(State::kComing) + count(State::kHere);
  bool needed = false, largest = true;  // a node has too few; no other has more than this one
  for (const Node& node : list.nodes) {
    if (node.id == leases_.node()) continue;
    needed = needed || node.shards.size() < low;
    if (node.shards.size() > own || (node.shards.size() == own && node.id < leases_.node())) largest = false;
  }
  const std::size_t most = high + (needed ? 0 : 1);
  std::size_t over = own > most ? own - most : 0;
  if (over == 0 && needed && largest && own > low) over = 1;
  if (over > 0) return give_back(list, over);
  if (own < most) take_free(list, most - own);
}

// From the highest number down; compare_exchange, because the writer may have changed the state since it was counted.
void Cluster::give_back(const NodeList& list, std::size_t number) {
  std::vector<Shard> given;
  for (auto shard = static_cast<Shard>(states_.size()); shard-- > 0 && given.size() < number;) {
    State here = State::kHere;
    if (states_[shard].compare_exchange_strong(here, State::kGoing)) given.push_back(shard);
  }
  if (given.empty()) return;
  given_ += given.size();
  actions_.release(given);
  say(fmt::format("gives back {} shards: there are {} nodes", given.size(), list.nodes.size()));
}

// Locks are taken here, learners are adopted by the writer; between the two the shard is kComing, and here() is false.
void Cluster::take_free(const NodeList& list, std::size_t most) {
  std::vector<char> held(states_.size(), 0);
  for (const Node& node : list.nodes) {
    for (const Shard shard : node.shards) {
      if (shard < held.size()) held[shard] = 1;
    }
  }
  std::vector<Shard> wanted;
  // Nodes begin at different places, so that two which look at once take different ones.
  const Shard first = shard_of(leases_.node(), static_cast<Shard>(states_.size()));
  for (std::size_t i = 0; i < states_.size() && wanted.size() < most; ++i) {
    const auto shard = static_cast<Shard>((first + i) % states_.size());
    if (!held[shard] && states_[shard] == State::kAway) wanted.push_back(shard);
  }
  if (wanted.empty()) return;
  const auto got = leases_.take(wanted);
  if (got.empty()) return;
  for (const Shard shard : got) states_[shard] = State::kComing;
  taken_ += got.size();
  actions_.adopt(got);
  say(fmt::format("took {} shards: there are {} nodes", got.size(), list.nodes.size()));
}

// kGoing counts: until the lock is given back this node still answers.
bool Cluster::here(std::string_view name) const {
  const State now = state(shard(name));
  return now == State::kHere || now == State::kGoing;
}

// Empty where no node has the shard now.
std::string Cluster::url_of(std::string_view name) const {
  const Shard wanted = shard(name);
  const std::lock_guard lock(mutex_);
  return urls_[wanted];
}

std::vector<std::string> Cluster::others() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> urls;
  for (const Node& one : seen_.nodes) {
    if (one.id != leases_.node() && !one.url.empty()) urls.push_back(one.url);
  }
  return urls;
}

// Longer without contact than a few looks take: another node may hold what this one shows.
bool Cluster::stale() const {
  const Clock::duration age = Clock::now().time_since_epoch() - Clock::duration(contact_.load());
  return failed_ || age > kLooksMissed * setting_.look_every;
}

// So long without contact that answers from memory are refused too.
bool Cluster::expired() const {
  return Clock::now().time_since_epoch() - Clock::duration(contact_.load()) > setting_.stale && stale();
}

Json Cluster::json() const {
  const std::lock_guard lock(mutex_);
  Json nodes = Json::array();
  for (const Node& node : seen_.nodes) {
    Json shards = Json::array();
    for (const Shard shard : node.shards) shards.push_back(static_cast<std::uint64_t>(shard));
    nodes.push_back(Json::object({{"id", node.id}, {"url", node.url}, {"shards", std::move(shards)}}));
  }
  return Json::object({{"node", leases_.node()},
                       {"shards", static_cast<std::uint64_t>(states_.size())},
                       {"here", static_cast<std::uint64_t>(count(State::kHere) + count(State::kGoing))},
                       {"stale", stale()},
                       {"nodes", std::move(nodes)}});
}

void Cluster::add_to(Exposition& out) const {
  using Type = Exposition::Type;
  std::size_t nodes = 0;
  {
    const std::lock_guard lock(mutex_);
    nodes = seen_.nodes.size();
  }
  const auto add = [&](const Exposition::Family& family, std::uint64_t value) {
    out.single(family, static_cast<double>(value));
  };
  add({"hannan_shards", Type::kGauge, "Shards of the database."}, states_.size());
  add({"hannan_shards_owned", Type::kGauge, "Shards of this node."}, count(State::kHere) + count(State::kGoing));
  add({"hannan_nodes", Type::kGauge, "Nodes that this one sees, itself among them."}, nodes);
  add({"hannan_stale", Type::kGauge, "1: the database was not reached lately, and decisions may be old."},
      stale() ? 1 : 0);
  add({"hannan_shards_taken_total", Type::kCounter, "Shards that this node took."}, taken_);
  add({"hannan_shards_given_back_total", Type::kCounter, "Shards that this node gave back."}, given_);
  add({"hannan_shards_lost_total", Type::kCounter, "Shards that this node lost with its session."}, lost_);
  add({"hannan_fenced_total", Type::kCounter, "Writes that failed because another process had written."}, fenced_);
}

// A second writer was found by the database itself: it is counted, and said.
void Cluster::fenced(const std::string& why) {
  ++fenced_;
  say(why);
}

std::size_t Cluster::count(State state) const {
  return static_cast<std::size_t>(
      std::count_if(states_.begin(), states_.end(), [&](const auto& one) { return one == state; }));
}

void Cluster::say(const std::string& what) const {
  if (setting_.say) setting_.say(what);
}

}  // namespace hannan::detail::service
