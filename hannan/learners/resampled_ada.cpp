// Rounds of estimated losses (resampled_ada.hpp). Invariants: between rounds data_ is Lhat of the account, place_ is
// all zeroes but for the elements of the choice that was decided; nothing changes before a round's losses are there.
#include "hannan/learners/resampled_ada.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/noise/laplace.hpp"

namespace hannan::detail {
namespace {

// A draw of round t stands for round 2^20 t + j of its purpose: there are fewer of them.
constexpr std::uint64_t kMostDraws = std::uint64_t{1} << 20;

ResampledAda::Parts with_elements(ResampledAda::Parts parts) {
  if (!parts.game->elements()) {
    throw Error(Code::kUnavailable,
                "found elements on \"" + std::string(parts.game->kind()) +
                    "\", expected a problem whose actions are made of parts that are seen each, with losses in [0,1] "
                    "and none twice in an action (docs/partial.md); \"looks\" are for every problem",
                "params.feedback");
  }
  if (!parts.oracle->takes_tables() || !parts.oracle->takes_negative_weights()) {
    throw Error(Code::kUnavailable,
                "oracle \"" + parts.oracle->name() +
                    "\" takes outcomes alone, and elements need one number each; use an oracle of the program",
                "params.oracle");
  }
  return parts;
}

double sum_over(std::span<const std::int32_t> elements, std::span<const double> values) {
  double sum = 0;
  for (const auto element : elements) sum += values[static_cast<std::size_t>(element)];
  return sum;
}

}  // namespace

ResampledAda::ResampledAda(Parts parts)
    : parts_(with_elements(std::move(parts))),
      account_(parts_.game->elements()->count, parts_.delta),
      data_(parts_.oracle->empty()),
      noise_(parts_.oracle, parts_.matrix),
      alpha_(parts_.matrix->columns()),
      values_(parts_.matrix->columns()),
      place_(parts_.matrix->columns(), 0) {}

double ResampledAda::multiplier() const {
  return parts_.noise_size > 0 ? std::max(1.0, stability_ / parts_.noise_size) : 1.0;
}

void ResampledAda::choose(Purpose purpose, std::uint64_t round, double scale) {
  draw_cut_laplace(KeyedRandom(parts_.key, purpose, round), alpha_);
  noise_.renew(0, 0, [&](std::span<double> into) { std::ranges::copy(alpha_, into.begin()); });
  parts_.oracle->choose({*data_, noise_.history(), scale}, answer_);
  parts_.game->action_row(answer_.action, drawn_);
}

const ResampledAda::Choice& ResampledAda::act() {
  if (decided_) return choice_;
  choice_.multiplier = multiplier();
  const double most = std::ceil(parts_.cap * choice_.multiplier);
  if (!(most < static_cast<double>(kMostDraws))) {
    throw Error(Code::kWorkLimit,
                "round " + std::to_string(rounds_ + 1) + " may need 2^20 draws: the noise has grown to " +
                    std::to_string(choice_.multiplier) + " times its unit; a smaller cap goes on for longer",
                "params.cap");
  }
  choice_.most_draws = static_cast<std::uint64_t>(most);
  data_->clear();
  data_->add_table(0, account_.estimates());
  choose(Purpose::kNoise, rounds_ + 1, choice_.multiplier);
  std::swap(choice_.action, answer_.action);
  std::swap(choice_.elements, drawn_);
  decided_ = true;
  return choice_;
}

void ResampledAda::meet() {
  const auto& elements = choice_.elements;
  step_.copies.assign(elements.size(), 0);
  for (std::size_t i = 0; i < elements.size(); ++i)
    place_[static_cast<std::size_t>(elements[i])] = static_cast<std::uint32_t>(i + 1);
  std::size_t left = elements.size();
  step_.draws = 0;
  while (left > 0 && step_.draws < choice_.most_draws) {
    ++step_.draws;
    choose(Purpose::kResample, kMostDraws * (rounds_ + 1) + step_.draws, choice_.multiplier);
    for (const auto element : drawn_) {
      const std::uint32_t place = place_[static_cast<std::size_t>(element)];
      if (place == 0 || step_.copies[place - 1] > 0) continue;
      step_.copies[place - 1] = step_.draws;
      --left;
    }
  }
  for (const auto element : elements) place_[static_cast<std::size_t>(element)] = 0;
}

// The ghost is chosen before the round is in the estimates, and compared with the choice of the same noise after it.
double ResampledAda::ghost(std::span<const double> losses) {
  const double z = choice_.multiplier;
  choose(Purpose::kGhost, rounds_ + 1, z);
  ghost_ = drawn_;
  account_.see({.elements = choice_.elements, .losses = losses, .copies = step_.copies});
  data_->clear();
  data_->add_table(0, account_.estimates());
  parts_.oracle->choose({*data_, noise_.history(), z}, answer_);
  parts_.game->action_row(answer_.action, drawn_);
  for (std::size_t i = 0; i < alpha_.size(); ++i) alpha_[i] = account_.estimates()[i] + z * alpha_[i];
  return std::max(0.0, sum_over(ghost_, alpha_) - sum_over(drawn_, alpha_));
}

const ResampledAda::Step& ResampledAda::observe(std::span<const double> losses) {
  act();
  assert(losses.size() == choice_.elements.size());
  meet();
  step_.loss = step_.capped = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    step_.loss += losses[i];
    if (step_.copies[i] > 0) continue;
    step_.copies[i] = choice_.most_draws;
    step_.capped += losses[i];
  }
  step_.gap = ghost(losses);
  stability_ += step_.gap + step_.capped;
  last_multiplier_ = choice_.multiplier;
  calls_ += 3 + step_.draws;
  draws_ += step_.draws;
  ++rounds_;
  decided_ = false;
  return step_;
}

double ResampledAda::limit() {
  account_.lows(values_);
  data_->clear();
  data_->add_table(0, values_);
  parts_.oracle->choose({*data_, *data_, 0.0}, answer_);
  parts_.game->action_row(answer_.action, drawn_);
  const double least = sum_over(drawn_, values_);
  data_->clear();
  data_->add_table(0, account_.estimates());
  return account_.total() - least;
}

void ResampledAda::archive(Archive& a) {
  a.count("rounds", rounds_, (std::uint64_t{1} << 36) - 1);
  account_.archive(a);
  a.field("stability", stability_, kSavedNonnegative);
  a.field("multiplier", last_multiplier_, kSavedNonnegative);
  a.count("oracle_calls", calls_);
  a.count("draws", draws_);
  if (a.reading()) decided_ = false;
}

}  // namespace hannan::detail
