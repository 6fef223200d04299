// From the log into memory, and snapshots, which make that shorter. All of it in the learner's lane.
#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/snapshots.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kLookedBack = 64;  // rows, for the last decision: chosen
// Of the log, however few are wanted: replay must find the actions that a learner has in memory (hosted_learner.cpp).
constexpr std::uint64_t kLeastKeptRounds = 1024;
constexpr std::uint64_t kBytesOfRow = 200;  // about; chosen

std::unique_ptr<HostedLearner> fresh(const StoredLearner& stored) {
  return std::make_unique<HostedLearner>(make_learner(parse_json(stored.config), ExternalOracles::kAllowed),
                                         LogName{stored.id, stored.generation});
}

}  // namespace

// Not computed but read: it was in force, whatever this program makes of the rows before it. Of a learner with
// `delayed` some rows are outcomes alone, so that a few are looked at.
std::optional<DecidedAction> Host::last_decision(const Entry& entry, std::uint64_t differs) {
  if (entry.columns() > 0) return std::nullopt;
  const std::uint64_t last = store_->last_round(entry.log());
  const auto rows = store_->rows_after(entry.log(), last > kLookedBack ? last - kLookedBack : 0, kLookedBack);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->t == differs) continue;
    try {
      const Json line = parse_json(row->line);
      const Json *action = line.find("action"), *outcome = line.find("outcome");
      if (!action) continue;
      if (outcome) entry.problem().loss(*action, *outcome);  // which throws where it is no action
      return DecidedAction{.generation = entry.log().generation,
                           .round = entry.config().delayed ? row->decision : row->t,
                           .action = *action};
    } catch (const Error&) {
      continue;  // a row that was damaged
    }
  }
  return std::nullopt;
}

// Without being asked, and counted until it is done or cannot be done. Lanes take turns by the time they have used, so
// that those with little to replay are ready first.
void Host::load_in_time(const EntryPointer& entry) {
  if (entry->now().status != Status::kCold) return;
  ++cold_;
  add_job(entry, [this](const Workers::Hold&) { --cold_; });
}

// Does a part of what is needed to have the learner in memory; false: more is to be done. Where it cannot be had, that
// is for loaded() to say.
bool Host::prepared(Entry& entry) {
  try {
    return entry.now().status != Status::kCold || load_some(entry);
  } catch (...) {
    return true;
  }
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
  while (!entry->own.learner && !load_some(*entry)) continue;
  return *entry->own.learner;
}

// Newest first. A snapshot only shortens the replay, so any that does not fit is passed over. One of another program
// version is taken only where no row follows it: what that program would have decided next cannot be replayed.
Host::Begun Host::begin_from_log(const StoredLearner& stored, std::uint64_t to) {
  Begun begun{.learner = fresh(stored)};
  const LogName log = begun.learner->log();
  for (const Snapshot& snapshot : store_->snapshots(log)) {
    const bool own = snapshot.engine == engine_name();
    if (snapshot.t > to || (!own && !store_->rows_after(log, snapshot.t, 1).empty())) continue;
    const auto state = read_snapshot(*store_, snapshot);
    if (!state) continue;  // a damaged one is as good as none
    try {
      begun.learner->load(*state);
      if (begun.learner->position() != snapshot.t)
        throw Error(Code::kBadState, "found another round, expected its own");
      begun.moved = !own;
      break;
    } catch (const Error&) {
      begun.learner = fresh(stored);  // an older one, or all rows
    }
  }
  return begun;
}

