#include "hannan/problems/routing/routing_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace routing_test {

std::shared_ptr<const Routing> make(const std::string& text) {
  const Json json = parse_json(text);
  Fields fields(json, "params");
  auto problem = Codec<Routing>::parse(fields);
  fields.done();
  return problem;
}

// Crossings (i, j) of a square grid, one-way streets east and south: C(2(n-1), n-1) paths.
std::shared_ptr<const Routing> grid(int n) {
  Json edges = Json::array();
  for (int v = 0; v < n * n; ++v) {
    if (v % n + 1 < n) edges.push_back(Json::array({v, v + 1}));
    if (v / n + 1 < n) edges.push_back(Json::array({v, v + n}));
  }
  return make(dump(Json::object({{"edges", std::move(edges)}, {"source", 0}, {"target", n * n - 1}})));
}

// A small town with a detour, two parallel streets, a dead end and a street out of the target.
constexpr const char* kTown =
    R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"],["a","b"],["s","t"],["b","c"],["t","s"],["s","a"]],"source":"s","target":"t"})";
// Back and forth between 0 and 1, a loop at 1.
constexpr const char* kRound = R"({"edges":[[0,1],[1,0],[1,1],[1,2],[0,2]],"source":0,"target":2,"hops":6})";

Routing::Outcome random_costs(const Routing& p, const KeyedRandom& coins) {
  Routing::Outcome y(p.edges());
  for (std::size_t e = 0; e < y.size(); ++e) {
    y[e] = coins.below(2 * e, 2) ? coins.uniform(2 * e + 1) : static_cast<double>(coins.below(2 * e + 1, 3)) / 2;
  }
  return y;
}

TEST(Routing, ListsThePathsOfATownInOrderAndSharesOutTheirCost) {
  const auto p = make(kTown);
  // From s: a (edge 0 or 8) then t, or b then t; b then t; straight to t.
  const std::vector<Walk> wanted{{0, 1}, {0, 4, 3}, {2, 3}, {5}, {8, 1}, {8, 4, 3}};
  EXPECT_EQ(p->first_actions(100), wanted);
  EXPECT_EQ(p->first_actions(2).size(), 2U);
  EXPECT_TRUE(p->first_actions(0).empty());
  EXPECT_EQ(p->action_count(), 6.0);
  EXPECT_EQ(p->normaliser(), 3.0);  // s a b t
  const Routing::Outcome y{0.5, 1, 0.25, 0.75, 0.125, 0, 1, 1, 0};
  EXPECT_EQ(p->raw({0, 4, 3}, y), 0.5 + 0.125 + 0.75);
  EXPECT_EQ(p->loss({0, 4, 3}, y), 1.375 / 3);
}

TEST(Routing, PaysForAnEdgeEveryTimeAWalkTakesIt) {
  const auto p = make(kRound);
  EXPECT_EQ(p->normaliser(), 6.0);
  EXPECT_EQ(p->raw({0, 2, 2, 3}, {0.25, 0, 0.5, 0.125, 0}), 0.25 + 0.5 + 0.5 + 0.125);
}

TEST(Routing, CountsTheThirtyTrillionPathsOfAGridOf25) {
  const auto p = grid(25);
  EXPECT_EQ(p->action_count(), 32247603683100.0);  // C(48,24)
  EXPECT_NEAR(p->ln_size(), std::log(32247603683100.0), 1e-12);
  EXPECT_EQ(p->normaliser(), 48.0);
  EXPECT_EQ(Routing::oracles(p).size(), 1U);  // nothing is tabulated
  // 40 by 40: C(78,39), ln = lgamma(79) - 2 lgamma(40).
  EXPECT_EQ(grid(40)->action_count(), std::nullopt);
  EXPECT_NEAR(grid(40)->ln_size(), std::lgamma(79) - 2 * std::lgamma(40), 1e-9);
}

