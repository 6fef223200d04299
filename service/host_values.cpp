// Small things that the parts of the host share: clocks, priority of threads, name of the engine, and the errors that
// ask for a repetition.
#include "service/host_values.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hannan/runtime/version.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {

std::int64_t now_in_milliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string engine_name() { return std::string(kVersion) + "/" + kSignature; }

void refuse_other_node() {
  throw Error(kOtherNode, "found a learner of another node, expected one of this node; ask the node of Location",
              "name");
}

void refuse_not_ready(const std::string& why) {
  throw Error(kNotReady, "found the service " + why + ", expected one that writes; send the request again, unchanged");
}

std::exception_ptr said_of_stopped(std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const WorkStopped&) {
    return std::make_exception_ptr(
        Error(kNotReady,
              "found work that was stopped, expected it to end; nothing of it was kept: send the request again, "
              "unchanged, once the learner works again"));
  } catch (...) {
    return failure;
  }
}

std::exception_ptr not_written(const StoreFailure& failure) {
  return std::make_exception_ptr(Error(kNotReady, std::string("found a log that cannot be written (") + failure.what() +
                                                      "), expected one that can; send the request again, unchanged"));
}

std::size_t rows_of(const Submission& submission) {
  std::size_t rows = 0;
  for (const auto& part : submission.parts) rows += part.outcomes.size();
  return rows;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

// A slice is what a thread keeps of a core before others that wait get it, usually about 3 ms. From Linux 6.12 on it
// may be asked for, as `runtime`, and a thread that is woken takes the core at once from one with a longer slice, or
// from one that has used its own. The C library has no function for it before 2.41.
struct Scheduling {
  std::uint32_t size = 48;
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;  // nanoseconds
};
static_assert(sizeof(Scheduling) == 48);

bool set_scheduling(int system_thread, const Scheduling& wanted) {
  return ::syscall(SYS_sched_setattr, system_thread, &wanted, 0U) == 0;
}

}  // namespace

void lower_priority(int system_thread) {
  const Scheduling wanted{.nice = 10, .runtime = 100'000'000};
  if (!set_scheduling(system_thread, wanted))
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(system_thread), wanted.nice);
}

void shorten_slice() {
  if (::sched_getscheduler(0) != SCHED_OTHER) return;  // the operator chose another
  set_scheduling(0, {.nice = ::getpriority(PRIO_PROCESS, 0), .runtime = 100'000});
}

}  // namespace hannan::detail::service
