// Sums of outcomes over every problem and each of its oracles: parts add up to the whole, and the whole is the history.
#include "hannan/fold/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "hannan/fold/parts.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"

namespace hannan::detail {
namespace summary_test {

struct Setting {
  std::shared_ptr<const AnyProblem> problem;
  std::vector<AnyOutcome> outcomes;
};

// The first tested parameters of a kind with some of its outcomes, some of them several times.
Setting setting_of(const ProblemKind& kind, const Json& params) {
  Setting made{make_problem(std::string(kind.name), params, "params"), {}};
  const Game& game = made.problem->game();
  const OutcomeList listed = made.problem->listed_outcomes("", 40);
  for (const Json& json : listed.outcomes.as_array()) {
    AnyOutcome y;
    game.read_outcome(json, "outcome", y);
    for (std::size_t times = 0; times < 1 + made.outcomes.size() % 3; ++times) made.outcomes.push_back(y);
  }
  return made;
}

Json archived(GameHistory& history) {
  JsonWriter writer;
  history.archive(writer);
  return writer.take();
}

double largest(const Json& json) {
  if (json.is_number()) return std::abs(json.as_number());
  double most = 0;
  if (json.is_array()) {
    for (const Json& item : json.as_array()) most = std::max(most, largest(item));
  }
  if (json.is_object()) {
    for (const auto& [name, value] : json.as_object()) most = std::max(most, largest(value));
  }
  return most;
}

// Equal but for what a history that is filled round by round may round away: 2^-50 of a number, 2^-100 of the largest
// one. Carries that are all 0 may be left out.
bool alike(const Json& a, const Json& b, double most) {
  if (a.is_number() && b.is_number()) {
    const double x = a.as_number(), y = b.as_number();
    return std::abs(x - y) <= std::max(0x1p-50 * std::abs(x), 0x1p-100 * most);
  }
  if (a.is_array() && b.is_array()) {
    if (a.size() == 0 || b.size() == 0) return a.size() == b.size() || largest(a) + largest(b) == 0;
    bool all = a.size() == b.size();
    for (std::size_t i = 0; all && i < a.size(); ++i) all = alike(a[i], b[i], most);
    return all;
  }
  if (!a.is_object() || !b.is_object() || a.size() != b.size()) return a == b;
  bool all = true;
  for (const auto& [name, value] : a.as_object()) all = all && b.find(name) && alike(value, b.at(name), most);
  return all;
}

template <class Check>
void for_each_oracle(const Check& check) {
  for (const ProblemKind& kind : problem_kinds()) {
    for (const auto& instance : kind.instances.tested) {
      const Setting setting = setting_of(kind, parse_json(instance));
      ASSERT_FALSE(setting.outcomes.empty()) << kind.name;
      for (const auto& oracle : setting.problem->game().oracles()) {
        SCOPED_TRACE(std::string(kind.name) + " " + std::string(instance) + " " + oracle->name());
        check(setting, *oracle);
      }
    }
  }
}

// Number for number, carries included, but for three: second-price-bidding sums prices without carries, losses of any
// size reach over more than 106 bits, and carries that are all 0 may be left out.
TEST(Summary, IsTheHistoryOfEveryOracle) {
  int oracles = 0, others = 0;
  for_each_oracle([&](const Setting& setting, const GameOracle& oracle) {
    Summary summary(setting.problem, oracle.name());
    const auto history = oracle.empty();
    for (const auto& y : setting.outcomes) {
      summary.add(y, 1.0);
      history->add(y, 1.0);
    }
    const auto summed = summary.history();
    const Json ours = archived(*summed), theirs = archived(*history);
    EXPECT_TRUE(alike(ours, theirs, largest(theirs))) << dump(ours) << "\n" << dump(theirs);
    ++oracles;
    others += ours == theirs ? 0 : 1;
  });
  EXPECT_GE(oracles, 20);
  EXPECT_LE(others, 3);
}

TEST(Summary, OfPartsIsThatOfTheWholeToTheByte) {
  for_each_oracle([](const Setting& setting, const GameOracle& oracle) {
    Summary whole(setting.problem, oracle.name());
    std::vector<Summary> parts;
    for (int k = 0; k < 3; ++k) parts.push_back(whole.nothing());
    for (std::size_t i = 0; i < setting.outcomes.size(); ++i) {
      whole.add(setting.outcomes[i], 1.0);
      parts[i * i % 3].add(setting.outcomes[i], 1.0);
    }
    Summary merged = whole.nothing();
    for (const std::size_t k : {2U, 0U, 1U}) merged.add(parse_sums(sums_text(parts[k]), "part"), "part");
    EXPECT_EQ(sums_text(merged), sums_text(whole));
    EXPECT_EQ(dump(merged.best(3, "")), dump(whole.best(3, "")));
  });
}

// Losses of which two doubles do not hold the sum, and those whose range is unknown.
TEST(Summary, OfTinyAndOfHugeLossesIsExact) {
  for (const std::string params : {R"({"experts":2})", R"({"experts":2,"range":"unknown"})"}) {
    const std::shared_ptr<const AnyProblem> problem = make_problem("experts", parse_json(params), "params");
    const bool unknown = params.find("unknown") != std::string::npos;
    Summary whole(problem, ""), first(problem, ""), second(problem, "");
    AnyOutcome y;
    for (int t = 0; t < 100; ++t) {
      const double scale = std::ldexp(1.0, unknown ? 40 - t : -3 * t);
      problem->game().read_row(std::vector<double>{scale / 3, scale / 7}, y);
      whole.add(y, 1.0);
      (t % 7 < 3 ? first : second).add(y, 1.0);
    }
    second.add(first, "first");
    EXPECT_EQ(sums_text(second), sums_text(whole));
    EXPECT_EQ(dump(second.best(2, "")), dump(whole.best(2, "")));
    EXPECT_EQ(whole.best(1, "").at("action"), Json(1));
  }
}

template <class Call>
std::string code_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return code_name(e.code());
  }
  return "none";
}