TEST(Routing, OraclesAgreeWithEnumerationUnderSignedDataAndNoise) {
  for (const auto& p : {make(kTown), make(kRound), grid(4)}) {
    const auto all = p->first_actions(100000);
    const auto matrix = Routing::perturbations(p).front();
    for (const auto& oracle : Routing::oracles(p)) {
      for (std::uint64_t i = 0; i < 400; ++i) {
        const KeyedRandom coins(Key{.seed = 11}, Purpose::kTest, i);
        const auto data = oracle->empty(), noise = oracle->empty();
        std::vector<double> values(all.size(), 0.0), alpha(p->edges()), row(p->edges());
        for (std::uint64_t j = 0; j < 4; ++j) {
          const auto y = random_costs(*p, KeyedRandom(Key{.seed = 12}, Purpose::kTest, 4 * i + j));
          const double weight = static_cast<double>(coins.below(j, 5)) - 1.5;
          data->add(y, weight);
          for (std::size_t k = 0; k < all.size(); ++k) {
            double sum = 0;
            for (const int e : all[k]) sum += y[static_cast<std::size_t>(e)];
            values[k] += weight * sum / p->normaliser();
          }
        }
        const double scale = 0.5 * static_cast<double>(i % 3);
        for (std::size_t e = 0; e < alpha.size(); ++e) alpha[e] = 4 * coins.uniform(100 + e) - 2;
        if (oracle->takes_tables()) {
          matrix->pour(alpha, *noise);
        } else {
          ASSERT_TRUE(matrix->pour_data(alpha, *noise, Weights::kAnySign));
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
          matrix->row(all[k], row);
          for (std::size_t e = 0; e < row.size(); ++e) values[k] += scale * alpha[e] * row[e];
        }
        const auto answer = oracle->best({*data, *noise, scale}, 3);
        const double least = *std::min_element(values.begin(), values.end());
        std::size_t k = 0;
        while (values[k] > least + tie_window(least)) ++k;
        ASSERT_EQ(answer.action, all[k]) << oracle->name() << " " << i;
        ASSERT_NEAR(answer.value, values[k], 1e-10);
        ASSERT_TRUE(answer.proven());
        std::sort(values.begin(), values.end());
        ASSERT_EQ(answer.pool.size(), 3U);
        for (std::size_t r = 0; r < 3; ++r) ASSERT_NEAR(answer.pool[r].value, values[r], 2e-9);
        ASSERT_NEAR(answer.rest, values[3], 1e-9);
      }
    }
  }
}

TEST(Routing, MinusAColumnIsMadeByTheOtherEdgesOfACutWhereThereIsNoCycle) {
  for (const auto& p :
       {make(kTown), grid(4), make(R"({"edges":[[0,1],[1,2],[2,3],[0,2],[1,3]],"source":0,"target":3,"hops":2})")}) {
    const auto matrix = Routing::perturbations(p).front();
    const auto all = p->first_actions(1000);
    std::vector<double> row(p->edges());
    for (std::size_t j = 0; j < p->edges(); ++j) {
      const auto set = matrix->data({.column = j, .sign = -1, .weights = Weights::kNonNegative});
      ASSERT_TRUE(set.has_value());
      double constant = 0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        matrix->row(all[k], row);
        double sum = row[j];
        for (const auto& [weight, y] : *set) {
          ASSERT_GE(weight, 0.0);
          sum += weight * p->loss(all[k], y);
        }
        if (k == 0) constant = sum;
        ASSERT_NEAR(sum, constant, 1e-12);
      }
    }
  }
  const auto round = Routing::perturbations(make(kRound)).front();
  EXPECT_FALSE(round->data({.column = 0, .sign = -1, .weights = Weights::kNonNegative}).has_value());
  EXPECT_TRUE(round->data({.column = 0, .sign = -1}).has_value());
}

TEST(Routing, HedgeVectorOfTheHeaderIsFeasibleAndAsShortAsClaimed) {
  for (const auto& p : {make(kTown), make(kRound), grid(4)}) {
    const auto matrix = Routing::perturbations(p).front();
    const auto all = p->first_actions(1000);
    const double uses = static_cast<double>(p->network().most_uses());
    std::vector<std::vector<double>> rows(all.size(), std::vector<double>(p->edges()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      matrix->row(all[k], rows[k]);
      for (const double entry : rows[k]) ASSERT_TRUE(entry >= 0 && entry <= 1);
    }
    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto y = random_costs(*p, KeyedRandom(Key{.seed = 13}, Purpose::kTest, i));
      for (std::size_t k = 0; k < all.size(); ++k) {
        std::vector<double> s(p->edges(), 0.0);
        for (const int e : all[k])
          s[static_cast<std::size_t>(e)] = uses / p->normaliser() * y[static_cast<std::size_t>(e)];
        double length = 0;
        for (const double entry : s) length += entry;
        ASSERT_LE(length, *matrix->gamma() + 1e-12);
        for (std::size_t j = 0; j < all.size(); ++j) {
          double gain = 0;
          for (std::size_t e = 0; e < s.size(); ++e) gain += (rows[k][e] - rows[j][e]) * s[e];
          ASSERT_GE(gain, p->loss(all[k], y) - p->loss(all[j], y) - 1e-12);
        }
      }
    }
  }
}

