// The lock of an entry is given back before those who wait are woken.
#include "service/combiner_entry.hpp"

#include <utility>

namespace hannan::detail::service {
namespace {

constexpr double kCombinerBytes = 1e5, kModelBytes = 1e3;  // for the limit, not for an account

}  // namespace

std::size_t held_against(const CombinerPlan& plan) {
  for (const std::string_view wanted : {"today", "mean"}) {
    for (std::size_t j = 0; j < plan.members.size(); ++j) {
      if (plan.members[j].name == wanted) return j;
    }
  }
  return 0;
}

CombinerEntry::CombinerEntry(StoredLearner stored) : stored_(std::move(stored)) {
  const HostedCombiner made(parse_json(stored_.config), log());
  config_ = made.config();
  bytes_ = kCombinerBytes + kModelBytes * static_cast<double>(made.learner().combiner().plan().width());
  const std::string_view standing = std::string_view(stored_.status).substr(kCombinerStatus.size());
  if (standing == kCombinerEnded) now_.status = Status::kEnded;
  if (standing.starts_with(kCombinerQuarantined)) {
    now_.status = Status::kQuarantined;
    now_.why = standing.substr(kCombinerQuarantined.size());
  }
}

CombinerEntry::Now CombinerEntry::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

void CombinerEntry::set(Now now) {
  {
    const std::lock_guard lock(mutex_);
    now_ = std::move(now);
  }
  wake();
}

Json CombinerEntry::checked() const {
  const std::lock_guard lock(mutex_);
  return checked_;
}

void CombinerEntry::set_checked(Json found) {
  const std::lock_guard lock(mutex_);
  checked_ = std::move(found);
}

}  // namespace hannan::detail::service
