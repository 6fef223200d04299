// Learners as values, for typed C++ (hannan/learner.hpp): how each is made of a problem, its oracle and its noise.
//
// A learner with noise needs a matrix and a draw, and one that adapts to M the size of that noise.
#pragma once

#include <functional>
#include <memory>

#include "hannan/core/draw.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/schedule.hpp"
#include "hannan/game/gap_rule.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/learners/flipflop.hpp"

namespace hannan {

// What every learner is made of, whatever the type of its problem.
struct LearnerParts {
  std::shared_ptr<const detail::Game> game;
  std::shared_ptr<const detail::GameOracle> oracle;
  std::shared_ptr<const detail::GameMatrix> matrix;  // null: no noise
  Draw draw;
};

using Rule = std::function<std::unique_ptr<detail::Learner>(const LearnerParts& parts)>;

using detail::FlipFlopConstants;
using detail::GapRule;

// Throw kUnavailable where the parts lack what the learner needs: noise, or actions that are numbered.
Rule leader();
struct AdaOptions {
  double noise_size = 0;  // M
  GapRule gap = GapRule::kMix;
  double discount = 1;
};
Rule ada(AdaOptions options);
struct FlipFlopOptions {
  double noise_size = 0;  // M
  FlipFlopConstants constants{};
  GapRule gap = GapRule::kMix;
};
Rule flipflop(FlipFlopOptions options);
Rule gftpl(Schedule schedule);
Rule classical();
Rule hedge(Schedule schedule, Key key);
Rule adahedge(Key key);
Rule flipflop_hedge(FlipFlopConstants constants, Key key);

}  // namespace hannan
