#include "hannan/streams/loss_doubt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace hannan::detail {
namespace loss_doubt_test {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// What is asked about the table; empty: nothing.
std::string asked(const std::vector<std::string>& names, const std::vector<double>& numbers, std::size_t columns,
                  LossRange range = LossRange::kUnitInterval) {
  try {
    doubt_losses({.problem = "experts", .names = names, .numbers = numbers, .range = range}, columns, "load.csv");
  } catch (const Error& e) {
    EXPECT_EQ(code_name(e.code()), "H213");
    EXPECT_EQ(e.at(), "load.csv");
    return e.message();
  }
  return {};
}
bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Three models around 1000 + 100 sin t: they differ by at most 30.
std::vector<double> load(std::size_t rows) {
  std::vector<double> numbers;
  for (std::size_t t = 0; t < rows; ++t) {
    const double level = 1000 + 100 * std::sin(static_cast<double>(t));
    for (const double off : {-10.0, 0.0, 20.0}) numbers.push_back(level + off);
  }
  return numbers;
}

TEST(LossDoubt, AColumnThatIsCalledActualIsAskedAbout) {
  const std::vector<double> rows = {0.25, 0.5, 0.75, 0.5};
  for (const char* name : {"actual", " Actual ", "ACTUALS", "actual_load", "target", "truth", "true", "observed",
                           "observation", "obs", "y", "outcome", "realised", "realized"}) {
    const std::string text = asked({"model a", name}, rows, 2);
    EXPECT_TRUE(holds(text, "look like forecasts of one quantity (one is called \"" + std::string(name) + "\")"))
        << text;
    EXPECT_TRUE(holds(text, "--losses")) << text;
  }
  for (const char* name : {"b", "yes", "outcomes", "observer", "factual", "targets"})
    EXPECT_EQ(asked({"a", name}, rows, 2), "") << name;
}

TEST(LossDoubt, TheAnswerNamesTheCommandThatCombinesThem) {
  EXPECT_TRUE(holds(asked({"m", "Actual MW"}, {0.25, 0.5, 0.75, 0.25}, 2),
                    "To combine them: hannan compare forecasts -d load.csv --actual Actual MW"));
  EXPECT_TRUE(holds(asked({}, load(10), 3), "--actual NAME, with a column of what came"));
}

TEST(LossDoubt, ColumnsThatRiseAndFallTogetherAreAskedAbout) {
  const std::string text = asked({}, load(10), 3);
  EXPECT_TRUE(holds(text, "they rise and fall together, around 10")) << text;
  EXPECT_TRUE(holds(asked({}, load(10), 3, LossRange::kUnknown), "--losses"));
  EXPECT_EQ(asked({}, load(9), 3, LossRange::kUnknown), "") << "nine rows do not show it";
}

TEST(LossDoubt, GapsAreLeftOut) {
  std::vector<double> numbers = load(12);
  for (std::size_t t = 0; t < 12; ++t) numbers[3 * t + t % 3] = kGap;
  EXPECT_NE(asked({}, numbers, 3, LossRange::kUnknown), "");
  EXPECT_EQ(asked({}, std::vector<double>(36, kGap), 3, LossRange::kUnknown), "");
}

TEST(LossDoubt, LossesOfUnknownRangeThatDifferAreNotAskedAbout) {
  std::vector<double> numbers;
  for (int t = 0; t < 40; ++t) {
    for (int k = 0; k < 3; ++k) numbers.push_back((t * 7 + k * 11) % 13 * 10.0);
  }
  EXPECT_EQ(asked({}, numbers, 3, LossRange::kUnknown), "");
  // One column alone goes with its own median.
  EXPECT_EQ(asked({}, load(30), 1, LossRange::kUnknown), "");
}

TEST(LossDoubt, NumbersFarOutsideTheUnitIntervalAreAskedAbout) {
  const std::string text = asked({}, {12, 340, 20, 15}, 2);
  EXPECT_TRUE(holds(text, "found numbers from 12 to 340")) << text;
  for (const char* part : {"--losses", "range=unknown", "(most - gain) / (most - least)", "hannan compare forecasts -d",
                           "hannan.combine(frame"})
    EXPECT_TRUE(holds(text, part)) << text;
  EXPECT_NE(asked({}, {0.5, -1.5}, 2), "");
  // A slip of scale is refused where it stands (H205).
  EXPECT_EQ(asked({}, {0.5, 1.25, -0.25, 0}, 2), "");
  EXPECT_EQ(asked({}, {12, 340}, 2, LossRange::kUnknown), "");
  std::vector<double> slip(20, 0.5);
  slip[7] = 50;
  EXPECT_EQ(asked({}, slip, 2), "") << "one of twenty is a fault of its row";
  slip[8] = 50;
  EXPECT_NE(asked({}, slip, 2), "");
}

TEST(LossDoubt, LossesAreNot) {
  EXPECT_EQ(asked({"a", "b"}, {0, 1, 0.5, 0.25}, 2), "");
  EXPECT_EQ(asked({}, {}, 2), "");
}

}  // namespace loss_doubt_test
}  // namespace hannan::detail
