// What the parts of the host share.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "service/host.hpp"

namespace hannan::detail::service {

std::int64_t now_in_milliseconds();  // since 1970
double seconds_since(std::chrono::steady_clock::time_point start);
std::string engine_name();              // a snapshot is of this very program: another one may go on otherwise
[[noreturn]] void refuse_other_node();  // kOtherNode
[[noreturn]] void refuse_not_ready(const std::string& why);
// kNotReady in place of WorkStopped, anything else as it is.
std::exception_ptr said_of_stopped(std::exception_ptr failure);
std::exception_ptr not_written(const StoreFailure& failure);  // kNotReady
std::size_t rows_of(const Submission& submission);
inline bool has_many_rows(const Submission& submission) { return rows_of(submission) > kManyRows; }
double thread_seconds();  // of CPU time, of this thread
// That thread, as the scheduler knows it, gets a core a tenth as often as others, and gives it back as soon as one of
// them is woken. Where the system does not know how, it keeps the core for some milliseconds more. It is not left to
// what others do not want (SCHED_IDLE): beside a busy program it would not go on, nor give back the locks that it has.
void lower_priority(int system_thread);
// This thread and those that it starts give way sooner to one that is woken, after a tenth of a millisecond.
void shorten_slice();

// What the job throws is the failure of the answer.
template <class T>
void Host::add_task(const std::string& name, std::function<T()> task, Answer<T> answer, Place place) {
  check_open();
  workers_.add(
      name,
      [task = std::move(task), answer = std::move(answer)](const Workers::Hold&) {
        T done{};
        try {
          done = task();
        } catch (const StoreFailure& failure) {
          return answer({}, not_written(failure));
        } catch (...) {
          return answer({}, said_of_stopped(std::current_exception()));
        }
        answer(std::move(done), nullptr);
      },
      place);
}

}  // namespace hannan::detail::service