TEST(Summary, RefusesOtherProblemsOraclesAndDamage) {
  const auto experts = [](const char* params) -> std::shared_ptr<const AnyProblem> {
    return make_problem("experts", parse_json(params), "params");
  };
  Summary three(experts(R"({"experts":3})"), "");
  EXPECT_EQ(code_of([&] { three.add(Summary(experts(R"({"experts":2})"), ""), "part"); }), "H414");
  EXPECT_EQ(code_of([&] { Summary(experts(R"({"experts":3})"), "external:./solver"); }), "H108");
  EXPECT_EQ(code_of([&] { three.best(1, ""); }), "H206");
  std::string text = sums_text(three);
  EXPECT_EQ(code_of([&] { parse_sums(text, "sums"); }), "none");
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut)
    EXPECT_EQ(code_of([&] { parse_sums(text.substr(0, cut), "sums"); }), "H413") << cut;
  text.replace(text.find("[0,0,0]"), 7, "[0,9,0]");
  EXPECT_EQ(code_of([&] { parse_sums(text, "sums"); }), "H413");
}

std::string sealed_sums(const Json& summary) {
  return dump(sealed(Json::object({{"sums", "sums"}, {"summary", summary}})));
}

// The number of values in it, itself included.
std::size_t values_in(const Json& json) {
  std::size_t count = 1;
  if (json.is_array()) {
    for (const Json& item : json.as_array()) count += values_in(item);
  }
  if (json.is_object()) {
    for (const auto& [name, value] : json.as_object()) count += values_in(value);
  }
  return count;
}

// With the value of this number, counted from 0 in the order in which they are written, replaced.
Json replaced(const Json& json, std::size_t at, const Json& by) {
  if (at == 0) return by;
  --at;
  const auto within = [&](const Json& value) {
    const std::size_t size = values_in(value);
    const Json made = at < size ? replaced(value, at, by) : value;
    at -= size;  // wraps round behind the value that was met, beyond every size
    return made;
  };
  if (json.is_array()) {
    Json made = Json::array();
    for (const Json& item : json.as_array()) made.push_back(within(item));
    return made;
  }
  Json made = Json::object();
  for (const auto& [name, value] : json.as_object()) made.set(name, within(value));
  return made;
}

// A file whose digest is right and whose content is not: written by another program, say.
TEST(Summary, RefusesAnyWrongValueUnderARightDigestByOneNumber) {
  const std::vector<Json> others{Json(), Json(5), Json("x"), Json::array(), Json::object(), Json::array({Json()})};
  for_each_oracle([&](const Setting& setting, const auto& oracle) {
    Summary summary(setting.problem, oracle.name());
    for (const auto& y : setting.outcomes) summary.add(y, 1.0);
    const Json whole = summary.json();
    EXPECT_EQ(code_of([&] { parse_sums(sealed_sums(whole), "sums"); }), "none");
    // About 40 places of each, with the wrong values in turn.
    const std::size_t count = values_in(whole), step = 1 + count / 40;
    for (std::size_t at = 0, turn = 0; at < count; at += step, ++turn) {
      const Json& other = others[turn % others.size()];
      const std::string code = code_of([&] { parse_sums(sealed_sums(replaced(whole, at, other)), "sums").history(); });
      EXPECT_TRUE(code == "H413" || code == "none") << code << " at " << at << ": " << dump(other);
    }
  });
}

