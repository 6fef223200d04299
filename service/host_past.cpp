// Learners as their logs have them, beside those that live: of a generation that ended, of a learner that was ended, of
// one that is quarantined. Each is built for one question, from the configuration of its generation, its newest
// snapshot and the rows behind it, in a lane of its own: a long log takes turns with the work of others, and holds up
// none of its learner's.
//
// As far as the rows come out again: where one differs the learner is built once more, of the rows before it, because
// it has learned from that row by then. Cost: at most two replays.
#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {

// Invariant: rows 1..learner->position() came out again, and learner->position() <= to.
struct Host::Past {
  EntryPointer entry;
  std::uint64_t generation = 1;
  PastQuestion question;
  Answer<Json> answer;
  std::unique_ptr<HostedLearner> learner = nullptr;
  std::uint64_t to = ~std::uint64_t{0};
  std::string why = {};     // rows behind `to` were left out
  bool config_kept = true;  // false: it is of an earlier version of the program, which kept the newest alone
};

void Host::with_past(EntryPointer entry, std::uint64_t generation, PastQuestion question, Answer<Json> answer) {
  check_open();
  add_past(std::make_shared<Past>(Past{.entry = std::move(entry),
                                       .generation = generation,
                                       .question = std::move(question),
                                       .answer = std::move(answer)}));
}

void Host::add_past(const std::shared_ptr<Past>& past) {
  const std::string lane = past->entry->name() + "/" + std::to_string(past->generation);  // no learner has such a name
  workers_.add(lane, [this, past](const Workers::Hold&) {
    const StopPoint stop(*this, {});
    Json found;
    try {
      if (!build_past(*past)) return add_past(past);
      found = past->question(*past->learner, past->why);
    } catch (const StoreFailure& failure) {
      return past->answer({}, not_written(failure));
    } catch (...) {
      return past->answer({}, said_of_stopped(std::current_exception()));
    }
    past->answer(std::move(found), nullptr);
  });
}

// The learner as it was stored in that generation. Its name is of no use to a log, and is left out.
StoredLearner Host::stored_generation(const Entry& entry, std::uint64_t generation, Past& past) {
  StoredLearner stored = entry.stored();
  if (generation == stored.generation) return stored;
  stored.generation = generation;
  for (StoredGeneration& ended : store_->generations(stored.id)) {
    if (ended.generation != generation) continue;
    stored.config = std::move(ended.config);
    return stored;
  }
  past.config_kept = false;
  return stored;
}

// Plays some of the rows; true: none is left.
bool Host::build_past(Past& past) {
  interruption_point();
  if (!past.learner)
    past.learner = begin_from_log(stored_generation(*past.entry, past.generation, past), past.to).learner;
  HostedLearner& learner = *past.learner;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(kReplayRows, past.to - learner.position()));
  const auto rows = most == 0 ? std::vector<Row>() : store_->rows_after(learner.log(), learner.position(), most);
  try {
    learner.replay(rows, *store_);
  } catch (const ReplayDiffers& differs) {
    if (!past.why.empty()) throw Error(Code::kInternal, differs.what(), "name");  // it did not before
    if (!past.config_kept && differs.round() == 1) {
      throw Error(kTrimmed,
                  "found no configuration of generation " + std::to_string(past.generation) +
                      ", which an earlier version of the program ended, expected one; GET .../log has its rows",
                  "generation");
    }
    past.why = differs.what();
    past.to = differs.round() - 1;
    past.learner.reset();
    return false;
  }
  return rows.empty();
}

// A generation that ends keeps a snapshot of its last round: its record then needs no replay, and another version of
// the program finds its end too. Without one it is built from its rows.
void Host::keep_end(Entry& entry) {
  if (!entry.own.learner || entry.own.learner->position() <= entry.snapshot) return;
  try {
    take_snapshot(entry);
  } catch (const std::exception&) {
    return;  // the rows are there
  }
}

}  // namespace hannan::detail::service
