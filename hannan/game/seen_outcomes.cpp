// What was seen, and who leads on it. Two regimes. Without a pool every question is a search of the shared history,
// whose leader is kept until the next outcome. With a pool outcomes wait outside the history (at most kMostWaiting)
// while the pools follow them one by one, and a search is made only when no pool proves its answer.
//
// Invariants: past_ plus the first waiting_ outcomes are everything seen; both pools have observed all of it since
// their search; before_, if set, is the pools as they were when the round began, which is what a save within a round
// writes, so that a loaded learner repeats the same searches. Cost: without a pool one search a question, with one a
// loss per member and outcome, and a search when it fails.
#include "hannan/game/seen_outcomes.hpp"

#include <string>

#include "hannan/core/interval.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostWaiting = 64;  // outcomes; bounds the memory, not the cost

// Values of searches have the constant that pouring drops, those of pools the one of RoundNoise::of: both get the
// latter, so that the two values of a round can be compared.
void shift(GameAnswer& answer, double by) {
  if (by == 0) return;
  answer.value += by;
  answer.floor += by;
  answer.rest += by;
  for (auto& member : answer.pool) member.value += by;
}

}  // namespace

SeenOutcomes::SeenOutcomes(std::shared_ptr<const GameOracle> oracle, double discount)
    : oracle_(std::move(oracle)),
      pool_(oracle_->pool()),
      past_(std::make_shared<SharedHistory>(oracle_, discount)),
      pools_(pool_),
      limited_(oracle_->limited(1) != nullptr) {}

void SeenOutcomes::share(const SeenOutcomes& other) {
  // A search with a limit leaves hints in its history and an outside oracle may too: sharing would let one learner's
  // questions change another's answers.
  const bool alike = oracle_->name() == other.oracle_->name() && oracle_->claims().empty() && !limited_ &&
                     past_->discount() == other.past_->discount();
  if (alike && pool_ == 0 && other.pool_ == 0 && rounds_ == 0 && other.rounds_ == 0) past_ = other.past_;
}

// Pools follow the outcome at once, the history takes it in when a search needs it: adding to a history may cost more
// than following a few hundred members.
void SeenOutcomes::add(const AnyOutcome& y, double weight) {
  if (pool_ == 0) {
    past_->add(y, weight, rounds_);
  } else {
    // A discount is applied before the outcome: rounds of age i count discount^i.
    for (auto* pool : {&pools_.plain, &pools_.noisy}) {
      if (past_->discount() != 1) pool->scale(past_->discount());
      pool->observe(oracle_->problem(), y, weight);
    }
    if (waiting_ == kMostWaiting) pour();
    if (waiting_ == outcomes_.size()) {
      outcomes_.emplace_back();
      weights_.emplace_back();
    }
    weights_[waiting_] = weight;
    outcomes_[waiting_++] = y;
    past_->expect(weight);
  }
  ++rounds_;
  leader_known_ = peeked_known_ = false;
  pools_.led = false;
}

void SeenOutcomes::find_leader() const {
  if (!pools_.plain.leader(leader_, unit())) {
    // The plain pool was searched on exactly these outcomes before the state was saved: it failed to prove the leader
    // then too (ties), so another pool would not help. Only the leader is looked for.
    if (pools_.led) {
      search(past_->history(), 0.0, 0, leader_);  // known when it was saved
    } else {
      refill_plain();
    }
  }
  leader_known_ = true;
}

// The leader without any change that a later question could notice: a pool is neither refilled nor grown.
const GameAnswer& SeenOutcomes::peek() const {
  if (pool_ == 0) return past_->leader(rounds_);
  if (leader_known_) return leader_;
  if (!peeked_known_ && !pools_.plain.leader(peeked_, unit())) {
    search(past_->history(), 0.0, PoolSize(pools_.plain_size).next(pools_.plain), peeked_);
  }
  peeked_known_ = true;
  return peeked_;
}

const GameAnswer& SeenOutcomes::perturbed(const RoundNoise& noise, double scale) const {
  if (pool_ == 0) {
    if (scale == 0) return past_->leader(rounds_);
    search(noise.history(), scale, 0, perturbed_);
    return perturbed_;
  }
  const Pool::Question question{.noise = noise, .scale = scale, .unit = unit()};
  if (pools_.noisy.perturbed(question, perturbed_) || pools_.plain.perturbed(question, perturbed_)) return perturbed_;
  keep_before();
  // A pool is asked for only where single actions' noise is cheap to compute; otherwise the pool could not be used
  // again.
  search(noise.history(), scale, noise.quick() ? pools_.noisy_size.next(pools_.noisy) : 0, perturbed_);
  shift(perturbed_, scale * (noise.of(perturbed_.action) - noise.poured(perturbed_.action)));
  if (perturbed_.pool.empty()) {
    pools_.noisy.drop();
  } else {
    pools_.noisy.refill(perturbed_, noise, scale);
  }
  return perturbed_;
}

