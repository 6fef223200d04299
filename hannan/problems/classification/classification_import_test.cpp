// From a file of labelled rows to parameters and outcomes.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/classification/classification_codec.hpp"

namespace hannan::detail {
namespace classification_import_test {

class ClassificationImport : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const auto path =
        std::filesystem::path(::testing::TempDir()) / (std::string("hannan_") + test->name() + "_" + name);
    std::ofstream(path) << text;
    made_.push_back(path);
    return path.string();
  }
  void TearDown() override {
    for (const auto& path : made_) std::filesystem::remove(path);
  }
  static std::string refusal(const std::string& params, const std::string& path) {
    try {
      Codec<Classification>::import(parse_json(params), path);
    } catch (const Error& e) {
      return code_name(e.code()) + " " + e.at();
    }
    return "accepted";
  }

 private:
  std::vector<std::filesystem::path> made_;
};

TEST_F(ClassificationImport, MakesEqualRowsOnePointAndEveryRowAnOutcome) {
  const auto path = file("a.csv", "colour,size,good\nred,1,n\nblue,2,y\nred,1,y\n");
  const auto read = Codec<Classification>::import(parse_json(R"({"hypotheses":"stumps","label":"good"})"), path);
  EXPECT_EQ(
      dump(read.params),
      R"({"hypotheses":"stumps","points":[[1,1],[0,2]],"categories":[["blue","red"],null],"names":["colour","size"]})");
  ASSERT_EQ(read.outcomes.size(), 3u);
  EXPECT_EQ(dump(read.outcomes[0]), R"({"point":0,"label":0})");
  EXPECT_EQ(dump(read.outcomes[2]), R"({"point":0,"label":1})");
  Fields fields(read.params, "params");
  EXPECT_EQ(Codec<Classification>::parse(fields)->points(), 2u);
  fields.done();  // the options are gone
}

TEST_F(ClassificationImport, KnowsLibsvmByItsNameOrByBeingTold) {
  const std::string text = "1 1:2\n0 1:3\n";
  const std::string wanted = R"({"hypotheses":"thresholds","points":[[2],[3]]})";
  const std::string plain = R"({"hypotheses":"thresholds"})";
  EXPECT_EQ(dump(Codec<Classification>::import(parse_json(plain), file("a.svm", text)).params), wanted);
  EXPECT_EQ(dump(Codec<Classification>::import(parse_json(plain), file("a.txt", text)).params), wanted);
  EXPECT_EQ(dump(Codec<Classification>::import(parse_json(R"({"hypotheses":"thresholds","format":"libsvm"})"),
                                               file("a.dat", text))
                     .params),
            wanted);
}

// 1000 rows, 600 of them 0 and the rest all different: four bins are the zeros and three even parts of the rest.
TEST_F(ClassificationImport, BinsByQuantilesAndGivesAFrequentValueABinOfItsOwn) {
  PointTable table;
  for (int i = 0; i < 1000; ++i) table.rows.push_back({i < 600 ? 0.0 : i, static_cast<double>(i % 3)});
  bin_columns(table, 4);
  std::map<double, int> rows;
  for (const auto& row : table.rows) ++rows[row[0]];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], 600);
  for (const auto& [value, count] : rows) {
    if (value > 0) {
      EXPECT_NEAR(count, 400 / 3.0, 2) << value;
    }
  }
  EXPECT_EQ(table.rows[5][1], 2);  // three values need no bins
}

TEST_F(ClassificationImport, NeverMakesMoreBinsThanAskedForAndKeepsTheOrder) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const KeyedRandom s(Key{.seed = 3}, Purpose::kTest, i);
    PointTable table;
    for (std::uint64_t r = 0; r < 1 + s.below(0, 60); ++r)
      table.rows.push_back({static_cast<double>(s.below(1 + r, 1 + i % 40))});
    const Points before = table.rows;
    const std::size_t bins = 2 + i % 9;
    bin_columns(table, bins);
    std::set<double> distinct, were;
    for (const auto& row : table.rows) distinct.insert(row[0]);
    for (const auto& row : before) were.insert(row[0]);
    ASSERT_LE(distinct.size(), bins);
    ASSERT_GE(distinct.size(), std::min<std::size_t>(were.size(), 2));
    for (std::size_t a = 0; a < before.size(); ++a) {
      ASSERT_LE(table.rows[a][0], before[a][0]);  // the smallest of its run, a value that was there
      ASSERT_TRUE(were.contains(table.rows[a][0]));
      for (std::size_t b = 0; b < before.size(); ++b) {
        if (before[a][0] > before[b][0]) continue;
        ASSERT_LE(table.rows[a][0], table.rows[b][0]);
      }
    }
  }
}

TEST_F(ClassificationImport, RefusesWhatDoesNotFit) {
  const auto path = file("a.csv", "x,y,class\n1,2,0\n2,3,1\n");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps"})", path), "H102 --param.label");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"c"})", path), "H106 " + path + ":1");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class","bins":1})", path), "H105 --param.bins");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class","header":"no"})", path), "H106 --param.header");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class","drop":[true]})", path), "H104 --param.drop[0]");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class","points":[[1]]})", path), "H100 --param");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class"})", path + ".not"), "H201 " + path + ".not");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class","drop":"y","bins":"none","positive":0})", path),
            "accepted");
  EXPECT_EQ(refusal(R"({"hypotheses":"stumps","label":"class"})", file("b.svm", "1 1:1\n0 1:2\n")),
            "H103 --param.label");
}

}  // namespace classification_import_test
}  // namespace hannan::detail
