// A list that is asked for often must not cost a read a learner: what is known is looked up again when the position has
// changed and five seconds have passed, at most kAtOnce learners a list. Mean losses come from the writer later,
// into `known_`, which outlives this object where an answer is under way. All constants are chosen.
#include "service/list_figures.hpp"

#include <algorithm>

namespace hannan::detail::service {
namespace {

constexpr std::size_t kAtOnce = 100;  // learners that a list has looked at again
constexpr auto kEvery = std::chrono::seconds(5);
constexpr std::uint64_t kGapRows = 50;  // over which the usual gap is taken
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

// Two single rows of the log: the newest, and the one kGapRows before it, which give the usual gap between outcomes.
void ListFigures::read_times(const Entry& entry, const Published& seen) {
  const std::uint64_t first = seen.position > kGapRows ? seen.position - kGapRows : 1;
  std::int64_t begin = 0, end = 0;
  try {
    const std::lock_guard lock(reader_mutex_);
    if (!reader_) reader_ = host_.reader();
    const auto time_of = [&](std::uint64_t t) -> std::int64_t {
      const auto rows = reader_->rows_after(entry.log(), t - 1, 1);
      return rows.empty() ? 0 : rows.front().time;
    };
    end = time_of(seen.position);
    begin = first < seen.position ? time_of(first) : 0;
  } catch (const std::exception&) {
    const std::lock_guard lock(reader_mutex_);
    reader_.reset();  // the next list tries again
    return;
  }
  const std::lock_guard lock(known_->mutex);
  ListFigure& figure = known_->all[entry.name()].figure;
  figure.time = end;
  figure.gap =
      begin > 0 && end > begin ? static_cast<double>(end - begin) / static_cast<double>(seen.position - first) : 0;
}

std::optional<ListFigure> ListFigures::of(const Entry& entry) const {
  const std::lock_guard lock(known_->mutex);
  const auto found = known_->all.find(entry.name());
  if (found == known_->all.end() || found->second.figure.generation != entry.log().generation) return std::nullopt;
  return found->second.figure;
}

// Ten usual gaps without an outcome, and a minute at least.
bool ListFigures::silent(const ListFigure& figure, std::int64_t now) {
  return figure.time > 0 && figure.gap > 0 &&
         static_cast<double>(now - figure.time) > std::max(kLeastSilence, 10 * figure.gap);
}

}  // namespace hannan::detail::service
