// Votes: a list of weighted stumps, and the classifier k is the vote of the first k of them. None says 0.
//
// Listed from 0 on, equal ones merged. A vote says 1 where the weights of its stumps that say 1 exceed those that say
// 0; weights are added in the order of the list, so that a vote says the same on every machine.
#include <cmath>

#include "hannan/core/expect.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"
#include "hannan/problems/classification/listed_hypotheses.hpp"

namespace hannan::detail {
namespace {

// Both chosen: rows of bits for every vote are kept, 20 million bits at most.
constexpr std::size_t kMostVotes = 1000;
constexpr std::size_t kMostVoteEntries = 20'000'000;  // votes x points

class VoteClass final : public ListedHypotheses {
 public:
  VoteClass(HypothesisWalk walk, std::vector<std::vector<bool>> rows, std::vector<std::uint64_t> sizes)
      : ListedHypotheses(std::move(walk)), rows_(std::move(rows)), sizes_(std::move(sizes)) {}
  bool says(std::uint64_t code, std::size_t point) const override { return rows_[sizes_[code]][point]; }
  ClassifierRule describe(std::uint64_t code) const override { return VoteRule{sizes_[code]}; }
  std::optional<std::uint64_t> find(const ClassifierRule& rule) const override {
    const auto* vote = std::get_if<VoteRule>(&rule);
    if (!vote || vote->stumps >= rows_.size()) return std::nullopt;
    const auto& row = rows_[vote->stumps];
    return look_up([&](std::size_t i) { return row[i]; });
  }

 private:
  std::vector<std::vector<bool>> rows_;  // of the first k stumps
  std::vector<std::uint64_t> sizes_;     // of the hypotheses
};

Cut sound_cut(const FeatureCuts& cuts, const WeightedStumpRule& vote, const std::string& path) {
  const auto cut = cuts.find(vote.stump.cut);
  if (!cut) throw Error(Code::kOutOfRange, "found a stump of no column or category, expected one of the points", path);
  if (!std::isfinite(vote.weight))
    throw Error(Code::kOutOfRange, "found an infinite weight, expected a number", path_of(path, "weight"));
  return *cut;
}

}  // namespace
HypothesesPtr vote_hypotheses(const PointTable& points, const std::vector<WeightedStumpRule>& votes) {
  using namespace detail;
  if (votes.size() > kMostVotes || (votes.size() + 1) * points.points() > kMostVoteEntries) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(votes.size()) + " stumps on " + std::to_string(points.points()) +
                    " points, expected at most " + std::to_string(kMostVotes) + " and " +
                    std::to_string(kMostVoteEntries) + " entries",
                "votes");
  }
  const FeatureCuts cuts(points);
  const std::size_t m = points.points();
  HypothesisWalk walk(m);
  std::vector<std::vector<bool>> rows;
  std::vector<std::uint64_t> sizes;
  std::vector<double> balance(m, 0.0);
  for (std::size_t k = 0; k <= votes.size(); ++k) {
    if (k > 0) {
      const WeightedStumpRule& vote = votes[k - 1];
      const Cut cut = sound_cut(cuts, vote, path_of("votes", k - 1));
      for (std::size_t i = 0; i < m; ++i) {
        const bool one = cuts.holds(cut, i) == (vote.stump.says == 1);
        balance[i] += one ? vote.weight : -vote.weight;
      }
    }
    auto& row = rows.emplace_back(m);
    for (std::size_t i = 0; i < m; ++i) row[i] = balance[i] > 0;
    walk.go([&](std::size_t i) { return row[i]; });
    if (walk.stop()) sizes.push_back(k);
  }
  return std::make_shared<VoteClass>(std::move(walk), std::move(rows), std::move(sizes));
}

}  // namespace hannan::detail
