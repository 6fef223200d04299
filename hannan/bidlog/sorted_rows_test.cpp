#include "hannan/bidlog/sorted_rows.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace hannan::detail {
namespace sorted_rows_test {

struct GivenRow {
  std::string round, order;
  double bid;
};

class GivenRows final : public LogRows {
 public:
  explicit GivenRows(std::vector<GivenRow> rows) : rows_(std::move(rows)) {}
  bool next(LogRow& row) override {
    if (at_ == rows_.size()) return false;
    held_ = rows_[at_++];  // views of the last row are overwritten, as those of a file are
    row = {};
    row.round = held_.round;
    row.order = held_.order;
    row.bid = held_.bid;
    return true;
  }

 private:
  std::vector<GivenRow> rows_;
  GivenRow held_;
  std::size_t at_ = 0;
};

std::string sorted(std::vector<GivenRow> rows, std::size_t most = 100) {
  const auto reader =
      sorted_rows(std::make_unique<GivenRows>(std::move(rows)), {.name = "log", .times = {}, .most = most});
  std::string text;
  for (LogRow row; reader->next(row);)
    text += std::string(row.round) + std::to_string(static_cast<int>(*row.bid)) + " ";
  return text;
}

Code fault(std::vector<GivenRow> rows, std::size_t most = 100) {
  try {
    sorted(std::move(rows), most);
  } catch (const Error& e) {
    return e.code();
  }
  return Code::kInternal;
}

TEST(SortedRows, PutARoundTogetherWhereItsLeastCellStands) {
  EXPECT_EQ(sorted({{"b", "30", 1}, {"a", "9", 2}, {"b", "4", 3}, {"a", "", 4}}), "b1 b3 a2 a4 ");
  EXPECT_EQ(sorted({{"b", "7", 1}, {"a", "7", 2}}), "b1 a2 ");  // equal ones as they came
  EXPECT_EQ(sorted({}), "");
}

TEST(SortedRows, CompareNumbersAsNumbersAndOtherTextAsText) {
  EXPECT_EQ(sorted({{"a", "10", 1}, {"b", "9", 2}}), "b2 a1 ");
  EXPECT_EQ(sorted({{"a", "10", 1}, {"b", "9", 2}, {"c", "x", 3}}), "a1 b2 c3 ");
  EXPECT_EQ(sorted({{"a", "2024-01-10", 1}, {"b", "2024-01-09T23:00", 2}}), "b2 a1 ");
}

TEST(SortedRows, CompareDatesWithTheYearLastAsDates) {
  EXPECT_EQ(sorted({{"a", "4/13/2003", 1}, {"b", "4/5/2003", 2}, {"c", "12/31/2002", 3}}), "c3 b2 a1 ");
  EXPECT_EQ(sorted({{"a", "5/4/2003", 1}, {"b", "13.4.2003", 2}, {"c", "4/5/2003", 3}}), "a1 b2 c3 ");
  EXPECT_EQ(sorted({{"a", "4/13/2003 10:00 PM", 1}, {"b", "4/13/2003 9:00 PM", 2}}), "b2 a1 ");
  // A round stands where its earliest date does.
  EXPECT_EQ(sorted({{"a", "4/20/2003", 1}, {"b", "4/9/2003", 2}, {"a", "4/1/2003", 3}}), "a1 a3 b2 ");
}

TEST(SortedRows, CompareTimesAsPointsInTimeWhateverTheirOffsets) {
  // In UTC: 00:00:10, 00:30 and 00:10 of 15 November.
  EXPECT_EQ(sorted({{"b", "2026-11-15T00:30:00Z", 2},
                    {"c", "2026-11-14T19:10:00-05:00", 3},
                    {"a", "2026-11-15T02:00:10+02:00", 1}}),
            "a1 c3 b2 ");
  EXPECT_EQ(sorted({{"a", "1794735001000", 1}, {"b", "1794735000", 2}}), "b2 a1 ");  // milliseconds and seconds
  EXPECT_EQ(sorted({{"a", "20261201", 1}, {"b", "20261130", 2}}), "b2 a1 ");
}

TEST(SortedRows, RefuseWhatCannotBeSorted) {
  EXPECT_EQ(fault({{"a", "2026-11-15T00:30:00Z", 1}, {"b", "2026-11-15T00:30:00", 1}}), Code::kTwoReadings);
  EXPECT_EQ(fault({{"a", "2026-11-15T00:30:00Z", 1}, {"b", "soon", 1}}), Code::kMalformed);
  EXPECT_EQ(fault({{"a", "", 1}}), Code::kMalformed);
  EXPECT_EQ(fault({{"a", "1/2/2024", 1}, {"b", "3/4/2024", 1}}), Code::kTwoReadings);   // either is the day
  EXPECT_EQ(fault({{"a", "31/1/2024", 1}, {"b", "1/31/2024", 1}}), Code::kMalformed);   // both are
  EXPECT_EQ(fault({{"a", "31/1/2024", 1}, {"b", "2024-01-31", 1}}), Code::kMalformed);  // another form
  EXPECT_EQ(fault({{"a", "31/1/2024", 1}, {"b", "7", 1}}), Code::kMalformed);
  EXPECT_EQ(fault({{"a", "31/2/2024", 1}}), Code::kMalformed);  // no such day
  EXPECT_EQ(fault({{"a", "1", 1}, {"a", "2", 1}, {"a", "3", 1}}, 2), Code::kTooLarge);
  EXPECT_EQ(sorted({{"a", "1", 1}, {"a", "2", 2}}, 2), "a1 a2 ");
}

}  // namespace sorted_rows_test
}  // namespace hannan::detail
