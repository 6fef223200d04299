// Invariant: gains_ has ceil(rounds_ / width_) sums, each but the last of width_ rounds.
#include "service/gain_stretches.hpp"

#include <algorithm>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail::service {

void GainStretches::add(double gain) {
  if (rounds_ % width_ == 0) {
    if (gains_.size() == kMost) {
      // kMost is even: pairs of full stretches, and none is left over.
      for (std::size_t i = 0; i < kMost / 2; ++i) gains_[i] = gains_[2 * i] + gains_[2 * i + 1];
      gains_.resize(kMost / 2);
      width_ *= 2;
    }
    gains_.push_back(0);
  }
  gains_.back() += gain;
  ++rounds_;
}

// Blocks as equal in length as whole stretches allow: each ends at the stretch nearest to its even share of the rounds.
std::array<double, kJudgedBlocks> GainStretches::blocks() const {
  std::array<double, kJudgedBlocks> totals{};
  std::uint64_t end = 0;    // of the block, in rounds
  std::size_t stretch = 0;  // the first that is not counted yet
  for (std::size_t i = 0; i < kJudgedBlocks; ++i) {
    end += rounds_ / kJudgedBlocks + (i < rounds_ % kJudgedBlocks ? 1 : 0);
    const std::uint64_t nearest = (end + width_ / 2) / width_;
    const std::size_t last = i + 1 == kJudgedBlocks
                                 ? gains_.size()
                                 : static_cast<std::size_t>(std::min<std::uint64_t>(nearest, gains_.size()));
    for (; stretch < last; ++stretch) totals[i] += gains_[stretch];
  }
  return totals;
}

Json GainStretches::json() const {
  return Json::object({{"width", width_}, {"rounds", rounds_}, {"gains", Json(gains_)}});
}

GainStretches GainStretches::of(const Json& json, std::string_view path) {
  Fields in(json, std::string(path));
  GainStretches made;
  made.width_ = static_cast<std::uint64_t>(in.integer("width", {1, kNatural.hi}));
  made.rounds_ = static_cast<std::uint64_t>(in.integer("rounds", kNatural));
  made.gains_ = in.numbers("gains");
  in.done();
  const std::uint64_t full = made.rounds_ / made.width_ + (made.rounds_ % made.width_ == 0 ? 0 : 1);
  if (made.gains_.size() > kMost || made.gains_.size() != full)
    throw Error(Code::kBadState, "found another number of stretches, expected one for every width of rounds",
                std::string(path));
  return made;
}

}  // namespace hannan::detail::service
