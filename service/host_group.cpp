// ids_ may name rows that were taken out; find() sees that by the index or the id, and a dirty learner is not asked.
#include "service/host_group.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {

void Host::Group::apply(Waiting waiting) {
  const std::size_t before = rows_.size();
  std::vector<const Entry*> entries;
  try {
    for (const auto& part : waiting.submission.parts) entries.push_back(part.entry.get());
    const StopPoint stop(host_, entries);
    Accepted accepted;
    ahead_.clear();
    std::vector<Known> known;
    for (const auto& part : waiting.submission.parts) {
      try {
        known.push_back(check(part, waiting.submission.if_round));
      } catch (const Error& e) {
        // What is wrong with the learner as a whole is said of the first line that names it.
        if (e.at() != "name" && !e.at().empty()) throw;
        throw Error(e.code(), e.message(),
                    part.named == Submission::Part::Named::kInLines ? part.learner_at() : e.at());
      }
    }
    std::size_t i = 0;
    for (auto& part : waiting.submission.parts) accepted.parts.push_back(play(part, known[i++]));
    applied_.push_back({std::move(waiting), std::move(accepted)});
  } catch (...) {
    rows_.resize(before);
    // Where rounds were played that are not kept, memory is ahead of the log.
    dirty_.insert(touched_now_.begin(), touched_now_.end());
    host_.metrics_.refused += rows_of(waiting.submission);
    host_.settle(waiting, {}, said_of_stopped(std::current_exception()));
  }
  // What was reserved is what there is from now on, whatever came of it.
  for (const Entry* one : entries) {
    const EntryPointer entry = host_.entry_of(one->name());
    if (entry && entry->columns() > 0 && entry->own.learner)
      host_.count_segments(*entry, entry->own.learner->segment_bytes());
  }
  touched_now_.clear();
}

// The decision that comes next may be a search, which can be stopped: then the learner is built again, and finds it.
void Host::Group::close() {
  for (auto& [entry, published] : touched_) {
    if (dirty_.contains(entry)) continue;
    const StopPoint stop(host_, {entry.get()});
    try {
      published = std::make_shared<Published>(entry->own.learner->publish());
    } catch (...) {
      dirty_.insert(entry);
    }
  }
  for (const auto& entry : dirty_) {
    host_.drop(*entry);
    if (applied_.empty()) host_.add_job(entry, [](const Workers::Hold&) {}, Place::kFirst);  // else see publish()
  }
}

bool Host::Group::has_many_rows() const {
  return std::any_of(applied_.begin(), applied_.end(),
                     [](const Applied& one) { return service::has_many_rows(one.waiting.submission); });
}

bool Host::Group::is_current() const {
  for (const auto& [entry, published] : touched_) {
    if (host_.entry_of(entry->name()) != entry) return false;
  }
  return true;
}

// Learners that are dirty are built from the log, which holds what was committed, before their clients are answered:
// the answer has the next decision.
void Host::Group::publish() {
  for (const auto& [entry, published] : touched_) {
    if (!dirty_.contains(entry)) host_.after_commit(entry, published);
  }
  if (dirty_.empty()) {
    answer();
  } else {
    std::set<std::string> lanes;
    for (const auto& entry : dirty_) lanes.insert(entry->name());
    host_.workers_.add(
        lanes,
        [self = shared_from_this()](const Workers::Hold&) {
          for (const auto& entry : self->dirty_) {
            while (!self->host_.prepared(*entry)) continue;  // where that fails its last decision stays readable
          }
          self->answer();
        },
        Place::kFirst);
  }
  hold_.reset();
}

void Host::Group::fail(const std::exception_ptr& why) {
  for (const auto& [entry, published] : touched_) host_.drop(*entry);
  for (auto& one : applied_) host_.settle(one.waiting, {}, why);
  applied_.clear();
  hold_.reset();
}

