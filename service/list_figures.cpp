// A list that is asked for often must not cost a read a learner: what is known is looked up again when the position has
// changed and five seconds have passed, at most kAtOnce learners a list. Mean losses come from the writer later,
// into `known_`, which outlives this object where an answer is under way. All constants are chosen.
#include "service/list_figures.hpp"

#include <algorithm>

namespace hannan::detail::service {
namespace {

constexpr std::size_t kAtOnce = 100;  // learners that a list has looked at again
constexpr auto kEvery = std::chrono::seconds(5);
constexpr std::uint64_t kGapRows = 50;       // over which the usual gap is taken
constexpr std::uint64_t kPauseRows = 2'500;  // the last ones, in which pauses are looked for each time
constexpr std::size_t kMeanPoints = 24;
constexpr double kLeastSilence = 60'000;  // milliseconds

// Mean loss of a round between neighbouring points of the curve.
std::vector<double> stretch_means(const Json& curve) {
  const auto& rounds = curve.at("rounds").as_array();
  const auto& totals = curve.at("total").as_array();
  std::vector<double> means;
  double round = 0, total = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    means.push_back((totals[i].as_number() - total) / (rounds[i].as_number() - round));
    round = rounds[i].as_number();
    total = totals[i].as_number();
  }
  return means;
}

}  // namespace

// Called after the list was answered. The writer's answer may come when this object is gone: it holds known_ itself.
void ListFigures::refresh(std::span<const EntryPointer> entries) {
  std::size_t looked = 0;
  for (const EntryPointer& entry : entries) {
    const auto now = entry->now();
    if (now.status != Status::kReady || !now.published || now.published->position == 0) continue;
    if (!due(*entry, *now.published)) continue;
    read_times(*entry, *now.published);
    const auto known = known_;
    try {
      host_.with(
          entry, [](HostedLearner& learner) { return learner.curve().json(kMeanPoints); },
          [known, name = entry->name()](const Json& curve, const std::exception_ptr& failure) {
            if (failure) return;
            const std::lock_guard lock(known->mutex);
            known->all[name].figure.mean_losses = stretch_means(curve);
          });
    } catch (const Error&) {
      return;  // the service is stopping
    }
    if (++looked == kAtOnce) return;
  }
}

// True at most once for each look: the time is noted before the look is made.
bool ListFigures::due(const Entry& entry, const Published& seen) {
  const std::lock_guard lock(known_->mutex);
  // Names of learners that are gone are not looked for one by one: when they are the larger part, all is forgotten.
  if (known_->all.size() > 2 * host_.size() + kAtOnce) known_->all.clear();  // of learners that were purged
  Seen& one = known_->all[entry.name()];
  const auto clock = std::chrono::steady_clock::now();
  if (one.figure.generation == seen.generation && (one.figure.position == seen.position || clock - one.asked < kEvery))
    return false;
  if (one.figure.generation != seen.generation) one.figure = {};
  one.figure.generation = seen.generation;
  one.figure.position = seen.position;
  one.asked = clock;
  return true;
}

std::int64_t ListFigures::time_of(const Entry& entry, std::uint64_t row) {
  const auto rows = reader_->rows_after(entry.log(), row - 1, 1);
  return rows.empty() ? 0 : rows.front().time;
}

// A long pause between two neighbouring rows of the last `rows`: of each stretch the half that took longer is looked
// into, so that a pause which is most of a stretch is found. Cost: log2(rows) single rows.
double ListFigures::long_pause(const Entry& entry, std::uint64_t last, std::uint64_t rows) {
  std::uint64_t low = last > rows ? last - rows : 1, high = last;
  std::int64_t from = time_of(entry, low), to = time_of(entry, high);
  while (high > low + 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::int64_t at = time_of(entry, middle);
    if (at - from > to - at) {
      high = middle;
      to = at;
    } else {
      low = middle;
      from = at;
    }
  }
  return static_cast<double>(to - from);
}

// The newest row, and the one kGapRows before it, give the usual gap between outcomes. A learner that is told its
// outcomes at night, or none at weekends, has long pauses as well, and is not silent for as long as they are: they are
// looked for in the last rows, and, when the log is a quarter longer than at the last time, in all of it.
void ListFigures::read_times(const Entry& entry, const Published& seen) {
  const std::uint64_t last = seen.position, first = last > kGapRows ? last - kGapRows : 1;
  ListFigure fresh;
  {
    const std::lock_guard lock(known_->mutex);
    fresh = known_->all[entry.name()].figure;
  }
  try {
    const std::lock_guard lock(reader_mutex_);
    if (!reader_) reader_ = host_.reader();
    fresh.time = time_of(entry, last);
    const std::int64_t begin = first < last ? time_of(entry, first) : 0;
    fresh.gap = begin > 0 && fresh.time > begin
                    ? static_cast<double>(fresh.time - begin) / static_cast<double>(last - first)
                    : 0;
    fresh.recent_pause = long_pause(entry, last, kPauseRows);
    if (last > fresh.looked + fresh.looked / 4) {
      fresh.old_pause = long_pause(entry, last, last);
      fresh.looked = last;
    }
  } catch (const std::exception&) {
    const std::lock_guard lock(reader_mutex_);
    reader_.reset();  // the next list tries again
    return;
  }
  const std::lock_guard lock(known_->mutex);
  ListFigure& figure = known_->all[entry.name()].figure;
  fresh.mean_losses = std::move(figure.mean_losses);
  figure = std::move(fresh);
}

std::optional<ListFigure> ListFigures::of(const Entry& entry) const {
  const std::lock_guard lock(known_->mutex);
  const auto found = known_->all.find(entry.name());
  if (found == known_->all.end() || found->second.figure.generation != entry.log().generation) return std::nullopt;
  return found->second.figure;
}

bool ListFigures::silent(const ListFigure& figure, std::int64_t now) {
  const double usual = std::max(10 * figure.gap, 2 * figure.pause());
  return figure.time > 0 && usual > 0 && static_cast<double>(now - figure.time) > std::max(kLeastSilence, usual);
}

}  // namespace hannan::detail::service
