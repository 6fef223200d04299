// Outcomes and actions of a user's own types: played with as they are, saved where they have an archive function.
#include "hannan/core/archive.hpp"

#include <cmath>
#include <compare>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "hannan/core/tally.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/learners/leader.hpp"

namespace someone {

struct Order {
  int papers = 0;
  auto operator<=>(const Order&) const = default;
};
struct Demand {
  int papers = 0;
  auto operator<=>(const Demand&) const = default;
};
struct SavedDemand {
  int papers = 0;
  auto operator<=>(const SavedDemand&) const = default;
};
void archive(hannan::Archive& a, SavedDemand& y) { a.count("papers", y.papers); }

template <class Y>
struct Kiosk {
  using Action = Order;
  using Outcome = Y;
  double loss(Order x, Y y) const { return std::abs(x.papers - y.papers) / 4.0; }
  double ln_size() const { return std::log(5.0); }
};

template <class Y>
struct BestOrder {
  using History = hannan::Tally<Y>;
  static constexpr bool kSigned = true;
  History empty(const Kiosk<Y>&) const { return {}; }
  void add(const Kiosk<Y>&, History& h, Y y, double weight) const { h.add(y, weight); }
  hannan::Answer<Order> best(const Kiosk<Y>& kiosk, hannan::Evidence<History> e, std::size_t) const {
    hannan::Answer<Order> least;
    for (int x = 0; x <= 4; ++x) {
      double value = 0;
      for (const auto& [y, weight] : e.data) value += weight * kiosk.loss({x}, y);
      if (x == 0 || value < least.value)
        least = {.action = {x}, .value = value, .floor = value, .pool = {}, .rest = value};
    }
    return least;
  }
};

}  // namespace someone

namespace hannan::detail {
namespace own_types_test {

static_assert(!Archivable<someone::Demand> && Archivable<someone::SavedDemand> && Archivable<std::vector<int>>);

template <class Y>
Leader played() {
  const auto kiosk = std::make_shared<const someone::Kiosk<Y>>();
  const auto game = erased(kiosk);
  return Leader(game, erased<someone::Kiosk<Y>>(game, make_oracle("best order", kiosk, someone::BestOrder<Y>{})));
}

int ordered(const Leader& learner) { return learner.act().action.get<someone::Order>().papers; }

TEST(OwnTypes, ArePlayedWithoutAnArchiveFunctionAndSayThatTheyCannotBeSaved) {
  auto learner = played<someone::Demand>();
  for (const int papers : {3, 3, 1}) learner.observe(AnyOutcome::of(someone::Demand{papers}));
  EXPECT_EQ(ordered(learner), 3);
  JsonWriter writer;
  try {
    learner.archive(writer);
    FAIL() << "saved";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kUnavailable);
  }
}

TEST(OwnTypes, AreSavedWhereTheyHaveAnArchiveFunction) {
  auto learner = played<someone::SavedDemand>();
  for (const int papers : {3, 3, 1}) learner.observe(AnyOutcome::of(someone::SavedDemand{papers}));
  JsonWriter writer;
  learner.archive(writer);
  const Json state = writer.take();
  auto again = played<someone::SavedDemand>();
  JsonReader reader(state, "state");
  again.archive(reader);
  EXPECT_EQ(again.rounds(), 3u);
  EXPECT_EQ(ordered(again), 3);
}

}  // namespace own_types_test
}  // namespace hannan::detail
