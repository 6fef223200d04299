// Memory as --memory counts it: of every learner the estimate of its problem, taken when it is made and given back when
// it is ended, and of learners with segments what these take, which is reserved before outcomes are played. Segments
// that come out of the log are counted and never refused.
#include <fmt/format.h>

#include "service/codes.hpp"
#include "service/host.hpp"

namespace hannan::detail::service {
namespace {

double mebibytes(double bytes) { return bytes / (1U << 20U); }

}  // namespace

void Host::take_memory(double bytes) {
  const std::lock_guard lock(entries_mutex_);
  if (used_memory_ + bytes > limits_.memory)
    throw Error(kNoMemory, "found less memory left than this learner may take, expected more; see --memory");
  used_memory_ += bytes;
}

void Host::give_memory(double bytes) {
  const std::lock_guard lock(entries_mutex_);
  used_memory_ -= bytes;
}

// Outcomes of segments that are open already need no more than there is, and pass whatever others have taken.
void Host::reserve_segments(Entry& entry, double bytes) {
  const std::lock_guard lock(entries_mutex_);
  const double left = limits_.memory - (used_memory_ - entry.segment_bytes);
  if (bytes > entry.segment_bytes && bytes > left) {
    throw Error(kNoMemory, fmt::format("found outcomes with which the segments of this learner may take {:.1f} MiB, "
                                       "expected at most {:.1f} MiB, which --memory leaves it; nothing was taken: send "
                                       "fewer new segments, end learners, or start the service with more",
                                       mebibytes(bytes), mebibytes(left)));
  }
  used_memory_ += bytes - entry.segment_bytes;
  entry.segment_bytes = bytes;
}

// An entry that was replaced meanwhile counts no more.
void Host::count_segments(Entry& entry, double bytes) {
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(entry.name());
  if (found == entries_.end() || found->second.get() != &entry) bytes = 0;
  used_memory_ += bytes - entry.segment_bytes;
  entry.segment_bytes = bytes;
}

}  // namespace hannan::detail::service
