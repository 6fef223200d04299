#include "hannan/game/ledger.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "hannan/game/game_of.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/learners/leader.hpp"
#include "hannan/problems/experts/experts.hpp"

namespace hannan::detail {
namespace ledger_test {
class LeaderRun {
 public:
  LeaderRun() : game_(erased(std::make_shared<const Experts>(2))), leader_(game_, game_->oracles().front()) {}
  void play(int rounds) {
    const AnyOutcome losses = AnyOutcome::of(std::vector<double>{0.1, 0.7});
    for (int i = 0; i < rounds; ++i) {
      leader_.act();
      ledger_.ready(leader_);
      ledger_.before(leader_, losses);
      ledger_.after(leader_, leader_.observe(losses).loss);
    }
  }
  Ledger& ledger() { return ledger_; }

 private:
  std::shared_ptr<const Game> game_;
  Leader leader_;
  Ledger ledger_{Track::kEvery};
};

TEST(Ledger, FindsNoRegretInTheLeaderOnConstantLosses) {
  constexpr int kRounds = 100'000;
  LeaderRun run;
  run.play(kRounds);
  double plain = 0;
  for (int i = 0; i < kRounds; ++i) plain += 0.1;
  EXPECT_EQ(run.ledger().regret(), 0.0);
  EXPECT_EQ(run.ledger().leader_regret(), 0.0);
  EXPECT_NE(run.ledger().total(), plain);
}

TEST(Ledger, KeepsWhatRoundingCutOffInAStateAndReadsStatesWithoutIt) {
  LeaderRun run;
  run.play(777);
  JsonWriter writer;
  run.ledger().archive(writer);
  const Json saved = writer.take();
  EXPECT_NE(saved.at("total_carry").as_number(), 0.0);
  Json old = Json::object();
  for (const auto& [name, value] : saved.as_object()) {
    if (name != "total_carry" && name != "leader_carry") old.set(name, value);
  }
  for (const Json* state : {&saved, static_cast<const Json*>(&old)}) {
    Ledger other(Track::kEvery);
    JsonReader reader(*state, "state");
    other.archive(reader);
    EXPECT_EQ(other.total(), run.ledger().total());
    JsonWriter again;
    other.archive(again);
    EXPECT_EQ(again.take().at("total_carry").as_number(), state == &saved ? saved.at("total_carry").as_number() : 0.0);
  }
}

}  // namespace ledger_test
}  // namespace hannan::detail
