#include "hannan/report/section.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "hannan/play/play.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/report/action_panels.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace section_test {

// A record of flipflop on two experts whose losses alternate, as `hannan run --record` writes it.
std::string record(int rounds) {
  const auto problem = make_problem("experts", Json::object({{"experts", 2}}), "");
  const auto learner = problem->learner("flipflop", Json::object({{"seed", 1}}));
  std::string text;
  RecordWriter writer([&](std::string_view more) { text += more; });
  writer.begin(*problem, *learner);
  AnyOutcome outcome;
  for (int t = 0; t < rounds; ++t) {
    learner->act();
    problem->game().read_outcome(Json::array({Json(t % 2), Json(1 - t % 2)}), "", outcome);
    writer.round(learner->observe(outcome));
  }
  writer.end(*learner);
  return text;
}

Section section_of(const std::string& text, Checking checking = Checking::kVerify) {
  std::istringstream in(text);
  const LineSource lines = [&](std::string& line) { return static_cast<bool>(std::getline(in, line)); };
  return record_section({.lines = lines, .name = "run.jsonl", .checking = checking, .log = {}});
}

// Among blocks, those of closed parts included; null where there is none.
const Json* find_block(const Json& blocks, const std::string& kind, const std::string& title) {
  for (const Json& found : blocks.as_array()) {
    if (found.at("block").as_string() == kind &&
        (title.empty() || (found.find("title") && found.at("title").as_string() == title)))
      return &found;
    const Json* inner = found.find("blocks") ? find_block(found.at("blocks"), kind, title) : nullptr;
    if (inner) return inner;
  }
  return nullptr;
}

const Json& block(const Section& section, const std::string& kind, const std::string& title) {
  if (const Json* found = find_block(section.json.at("blocks"), kind, title)) return *found;
  throw Error(Code::kInternal, "no " + kind + " called " + title);
}

std::string replaced_once(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RecordSection, ShowsTheRunOfALearnerThatCannotBeCheckedAsNotVerified) {
  const std::string text = replaced_once(record(10), "\"kind\":\"flipflop\"", "\"kind\":\"unheard-of\"");
  const Section section = section_of(text);
  EXPECT_FALSE(section.failed);
  EXPECT_EQ(block(section, "verdict", "").at("verdict").as_string(), "open");
  EXPECT_EQ(
      block(section, "chart", "Behind the best fixed choice, and the 95 % limit").at("series")[0].at("values").size(),
      10U);
}

// Expert 1 loses in odd rounds, expert 0 in even ones.
TEST(RecordSection, ShowsTheRegretAgainstTheBestSequences) {
  const Section section = section_of(record(10));
  const Json& rows = block(section, "table", "Tracking regret").at("rows");
  ASSERT_EQ(rows.size(), 6U);
  const Json& facts = block(section, "facts", "Summary").at("facts");
  const double loss = std::stod(facts[1][1].as_string());
  // With n switches the ten rounds fall into n + 1 blocks of one action; a block of m rounds loses at least
  // floor(m / 2), so with odd blocks the loss is (10 - (n + 1)) / 2 where n is odd, and (10 - n) / 2 where it is even.
  const double expected[][2] = {{0, 5}, {1, 4}, {2, 4}, {4, 3}, {8, 1}, {16, 0}};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(rows[i][0].as_string(), shown(expected[i][0]));
    EXPECT_EQ(rows[i][1].as_string(), shown(expected[i][1]));
    EXPECT_EQ(rows[i][2].as_string(), shown(loss - expected[i][1]));
  }
}

TEST(RecordSection, SaysWhyThereIsNoTrackingRegret) {
  const std::string text = record(4);
  const auto about = [](const Section& section) {
    const Json& table = block(section, "table", "Tracking regret");
    EXPECT_EQ(table.at("rows").size(), 0U);
    return table.at("about").as_string();
  };
  EXPECT_NE(about(section_of(replaced_once(text, "\"experts\":2", "\"experts\":3"))).find("round 1 cannot be read"),
            std::string::npos);
  EXPECT_NE(about(section_of(replaced_once(text, "\"kind\":\"experts\"", "\"kind\":\"lottery\""))).find("problem"),
            std::string::npos);
  // 2^21 actions and 17 lists of totals would be 2^21 * 17 = 3.6e7 numbers.
  const std::string large =
      replaced_once(text, "\"kind\":\"experts\",\"params\":{\"experts\":2}",
                    R"("kind":"vcg-reserves","params":{"bidders":3,"levels":127,"units":1,"rule":"eager"})");
  EXPECT_NE(about(section_of(large)).find("the limit is"), std::string::npos);
}

