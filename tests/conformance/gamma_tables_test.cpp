// Exact gamma of every perturbation on 22 auction instances, by the full programme and by cutting planes.
//
// The numbers are known, rounded to three digits, but not on which outcomes they were found: the sets at each
// instance are ours. For vcg a grid of half steps gave less in some cells (2.375 for 2.5, direct), because the
// supremum is not attained; with bids just below grid values all cells agree. Closed forms where they
// exist confirm them (one-hot of vcg with one unit:
// n (m-1)/m; bits: n (log2 m - (m-1)/m); multi-unit thermometer: 1 because the reward is linear in Gamma).
// kNone: no s of that sign, so one-sided noise is out.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::conformance {
namespace gamma_tables_test {

constexpr double kNone = std::numeric_limits<double>::infinity();

struct Known {
  const char* code;
  std::size_t columns;
  double gamma;
  double nonnegative;  // s >= 0
};

struct Case {
  const char* kind;
  const char* params;
  Json (*outcomes)(const Json& params);
  std::vector<Known> known;
};

double whole(const Json& params, const char* name) { return params.at(name).as_number(); }

// All points of {0, 1/step, ..., 1}^width.
Json grid(double step, double width) {
  Json points = Json::array({Json::array()});
  for (int i = 0; i < width; ++i) {
    Json longer = Json::array();
    for (const Json& point : points.as_array()) {
      for (int v = 0; v <= step; ++v) longer.push_back(Json(point).push_back(v / step));
    }
    points = std::move(longer);
  }
  return points;
}

// Every grid value and one just below it: a bid that just misses a reserve is the price of another winner, and
// gamma of the direct columns is approached, not attained, as that bid tends to 1 (here within 2e-5).
Json fine_bids(const Json& params) {
  constexpr double kJustBelow = 1e-5;
  const double levels = whole(params, "levels");
  Json all = Json::array();
  const Json points = grid(2 * levels, whole(params, "bidders"));
  for (const Json& point : points.as_array()) {
    Json bids = Json::array();
    for (const Json& half : point.as_array()) {
      const int place = static_cast<int>(half.as_number() * 2 * levels + 0.5);
      bids.push_back((place + place % 2) / 2 / levels - (place % 2 ? kJustBelow : 0));
    }
    all.push_back(std::move(bids));
  }
  return all;
}
Json fine_prices(const Json& params) { return grid(2 * whole(params, "levels"), whole(params, "items")); }
Json level_bids(const Json& params) { return grid(whole(params, "levels"), whole(params, "bidders")); }

Json lone_unit_buyer(const Json& params) {
  Json all = Json::array();
  const Json points = fine_prices(params);
  for (const Json& values : points.as_array()) all.push_back(Json::array({values}));
  return all;
}

Json lone_bundle_buyer(const Json& params) {
  Json all = Json::array();
  const int items = static_cast<int>(whole(params, "items"));
  for (int set = 1; set < 1 << items; ++set) {
    Json bundle = Json::array();
    for (int j = 0; j < items; ++j) {
      if (set >> j & 1) bundle.push_back(j);
    }
    for (int v = 0; v <= whole(params, "levels"); ++v) {
      all.push_back(Json::array({Json::object({{"bundle", bundle}, {"value", v / whole(params, "levels")}})}));
    }
  }
  return all;
}

// Every bidder has one step at some quantity, or none: the extreme points of the monotone valuations.
Json steps(const Json& params) {
  const double units = whole(params, "units");
  Json all = Json::array();
  const Json points = grid(units, whole(params, "bidders"));
  for (const Json& point : points.as_array()) {
    Json profile = Json::array();
    for (const Json& share : point.as_array()) {
      const int from = static_cast<int>(share.as_number() * units + 0.5);
      profile.push_back(from == 0 ? Json::array() : Json::array({Json::array({Json(from), Json(1)})}));
    }
    all.push_back(std::move(profile));
  }
  return all;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"vcg-reserves",
       R"({"bidders":1,"levels":8,"units":1})",
       fine_bids,
       {{"bits", 3, 2.125, kNone},
        {"thermometer", 7, 0.875, kNone},
        {"one-hot", 8, 0.875, 0.875},
        {"direct", 8, 1, 7}}},
      {"vcg-reserves",
       R"({"bidders":2,"levels":4,"units":1})",
       fine_bids,
       {{"bits", 4, 2.5, kNone}, {"thermometer", 6, 1.5, kNone}, {"one-hot", 8, 1.5, 1.5}, {"direct", 8, 2.5, 6}}},
      {"vcg-reserves",
       R"({"bidders":2,"levels":8,"units":1})",
       fine_bids,
       {{"bits", 6, 4.25, kNone},
        {"thermometer", 14, 1.75, kNone},
        {"one-hot", 16, 1.75, 1.75},
        {"direct", 16, 2.75, 14}}},
      {"vcg-reserves",
       R"({"bidders":2,"levels":4,"units":2})",
       fine_bids,
       {{"bits", 4, 1.25, kNone}, {"thermometer", 6, 0.75, kNone}, {"one-hot", 8, 0.75, 0.75}, {"direct", 8, 1, 3}}},
      {"vcg-reserves",
       R"({"bidders":3,"levels":4,"units":1})",
       fine_bids,
       {{"bits", 6, 3.75, kNone}, {"thermometer", 9, 2.25, kNone}, {"one-hot", 12, 2.25, 2.25}, {"direct", 12, 4, 9}}},
      {"vcg-reserves",
       R"({"bidders":3,"levels":4,"units":2})",
       fine_bids,
       {{"bits", 6, 2.25, kNone}, {"thermometer", 9, 1.5, kNone}, {"one-hot", 12, 1.5, 1.5}, {"direct", 12, 2.5, 6}}},
      {"item-pricing",
       R"({"items":2,"levels":4,"buyers":1,"demand":"single"})",
       lone_bundle_buyer,
       {{"bits", 4, 2, kNone}, {"thermometer", 6, 2, kNone}, {"one-hot", 8, 2, 2}, {"direct", 8, 6.333, 8}}},
      {"item-pricing",
       R"({"items":2,"levels":8,"buyers":1,"demand":"single"})",
       lone_bundle_buyer,
       {{"bits", 6, 3.25, kNone}, {"thermometer", 14, 2, kNone}, {"one-hot", 16, 2, 2}, {"direct", 16, 9.571, 16}}},
      {"item-pricing",
       R"({"items":3,"levels":4,"buyers":1,"demand":"single"})",
       lone_bundle_buyer,
       {{"bits", 6, 2, kNone}, {"thermometer", 9, 2, kNone}, {"one-hot", 12, 2, 2}, {"direct", 12, 8, 8}}},
      {"item-pricing",
       R"({"items":2,"levels":4,"buyers":1,"demand":"unit"})",
       lone_unit_buyer,
       {{"bits", 4, 2.5, kNone}, {"thermometer", 6, 1.5, kNone}, {"one-hot", 8, 1.5, 1.5}, {"direct", 8, 3.667, 6}}},
      {"multi-unit",
       R"({"bidders":2,"units":7})",
       steps,
       {{"thermometer", 14, 1, 1}, {"one-hot", 16, 0.5, 0.5}, {"bits", 6, 1.5, 1.5}}},
      {"multi-unit",
       R"({"bidders":2,"units":11})",
       steps,
       {{"thermometer", 18, 1, 1}, {"one-hot", 20, 0.5, 0.5}, {"bits", 8, 1.25, 1.5}}},
      {"multi-unit",
       R"({"bidders":3,"units":5})",
       steps,
       {{"thermometer", 15, 1, 1.667}, {"one-hot", 18, 0.667, 0.667}, {"bits", 9, 1.083, 1.333}}},
      {"multi-unit",
       R"({"bidders":3,"units":9})",
       steps,
       {{"thermometer", 27, 1, 2}, {"one-hot", 30, 0.667, 0.667}, {"bits", 12, 1.5, 2}}},
      // A unit-demand bidder, complements, an additive one, a submodular one.
      {"second-price-bidding",
       R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":3},{"items":[0,1],"value":3}]})",
       fine_prices,
       {{"thermometer", 6, 1.5, kNone}, {"one-hot", 8, 1.5, 1.5}, {"bits", 4, 3, kNone}}},
      {"second-price-bidding",
       R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":1},{"items":[1],"value":1},{"items":[0,1],"value":4}]})",
       fine_prices,
       {{"thermometer", 2, 1, kNone}, {"one-hot", 4, 1, 1}, {"bits", 2, 1, kNone}}},
      {"second-price-bidding",
       R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":2},{"items":[1],"value":2},{"items":[0,1],"value":4}]})",
       fine_prices,
       {{"thermometer", 4, 1, kNone}, {"one-hot", 6, 1, 1}, {"bits", 4, 2, kNone}}},
      {"second-price-bidding",
       R"({"items":3,"levels":3,"valuation":[{"items":[0],"value":2},{"items":[1],"value":2},{"items":[2],"value":2},
           {"items":[0,1],"value":3},{"items":[0,2],"value":3},{"items":[1,2],"value":3},{"items":[0,1,2],"value":3}]})",
       fine_prices,
       {{"thermometer", 6, 2, kNone}, {"one-hot", 9, 2, 2}, {"bits", 6, 4, kNone}}},
      {"level-auction",
       R"({"bidders":1,"levels":5,"thresholds":3})",
       level_bids,
       {{"direct", 9, 1, 2}, {"one-hot", 9, 0.4, 0.4}, {"thermometer", 6, 0.4, kNone}, {"bits", 6, 0.6, kNone}}},
      {"level-auction",
       R"({"bidders":2,"levels":4,"thresholds":2})",
       level_bids,
       {{"direct", 12, 4, 5}, {"one-hot", 12, 1.25, 1.25}, {"thermometer", 8, 1.25, kNone}, {"bits", 8, 1.5, kNone}}},
      {"level-auction",
       R"({"bidders":2,"levels":5,"thresholds":3})",
       level_bids,
       {{"direct", 18, 4, 5}, {"one-hot", 18, 1.2, 1.2}, {"thermometer", 12, 1.2, kNone}, {"bits", 12, 1.4, kNone}}},
      {"level-auction",
       R"({"bidders":3,"levels":4,"thresholds":2})",
       level_bids,
       {{"direct", 18, 7, 8}, {"one-hot", 18, 2, 2}, {"thermometer", 12, 2, kNone}, {"bits", 12, 2.25, kNone}}},
  };
  return all;
}