TEST(Routing, ParamsActionsAndOutcomesComeBackAsTheyWent) {
  for (const char* text : {kTown, kRound}) {
    const auto p = make(text);
    EXPECT_EQ(dump(Codec<Routing>::params(*p)), text);
    for (const Walk& x : p->first_actions(1000))
      ASSERT_EQ(Codec<Routing>::parse_action(*p, Codec<Routing>::action_json(*p, x), "action"), x);
    const auto y = random_costs(*p, KeyedRandom(Key{.seed = 14}, Purpose::kTest, 0));
    EXPECT_EQ(Codec<Routing>::parse_outcome(*p, Codec<Routing>::outcome_json(*p, y), "outcome"), y);
  }
}

void expect_refused(const std::string& params, Code code, const std::string& at) {
  try {
    make(params);
    ADD_FAILURE() << params;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << params << ": " << error.what();
    EXPECT_EQ(error.at(), at) << params << ": " << error.what();
  }
}

TEST(Routing, RefusesGraphsWithoutAWayWithAnUnlimitedCycleOrUnknownEnds) {
  expect_refused(R"({"edges":[],"source":0,"target":1})", Code::kOutOfRange, "params.edges");
  expect_refused(R"({"edges":[[0,1],[1]],"source":0,"target":1})", Code::kWrongType, "params.edges[1]");
  expect_refused(R"({"edges":[[0,0.5]],"source":0,"target":1})", Code::kWrongType, "params.edges[0][1]");
  expect_refused(R"({"edges":[[0,1]],"source":0,"target":2})", Code::kOutOfRange, "params.target");
  expect_refused(R"({"edges":[[0,1]],"source":"0","target":1})", Code::kOutOfRange, "params.source");
  expect_refused(R"({"edges":[[0,1]],"source":0,"target":0})", Code::kOutOfRange, "params.target");
  expect_refused(R"({"edges":[[0,1]],"source":1,"target":0})", Code::kOutOfRange, "params.target");
  expect_refused(R"({"edges":[[0,1],[1,2]],"source":0,"target":2,"hops":1})", Code::kOutOfRange, "params.target");
  expect_refused(R"({"edges":[[0,1],[1,0],[1,2]],"source":0,"target":2})", Code::kMissingField, "params.hops");
  expect_refused(R"({"edges":[[0,1],[1,2]],"source":0,"target":2,"hops":0})", Code::kOutOfRange, "params.hops");
  expect_refused(R"({"edges":[[0,1]],"target":1})", Code::kMissingField, "params.source");
  // A cycle that no way to the target comes by does not matter.
  EXPECT_EQ(make(R"({"edges":[[0,1],[0,2],[2,2],[3,0],[1,3]],"source":0,"target":1})")->action_count(), 1.0);
}

TEST(Routing, RefusesWhatIsNoWalkAndNoCostPerEdge) {
  const auto p = make(kTown);
  for (const char* text : {"[]", "[0]", "[1]", "[0,3]", "[5,7,5]", "[0,1,7]", "[9]", "[-1]", "[6]", "5"}) {
    EXPECT_THROW(Codec<Routing>::parse_action(*p, parse_json(text), "action"), Error) << text;
  }
  EXPECT_THROW(Codec<Routing>::parse_action(*make(kRound), parse_json("[0,2,2,2,2,2,3]"), "action"),
               Error);  // seven edges
  for (const char* text : {"[]", "[0,0,0,0,0,0,0,0]", "[0,0,0,0,0,0,0,0,1.5]", "[0,0,0,0,0,0,0,0,-0.1]", "1"}) {
    EXPECT_THROW(Codec<Routing>::parse_outcome(*p, parse_json(text), "outcome"), Error) << text;
  }
}

}  // namespace routing_test
}  // namespace hannan::detail
