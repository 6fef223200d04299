// The learners of the open segments of a tree, each by the number of its segment: parts and buffers are shared, a
// segment has its history and the numbers of its learner alone: after each question and each outcome it gives back the
// memory that its searches have used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/contexts/prunings.hpp"
#include "hannan/contexts/segment_tree.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/learner_maker.hpp"

namespace hannan::detail {

class SegmentLearners {
 public:
  using Id = SegmentTree::Id;
  SegmentLearners(std::shared_ptr<const Game> game, const LearnerParams& params);

  struct Opening {
    Id id;
    std::size_t place;  // segments that decide in one round have different ones
    std::uint64_t run;  // added to that of the root: 0, or the hash of the path
    std::string name;   // the values joined by "/", for given noise
  };
  void open(const Opening& opening);
  void clear() { learners_.clear(); }  // none is open
  void watch(Id id, const AnyOutcome& y) { learners_[id]->watch(y); }

  // It will be asked soon: its memory may be on the way meanwhile. Changes nothing.
  void fetch(Id id) const;
  // A failure (an oracle of the user's own, noise that was not given) changes nothing.
  const Decision& act(Id id);
  // What it returns is valid until the next outcome of this segment.
  const Step& observe(Id id, const AnyOutcome& y);

  // By a search where need be, which is not the learner's.
  LeastLoss least(Id id) const;
  Json leader(Id id) const { return game_->action_json(peek(id).action); }

  // The same of outcomes that no learner has seen.
  struct Watched {
    LeastLoss least;
    Json leader;
  };
  Watched watched(std::span<const AnyOutcome> outcomes) const;

  struct Counts {
    std::uint64_t rounds = 0;
    std::uint64_t oracle_calls = 0;
    std::uint64_t search_nodes = 0;
    double gap = 0;
  };
  Counts counts(Id id) const;
  void archive(Id id, Archive& a) { learners_[id]->archive(a); }
  // Bytes of a learner, estimated from the numbers in its state.
  double bytes(Id id);

  Json params() const;  // every default filled in
  // Of an oracle of the user's own, which can fail.
  std::string_view claims() const { return maker_.oracle()->claims(); }
  // For the closed form; looks for M if need be.
  struct Constants {
    std::size_t columns = 0;  // 0: there is no noise
    std::optional<double> gamma;
    std::optional<double> claimed;     // the gamma that is proven for the perturbation
    std::optional<double> noise_size;  // M, or the upper end of its interval
  };
  Constants constants();

 private:
  std::optional<double> noise_size();
  const GameAnswer& peek(Id id) const;

  std::shared_ptr<const Game> game_;
  LearnerMaker maker_;
  Key key_;  // of the root
  std::optional<std::map<std::string, GivenNoise>> alpha_;
  std::vector<std::shared_ptr<RoundNoise>> buffers_;  // by place
  std::vector<std::unique_ptr<Learner>> learners_;    // by segment; null where it is closed
};

}  // namespace hannan::detail
