// The game of allocations: welfare, membership, listing, and the one-outcome data sets of its columns (M1 and M2 in
// docs/theory.md prove the gammas). Cost: raw O(n log steps), gains O(sizes), accumulate O(K n).
#include "hannan/problems/multi_unit/multi_unit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/oracles/dynamic_program.hpp"
#include "hannan/oracles/tabulate.hpp"

namespace hannan::detail {

// Two lists a bidder, quantities and values, of one length.
void archive(Archive& a, std::vector<StepValuation>& valuations) {
  const auto bidders = a.open_list("valuations", valuations.size());
  valuations.resize(bidders);
  for (auto& valuation : valuations) {
    a.item();
    std::vector<int> quantities;
    std::vector<double> values;
    for (const auto& step : valuation) quantities.push_back(step.quantity), values.push_back(step.value);
    a.wholes("quantities", quantities, {0, MultiUnit::kMaxUnits});
    a.list("values", values, {quantities.size(), quantities.size()}, {0, 1});
    valuation.resize(quantities.size());
    for (std::size_t i = 0; i < valuation.size(); ++i) valuation[i] = {quantities[i], values[i]};
  }
  a.close_list();
}

namespace {

[[noreturn]] void refuse_steps(const BundleRange::Parts& parts, const std::string& found) {
  throw Error(Code::kOutOfRange, found + (parts.range == Range::kAll ? ": range \"bundles\" needs far fewer" : ""),
              "units");
}

// Known before anything is built: the sizes of all allocations are as many as the units.
BundleRange::Parts checked(const BundleRange::Parts& parts) {
  expect_whole(parts.bidders, {1, MultiUnit::kMaxBidders}, "bidders");
  expect_whole(parts.units, {1, MultiUnit::kMaxUnits}, "units");
  // The range "bundles" has n^2 bundles and one extra (bundle_range.hpp): 2 n^2 bounds its states, whatever the units.
  const double square = static_cast<double>(parts.bidders) * parts.bidders;
  const double bundles = parts.range == Range::kAll || parts.units < square ? parts.units : 2 * square;
  if (parts.bidders > 1 && parts.bidders * (bundles + 1) * (bundles + 1) > 4 * MultiUnit::kMaxSteps) {
    refuse_steps(parts, "found " + std::to_string(parts.bidders) + " bidders and " + std::to_string(parts.units) +
                            " units, expected at most 2^30 steps in one dynamic programme over them");
  }
  return parts;
}

}  // namespace

MultiUnit::MultiUnit(BundleRange::Parts parts) : parts_(checked(parts)), range_(parts_) {
  if (range_.steps() > kMaxSteps) {
    refuse_steps(parts_,
                 "found a dynamic programme of " + number_text(range_.steps()) + " steps, expected at most 2^30");
  }
}

// A valuation is a list of steps with rising quantities: the last step at or below x_i is what bidder i values, 0
// before the first.
double MultiUnit::raw(const Action& x, const Outcome& y) const {
  double welfare = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto after = std::upper_bound(y[i].begin(), y[i].end(), x[i],
                                        [](int quantity, const ValueStep& step) { return quantity < step.quantity; });
    if (after != y[i].begin()) welfare += std::prev(after)->value;
  }
  return welfare;
}

// An allocation is a word that the range's automaton accepts: letter by letter, each the index of a quantity.
bool MultiUnit::allows(const Action& x) const {
  if (x.size() != coordinates()) return false;
  std::size_t state = range_.start();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t d = index_of(x[i]);
    if (d == range_.sizes().size()) return false;
    state = range_.next(i, state, d);
    if (state == kDead) return false;
  }
  return range_.accepts(state);
}

std::optional<double> MultiUnit::action_count() const {
  const double count = range_.count();
  return count <= 0x1p53 ? std::optional(count) : std::nullopt;
}

void MultiUnit::action_at(const std::vector<int>& word, Action& x) const {
  x.resize(word.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = range_.sizes()[static_cast<std::size_t>(word[i])];
}

// In lexicographic order of the words, which is the order of action().
std::vector<MultiUnit::Action> MultiUnit::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  if (limit == 0) return some;
  range_.visit([&](const std::vector<int>& word) {
    action_at(word, some.emplace_back());
    return some.size() < limit ? BundleRange::Visit::kGoOn : BundleRange::Visit::kStop;
  });
  return some;
}

const std::vector<std::uint16_t>& MultiUnit::listed() const {
  std::call_once(once_, [&] {
    range_.visit([&](const std::vector<int>& word) {
      // Fewer than 2^16 letters: kMaxSteps = 2^30 >= n * states * sizes with n >= 2 leaves at most 2^15 of them.
      for (const int letter : word) listed_.push_back(static_cast<std::uint16_t>(letter));
      return BundleRange::Visit::kGoOn;
    });
  });
  return listed_;
}

std::uint64_t MultiUnit::size() const { return static_cast<std::uint64_t>(action_count().value_or(0)); }

MultiUnit::Action MultiUnit::action(std::uint64_t k) const {
  const auto* word = listed().data() + k * coordinates();
  Action x(coordinates());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = range_.sizes()[word[i]];
  return x;
}

