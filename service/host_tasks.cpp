// Making, ending, resetting and quarantining learners, and questions to them: each a job of the learner's lane.
#include <algorithm>
#include <set>
#include <utility>

#include "hannan/io/fields.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/outcome_request.hpp"

namespace hannan::detail::service {
namespace {

// Learners that were made before this was checked go on: it is for new ones.
void check_slots(const LearnerConfig& config) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < config.slots.size(); ++i) {
    if (names.insert(config.slots[i]).second) continue;
    throw Error(Code::kOutOfRange,
                "found the name \"" + config.slots[i] + "\" for the second time, expected each bidder's own",
                path_of("slots", i));
  }
}

// A search ends after so many nodes with what it knows (docs/pipe.md): its work is bounded by what is counted, not by
// the clock, so that a replay comes to the same decisions.
void check_search(const LearnerConfig& config, std::uint64_t most) {
  const Json* oracle = config.given_learner_params.find("oracle");
  if (!oracle || !oracle->is_string()) return;
  const auto limit = split_oracle_name(oracle->as_string()).limit;
  if (!limit || *limit <= most) return;
  throw Error(Code::kOutOfRange,
              "found a search of " + std::to_string(*limit) + " nodes, expected at most " + std::to_string(most) +
                  " (--work-limit of the service); what is not found by then is stated as a range",
              "learner.params.oracle");
}

}  // namespace

void Host::make(std::string name, Json body, Answer<Made> answer) {
  check_learner_name(name);
  add_task<Made>(name, [this, name, body = std::move(body)] { return make_now(name, body); }, std::move(answer));
}

void Host::check_number() const {
  const std::lock_guard lock(entries_mutex_);
  if (entries_.size() + combiners_.size() < limits_.learners) return;
  // Those that were ended cost no more than their rows.
  const auto lives = [](const auto& one) { return one.second->now().status != Status::kEnded; };
  if (static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), lives) +
                               std::count_if(combiners_.begin(), combiners_.end(), lives)) >= limits_.learners)
    throw Error(kNoMemory, "found as many learners as --max-learners allows, expected fewer; end some first");
}

// The row of the learner is written first and the learner is shown after it: a failure leaves nothing behind.
Host::Made Host::make_now(const std::string& name, const Json& body) {
  const StopPoint stop(*this, {});  // some classes of actions take seconds to be made
  MadeLearner made = make_learner(body, limits_.oracles);
  if (made.config.cap && made.config.in_money())
    throw Error(Code::kUnavailable, "found a cap, expected none: the numbers of this problem are money as they are",
                "cap");
  const Json config = made.config.json();
  const EntryPointer old = entry_of(name);
  // The same PUT twice is no error: clients repeat what was not answered.
  if (old && old->now().status != Status::kEnded) {
    if (old->config().json() == config) return Made::kSame;
    throw Error(kOtherBody,
                "found a learner of this name with another configuration, expected the same or another name", "name");
  }
  if (combines(name))
    throw Error(kOtherBody, "found a learner of this name that combines forecasts, expected another name", "name");
  check_slots(made.config);
  check_search(made.config, limits_.search_nodes);
  check_number();
  const double bytes = estimated_bytes(*made.problem);
  take_memory(bytes);
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
    }
    EntryPointer entry = new_entry(stored, std::move(made));
    if (old) {
      store_->begin_generation(stored, "");
    } else {
      entry->set_id(store_->add_learner(stored));
    }
    show(std::move(entry));
  } catch (const StoreFailure& failure) {
    give_memory(bytes);
    refuse_not_ready(std::string("unable to write (") + failure.what() + ")");
  } catch (...) {
    give_memory(bytes);
    throw;
  }
  return Made::kNew;
}

// A learner that begins. Whatever can fail of it fails here, before the store knows of it.
EntryPointer Host::new_entry(const StoredLearner& stored, MadeLearner made) {
  auto learner = std::make_unique<HostedLearner>(std::move(made), LogName{stored.id, stored.generation});
  auto entry = std::make_shared<Entry>(stored, learner->config(), learner->problem(), learner->columns());
  entry->set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
  // As if a snapshot had just been kept: the configuration makes this state again, so the first is due after the usual
  // number of rounds.
  entry->snapshot = learner->position();
  entry->own.learner = std::move(learner);
  return entry;
}

// In place of any of this name.
void Host::show(EntryPointer entry) {
  const std::lock_guard lock(entries_mutex_);
  EntryPointer& place = entries_[entry->name()];
  place = std::move(entry);
}

// Its work is stopped, so that this does not wait for a search of its own.
void Host::end(std::string name, bool purge, Answer<bool> answer) {
  if (const EntryPointer entry = entry_of(name)) entry->stopped = true;
  add_task<bool>(
      name,
      [this, name, purge] {
        end_now(name, purge);
        return true;
      },
      std::move(answer), Place::kFirst);
}

