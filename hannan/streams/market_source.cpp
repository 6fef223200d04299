// Outcomes of simulated markets for any problem that simulates: the problem asks for values by place, the market draws
// each as a function of (key, round, place), so that nothing is kept from round to round. The adversary draws 16
// candidates of a round and hands out the one on which the learner's last action loses most: 16 simulations and losses
// a round.
#include "hannan/streams/market_source.hpp"

#include <optional>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// The draws of one round; a candidate is another draw of the same round.
class RoundDraws final : public MarketDraws {
 public:
  // `segments` is null where there are none.
  RoundDraws(const Market& market, const SimulatedSegments* segments, std::uint64_t round, std::uint64_t candidate)
      : market_(market), segments_(segments), round_(round), from_(candidate * kPlaces) {}
  // Values go to the places from 1 on: place 0 is the common shock of a correlated market.
  double value(std::uint64_t place) const override {
    const double value = market_.value(round_, from_ + place + 1);
    return segments_ ? value * segments_->scale(place) : value;
  }
  double lasting(std::uint64_t place) const override {
    const double common = market_.lasting(round_, place);
    return segments_ ? segments_->lasting(place, common) : common;
  }
  std::uint64_t below(std::uint64_t place, std::uint64_t n) const override {
    return market_.below(round_, from_ + place, n);
  }

 private:
  // More than any outcome has values: candidates then share no draw.
  static constexpr std::uint64_t kPlaces = 1'000'000;  // of one candidate
  const Market& market_;
  const SimulatedSegments* segments_;
  std::uint64_t round_, from_;
};

class MarketSource final : public Source {
 public:
  MarketSource(const Game& game, const MarketSourceSpec& spec)
      : game_(game),
        rounds_(spec.rounds),
        adversarial_(spec.market.name == kAdversarial),
        market_(adversarial_ ? MarketSpec{.name = "uniform", .key = spec.market.key} : spec.market) {
    if (game.simulates()) {
      if (adversarial_ && !spec.segments.by.empty())
        throw Error(Code::kUnavailable, "found an adversary, expected another stream for segments", "stream");
      if (!spec.segments.by.empty()) segments_.emplace(spec.segments);
      return;
    }
    throw Error(Code::kUnavailable, "no simulated market makes outcomes of \"" + std::string(game.kind()) + "\"",
                "problem");
  }

  bool next(AnyOutcome& outcome) override {
    if (round_ == rounds_) return false;
    go_on();
    read(0, outcome);
    if (adversarial_ && !last_action_.empty()) choose_worst(outcome);
    return true;
  }
  bool skip() override {
    if (adversarial_)
      throw Error(Code::kUnavailable, "an adversary answers the learner; it has no data of its own", "stream");
    if (round_ == rounds_) return false;
    go_on();
    return true;
  }
  std::span<const std::string> context() const override {
    return segments_ ? segments_->context() : std::span<const std::string>();
  }
  bool answers_actions() const override { return adversarial_; }
  void saw(const Json& action) override { last_action_ = game_.parse_action(action, "action"); }

 private:
  // Chosen: a round costs 16 simulations, and the worst of 16 is already far from the mean.
  static constexpr std::uint64_t kCandidates = 16;

  void read(std::uint64_t candidate, AnyOutcome& into) const {
    game_.simulate(RoundDraws(market_, segments_ ? &*segments_ : nullptr, round_, candidate), into);
  }
  void go_on() {
    ++round_;
    if (segments_) segments_->round(round_);
  }

  // Of the candidates the first on which the last action loses most.
  void choose_worst(AnyOutcome& worst) {
    double most = game_.loss(last_action_, worst);
    for (std::uint64_t i = 1; i < kCandidates; ++i) {
      read(i, candidate_);
      const double loss = game_.loss(last_action_, candidate_);
      if (loss <= most) continue;
      most = loss;
      std::swap(worst, candidate_);
    }
  }

  const Game& game_;
  std::uint64_t rounds_;
  bool adversarial_;
  Market market_;
  std::optional<SimulatedSegments> segments_;
  std::uint64_t round_ = 0;
  AnyAction last_action_;
  AnyOutcome candidate_;
};

}  // namespace

std::unique_ptr<Source> market_source(const Game& game, const MarketSourceSpec& spec) {
  return std::make_unique<MarketSource>(game, spec);
}

}  // namespace hannan::detail
