// A group of submissions: applied in memory, committed at once, then published and answered.
//
// A submission is all or nothing: all of its parts are checked before any is played, and where playing fails its rows
// are taken out again and its learners are marked dirty, to be built again from the log after the commit. Rows are
// visible to none but this group until append() returned. ids_ may name rows that were taken out; find() sees that by
// the index or the id, and a dirty learner is not asked.
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

// Of the log, however few are wanted: replay must find the actions that a learner has in memory (hosted_learner.cpp).
constexpr std::uint64_t kLeastKeptRounds = 1024;

}  // namespace

// What the group does, step by step.
class Host::Group {
 public:
  explicit Group(Host& host) : host_(host) {}

  // Applies a submission, or answers it with what is wrong with it.
  void apply(Waiting waiting) {
    const std::size_t before = rows_.size();
    try {
      Accepted accepted;
      ahead_.clear();
      std::vector<Known> known;
      for (const auto& part : waiting.submission.parts) known.push_back(check(part, waiting.submission.if_round));
      std::size_t i = 0;
      for (auto& part : waiting.submission.parts) accepted.parts.push_back(play(part, known[i++]));
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
  // After a failed commit memory is ahead of the log: all touched learners are dropped, and clients are told to send
  // the same again, which is safe because ids make it so.
  void commit() {
    try {
      if (!rows_.empty()) {
        const auto start = std::chrono::steady_clock::now();
        const std::int64_t time = now_in_milliseconds();
        for (Row& row : rows_) row.time = time;
        host_.store_->append(rows_);
        host_.metrics_.commit_seconds.add(seconds_since(start));
        host_.metrics_.commit_rows.add(static_cast<double>(rows_.size()));
        host_.writable_ = true;
      }
    } catch (const StoreFailure& failure) {
      host_.writable_ = false;
      if (host_.cluster_) {
        if (dynamic_cast<const FencedFailure*>(&failure)) host_.cluster_->fenced(failure.what());
        host_.cluster_->wake();
      }
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
        part.published = host_.entry_of(one.waiting.submission.parts[i].entry->name())->now().published;
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

  using Known = std::map<std::string, Row>;  // what the log has of the ids of a part, by id

  // Refuses whatever can be refused before anything is played, so that no learner need be built again for it.
  Known check(const Submission::Part& part, const std::optional<std::uint64_t>& if_round) {
    Entry& entry = *part.entry;
    if (dirty_.contains(entry.name())) refuse_not_ready("recovering this learner");
    HostedLearner& learner = host_.loaded(entry);
    if (learner.log().generation != entry.log().generation)
      throw Error(kOldGeneration, "found a learner that was reset, expected its current generation; ask again");
    Known known = look_up(entry, learner, part);
    if (learner.delayed()) check_delayed(entry, learner, part, known);
    Ahead& ahead = ahead_[entry.name()];
    const std::uint64_t current = learner.current();
    bool plays = false;
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      const Incoming& incoming = part.outcomes[i];
      if (is_known(learner, part, i, {known, ahead})) continue;
      plays = true;
      if (learner.delayed()) continue;
      const std::uint64_t round = current + ahead.fresh++;
      if (incoming.decision > round) {
        throw Error(kUnknownDecision,
                    "found a decision that was never made, expected one of round " + std::to_string(round) + " at most",
                    path_of(path_of(part.path, i), "decision"));
      }
      ahead.told.emplace(incoming.id, Told{&incoming, round});
    }
    // What was told before may be told again, whatever is current by now.
    if (if_round && plays && *if_round != current) {
      throw Error(kNotCurrent, "found that the current decision is " + decision_name(entry.log().generation, current) +
                                   ", expected the one of If-Match");
    }
    return known;
  }

  // What a submission will have told a learner before the outcome that is looked at.
  struct Told {
    const Incoming* incoming;
    std::uint64_t round;
  };
  struct Ahead {
    std::uint64_t fresh = 0;  // rounds
    std::unordered_map<std::string_view, Told> told;
  };
  struct Before {
    const Known& known;
    const Ahead& ahead;
  };
  // Told before, in this submission, this group or the log; kIdConflict where it is told otherwise.
  bool is_known(const HostedLearner& learner, const Submission::Part& part, std::size_t i, const Before& before) {
    const Entry& entry = *part.entry;
    const Incoming& incoming = part.outcomes[i];
    if (incoming.kind == Incoming::Kind::kDecide) return learner.delayed()->opened_with(incoming.id) != 0;
    if (const Row* row = find(entry, learner.row_id(incoming), before.known)) {
      require_same(entry, *row, part, i);
      return true;
    }
    const auto found = before.ahead.told.find(incoming.id);
    if (found == before.ahead.told.end()) return false;
    require_same(entry, row_to_come(entry, found->second), part, i);
    return true;
  }
  // As much of the row of an outcome as another is compared with.
  static Row row_to_come(const Entry& entry, const Told& told) {
    const Incoming& incoming = *told.incoming;
    const Json outcome = entry.problem().game().outcome_json(incoming.outcome);
    return {.log = entry.log(),
            .t = told.round,
            .id = incoming.id,
            .decision = incoming.unattributed    ? 0
                        : incoming.decision == 0 ? told.round
                                                 : incoming.decision,
            .time = 0,
            .line = dump(Json::object({{"outcome", outcome}, {"context", Json(incoming.context)}}))};
  }

  // Of a learner with `delayed` an outcome may belong to a decision that was never made or has had its outcome. This is
  // found before anything is played, so that the learner need not be built again.
  void check_delayed(const Entry& entry, const HostedLearner& learner, const Submission::Part& part,
                     const Known& known) {
    using Standing = DelayedPlay::Standing;
    std::map<std::uint64_t, std::string> ids;  // of this part, by round
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      const Incoming& incoming = part.outcomes[i];
      if (incoming.kind == Incoming::Kind::kDecide) continue;
      const std::string path = path_of(path_of(part.path, i), "decision");
      if (incoming.decision == 0) {
        throw Error(Code::kMissingField,
                    "found no decision, expected the one that the outcome belongs to: they may "
                    "come in any order",
                    path);
      }
      const Standing standing = learner.delayed()->standing(incoming.decision);
      if (standing == Standing::kNeverMade) {
        throw Error(kUnknownDecision,
                    "found a decision that was never made, expected one of round " +
                        std::to_string(learner.delayed()->played()) + " at most",
                    path);
      }
      if (standing == Standing::kAwaited && ids.emplace(incoming.decision, incoming.id).first->second == incoming.id)
        continue;
      if (find(entry, learner.row_id(incoming), known)) continue;  // sent again, or a conflict
      throw Error(Code::kOutOfRange, "found a decision that has had its outcome, expected one without", path);
    }
  }

  // Played in order; a duplicate is answered from its row. touched_now_ is what has to be built again if a later
  // outcome of the submission fails.
  Accepted::Part play(Submission::Part& part, const Known& known_before) {
    Entry& entry = *part.entry;
    HostedLearner& learner = host_.loaded(entry);
    Accepted::Part result;
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      Incoming& incoming = part.outcomes[i];
      const bool decides = incoming.kind == Incoming::Kind::kDecide;
      if (const std::uint64_t round = decides ? learner.delayed()->opened_with(incoming.id) : 0) {
        ++result.duplicates;
        result.each.push_back({.round = round, .loss = 0, .duplicate = true, .decision = learner.open_decision(round)});
        continue;
      }
      if (const auto* known = decides ? nullptr : find(entry, learner.row_id(incoming), known_before)) {
        require_same(entry, *known, part, i);
        ++result.duplicates;
        result.each.push_back({.round = learner.delayed() ? known->decision : known->t,
                               .loss = loss_of(*known),
                               .duplicate = true,
                               .decision = {}});
        continue;
      }
      // Before it plays: if play() throws in the middle, the learner counts as changed.
      touched_now_.insert(entry.name());
      touched_.insert(entry.name());
      Row row = learner.play(incoming, *host_.store_);
      ids_[{row.log.learner, row.id}] = rows_.size();
      const std::uint64_t round = learner.delayed() ? row.decision : row.t;
      result.each.push_back({.round = round,
                             .loss = decides ? 0 : learner.last_loss(),
                             .duplicate = false,
                             .decision = decides ? learner.open_decision(round) : Json()});
      if (result.accepted++ == 0) result.first = round;
      result.last = round;
      rows_.push_back(std::move(row));
    }
    return result;
  }

  // One question to the log for all ids of a part: duplicates are rare, and a question each would cost a transaction
  // each.
  Known look_up(const Entry& entry, const HostedLearner& learner, const Submission::Part& part) {
    std::vector<std::string> ids;
    for (const Incoming& incoming : part.outcomes) {
      if (incoming.kind != Incoming::Kind::kDecide) ids.push_back(learner.row_id(incoming));
    }
    std::vector<Row> rows;
    if (ids.size() == 1) {
      if (auto row = host_.store_->find(entry.log(), ids.front())) rows.push_back(std::move(*row));
    } else {
      rows = host_.store_->find_all(entry.log(), ids);
    }
    Known known;
    for (Row& row : rows) {
      std::string id = row.id;
      known.emplace(std::move(id), std::move(row));
    }
    return known;
  }
  // The row with this id, of this group or of the log.
  const Row* find(const Entry& entry, const std::string& id, const Known& known) {
    const auto here = ids_.find({entry.log().learner, id});
    if (here != ids_.end() && here->second < rows_.size() && rows_[here->second].id == id) return &rows_[here->second];
    const auto there = known.find(id);
    return there == known.end() ? nullptr : &there->second;
  }
  static double loss_of(const Row& row) { return parse_json(row.line).at("loss").as_number(); }
  // An id means one outcome for ever: the same again is a repetition, another one a conflict that the client must see.
  static void require_same(const Entry& entry, const Row& known, const Submission::Part& part, std::size_t i) {
    const Incoming& incoming = part.outcomes[i];
    const Json line = parse_json(known.line);
    bool same = line.at("outcome") == entry.problem().game().outcome_json(incoming.outcome);
    if (entry.columns() > 0) same = same && line.at("context") == Json(incoming.context);
    const bool named = incoming.decision != 0;
    if (named) same = same && (known.decision == incoming.decision || known.decision == 0);
    if (same) return;
    throw Error(kIdConflict,
                "found id \"" + incoming.id + "\" with other content than round " + std::to_string(known.t) +
                    " has, expected the same or another id",
                path_of(path_of(part.path, i), "id"));
  }

  // Only learners that played in this group have something new.
  void publish() {
    for (const auto& name : touched_) {
      // Both are there: only this thread takes them away, and not within a group.
      Entry& entry = *host_.entry_of(name);
      if (dirty_.contains(name)) {
        host_.drop(name);
        if (!rebuilt(entry)) continue;
      }
      host_.after_commit(entry, *host_.learners_.at(name));
    }
  }
  // From the log, which holds what was committed, so that readers see it.
  bool rebuilt(Entry& entry) {
    try {
      host_.loaded(entry);
      return true;
    } catch (const Error&) {
      return false;  // its last decision stays readable
    }
  }
  // Exactly once for each submission, whatever became of it: the counts of what waits depend on it.
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
  std::map<std::string, Ahead> ahead_;  // of the submission that is applied, by learner
};

// On the writer's thread. Between apply() and commit() learners are ahead of the log, and no other thread sees them.
void Host::run_group(std::deque<Waiting> group) {
  Group work(*this);
  for (auto& waiting : group) work.apply(std::move(waiting));
  work.commit();
}

// Publishing comes first: readers see the new decision while a snapshot is written. The answers of the group wait for
// both.
void Host::after_commit(Entry& entry, HostedLearner& learner) {
  entry.set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner.publish())});
  if (learner.position() < snapshots_[entry.name()] + limits_.snapshot_every) return;
  try {
    const std::uint64_t older = snapshots_[entry.name()];
    take_snapshot(entry.name(), learner);
    trim(entry, older, learner.position());
  } catch (const StoreFailure&) {
    return;  // nothing is lost without it; the next group tries again
  }
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
  if (low > first.front().t) store_->trim(entry.log(), low);
}

// The engine's name goes with it: another version of the program may decide otherwise from the same state.
void Host::take_snapshot(const std::string& name, HostedLearner& learner) {
  store_->keep_snapshot(
      {.log = learner.log(), .t = learner.position(), .engine = engine_name(), .state = learner.save()});
  snapshots_[name] = learner.position();
}

}  // namespace hannan::detail::service
