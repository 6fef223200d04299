// Visits the boxes that a box search will open next on several threads, before their turn.
//
// The search itself stays as it is, one box after the other in the order of their bounds. When the turn of a box comes
// and the incumbents are those that its visit saw, what the visit found is what the search would find now, to the bit,
// and is taken; else it is forgotten and the box is visited anew. So answers, floors, nodes and frontiers are those of
// one thread, whatever the number of threads, and only time depends on it. Little is lost: best first nearly all boxes
// at the front of the queue have their turn, and once a search has gone on for a while incumbents change rarely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "hannan/oracles/box_visit.hpp"
#include "hannan/oracles/worker_team.hpp"

namespace hannan::detail {

class BoxAhead {
 public:
  struct Parts {
    const BoxModel& model;  // copied for every thread
    const Incumbents& incumbents;
    BoxVisitor& visitor;  // of the calling thread
    BoxVisitor::Dropped dropped;
    unsigned threads;
  };
  // All parts must outlive it.
  explicit BoxAhead(const Parts& parts);

  // How many boxes of the queue should be visited together. More lose more work when an incumbent changes, fewer leave
  // threads waiting for the last of them.
  std::size_t batch() const { return 6 * visitors_.size(); }
  // Are the box's findings at hand, of the present incumbents?
  bool has(const BoxNode& node) const;
  // They are handed over; empty: not at hand.
  std::vector<BoxFindings> take(const BoxNode& node);
  // Visits them, none of which has its findings at hand, as long as what is at hand takes little memory.
  void visit(std::span<BoxNode* const> boxes);

 private:
  struct Ready {
    std::vector<BoxFindings> pieces;
    std::size_t bytes = 0;
  };
  void visit_one(std::size_t worker, std::size_t task);

  const Incumbents& incumbents_;
  std::vector<std::unique_ptr<BoxModel>> models_;
  std::vector<std::unique_ptr<BoxVisitor>> own_;
  std::vector<BoxVisitor*> visitors_;               // by worker
  std::span<BoxNode* const> boxes_;                 // of the batch under way
  std::vector<Ready> batch_;                        // by box
  std::unordered_map<std::uint64_t, Ready> ready_;  // by the boxes' numbers
  std::size_t bytes_ = 0;                           // of ready_
  std::uint64_t changes_ = 0;                       // of the incumbents that ready_ was found with
  WorkerTeam team_;                                 // last: its threads use all of the above
};

}  // namespace hannan::detail