TEST(RecordSection, DrawsTheRegretOfEveryRoundAndTheVerifiersBound) {
  const Section section = section_of(record(100));
  EXPECT_FALSE(section.failed);
  EXPECT_EQ(block(section, "verdict", "").at("verdict").as_string(), "good");
  const Json& chart = block(section, "chart", "Behind the best fixed choice, and the 95 % limit");
  const Json& regret = chart.at("series")[0];
  const Json& bound = chart.at("series")[1];
  ASSERT_EQ(regret.at("values").size(), 100U);
  ASSERT_EQ(bound.at("values").size(), 100U);
  EXPECT_EQ(regret.at("at")[99].as_number(), 100);
  // Both experts have lost 50 by then: regret is the loss less 50, and the report says the same.
  const Json& facts = block(section, "facts", "Summary").at("facts");
  EXPECT_EQ(facts[3][0].as_string(), "regret");
  EXPECT_EQ(facts[3][1].as_string(), shown(regret.at("values")[99].as_number()));
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_LE(regret.at("values")[i].as_number(), bound.at("values")[i].as_number());
}

TEST(RecordSection, BoundOfTheLastPointIsThatOfTheCertificate) {
  const Section section = section_of(record(64));
  EXPECT_EQ(section.json.at("title").as_string(), "Decisions of flipflop, record of a run");
  const Json& bounds = block(section, "table", "Certificate").at("rows");
  const Json& series = block(section, "chart", "Behind the best fixed choice, and the 95 % limit").at("series")[1];
  EXPECT_EQ(series.at("name").as_string(), "limit (95 %)");
  for (const Json& row : bounds.as_array()) {
    if (row[0].as_string() != "limit") continue;
    EXPECT_EQ(shown(series.at("values")[63].as_number()), row[2].as_string());
  }
}

TEST(RecordSection, ShowsAChangedRecordAsOneThatDoesNotHold) {
  const std::string changed = replaced_once(record(100), "{\"t\":50,\"action\":", "{\"t\":50,\"action\": ");
  const Section section = section_of(changed);  // one byte more: only the digest shows it
  ASSERT_TRUE(section.failed);
  EXPECT_EQ(section.failed->code(), Code::kRejected);
  EXPECT_EQ(block(section, "verdict", "").at("verdict").as_string(), "bad");
  // All rounds are shown; the bound is the recorded one, not one of the verifier's.
  const Json& series = block(section, "chart", "Behind the best fixed choice, and the 95 % limit").at("series");
  EXPECT_EQ(series[0].at("values").size(), 100U);
  EXPECT_EQ(series[1].at("name").as_string(), "limit (95 %), at the end");
}

TEST(RecordSection, GoesOnReadingBehindALineThatDoesNotHold) {
  const Section section = section_of(replaced_once(record(100), "\"t\":10,", "\"t\":11,"));
  ASSERT_TRUE(section.failed);
  EXPECT_EQ(section.failed->at(), "run.jsonl:11");
  EXPECT_EQ(block(section, "chart", "Loss a round, so far").at("series")[0].at("values").size(), 100U);
}

TEST(RecordSection, ShowsWhatThereIsOfARecordCutShort) {
  const std::string whole = record(100);
  for (const std::size_t cut :
       {whole.find("{\"t\":61"), whole.find("{\"t\":61") + 9}) {  // between lines, and inside one
    const Section section = section_of(whole.substr(0, cut));
    ASSERT_TRUE(section.failed);
    EXPECT_EQ(section.failed->code(), Code::kTruncated);
    EXPECT_EQ(block(section, "chart", "Loss a round, so far").at("series")[0].at("values").size(), 60U);
  }
  EXPECT_EQ(section_of(whole.substr(0, whole.find("{\"t\":61")), Checking::kSkip).failed->code(), Code::kTruncated);
}

TEST(RecordSection, LeavesTheVerdictOpenWhenNotAsked) {
  const Section section = section_of(record(10), Checking::kSkip);
  EXPECT_FALSE(section.failed);
  EXPECT_EQ(block(section, "verdict", "").at("verdict").as_string(), "open");
}

TEST(RecordSection, StandsFieldsOfTheWrongType) {
  std::string text = record(20);
  for (const char* field : {"\"loss\":", "\"best\":", "\"regime\":", "\"stability\":", "\"switched\":"})
    text = replaced_once(text, field, std::string(field) + "{\"x\":[]},\"y\":");
  const Section section = section_of("{\"record\":1}\n" + text.substr(text.find('\n') + 1));
  EXPECT_TRUE(section.failed);
  EXPECT_EQ(section.json.at("title").as_string(), "Decisions, record of a run");
}

