// What the writer does between two groups: making, ending and resetting learners, and questions to them.
#include <algorithm>
#include <set>
#include <utility>

#include "hannan/io/fields.hpp"
#include "service/codes.hpp"
#include "service/host_values.hpp"

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

}  // namespace

// Tasks run on the writer's thread between two groups, so that no group sees half a learner. The answer comes from
// there.
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

// The row of the learner is written first and the learner is shown after it: a failure leaves nothing behind. Memory is
// counted from the estimate of the problem, and given back by the same estimate.
void Host::make_now(const std::string& name, const Json& body, const Answer<Made>& answer) {
  check_learner_name(name);
  MadeLearner made = make_learner(body, limits_.oracles);
  if (made.config.cap && made.config.in_money())
    throw Error(Code::kUnavailable, "found a cap, expected none: the numbers of this problem are money as they are",
                "cap");
  const Json config = made.config.json();
  EntryPointer old;
  {
    const std::lock_guard lock(entries_mutex_);
    const auto found = entries_.find(name);
    if (found != entries_.end()) old = found->second;
  }
  // The same PUT twice is no error: clients repeat what was not answered.
  if (old && old->now().status != Status::kEnded) {
    if (old->config().json() == config) return answer(Made::kSame, nullptr);
    throw Error(kOtherBody,
                "found a learner of this name with another configuration, expected the same or another name", "name");
  }
  check_slots(made.config);
  const auto lives = [](const auto& one) { return one.second->now().status != Status::kEnded; };
  // Those that were ended cost no more than their rows. They are counted apart only where all together are too many.
  if (size() >= limits_.learners) {
    const std::lock_guard lock(entries_mutex_);
    if (static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), lives)) >= limits_.learners)
      throw Error(kNoMemory, "found as many learners as --max-learners allows, expected fewer; end some first");
  }
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
  // As if a snapshot had just been kept: the configuration makes this state again, so the first is due after the usual
  // number of rounds.
  snapshots_[name] = learner->position();
  learners_[name] = std::move(learner);
  {
    const std::lock_guard lock(entries_mutex_);
    entries_[name] = std::move(entry);
  }
  answer(Made::kNew, nullptr);
}

// Order: the store first. Where it fails the learner goes on as it was.
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
      if (entry->now().status != Status::kEnded) used_memory_ -= estimated_bytes(entry->problem());
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

// The generation goes up by one and the log begins anew; rows of the old generation stay until the learner is purged.
void Host::reset(std::string name, std::optional<std::uint64_t> if_round, Answer<bool> answer) {
  add_task([this, name = std::move(name), if_round, answer = std::move(answer)] {
    try {
      const EntryPointer old = find(name);
      if (if_round) {
        const auto now = old->now();
        try {
          if (now.status == Status::kCold && (!now.published || now.behind)) loaded(*old);
        } catch (const Error& e) {
          if (e.code() != Code::kInternal) throw;  // it is quarantined, with what its snapshot shows, or nothing
        }
        const auto seen = old->now().published;
        if (!seen || *if_round != seen->current)
          throw Error(kNotCurrent, "found another current decision or none, expected the one of If-Match");
      }
      StoredLearner stored = old->stored();
      ++stored.generation;
      LearnerConfig config = old->config();
      config.state = {};  // it begins anew
      stored.config = dump(config.given());
      store_->change_learner(stored);
      auto learner = std::make_unique<HostedLearner>(make_learner(parse_json(stored.config), ExternalOracles::kAllowed),
                                                     LogName{stored.id, stored.generation});
      auto entry = std::make_shared<Entry>(stored, learner->config(), learner->problem(), learner->columns());
      entry->set({.status = Status::kReady, .why = {}, .published = std::make_shared<Published>(learner->publish())});
      learners_[name] = std::move(learner);
      snapshots_[name] = 0;
      {
        const std::lock_guard lock(entries_mutex_);
        entries_[name] = std::move(entry);
      }
      old->wake();  // those who wait see the new one
    } catch (const StoreFailure& failure) {
      return answer(false, std::make_exception_ptr(Error(kNotReady, failure.what())));
    } catch (...) {
      return answer(false, std::current_exception());
    }
    answer(true, nullptr);
  });
}

// For whatever needs the learner itself. It may take as long as a search; groups wait meanwhile.
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

}  // namespace hannan::detail::service
