// "Verify now": the record of a learner, read from its log and computed again by hannan/verify, which shares no code
// with the learners. The verifier needs all rounds; a learner that was made from a state has only those after it, which
// are played again from that state by the learner's own code. One job at a time on a thread of its own, at a lower
// priority; bounded in time and in number.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "service/host.hpp"

namespace hannan::detail::service {

struct VerifyJobLimits {
  std::size_t waiting = 16;  // learners; more are refused with kQueueFull
  std::size_t kept = 1000;   // results
  std::int64_t milliseconds = 300'000;
  double work = 1e9;  // actions times rounds that are looked at one by one, see VerifyLimits
};

class VerifyJobs {
 public:
  explicit VerifyJobs(Host& host, VerifyJobLimits limits = {});
  ~VerifyJobs();  // ends the job under way
  VerifyJobs(const VerifyJobs&) = delete;
  VerifyJobs& operator=(const VerifyJobs&) = delete;

  // Starts one, unless one of this learner waits or runs already. Its state.
  Json start(const EntryPointer& entry);
  // {state, generation, rounds, done, started, seconds, checked, trusted, error}; state is one of
  //   none      it was never verified, or too long ago
  //   waiting, running     `done` rounds of `rounds`
  //   holds     everything was computed again and agrees; `checked` says what
  //   consistent nothing differs, but `trusted` could not be computed again
  //   continues it was made from a state, from which every row of the log comes out again; `trusted` says what that
  //             rests on
  //   differs   `error` says where the record does not hold
  //   unavailable          `error` says why it could not be looked at to its end
  Json state(const Entry& entry) const;

 private:
  struct Result {
    std::string state = "none";
    std::uint64_t generation = 0, rounds = 0, done = 0;
    std::int64_t started = 0, ended = 0;  // milliseconds since 1970
    Json checked = Json::array(), trusted = Json::array(), error;
  };
  class Progress;
  void work();
  std::string run(const EntryPointer& entry);  // the state that it comes to
  void change(const Entry& entry, const std::function<void(Result&)>& how);

  Host& host_;
  VerifyJobLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EntryPointer> queue_;
  std::map<std::int64_t, Result> results_;  // by learner
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace hannan::detail::service
