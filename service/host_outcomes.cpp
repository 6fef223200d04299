// From a submission to its answer: it waits for its learner, is applied with all that waits there, and is committed
// with all that other learners have ready.
#include <utility>

#include "service/codes.hpp"
#include "service/host_group.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

// Chosen: a group is one commit, so that larger ones cost fewer syncs and make the first of them wait longer.
constexpr std::size_t kGroupRows = 512;
constexpr double kTurnSeconds = 0.02;  // of CPU time, after which a learner with more to do lets others go first
constexpr auto kProbeEvery = std::chrono::seconds(1);

}  // namespace

void Host::check_waiting(const Submission& submission) const {
  if (waiting_bytes_ + submission.bytes > limits_.waiting_bytes) refuse_not_ready("with a full queue");
  for (const auto& part : submission.parts) {
    // A single request larger than the limit passes when nothing else waits: otherwise it could never be accepted.
    if (part.entry->waiting > 0 && part.entry->waiting + part.outcomes.size() > limits_.waiting_of_learner) {
      throw Error(kQueueFull,
                  "found " + std::to_string(part.entry->waiting) +
                      " outcomes of this learner that wait, expected fewer than " +
                      std::to_string(limits_.waiting_of_learner) + "; wait and send the request again, unchanged",
                  part.learner_at());
    }
  }
}

// What waits is counted here and given back when the submission is settled, whatever comes of it. The limits are looked
// at without the lock: two at once may pass it by one submission each.
void Host::submit(Submission submission, Answer<Accepted> answer) {
  check_waiting(submission);
  check_open();
  if (submission.parts.size() != 1) {
    const auto waiting = std::make_shared<Waiting>(Waiting{std::move(submission), std::move(answer)});
    count_waiting(waiting->submission);
    return run_together(waiting);
  }
  const std::string lane = submission.parts.front().entry->name();
  bool first = false;
  {
    const std::lock_guard lock(queue_mutex_);
    auto& all = waiting_[lane];
    first = all.empty();
    all.push_back({std::move(submission), std::move(answer)});
    count_waiting(all.back().submission);
  }
  if (!first) return;
  try {
    add_group(lane);
  } catch (...) {
    refuse_waiting(lane, std::current_exception());
  }
}

void Host::count_waiting(const Submission& submission) {
  waiting_bytes_ += submission.bytes;
  for (const auto& part : submission.parts) part.entry->waiting += part.outcomes.size();
}

void Host::settle(Waiting& waiting, Accepted accepted, const std::exception_ptr& failure) {
  waiting_bytes_ -= waiting.submission.bytes;
  for (const auto& part : waiting.submission.parts) part.entry->waiting -= part.outcomes.size();
  try {
    waiting.answer(std::move(accepted), failure);
  } catch (const std::exception&) {
    return;  // too little memory for the answer: the client sees its connection end, and asks again
  }
}

// What waits for a lane has no job, because there was no memory for one.
void Host::refuse_waiting(const std::string& lane, const std::exception_ptr& why) {
  while (auto waiting = next_waiting(lane, 0)) settle(*waiting, {}, why);
}

// The next submission of a lane; none where nothing is left, or where the group would become too large.
std::optional<Host::Waiting> Host::next_waiting(const std::string& lane, std::size_t rows_so_far) {
  const std::lock_guard lock(queue_mutex_);
  const auto found = waiting_.find(lane);
  if (found == waiting_.end()) return std::nullopt;
  auto& all = found->second;
  if (rows_so_far > 0 && rows_so_far + rows_of(all.front().submission) > kGroupRows) return std::nullopt;
  Waiting next = std::move(all.front());
  all.pop_front();
  if (all.empty()) waiting_.erase(found);
  return next;
}

// All that waits for one learner, as far as one turn of it goes. Invariant: where something waits for a lane, a job for
// it is in the lane, or runs and looks again before it ends.
void Host::add_group(const std::string& lane, Place place) {
  workers_.add(
      lane,
      [this, lane](const Workers::Hold& hold) {
        try {
          apply_waiting(lane, hold);
        } catch (...) {
          refuse_waiting(lane, std::current_exception());
        }
      },
      place);
}