// First the newest snapshot that fits, then some of the rows behind it, each played again and compared with the log.
// True: all were. Invariant of `coming`: rows 1..position() are in it.
bool Host::load_some(Entry& entry) {
  if (entry.own.learner) return true;
  auto& coming = entry.own.coming;
  const auto start = std::chrono::steady_clock::now();
  const StopPoint stop(*this, {&entry});
  try {
    interruption_point();
    if (!coming) {
      Begun begun = begin_from_log(entry.stored());
      coming = std::move(begun.learner);
      entry.own.moved = begun.moved;
      entry.snapshot = coming->position();
      // What a snapshot shows is better than nothing while rows are replayed: floors are served from it.
      if (!entry.now().published && coming->position() > 0) {
        entry.set({.status = Status::kCold,
                   .why = {},
                   .published = std::make_shared<Published>(coming->publish()),
                   .behind = true});
      }
    }
    const auto rows = store_->rows_after(entry.log(), coming->position(), kReplayRows);
    const std::uint64_t before = coming->learned_again();
    coming->replay(rows, *store_, limits_.differing);
    entry.own.moved = entry.own.moved || coming->learned_again() > before;
    metrics_.replay_seconds.add(seconds_since(start));
    if (!rows.empty()) return false;
    auto published = std::make_shared<Published>(coming->publish());
    entry.own.learner = std::move(coming);
    count_segments(entry, entry.own.learner->segment_bytes());
    if (entry.own.moved) take_snapshot(entry);  // the next start goes on from here
    entry.set({.status = Status::kReady, .why = {}, .published = std::move(published)});
    return true;
  } catch (const StoreFailure& failure) {
    coming.reset();
    refuse_not_ready(std::string("unable to read its log (") + failure.what() + ")");
  } catch (const ReplayDiffers& differs) {
    coming.reset();
    auto now = entry.now();
    now.status = Status::kQuarantined;
    if (!now.published) now.last = last_decision(entry, differs.round());
    now.why = std::string(differs.what()) +
              "; if another version of the program wrote this, start that one and stop it, or see --replay-outcomes";
    const std::string why = now.why;
    entry.set(std::move(now));
    say(Level::kError, "quarantined", Json::object({{"learner", entry.name()}, {"why", why}}));
    throw Error(Code::kInternal, "the learner is quarantined: " + why, "name");
  } catch (...) {
    coming.reset();  // it may be in the middle of a round
    throw;
  }
}

// What is in memory may be ahead of the log: the next use builds it again. Its last decision stays readable.
void Host::drop(Entry& entry) {
  entry.own.learner.reset();
  entry.own.coming.reset();
  auto now = entry.now();
  if (now.status != Status::kReady) return;
  now.status = Status::kCold;
  entry.set(std::move(now));
}

// On the thread that committed, with the lane held.
void Host::after_commit(const EntryPointer& entry, std::shared_ptr<const Published> published) {
  const std::uint64_t position = published->position;
  if (const auto before = entry->now().published; before && published->oracle_calls > before->oracle_calls)
    metrics_.oracle_calls += published->oracle_calls - before->oracle_calls;
  entry->set({.status = Status::kReady, .why = {}, .published = std::move(published)});
  // At least as many bytes of rows as a snapshot has: writing snapshots costs no more than writing rows.
  const std::uint64_t rounds = std::max(limits_.snapshot_every, entry->snapshot_bytes / kBytesOfRow);
  if (position < entry->snapshot + rounds) return;
  workers_.add(
      entry->name(),
      [this, entry](const Workers::Hold&) {
        if (!entry->own.learner) return;
        const StopPoint stop(*this, {entry.get()});
        try {
          const std::uint64_t older = entry->snapshot;
          take_snapshot(*entry);
          trim(*entry, older, entry->own.learner->position());
        } catch (const std::exception&) {
          return;  // nothing is lost without it; the next group tries again
        }
      },
      Place::kFirst);
}

// Rows behind the older snapshot go that are beyond the rounds to keep and older than ids are remembered.
void Host::trim(const Entry& entry, std::uint64_t older, std::uint64_t position) {
  const std::uint64_t wanted = entry.config().keep_rounds > 0 ? entry.config().keep_rounds : limits_.keep_rounds;
  if (wanted == 0) return;
  const std::uint64_t keep = std::max(wanted, kLeastKeptRounds);
  if (position <= keep) return;
  const auto first = store_->rows_after(entry.log(), 0, 1);
  if (first.empty()) return;
  // The first row to stay. Times do not fall from row to row, unless the clock was set back.
  // Invariant: rows below low may go, rows from high on stay. At most about 64 single rows are read.
  std::uint64_t low = first.front().t, high = std::max(low, std::min(older, position - keep) + 1);
  const std::int64_t since = now_in_milliseconds() - limits_.keep_ids_milliseconds;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto row = store_->rows_after(entry.log(), middle - 1, 1);
    if (!row.empty() && row.front().time < since) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == first.front().t) return;
  while (store_->trim(entry.log(), low)) {
  }
}

// The engine's name goes with it: another version of the program may decide otherwise from the same state.
void Host::take_snapshot(Entry& entry) {
  HostedLearner& learner = *entry.own.learner;
  SnapshotWriter writer(*store_, {.log = learner.log(), .t = learner.position(), .engine = engine_name(), .state = {}});
  learner.save([&](std::string_view text) {
    interruption_point();  // a state of many segments takes seconds
    writer.add(text);
  });
  writer.done();
  entry.snapshot = learner.position();
  entry.snapshot_bytes = writer.bytes();
}

}  // namespace hannan::detail::service
