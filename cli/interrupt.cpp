#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace hannan::cli {
namespace {

std::atomic<bool> noticed{false};                       // read by every thread of an experiment
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch no other

void notice(int) { noticed = true; }

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, notice);
  std::signal(SIGTERM, notice);
}

bool interrupted() { return noticed.load(std::memory_order_relaxed); }

}  // namespace hannan::cli
