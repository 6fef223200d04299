#include "hannan/streams/market_source.hpp"

#include <utility>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

// The draws of one round; a candidate is another draw of the same round.
class RoundDraws final : public MarketDraws {
 public:
  RoundDraws(const Market& market, std::uint64_t round, std::uint64_t candidate)
      : market_(market), round_(round), from_(candidate * kPlaces) {}
  // Values go to the places from 1 on: place 0 is the common shock of a correlated market.
  double value(std::uint64_t place) const override { return market_.value(round_, from_ + place + 1); }
  double lasting(std::uint64_t place) const override { return market_.lasting(round_, place); }
  std::uint64_t below(std::uint64_t place, std::uint64_t n) const override {
    return market_.below(round_, from_ + place, n);
  }

 private:
  static constexpr std::uint64_t kPlaces = 1'000'000;  // of one candidate
  const Market& market_;
  std::uint64_t round_, from_;
};

class MarketSource final : public Source {
 public:
  MarketSource(const AnyProblem& problem, const MarketSourceSpec& spec)
      : problem_(problem),
        rounds_(spec.rounds),
        adversarial_(spec.market.name == kAdversarial),
        market_(adversarial_ ? MarketSpec{.name = "uniform", .key = spec.market.key} : spec.market) {
    if (problem.simulates()) return;
    throw Error(Code::kUnavailable, "no simulated market makes outcomes of \"" + std::string(problem.kind()) + "\"",
                "problem");
  }

  bool feed(AnyLearner& learner, ObserveView& view) override {
    if (round_ == rounds_) return false;
    const Json action = adversarial_ ? learner.action() : Json();
    const Json outcome = adversarial_ ? worst_for(last_action_) : make(round_ + 1, 0);
    view = learner.observe(outcome, "outcome");
    ++round_;
    last_action_ = action;
    return true;
  }
  bool answers_actions() const override { return adversarial_; }
  bool skip() override {
    Json unused;
    return next(unused);
  }
  bool next(Json& outcome) override {
    if (adversarial_)
      throw Error(Code::kUnavailable, "an adversary answers the learner; it has no data of its own", "stream");
    if (round_ == rounds_) return false;
    outcome = make(++round_, 0);
    return true;
  }

 private:
  static constexpr std::uint64_t kCandidates = 16;

  Json make(std::uint64_t round, std::uint64_t candidate) const {
    return problem_.simulated(RoundDraws(market_, round, candidate));
  }

  Json worst_for(const Json& action) const {
    Json worst = make(round_ + 1, 0);
    if (action.is_null()) return worst;
    double most = -1;
    for (std::uint64_t i = 0; i < kCandidates; ++i) {
      Json candidate = make(round_ + 1, i);
      const double loss = problem_.loss(action, candidate).at("loss").as_number();
      if (loss > most) {
        most = loss;
        worst = std::move(candidate);
      }
    }
    return worst;
  }

  const AnyProblem& problem_;
  std::uint64_t rounds_;
  bool adversarial_;
  Market market_;
  std::uint64_t round_ = 0;
  Json last_action_;
};

}  // namespace

std::unique_ptr<Source> market_source(const AnyProblem& problem, const MarketSourceSpec& spec) {
  return std::make_unique<MarketSource>(problem, spec);
}

}  // namespace hannan
