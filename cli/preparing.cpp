// A note on standard error where the learners have measured their noise for five seconds, from a thread of its own that
// ends with the object.
#include "preparing.hpp"

#include <chrono>
#include <cstdio>

namespace hannan::detail::cli {
namespace {

constexpr std::chrono::seconds kPatience{5};

}  // namespace

PreparingNote::PreparingNote()
    : thread_([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, stop, kPatience, [this] { return playing_; }) || stop.stop_requested()) return;
        std::fputs(
            "before the first round the learners measure the size of their noise, by up to 2000 searches each; "
            "-l leader needs none\n",
            stderr);
      }) {}

void PreparingNote::playing() {
  {
    const std::scoped_lock lock(mutex_);
    playing_ = true;
  }
  changed_.notify_all();
}

}  // namespace hannan::detail::cli
