// The expected results of tests/vectors/portfolio, of the rule alone: an independent program made them. Decisions are
// exact, reals to 1e-9, what rests on a bisection to 1e-7 (its README). The pipe replays them too
// (portfolio_vectors.py).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/portfolio_rule.hpp"

namespace hannan::detail {
namespace portfolio_vectors_test {

struct Vector {
  std::string id;
  Json inputs, expected;
};

std::vector<Vector> vectors_of(const std::string& kind) {
  std::vector<Vector> all;
  for (const auto& file : std::filesystem::directory_iterator(HANNAN_PORTFOLIO_VECTORS)) {
    if (file.path().extension() != ".json") continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const Json json = parse_json(text.str());
    if (json.at("kind").as_string() == kind)
      all.push_back({json.at("id").as_string(), json.at("inputs"), json.at("expected")});
  }
  EXPECT_FALSE(all.empty()) << kind;
  return all;
}

void expect_close(double found, const Json& wanted, double tolerance, const std::string& what) {
  EXPECT_NEAR(found, wanted.as_number(), tolerance * std::max(1.0, std::abs(wanted.as_number()))) << what;
}

std::optional<double> maybe(const Json& inputs, const char* name) { return inputs.find_number(name); }

TEST(PortfolioVectors, TheShareFollowsTheExpectedPaths) {
  for (const auto& [id, in, wanted] : vectors_of("portfolio_share")) {
    const double risk = in.at("risk").as_number();
    Share share({.risk = risk, .largest = maybe(in, "largest")});
    expect_close(share.start(), wanted.at("start"), 1e-7, id);
    for (std::size_t t = 0; t < in.at("d").size(); ++t) {
      const std::string at = id + " round " + std::to_string(t + 1);
      expect_close(share.stake(), wanted.at("stake")[t], 1e-9, at);
      expect_close(share.share(), wanted.at("share")[t], 1e-9, at);
      share.observe(in.at("d")[t].as_number());
      expect_close(share.gains(), wanted.at("X")[t], 1e-9, at);
      expect_close(share.squares(), wanted.at("V")[t], 1e-9, at);
      expect_close(share.money(), wanted.at("money")[t], 1e-9, at);
      expect_close(-share.today(), wanted.at("floor")[t], 1e-9, at);
      expect_close(share.cost(), wanted.at("share_cost")[t], 1e-7, at);
      expect_close(share.closed_cost(), wanted.at("share_cost_closed")[t], 1e-7, at);
      EXPECT_EQ(share.beta(), wanted.at("beta")[t].as_number()) << at;
      EXPECT_EQ(static_cast<double>(share.epochs()), wanted.at("epochs")[t].as_number()) << at;
    }
    expect_close(share.excess(), wanted.at("excess"), 1e-9, id);
    expect_close(share.missed(), wanted.at("missed"), 1e-9, id);
  }
}

std::vector<double> losses_of(const Json& row, const Json* awake) {
  std::vector<double> losses;
  for (std::size_t k = 0; k < row.size(); ++k)
    losses.push_back(row[k].is_null() || (awake && !(*awake)[k].as_bool()) ? kAsleep : row[k].as_number());
  return losses;
}
std::vector<double> awake_of(const std::vector<double>& losses) {
  std::vector<double> awake;
  for (const double loss : losses) awake.push_back(std::isnan(loss) ? 0 : 1);
  return awake;
}
PortfolioRule rule_of(const Json& in) {
  return PortfolioRule({.strategies = in.at("losses")[0].size(),
                        .risk = in.at("risk").as_number(),
                        .largest = maybe(in, "largest"),
                        .hard = maybe(in, "hard")});
}

TEST(PortfolioVectors, ARunHasTheExpectedPicksLossesAndCertificates) {
  for (const auto& [id, in, wanted] : vectors_of("portfolio")) {
    PortfolioRule rule = rule_of(in);
    const auto warm = static_cast<std::size_t>(in.at("warm").as_number());
    const Json* awake = in.find("awake");
    for (std::size_t t = 0; t < in.at("losses").size(); ++t) {
      const auto losses = losses_of(in.at("losses")[t], awake ? &(*awake)[t] : nullptr);
      if (t == warm) rule.begin_play();
      rule.decide(awake_of(losses));
      if (t < warm) {
        rule.rehearse(losses);
        continue;
      }
      const std::size_t i = t - warm;
      const std::string at = id + " round " + std::to_string(t + 1);
      for (std::size_t k = 0; k < losses.size(); ++k)
        expect_close(rule.weights()[k], wanted.at("weights")[i][k], 1e-9, at);
      expect_close(rule.share(), wanted.at("share")[i], 1e-9, at);
      EXPECT_EQ(rule.held(), wanted.at("held")[i].as_bool()) << at;
      const std::size_t pick = rule.pick(in.at("u")[i].as_number());
      EXPECT_EQ(static_cast<double>(pick), wanted.at("pick")[i].as_number()) << at;
      expect_close(rule.observe(losses, pick).loss, wanted.at("loss")[i], 1e-9, at);
    }
    expect_close(rule.total(), wanted.at("total"), 1e-9, id);
    expect_close(rule.gain(), wanted.at("gain"), 1e-9, id);
    expect_close(rule.low(), wanted.at("low"), 1e-9, id);
    expect_close(rule.realised(), wanted.at("realised"), 1e-9, id);
    expect_close(rule.realised_gain(), wanted.at("realised_gain"), 1e-9, id);
    expect_close(rule.mixture(), wanted.at("mixture"), 1e-9, id);
    expect_close(rule.gap(), wanted.at("gap"), 1e-9, id);
    EXPECT_EQ(rule.share_state().beta(), wanted.at("beta").as_number()) << id;
    EXPECT_EQ(static_cast<double>(rule.share_state().epochs()), wanted.at("epochs").as_number()) << id;
    const Json& certificate = wanted.at("certificate");
    expect_close(rule.today(), certificate.at("today"), 1e-9, id);
    expect_close(rule.share_cost(), certificate.at("share_cost"), 1e-7, id);
    expect_close(rule.share_cost_closed(), certificate.at("share_cost_closed"), 1e-7, id);
    const auto strategies = rule.strategies();
    for (std::size_t k = 0; k < strategies.size(); ++k) {
      expect_close(rule.sums()[k], wanted.at("sums")[k], 1e-9, id);
      expect_close(rule.ahead()[k], wanted.at("rehearsed")[k], 1e-9, id);
      expect_close(rule.mixing(k), certificate.at("mixing")[k], 1e-9, id);
      expect_close(strategies[k], certificate.at("strategies")[k], 1e-7, id);
    }
    const auto margin = rule.drawn_margin(0.05);
    ASSERT_EQ(margin.has_value(), !wanted.at("limit").is_null()) << id;
    if (margin) expect_close(rule.today() + *margin, wanted.at("limit"), 1e-7, id);
  }
}

TEST(PortfolioVectors, NumbersBeforeARunAreTheExpectedOnes) {
  for (const auto& [id, in, wanted] : vectors_of("portfolio_numbers")) {
    for (std::size_t i = 0; i < in.at("share_cost").size(); ++i) {
      const auto v = to_numbers(in.at("share_cost")[i], "share_cost");
      const Share::Setting setting{.risk = v[0], .largest = v[1]};
      expect_close(share_cost_bound(setting, v[2]), wanted.at("share_cost")[i], 1e-9, id);
      expect_close(Share(setting).start(), wanted.at("start")[i], 1e-9, id);
    }
    for (std::size_t i = 0; i < in.at("portfolio").size(); ++i) {
      const auto v = to_numbers(in.at("portfolio")[i], "portfolio");
      expect_close(portfolio_bound({.strategies = v[0], .share = {.risk = v[1], .largest = v[2]}, .rounds = v[3]}),
                   wanted.at("portfolio")[i], 1e-9, id);
    }
  }
}

// What is out of turn (a rehearsed round after a played one) is refused by the learner, and is in the test of the pipe.
TEST(PortfolioVectors, LossesThatAreTooLargeOrTooFarApartAreRefused) {
  for (const auto& [id, in, wanted] : vectors_of("portfolio_refused")) {
    for (std::size_t c = 0; c < in.at("cases").size(); ++c) {
      const Json& one = in.at("cases")[c];
      const Json& error = wanted.at("error")[c];
      if (error.is_string() && error.as_string() != "H301") continue;
      const PortfolioRule rule = rule_of(one);
      const auto check = [&](std::size_t t) {
        rule.check(losses_of(one.at("losses")[t], nullptr), [](std::size_t k) { return std::to_string(k); });
      };
      const std::size_t last = one.at("losses").size() - 1;
      for (std::size_t t = 0; t < last; ++t) EXPECT_NO_THROW(check(t)) << c;
      if (error.is_null()) {
        EXPECT_NO_THROW(check(last)) << c;
      } else {
        EXPECT_THROW(check(last), Error) << c;
      }
    }
  }
}

}  // namespace portfolio_vectors_test
}  // namespace hannan::detail