// Order: the store first. Where it fails the learner goes on as it was.
void Host::end_now(const std::string& name, bool purge) {
  const EntryPointer entry = entry_of(name);
  if (!entry || (!purge && entry->now().status == Status::kEnded))
    throw Error(Code::kUndefined, "found no learner of this name, expected one", "name");
  StoredLearner stored = entry->stored();
  stored.status = "ended";
  if (!purge) keep_end(*entry);
  try {
    if (purge) {
      purge_whole(*store_, stored.id);
    } else {
      store_->change_learner(stored);
    }
  } catch (const StoreFailure&) {
    entry->stopped = false;  // it goes on
    drop(*entry);
    throw;
  }
  entry->own = {};
  count_segments(*entry, 0);
  if (entry->now().status != Status::kEnded) give_memory(estimated_bytes(entry->problem()));
  entry->set({.status = Status::kEnded, .why = {}, .published = nullptr});
  if (!purge) return;
  const std::lock_guard lock(entries_mutex_);
  entries_.erase(name);
}

void Host::reset(std::string name, Reset reset, Answer<bool> answer) {
  add_task<bool>(
      name,
      [this, name, reset = std::move(reset)] {
        reset_now(name, reset);
        return true;
      },
      std::move(answer));
}

// kNotCurrent where the decision of another round is the current one, or none is known.
void Host::check_decision(const EntryPointer& entry, std::uint64_t round) {
  const auto now = entry->now();
  try {
    if (now.status == Status::kCold && (!now.published || now.behind)) loaded(*entry);
  } catch (const Error& e) {
    if (e.code() != Code::kInternal) throw;  // it is quarantined, with what its snapshot shows, or nothing
  }
  const auto seen = entry->now().published;
  if (!seen || round != seen->current)
    throw Error(kNotCurrent, "found another current decision or none, expected the one of If-Match");
}

// The generation goes up by one and the log begins anew; rows of the old generation stay until the learner is purged. A
// key that ended a generation before is a request that was sent again: it was done, whatever is current by now.
void Host::reset_now(const std::string& name, const Reset& reset) {
  const EntryPointer old = find(name);
  if (!reset.key.empty()) {
    const auto ended = store_->generations(old->stored().id);
    if (std::any_of(ended.begin(), ended.end(), [&](const auto& one) { return one.ended_by == reset.key; })) return;
  }
  if (!reset.if_decision.empty())
    check_decision(old, read_decision(reset.if_decision, old->log().generation, "If-Match"));
  StoredLearner stored = old->stored();
  ++stored.generation;
  stored.status = "live";
  LearnerConfig config = old->config();
  config.state = {};  // it begins anew
  stored.config = dump(config.given());
  EntryPointer entry = new_entry(stored, make_learner(parse_json(stored.config), ExternalOracles::kAllowed));
  keep_end(*old);
  store_->begin_generation(stored, reset.key);
  show(std::move(entry));
  count_segments(*old, 0);
  old->wake();  // those who wait see the new one
}

// It stays so over restarts, until it is released, reset or ended.
void Host::quarantine(std::string name, std::string why, Answer<bool> answer) {
  const EntryPointer entry = find(name);
  entry->stopped = true;
  add_task<bool>(
      name,
      [this, entry, why = std::move(why)] {
        StoredLearner stored = current(*entry)->stored();
        stored.status = std::string(kQuarantinedStatus) + why;
        store_->change_learner(stored);
        entry->own.learner.reset();
        entry->own.coming.reset();
        count_segments(*entry, 0);
        auto now = entry->now();
        now.status = Status::kQuarantined;
        now.why = why;
        if (!now.published) now.last = last_decision(*entry);
        entry->set(std::move(now));
        say(Level::kWarning, "quarantined", Json::object({{"learner", entry->name()}, {"why", why}}));
        return true;
      },
      std::move(answer), Place::kFirst);
}

void Host::release(std::string name, Answer<bool> answer) {
  const EntryPointer entry = find(name);
  add_task<bool>(
      name,
      [this, entry] {
        if (entry->now().status != Status::kQuarantined)
          throw Error(Code::kUndefined, "found a learner that is not quarantined, expected one that is", "name");
        StoredLearner stored = current(*entry)->stored();
        stored.status = "live";
        store_->change_learner(stored);
        entry->stopped = false;
        auto now = entry->now();
        now.status = Status::kCold;
        now.why.clear();
        now.last.reset();
        entry->set(std::move(now));
        load_in_time(entry);
        return true;
      },
      std::move(answer));
}

void Host::with(EntryPointer entry, std::function<Json(HostedLearner&)> question, Answer<Json> answer) {
  check_open();
  add_job(entry, [this, entry, question = std::move(question), answer = std::move(answer)](const Workers::Hold&) {
    const StopPoint stop(*this, {entry.get()});
    Json found;
    try {
      found = question(loaded(*entry));
    } catch (const WorkStopped&) {
      drop(*entry);  // it may be in the middle of a search
      return answer({}, said_of_stopped(std::current_exception()));
    } catch (...) {
      return answer({}, std::current_exception());
    }
    answer(std::move(found), nullptr);
  });
}

}  // namespace hannan::detail::service