void Host::apply_waiting(const std::string& lane, const Workers::Hold& hold) {
  const EntryPointer entry = entry_of(lane);
  if (entry && !prepared(*entry)) return add_group(lane, Place::kFirst);
  const auto group = std::make_shared<Group>(*this, hold);
  const double start = thread_seconds();
  while (auto waiting = next_waiting(lane, group->rows().size())) {
    group->apply(std::move(*waiting));
    if (thread_seconds() - start > kTurnSeconds) break;
  }
  hand_over(group);
  bool more = false;
  {
    const std::lock_guard lock(queue_mutex_);
    more = waiting_.contains(lane);
  }
  if (more) add_group(lane);
}

// A submission for several learners, whose lanes are held together.
void Host::run_together(const std::shared_ptr<Waiting>& waiting) {
  std::set<std::string> lanes;
  for (const auto& part : waiting->submission.parts) lanes.insert(part.entry->name());
  workers_.add(lanes, [this, waiting](const Workers::Hold& hold) {
    GroupPointer group;
    try {
      for (const auto& part : waiting->submission.parts) {
        while (!prepared(*part.entry)) continue;
      }
      group = std::make_shared<Group>(*this, hold);
    } catch (...) {
      return settle(*waiting, {}, std::current_exception());
    }
    group->apply(std::move(*waiting));
    hand_over(group);
  });
}

void Host::hand_over(const GroupPointer& group) {
  try {
    group->close();
    if (group->empty()) return;
    const std::lock_guard lock(queue_mutex_);
    handed_over_.push_back(group);
  } catch (...) {
    group->fail(std::current_exception());
    return;
  }
  handed_.notify_one();
}

// The loop of the thread that writes. It ends when nothing will be handed over any more.
void Host::write() {
  for (;;) {
    std::vector<GroupPointer> groups;
    {
      std::unique_lock lock(queue_mutex_);
      handed_.wait_for(lock, kProbeEvery, [&] { return written_ || !handed_over_.empty(); });
      for (std::size_t rows = 0; !handed_over_.empty(); handed_over_.pop_front()) {
        rows += handed_over_.front()->rows().size();
        if (!groups.empty() && rows > kGroupRows) break;
        groups.push_back(std::move(handed_over_.front()));
      }
      if (groups.empty() && written_) return;
    }
    if (!groups.empty()) {
      try {
        commit(groups);
      } catch (...) {
        for (const auto& group : groups) group->fail(std::current_exception());
      }
    } else if (!writable_) {
      probe();
    }
  }
}

// All of them at once, or none. Learners that went to another node while they were worked for are left out.
void Host::commit(const std::vector<GroupPointer>& groups) {
  std::vector<Row> rows;
  std::vector<GroupPointer> ours;
  const std::int64_t time = now_in_milliseconds();
  for (const auto& group : groups) {
    if (!group->is_current()) {
      group->fail(std::make_exception_ptr(
          Error(kNotReady, "found a learner that was moved, expected one of this node; send the request again")));
      continue;
    }
    ours.push_back(group);
    for (Row& row : group->rows()) {
      row.time = time;
      rows.push_back(std::move(row));
    }
  }
  try {
    if (!rows.empty()) {
      const auto start = std::chrono::steady_clock::now();
      store_->append(rows);
      metrics_.commit_seconds.add(seconds_since(start));
      metrics_.commit_rows.add(static_cast<double>(rows.size()));
      writable_ = true;
    }
  } catch (const StoreFailure& failure) {
    ++metrics_.commit_failures;
    if (writable_.exchange(false)) say(Level::kError, "log cannot be written", Json::object({{"why", failure.what()}}));
    if (cluster_) {
      if (dynamic_cast<const FencedFailure*>(&failure)) cluster_->fenced(failure.what());
      cluster_->wake();
    }
    // Learners are ahead of the log. Clients are told to send the same again, which is safe because ids make it so.
    for (const auto& group : ours) group->fail(not_written(failure));
    return;
  }
  for (const auto& group : ours) group->publish();
}

// Clients that see /readyz send nothing while the log cannot be written, so no commit would show that it can again.
void Host::probe() {
  try {
    store_->probe();
    writable_ = true;
    say(Level::kWarning, "log can be written again", Json::object({}));
  } catch (const StoreFailure&) {
    return;  // the next one is a second away
  }
}

}  // namespace hannan::detail::service
