// Invariant where actions are listed: those of action k are elements_[ends_[k-1], ends_[k]), the first from 0.
#include "hannan/verify/element_search.hpp"

#include <limits>
#include <string>

#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostEntries = 5e7;  // of all listed actions together: 200 MB

}  // namespace

ElementSearch::ElementSearch(const Game& game, const std::string& oracle, std::uint64_t most)
    : game_(game), oracle_(oracle_of(game, oracle)), history_(oracle_->empty()) {
  const double longest = static_cast<double>(game.elements()->longest);
  const auto table = game.action_table(std::min(most, static_cast<std::uint64_t>(kMostEntries / longest)));
  if (!table) return;
  std::vector<std::int32_t> row;
  table->each([&](const AnyAction& x) {
    game.action_row(x, row);
    elements_.insert(elements_.end(), row.begin(), row.end());
    ends_.push_back(elements_.size());
  });
}

double ElementSearch::sum(std::span<const std::int32_t> elements, std::span<const double> values) {
  double sum = 0;
  for (const auto element : elements) sum += values[static_cast<std::size_t>(element)];
  return sum;
}

std::span<const std::int32_t> ElementSearch::least(std::span<const double> values) {
  if (!listed()) {
    history_->clear();
    history_->add_table(0, values);
    oracle_->choose({*history_, *history_, 0.0}, answer_);
    game_.action_row(answer_.action, elements_);
    return elements_;
  }
  double least = std::numeric_limits<double>::infinity();
  std::span<const std::int32_t> found;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    const std::span<const std::int32_t> action(elements_.data() + begin, end - begin);
    const double value = sum(action, values);
    if (value < least) {
      least = value;
      found = action;
    }
    begin = end;
  }
  return found;
}

}  // namespace hannan::detail
