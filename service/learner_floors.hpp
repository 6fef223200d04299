// Price floors of one learner (docs/logs.md, docs/contexts.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "service/host.hpp"

namespace hannan::detail::service {

// Of a learner without contexts: a function of its decision, so it needs neither the writer nor the log.
Json floors_of_decision(const Entry& entry, const DecidedAction& decided);
// Before the first decision of a learner there are no floors: kUndefined, and no file that caches would keep.
[[noreturn]] void refuse_no_decision();
// Of the segments of a learner with contexts, on the writer's thread. Costs a pass over its open segments.
Json floors_of_segments(HostedLearner& learner);

// Floors that were computed last, to serve when nothing newer can be had.
struct KeptFloors {
  std::uint64_t generation = 0, position = 0;
  std::string model;  // the decision's name
  Json one;           // schema 1
};
class KeptFloorsOf {
 public:
  std::shared_ptr<const KeptFloors> find(const std::string& name) const;
  void keep(const std::string& name, std::shared_ptr<const KeptFloors> floors);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const KeptFloors>> kept_;
};

}  // namespace hannan::detail::service