// A search that leaves the pools alone, for estimates by extra draws.
void SeenOutcomes::probe(const RoundNoise& noise, double scale, GameAnswer& answer) const {
  search(noise.history(), scale, 0, answer);
  if (pool_ > 0) shift(answer, scale * (noise.of(answer.action) - noise.poured(answer.action)));
}

// Waiting outcomes go into the history first: it is what is saved.
void SeenOutcomes::archive(Archive& a) {
  pour();
  a.count("rounds", rounds_);
  if (a.reading()) {
    leader_known_ = peeked_known_ = false;
    before_.reset();
    check_history(a);
  }
  a.open("history");
  past_->archive(a, rounds_);
  a.close();
  if (pool_ > 0) {
    const double heaviest = static_cast<double>(rounds_) * unit();
    (before_ ? *before_ : pools_).archive(a, oracle_->problem(), {.total = heaviest, .most = pool_});
  }
}

void SeenOutcomes::Pools::archive(Archive& a, const Game& game, const Pool::Limits& limits) {
  a.count("led", led);
  a.open("plain_pool");
  plain.archive(a, game, limits);
  plain_size.archive(a);
  a.close();
  a.open("noisy_pool");
  noisy.archive(a, game, limits);
  noisy_size.archive(a);
  a.close();
}

// A saved history of so many rounds has a best total between 0 and their number times the largest weight, or that many
// losses of any size. It is searched in a copy, because a search may leave hints behind; an oracle from outside checks
// what it reads by itself.
void SeenOutcomes::check_history(Archive& a) const {
  if (!oracle_->claims().empty()) return;
  const auto copy = oracle_->empty();
  a.open("history");
  copy->archive(a);
  double unit = 0;
  past_->archive_unit(a, unit);
  GameAnswer answer;
  oracle_->choose({*copy, *copy, 0.0}, answer);
  const bool unknown = oracle_->problem().loss_range() == LossRange::kUnknown;
  const double rounds = static_cast<double>(rounds_) * (!unknown && unit > 1 ? unit : 1.0);
  const double most = unknown ? kAnyLoss.hi * rounds : rounds, least = unknown ? -most : 0.0;
  const double window = 1e-6 + 1e-9 * most, value = unit > 0 ? unit * answer.value : answer.value;
  if (!(value >= least - window && value <= most + window)) {
    a.refuse("",
             unknown
                 ? "found a history whose best total loss is more than " + std::to_string(rounds_) + " rounds can have"
                 : "found a history whose best total loss is outside 0.." + std::to_string(rounds_) + ", its rounds");
  }
  a.close();
}

// An oracle with a work limit proves its choice first and looks for the pool afterwards, so that the
// pool never costs the proof.
void SeenOutcomes::search(const GameHistory& noise, double scale, std::size_t keep, GameAnswer& answer) const {
  pour();
  const Evidence<GameHistory> evidence{past_->history(), noise, scale / past_->unit()};
  if (keep > 0 && !limited_) {
    answer = oracle_->best(evidence, keep);
    return past_->to_losses(answer);
  }
  oracle_->choose(evidence, answer);
  past_->to_losses(answer);
  if (keep == 0 || !answer.proven()) return;
  auto wide = oracle_->best(evidence, keep);
  answer.pool = std::move(wide.pool);
  answer.rest = wide.rest;
  // Two searches, counted as one call: the second only lists more of the best.
  answer.nodes += wide.nodes;
}

void SeenOutcomes::refill_plain() const {
  keep_before();
  const std::size_t keep = pools_.plain_size.next(pools_.plain);
  if (peeked_known_) {
    leader_ = peeked_;
  } else {
    search(past_->history(), 0.0, keep, leader_);
  }
  pools_.plain.refill(leader_);
  pools_.led = true;
}

void SeenOutcomes::pour() const {
  for (std::size_t i = 0; i < waiting_; ++i) past_->pour(outcomes_[i], weights_[i]);
  waiting_ = 0;
}

}  // namespace hannan::detail