TEST(SummarySection, SaysUnavailableForWhatItDoesNotKnow) {
  const Json summary = parse_json(R"({"learner":"new-learner","problem":"new-problem","certificate":{"bounds":[
      {"name":"new_bound","side":"upper","value":3,"holds":true}]}})");
  const Section section = summary_section(summary, "summary.json");
  EXPECT_EQ(section.json.at("title").as_string(), "Decisions of new-learner, summary of a run");
  EXPECT_EQ(dump(block(section, "table", "Certificate").at("rows")),
            R"([["new_bound","at most","3","yes","unavailable"]])");
  EXPECT_EQ(dump(block(section, "facts", "Summary").at("facts")[0]), R"(["rounds","unavailable"])");
  EXPECT_EQ(dump(block(section, "facts", "Work").at("facts")[0]), R"(["oracle calls","unavailable"])");
}

TEST(ActionPanels, CountsActionsAndDrawsOnlyListsOfOneLength) {
  ActionPanels panels;
  const char* actions[] = {"[0,2]", "[0,2]", "[1,2]", "[0,2]"};
  std::uint64_t t = 0;
  for (const char* text : actions) panels.add(++t, parse_json(text));
  EXPECT_EQ(panels.changes(), 2U);
  const auto write = [&](Json& to) {
    panels.write_panels(to, {});
    panels.write_counts(to, {});
  };
  Json blocks = Json::array();
  write(blocks);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].at("charts").size(), 2U);
  EXPECT_EQ(dump(blocks[1].at("rows")), R"([["[0,2]","3","75 %"],["[1,2]","1","25 %"]])");
  panels.add(5, parse_json("[0,2,1]"));  // another length: a route, not coordinates
  blocks = Json::array();
  write(blocks);
  EXPECT_EQ(blocks.size(), 1U);
}

TEST(ActionPanels, NamesCoordinatesByTheirProblemAndReservesInMoney) {
  const Json params = Json::object({{"bidders", 2}, {"levels", 8}});
  EXPECT_EQ(action_words("vcg-reserves", params, {}).name(1), "bidder 2");
  EXPECT_EQ(action_words("vcg-reserves", params, {}).unit, "level of 8");
  const LogNames log{.cap = 4, .currency = "EUR", .slots = {"Ann", "Bob"}, .summary = Json::object()};
  const ActionWords words = action_words("vcg-reserves", params, log);
  EXPECT_EQ(words.name(1), "Bob");
  EXPECT_EQ(words.scale, 0.5);  // 4 EUR in 8 levels
  EXPECT_EQ(words.unit, "EUR");
  EXPECT_EQ(action_words("item-pricing", params, log).name(0), "item 1");
  EXPECT_FALSE(action_words("routing", params, {}).drawn);
}

TEST(ActionPanels, ShowsPlacesInAListOfPricesAsPrices) {
  const Json params = parse_json(R"({"bidders":2,"prices":[0,0.5,2]})");
  const LogNames log{.cap = 1, .currency = "USD", .slots = {"Ann", "Bob"}, .summary = Json::object()};
  const ActionWords words = action_words("vcg-reserves", params, log);
  EXPECT_EQ(words.name(1), "Bob");
  EXPECT_EQ(words.value(0, 2), 2);
  EXPECT_EQ(words.text(words.value(1, 1)), "0.50\u00a0USD");
  const ActionWords own = action_words("vcg-reserves", parse_json(R"({"bidders":2,"prices":[[0,1],[0,3]]})"), log);
  EXPECT_EQ(own.value(0, 1), 1);
  EXPECT_EQ(own.value(1, 1), 3);
}

TEST(ActionPanels, ReadsNestedListsInOrderAndNothingElse) {
  EXPECT_EQ(coordinates_of(parse_json("[[1,2],[3]]")), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(coordinates_of(parse_json("7")), std::vector<double>{7});
  EXPECT_TRUE(coordinates_of(parse_json("{\"a\":1}")).empty());
  EXPECT_TRUE(coordinates_of(parse_json("[1,\"a\"]")).empty());
}

TEST(Blocks, ShowNumbersForPeople) {
  EXPECT_EQ(shown(1234567.0), "1,234,567");
  EXPECT_EQ(shown(-1234.56), "-1,234.6");
  EXPECT_EQ(shown(0.5), "0.50000");
  EXPECT_EQ(shown(1e-7), "1e-07");
  EXPECT_EQ(shown(std::optional<double>()), "-");
  EXPECT_EQ(rounded(0.1 + 0.2), 0.3);
  EXPECT_EQ(cleared(0.1 + 0.2 - 0.3, 0.3), 0);
  EXPECT_EQ(cleared(1e-7, 1), 1e-7);
  EXPECT_EQ(shown(-0.004, 2), "0.00");
  EXPECT_EQ(shortened(std::string(159, 'a') + "\xC3\xA4\xC3\xA4").substr(155, 8), "aaaa ...");  // no half character
}

}  // namespace section_test
}  // namespace hannan::detail
