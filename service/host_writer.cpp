// Commits what learners have ready, and has it published.
//
// Groups with few rows are committed by the thread that applied them: the first one that has some ready writes for all,
// again and again until nothing is left, and the others go on with their work. So an outcome of a client that is alone
// needs no other thread. Invariant: where few rows are ready, a thread has writing_mutex_ and looks again after it gave
// it back, or is about to take it. Many rows are written by a thread of their own, which also does what a thread of low
// priority leaves to it.
#include <algorithm>
#include <utility>

#include "service/codes.hpp"
#include "service/host_group.hpp"
#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr auto kProbeEvery = std::chrono::seconds(1);
constexpr auto kRecently = std::chrono::milliseconds(100);  // those who sent few rows then are likely to send more

bool has_one_log(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.log == rows.front().log; });
}

}  // namespace

void Host::hand_over(const GroupPointer& group) {
  using Size = CommitQueue<GroupPointer>::Size;
  try {
    group->close();
    if (!group->empty()) ready_.add(group, group->rows().size(), group->has_many_rows() ? Size::kMany : Size::kFew);
  } catch (...) {
    group->fail(std::current_exception());
  }
}

Workers::Left Host::after_job(Workers::Thread thread) {
  try {
    if (thread == Workers::Thread::kUsual) return write_few();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    // The other thread tries again.
  }
  ready_.wake();
  return Workers::Left::kNothing;
}

// One commit.
Workers::Left Host::write_few() {
  if (ready_.has_few()) {
    Writing few;
    {
      const std::unique_lock turn(writing_mutex_, std::try_to_lock);
      if (!turn) return Workers::Left::kNothing;  // who has it looks again
      few.groups = ready_.take_few();
      write_rows(few, Extent::kAll);
      few_rows_last_ = Clock::now();
    }
    answer(few);
  }
  return ready_.has_few() ? Workers::Left::kSome : Workers::Left::kNothing;
}

// Ends when nothing will be handed over any more.
void Host::write_many() {
  std::optional<Writing> many;  // what is written in parts
  while (many || !ready_.is_done()) {
    if (!many) ready_.wait(kProbeEvery);
    if (!many) {
      if (const auto next = ready_.take_many()) many = Writing{.groups = {*next}};
    }
    bool written = false;
    if (many) {
      const std::lock_guard turn(writing_mutex_);
      const bool others_write = Clock::now() - few_rows_last_ < kRecently;
      written = write_rows(*many, others_write ? Extent::kPart : Extent::kAll);
    }
    if (written) {
      answer(*many);
      many.reset();
    }
    while (write_few() == Workers::Left::kSome) continue;
    if (!many && !writable_) probe();
  }
}

// All rows that are left, or where the store can some of them. True: that was the end of it, and clients are to be
// answered, without the lock of those who write: the answer to many rows takes milliseconds.
bool Host::write_rows(Writing& writing, Extent extent) {
  try {
    gather(writing);
    const std::span<const Row> rest = std::span(writing.rows).subspan(writing.written);
    const auto start = Clock::now();
    const bool is_part = extent == Extent::kPart && rest.size() > kPartRows && has_one_log(writing.rows) &&
                         store_->append_part(rest.first(kPartRows));
    if (!is_part && !rest.empty()) store_->append(rest);
    if (!rest.empty()) {
      const std::size_t rows = is_part ? kPartRows : rest.size();
      metrics_.commit_seconds.add(seconds_since(start));
      metrics_.commit_rows.add(static_cast<double>(rows));
      writable_ = true;
      writing.written += rows;
    }
    return !is_part;
  } catch (const StoreFailure& failure) {
    ++metrics_.commit_failures;
    if (writable_.exchange(false)) say(Level::kError, "log cannot be written", Json::object({{"why", failure.what()}}));
    if (cluster_) {
      if (dynamic_cast<const FencedFailure*>(&failure)) cluster_->fenced(failure.what());
      cluster_->wake();
    }
    // Learners are ahead of the log. Clients are told to send the same again, which is safe because ids make it so.
    writing.failure = not_written(failure);
  } catch (...) {
    writing.failure = std::current_exception();
  }
  return true;
}

void Host::answer(const Writing& writing) {
  for (const auto& group : writing.groups) {
    try {
      writing.failure ? group->fail(writing.failure) : group->publish();
    } catch (...) {
      group->fail(std::current_exception());
    }
  }
}

// Takes the rows of its groups. Learners that were moved or deleted meanwhile are left out.
void Host::gather(Writing& writing) {
  const std::int64_t time = now_in_milliseconds();
  std::vector<GroupPointer> current;
  for (const auto& group : std::exchange(writing.groups, {})) {
    if (group->is_current()) {
      current.push_back(group);
    } else {
      group->fail(std::make_exception_ptr(
          Error(kNotReady, "found a learner that was moved, expected one of this node; send the request again")));
    }
  }
  writing.groups = std::move(current);
  if (writing.groups.empty()) {
    writing.rows.clear();
    writing.written = 0;
  }
  for (const auto& group : writing.groups) {
    for (Row& row : group->rows()) {
      row.time = time;
      writing.rows.push_back(std::move(row));
    }
    group->rows().clear();
  }
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
