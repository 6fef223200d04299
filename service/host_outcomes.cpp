// From a submission to its commit (host_writer.cpp): it waits for its learner, and is applied with all that waits
// there.
#include <thread>
#include <utility>

#include "service/codes.hpp"
#include "service/host_group.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr double kTurnSeconds = 0.02;  // of CPU time, after which a learner with more to do lets others go first

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
  if (rows_so_far > 0 && rows_so_far + rows_of(all.front().submission) > kCommitRows) return std::nullopt;
  Waiting next = std::move(all.front());
  all.pop_front();
  if (all.empty()) waiting_.erase(found);
  return next;
}

// Of the submissions of one outcome that come next in a lane.
std::vector<std::string> Host::waiting_ids(const std::string& lane, const HostedLearner& learner) const {
  std::vector<std::string> ids;
  const std::lock_guard lock(queue_mutex_);
  const auto found = waiting_.find(lane);
  if (found == waiting_.end()) return ids;
  for (const Waiting& waiting : found->second) {
    const auto& outcomes = waiting.submission.parts.front().outcomes;
    if (outcomes.size() == 1 && outcomes.front().kind == Incoming::Kind::kOutcome)
      ids.push_back(learner.row_id(outcomes.front()));
    if (ids.size() == kCommitRows) break;
  }
  return ids;
}

std::size_t Host::waiting_of(const std::string& lane) const {
  const std::lock_guard lock(queue_mutex_);
  const auto found = waiting_.find(lane);
  return found == waiting_.end() ? 0 : found->second.size();
}

Workers::Length Host::length_of_next(const std::string& lane) const {
  const std::lock_guard lock(queue_mutex_);
  const auto found = waiting_.find(lane);
  const bool is_long = found != waiting_.end() && has_many_rows(found->second.front().submission);
  return is_long ? Workers::Length::kLong : Workers::Length::kShort;
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
      place, length_of_next(lane));
}

void Host::apply_waiting(const std::string& lane, const Workers::Hold& hold) {
  const EntryPointer entry = entry_of(lane);
  if (entry && !prepared(*entry)) return add_group(lane, Place::kFirst);
  // Clients who were answered together send again together. The threads that read their requests go first, as long as
  // that brings more of them: one commit is for all.
  for (std::size_t seen = 1, now = waiting_of(lane); now > seen; now = waiting_of(lane)) {
    seen = now;
    std::this_thread::yield();
  }
  const auto group = std::make_shared<Group>(*this, hold, lane);
  const auto begun = Clock::now();
  const double start = thread_seconds();
  // The thread cannot have used more than what has passed, which is asked for without the kernel.
  const auto has_had_its_turn = [&] {
    return seconds_since(begun) > kTurnSeconds && thread_seconds() - start > kTurnSeconds;
  };
  while (auto waiting = next_waiting(lane, group->rows().size())) {
    if (has_many_rows(waiting->submission)) workers_.expect_long();
    group->apply(std::move(*waiting));
    if (has_had_its_turn()) break;
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
      group = std::make_shared<Group>(*this, hold, "");
    } catch (...) {
      return settle(*waiting, {}, std::current_exception());
    }
    if (has_many_rows(waiting->submission)) workers_.expect_long();
    group->apply(std::move(*waiting));
    hand_over(group);
  });
}

}  // namespace hannan::detail::service