void Host::Group::answer() {
  for (auto& one : applied_) {
    for (std::size_t i = 0; i < one.accepted.parts.size(); ++i) {
      auto& part = one.accepted.parts[i];
      const EntryPointer entry = host_.entry_of(one.waiting.submission.parts[i].entry->name());
      if (entry) part.published = entry->now().published;
      host_.metrics_.accepted += part.accepted;
      host_.metrics_.duplicates += part.duplicates;
    }
    host_.settle(one.waiting, std::move(one.accepted), nullptr);
  }
  applied_.clear();
}

// Refuses whatever can be refused before anything is played, so that no learner need be built again for it.
Host::Group::Known Host::Group::check(const Submission::Part& part, const std::optional<std::uint64_t>& if_round) {
  Entry& entry = *part.entry;
  if (dirty_.contains(host_.current(entry))) refuse_not_ready("recovering this learner");
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
    if (incoming.decision > round && !entry.config().client_coins) {
      throw Error(kUnknownDecision,
                  "found a decision that was never made, expected one of round " + std::to_string(round) + " at most",
                  part.at(i, "decision"));
    }
    try {
      learner.check_told(incoming, round);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), part.at(i, e.at()));
    }
    learner.check_part(incoming, round, part.at(i, "decision"));
    ahead.told.emplace(incoming.id, Told{&incoming, round});
  }
  // What was told before may be told again, whatever is current by now.
  if (if_round && plays && *if_round != current) {
    throw Error(kNotCurrent, "found that the current decision is " + decision_name(entry.log().generation, current) +
                                 ", expected the one of If-Match");
  }
  // The last question, because it takes the memory.
  if (plays && entry.columns() > 0)
    host_.reserve_segments(*host_.current(entry), learner.segment_bytes_after(part.outcomes));
  return known;
}