class GammaTable : public ::testing::TestWithParam<std::size_t> {};

// `actions` null: the full programme; else cutting planes over these, which are all.
void expect_known(const AnyProblem& problem, const Case& c, const Json& outcomes, const Json* actions) {
  for (const Known& known : c.known) {
    for (const int sign : {0, 1}) {
      SCOPED_TRACE(std::string(known.code) + (sign ? ", s >= 0" : ""));
      const double wanted = sign ? known.nonnegative : known.gamma;
      const double found =
          problem.conditions({.perturbation = known.code, .outcomes = outcomes, .sign = sign, .actions = actions})
              .at("gamma")
              .as_number();
      if (wanted == kNone) {
        EXPECT_EQ(found, kNone);
      } else {
        EXPECT_NEAR(found, wanted, 0.0005);
      }
    }
  }
}

TEST_P(GammaTable, TheFullProgrammeAndCuttingPlanesFindTheKnownGamma) {
  const Case& c = cases()[GetParam()];
  SCOPED_TRACE(std::string(c.kind) + " " + c.params);
  const auto problem = make_problem(c.kind, parse_json(c.params), "params");
  const Json outcomes = c.outcomes(problem->params());
  const Json facts = problem->describe();
  for (const Known& known : c.known) {
    for (const Json& matrix : facts.at("perturbations").as_array()) {
      if (matrix.at("name").as_string() != known.code) continue;
      EXPECT_EQ(matrix.at("columns").as_number(), static_cast<double>(known.columns)) << known.code;
    }
  }
  expect_known(*problem, c, outcomes, nullptr);
  const Json actions = problem->actions(10'000).at("actions");
  expect_known(*problem, c, outcomes, &actions);
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = cases()[info.param].kind;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Auctions, GammaTable, ::testing::Range(std::size_t{0}, cases().size()), name_of);

}  // namespace gamma_tables_test
}  // namespace hannan::detail::conformance
