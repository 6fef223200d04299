// The learners of the open segments of a tree, each by the number of its segment: what a tree needs of learners,
// whatever their problem.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hannan/contexts/prunings.hpp"
#include "hannan/contexts/segment_tree.hpp"
#include "hannan/core/any_value.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/delayed_rounds.hpp"

namespace hannan::detail {

class SegmentLearners {
 public:
  using Id = SegmentTree::Id;
  virtual ~SegmentLearners() = default;

  struct Opening {
    Id id;
    std::size_t place;  // segments that decide in one round have different ones
    std::uint64_t run;  // added to that of the root: 0, or the hash of the path
    std::string name;   // the values joined by "/", for given noise
  };
  virtual void open(const Opening& opening) = 0;
  virtual void clear() = 0;  // none is open
  virtual void watch(Id id, const AnyOutcome& y) = 0;

  // It will be asked soon: its memory may be on the way meanwhile. Changes nothing.
  virtual void fetch(Id id) const = 0;
  // A failure (an oracle of the user's own, noise that was not given) changes nothing.
  virtual ActView act(Id id) = 0;
  virtual Json action(Id id) = 0;  // of act
  struct Settled {
    double loss = 0;
    Stability stability;
    bool has_after = false;
    std::optional<Estimates> estimates;  // off
  };
  virtual Settled observe(Id id, const AnyOutcome& y) = 0;
  virtual Json after(Id id) = 0;  // x' of its last round, where it has one

  // By a search where need be, which is not the learner's.
  virtual LeastLoss least(Id id) = 0;
  virtual Json leader(Id id) = 0;

  // The same of outcomes that no learner has seen.
  struct Watched {
    LeastLoss least;
    Json leader;
  };
  virtual Watched watched(std::span<const AnyOutcome> outcomes) const = 0;

  struct Counts {
    std::uint64_t rounds = 0;
    std::uint64_t oracle_calls = 0;
    std::uint64_t search_nodes = 0;
    double gap = 0;
  };
  virtual Counts counts(Id id) const = 0;
  virtual void archive(Id id, Archive& a) = 0;

  virtual Json params() const = 0;              // every default filled in
  virtual std::string_view claims() const = 0;  // of an oracle of the user's own, which can fail
  // For the closed form; looks for M if need be.
  struct Constants {
    std::size_t columns = 0;  // 0: there is no noise
    std::optional<double> gamma;
    std::optional<double> claimed;     // the gamma that is proven for the perturbation
    std::optional<double> noise_size;  // M, or the upper end of its interval
  };
  virtual Constants constants() = 0;
};

}  // namespace hannan::detail