// values[i domain + letter] is what bidder i values its letter at; letters of all actions stand one behind another in
// listed(), n each, so that one pointer runs through both.
void MultiUnit::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  std::vector<double> values(coordinates() * range_.sizes().size());
  for (std::size_t i = 0; i < coordinates(); ++i) {
    gains(y, i, std::span<double>(values).subspan(i * domain(i), domain(i)));
  }
  const auto* letter = listed().data();
  for (double& total : totals) {
    double welfare = 0;
    for (std::size_t i = 0; i < coordinates(); ++i) welfare += values[i * domain(i) + *letter++];
    total += weight * (1 - welfare / normaliser());
  }
}

// One pass along sizes and steps together, since both rise.
void MultiUnit::gains(const Outcome& y, std::size_t c, std::span<double> out) const {
  const auto& sizes = range_.sizes();
  auto step = y[c].begin();
  double value = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    while (step != y[c].end() && step->quantity <= sizes[d]) value = (step++)->value;
    out[d] = value;
  }
}

// The index of a quantity among the sizes of the range, or their number where it is none of them.
std::size_t MultiUnit::index_of(int quantity) const {
  const auto& sizes = range_.sizes();
  const auto at = std::lower_bound(sizes.begin(), sizes.end(), quantity);
  return at != sizes.end() && *at == quantity ? static_cast<std::size_t>(at - sizes.begin()) : sizes.size();
}

// One outcome whose weighted reward is target(q_j) + constant. With slope z >= 0 per unit for every bidder,
// bidder j values q at target(q) - target(0) + zq and the others at zq; summed, the slope gives the
// constant zh. z is the steepest fall of the target, so that all is non-decreasing.
Dataset<MultiUnit::Outcome> MultiUnit::data_set(std::size_t bidder, std::span<const double> target) const {
  const auto& sizes = range_.sizes();
  double slope = 0;
  for (std::size_t d = 1; d < sizes.size(); ++d) {
    slope = std::max(slope, (target[d - 1] - target[d]) / (sizes[d] - sizes[d - 1]));
  }
  // Values are divided by the largest of them, which then is the outcome's weight: they must lie in [0,1].
  const double top = std::max(slope * sizes.back(), slope * sizes.back() + target.back() - target.front());
  Outcome y(coordinates());
  for (std::size_t i = 0; i < y.size(); ++i) {
    double reached = 0;
    for (std::size_t d = 1; d < sizes.size(); ++d) {
      const double value = slope * sizes[d] + (i == bidder ? target[d] - target[0] : 0.0);
      const double scaled = top > 0 ? std::min(1.0, value / top) : 0.0;
      if (scaled > reached) y[i].push_back({sizes[d], reached = scaled});
    }
  }
  return {{normaliser() * top, std::move(y)}};
}

// One coded coordinate a bidder. The gammas and signs are M1 and M2; with one bidder all units are its own and there is
// nothing to learn.
std::vector<std::shared_ptr<const Perturbation<MultiUnit>>> MultiUnit::perturbations(
    std::shared_ptr<const MultiUnit> p) {
  const double n = p->parts_.bidders;
  const std::size_t sizes = p->range_.sizes().size();
  std::vector<std::shared_ptr<const Perturbation<MultiUnit>>> all;
  const auto add = [&](std::string_view name, double gamma, HedgeSign sign) {
    const CodePtr code = named_code(name, sizes);
    const auto data = [p, code](Perturbation<MultiUnit>::ColumnRequest request) -> std::optional<Dataset<Outcome>> {
      std::vector<double> target(code->values());
      for (std::size_t d = 0; d < target.size(); ++d) {
        target[d] = request.sign * code->entry(d, request.column % code->columns());
      }
      return p->data_set(request.column / code->columns(), target);
    };
    all.push_back(std::make_shared<CodedColumns<MultiUnit>>(
        CodedColumns<MultiUnit>::Parts{.name = std::string(name),
                                       .problem = p,
                                       .codes = std::vector<CodePtr>(p->coordinates(), code),
                                       .gamma = p->parts_.bidders == 1 ? 0.0 : gamma,
                                       .hedge_sign = sign,
                                       .actions = Actions::kRestricted,
                                       .form = Form::kReward,
                                       .data = data}));
  };
  add("thermometer", 1.0, HedgeSign::kNonPositive);
  add("one-hot", (n - 1) / n, HedgeSign::kNonNegative);
  add("bits", n * static_cast<double>(bits_code(sizes)->columns()), HedgeSign::kMixed);
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<MultiUnit>>> MultiUnit::oracles(std::shared_ptr<const MultiUnit> p) {
  std::vector<std::shared_ptr<const AnyOracle<MultiUnit>>> all{
      make_oracle("dynamic_program", p, DynamicProgram<MultiUnit>{})};
  if (p->range_.count() <= kMaxTable) all.push_back(make_oracle("tabulate", p, Tabulate<MultiUnit>{}));
  return all;
}

}  // namespace hannan::detail
