// Those who wait for the next change of something: woken once each, in any thread.
//
// The lock is the innermost: waking is done after it is given back, and sleepers only post to their own thread.
// Sleepers that are gone are looked for when the list has doubled, so that adding one costs O(1) amortised and the list
// stays within twice the living ones, or 16.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "service/http_message.hpp"

namespace hannan::detail::service {

class Sleepers {
 public:
  void add(std::weak_ptr<Wake> sleeper) {
    const std::lock_guard lock(mutex_);
    if (all_.size() >= most_) {
      std::erase_if(all_, [](const auto& one) { return one.expired(); });
      most_ = std::max<std::size_t>(16, 2 * all_.size());
    }
    all_.push_back(std::move(sleeper));
  }
  void wake() {
    std::vector<std::weak_ptr<Wake>> woken;
    {
      const std::lock_guard lock(mutex_);
      woken.swap(all_);
    }
    for (const auto& one : woken) {
      if (const auto sleeper = one.lock()) (*sleeper)();
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Wake>> all_;
  std::size_t most_ = 16;  // before those that are gone are looked for
};

}  // namespace hannan::detail::service