TEST(Summary, RefusesKeysThatAreNoObjectsAndWeightsThatAreNotOne) {
  const std::shared_ptr<const AnyProblem> problem =
      make_problem("item-pricing", parse_json(R"({"prices":[[0,1,2],[0,1]],"demand":"single"})"), "params");
  Summary summary(problem, "branch_bound");
  AnyOutcome y;
  problem->game().read_outcome(parse_json(R"([{"bundle":[0,1],"value":2}])"), "outcome", y);
  summary.add(y, 1.0);
  const std::string good = dump(summary.json());
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string text = good;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old << " in " << text;
    text.replace(at, old.size(), now);
    return code_of([&] { parse_sums(sealed_sums(parse_json(text)), "sums"); });
  };
  const std::size_t from = good.find(R"("key":)") + 6, to = good.find(R"(,"sums":[1])");
  ASSERT_NE(to, std::string::npos) << good;
  EXPECT_EQ(with(good.substr(from, to - from), "5"), "H413");
  EXPECT_EQ(with(R"("sums":[1])", R"("sums":[])"), "H413");
  EXPECT_EQ(with(R"("sums":[1])", R"("sums":[1,1])"), "H413");
  EXPECT_EQ(with(R"("name":"buyers")", R"("name":"tables")"), "H413");
  EXPECT_EQ(with(R"("name":"buyers")", R"("name":"sellers")"), "H413");
  EXPECT_EQ(with(R"("field":"weight")", R"("field":"weights")"), "H413");
  EXPECT_EQ(code_of([&] { parse_sums(dump(sealed(Json::object({{"sums", "sums"}}))), "sums"); }), "H413");
}

// The limit is 10^15 (io/limits.hpp).
TEST(Summary, HoldsTheLimitOfWeightsOverMergesAndFiles) {
  const std::shared_ptr<const AnyProblem> problem = make_problem("experts", parse_json(R"({"experts":2})"), "params");
  AnyOutcome y;
  problem->game().read_row(std::vector<double>{0.25, 0.5}, y);
  Summary first(problem, ""), second(problem, "");
  first.add(y, 6e14);
  second.add(y, -6e14);
  const std::string before = sums_text(first);
  EXPECT_EQ(code_of([&] { first.add(y, 6e14); }), "H105");
  EXPECT_EQ(code_of([&] { first.add(second, "second"); }), "H105");
  EXPECT_EQ(sums_text(first), before);
  Summary read = parse_sums(before, "sums");
  EXPECT_EQ(sums_text(read), before);
  EXPECT_EQ(code_of([&] { read.add(parse_sums(sums_text(second), "sums"), "second"); }), "H105");
  EXPECT_EQ(code_of([&] { read.add(y, 4e14); }), "none");
}

TEST(Summary, WritesTheSumOfWeightsOnlyWhereItIsNotTheNumberOfRounds) {
  const std::shared_ptr<const AnyProblem> problem = make_problem("experts", parse_json(R"({"experts":2})"), "params");
  AnyOutcome y;
  problem->game().read_row(std::vector<double>{0.25, 0.5}, y);
  Summary ones(problem, ""), tenths(problem, "");
  for (int t = 0; t < 10; ++t) ones.add(y, 1.0);
  EXPECT_EQ(ones.json().find("weights"), nullptr);
  // Ten times the double nearest to 0.1, whose exact sum is no double: the same text however it was cut.
  Summary parts = tenths.nothing();
  for (int t = 0; t < 10; ++t) {
    tenths.add(y, 0.1);
    Summary part = tenths.nothing();
    part.add(y, t % 2 == 0 ? 0.1 : -0.1);
    parts.add(parse_sums(sums_text(part), "part"), "part");
  }
  ASSERT_NE(tenths.json().find("weights"), nullptr);
  EXPECT_EQ(tenths.json().at("weights")[0].as_array().size(), 2U);
  EXPECT_EQ(parts.json().at("weights"), tenths.json().at("weights"));
}

}  // namespace summary_test
}  // namespace hannan::detail