// Told before, in this submission, this group or the log; kIdConflict where it is told otherwise.
bool Host::Group::is_known(const HostedLearner& learner, const Submission::Part& part, std::size_t i,
                           const Before& before) {
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
Row Host::Group::row_to_come(const Entry& entry, const Told& told) {
  const Incoming& incoming = *told.incoming;
  if (!incoming.seen.is_null()) {
    const std::uint64_t decision = incoming.decision == 0 ? told.round : incoming.decision;
    return {.log = entry.log(),
            .t = told.round,
            .id = incoming.id,
            .decision = decision,
            .time = 0,
            .line = dump(incoming.seen)};
  }
  const Json outcome = entry.problem().game().outcome_json(incoming.outcome);
  return {.log = entry.log(),
          .t = told.round,
          .id = incoming.id,
          .decision = incoming.unattributed || incoming.warm || told.round <= entry.config().rehearsed ? 0
                      : incoming.decision == 0                                                         ? told.round
                                               : incoming.decision,
          .time = 0,
          .line = dump(Json::object({{"warm", incoming.warm || told.round <= entry.config().rehearsed},
                                     {"outcome", outcome},
                                     {"context", Json(incoming.context)},
                                     {"losses", Json::object({{"today", incoming.today}})}}))};
}

// Of a learner with `delayed` an outcome may belong to a decision that was never made or has had its outcome. This is
// found before anything is played, so that the learner need not be built again.
void Host::Group::check_delayed(const Entry& entry, const HostedLearner& learner, const Submission::Part& part,
                                const Known& known) {
  using Standing = DelayedPlay::Standing;
  std::map<std::uint64_t, std::string> ids;  // of this part, by round
  for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
    const Incoming& incoming = part.outcomes[i];
    if (incoming.kind == Incoming::Kind::kDecide) continue;
    const std::string path = part.at(i, "decision");
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
Accepted::Part Host::Group::play(Submission::Part& part, const Known& known_before) {
  Entry& entry = *part.entry;
  HostedLearner& learner = host_.loaded(entry);
  const EntryPointer current = host_.current(entry);
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
    interruption_point();
    // Before it plays: if play() throws in the middle, the learner counts as changed.
    touched_now_.insert(current);
    touched_.emplace(current, nullptr);
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

// One question to the log for this id and those that wait behind it, which come next: each alone costs the locks of the
// file. The lane is held: no other job writes rows of this log until the group is committed.
const std::optional<Row>& Host::Group::look_up_with_waiting(const Entry& entry, const HostedLearner& learner,
                                                            const std::string& id) {
  if (asked_log_ != entry.log()) asked_.clear();
  asked_log_ = entry.log();
  const auto known = asked_.find(id);
  if (known != asked_.end()) return known->second;
  std::vector<std::string> ids = host_.waiting_ids(lane_, learner);
  if (ids.empty()) return asked_[id] = host_.store_->find(entry.log(), id);
  ids.push_back(id);
  std::vector<Row> rows = host_.store_->find_all(entry.log(), ids);
  for (std::string& one : ids) asked_.emplace(std::move(one), std::nullopt);
  for (Row& row : rows) asked_.at(row.id) = std::move(row);
  return asked_.at(id);
}

// One question to the log for all ids of a part: duplicates are rare, and a question each would cost a transaction
// each.
Host::Group::Known Host::Group::look_up(const Entry& entry, const HostedLearner& learner,
                                        const Submission::Part& part) {
  std::vector<std::string> ids;
  for (const Incoming& incoming : part.outcomes) {
    if (incoming.kind != Incoming::Kind::kDecide) ids.push_back(learner.row_id(incoming));
  }
  std::vector<Row> rows;
  if (ids.size() == 1 && !lane_.empty()) {
    if (const auto& row = look_up_with_waiting(entry, learner, ids.front())) rows.push_back(*row);
  } else if (ids.size() == 1) {
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
const Row* Host::Group::find(const Entry& entry, const std::string& id, const Known& known) {
  const auto here = ids_.find({entry.log().learner, id});
  if (here != ids_.end() && here->second < rows_.size() && rows_[here->second].id == id) return &rows_[here->second];
  const auto there = known.find(id);
  return there == known.end() ? nullptr : &there->second;
}

double Host::Group::loss_of(const Row& row) { return parse_json(row.line).find_number("loss").value_or(0); }
namespace {

[[noreturn]] void refuse_other(const Incoming& incoming, const Row& known, const std::string& path) {
  throw Error(kIdConflict,
              "found id \"" + incoming.id + "\" with other content than round " + std::to_string(known.t) +
                  " has, expected the same or another id",
              path);
}

}  // namespace

// An id means one outcome for ever: the same again is a repetition, another one a conflict that the client must see.
void Host::Group::require_same(const Entry& entry, const Row& known, const Submission::Part& part, std::size_t i) {
  const Incoming& incoming = part.outcomes[i];
  const Json line = parse_json(known.line);
  if (!incoming.seen.is_null()) {
    // A row has more fields than the client sent: the coin of its round.
    bool repeated = incoming.decision == 0 || known.decision == incoming.decision;
    for (const char* name : {"outcome", "lost", "raw", "rounds", "looks", "void"}) {
      const Json *said = incoming.seen.find(name), *kept = line.find(name);
      const Json none;
      repeated = repeated && (said ? *said : none) == (kept ? *kept : none);
    }
    if (repeated) return;
    refuse_other(incoming, known, part.at(i, "id"));
  }
  bool same = line.at("outcome") == entry.problem().game().outcome_json(incoming.outcome);
  if (entry.columns() > 0) same = same && line.at("context") == Json(incoming.context);
  const bool named = incoming.decision != 0;
  const Json* warm = line.find("warm");
  const bool rehearsed = incoming.warm || known.t <= entry.config().rehearsed;
  same = same && rehearsed == (warm && warm->is_bool() && warm->as_bool());
  const Json* losses = line.find("losses");
  const auto today = losses && losses->is_object() ? losses->find_number("today") : std::nullopt;
  same = same && incoming.today == today;
  if (named) same = same && (known.decision == incoming.decision || known.decision == 0);
  if (same) return;
  refuse_other(incoming, known, part.at(i, "id"));
}

}  // namespace hannan::detail::service
