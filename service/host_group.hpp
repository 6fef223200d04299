// Submissions that one job applies, on their way to the log.
//
// A submission is all or nothing: all of its parts are checked before any is played, and where playing fails its rows
// are taken out again and its learners are marked dirty, to be built again from the log after the commit. Rows are
// visible to none but this group until append() returned. The lanes of its learners are held as long as it lives.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "service/host.hpp"

namespace hannan::detail::service {

class Host::Group : public std::enable_shared_from_this<Host::Group> {
 public:
  // `lane`: it takes what waits there one after the other; empty: it applies one submission, for several learners.
  Group(Host& host, Workers::Hold hold, std::string lane)
      : host_(host), hold_(std::move(hold)), lane_(std::move(lane)) {}

  // In a job: applies a submission, or answers it with what is wrong with it.
  void apply(Waiting waiting);
  // In a job, after the last: what readers will see of the learners.
  void close();
  bool empty() const { return applied_.empty(); }  // there is nothing to commit or to answer

  // On the thread that commits it.
  std::vector<Row>& rows() { return rows_; }
  bool has_many_rows() const;  // in one submission
  bool is_current() const;     // its learners are still those of this node
  void publish();              // the rows are on disk
  void fail(const std::exception_ptr& why);

 private:
  struct Applied {
    Waiting waiting;
    Accepted accepted;
  };
  using Known = std::map<std::string, Row>;  // what the log has of the ids of a part, by id
  // What a submission will have told a learner before the outcome that is looked at.
  struct Told {
    const Incoming* incoming;
    std::uint64_t round;
  };
  struct Ahead {
    std::uint64_t fresh = 0;  // rounds
    std::unordered_map<std::string_view, Told> told;
  };
  struct Before {
    const Known& known;
    const Ahead& ahead;
  };

  Known check(const Submission::Part& part, const std::optional<std::uint64_t>& if_round);
  bool is_known(const HostedLearner& learner, const Submission::Part& part, std::size_t i, const Before& before);
  static Row row_to_come(const Entry& entry, const Told& told);
  void check_delayed(const Entry& entry, const HostedLearner& learner, const Submission::Part& part,
                     const Known& known);
  Accepted::Part play(Submission::Part& part, const Known& known_before);
  Known look_up(const Entry& entry, const HostedLearner& learner, const Submission::Part& part);
  const std::optional<Row>& look_up_with_waiting(const Entry& entry, const HostedLearner& learner,
                                                 const std::string& id);
  const Row* find(const Entry& entry, const std::string& id, const Known& known);
  static double loss_of(const Row& row);
  static void require_same(const Entry& entry, const Row& known, const Submission::Part& part, std::size_t i);
  void answer();

  Host& host_;
  Workers::Hold hold_;
  const std::string lane_;
  LogName asked_log_;
  std::map<std::string, std::optional<Row>> asked_;  // what that log has of ids of the lane
  std::vector<Row> rows_;
  std::map<std::pair<std::int64_t, std::string>, std::size_t> ids_;  // of rows_; may name some that were taken out
  std::vector<Applied> applied_;
  std::map<EntryPointer, std::shared_ptr<const Published>> touched_;  // published: null until close()
  std::set<EntryPointer> touched_now_, dirty_;                        // dirty_: memory is ahead of what is kept
  std::map<std::string, Ahead> ahead_;                                // of the submission that is applied, by learner
};

}  // namespace hannan::detail::service
