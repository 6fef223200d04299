#include "hannan/bidlog/segment_floors.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace segment_floors_test {

SegmentFloorsRequest request_of(std::vector<SegmentFloor> visited, std::vector<std::string> fields) {
  SegmentFloorsRequest request;
  request.visited = std::move(visited);
  request.fields = std::move(fields);
  return request;
}

Code refused(const SegmentFloorsRequest& request) {
  try {
    segment_floors(request);
  } catch (const Error& e) {
    return e.code();
  }
  return Code::kInternal;
}

TEST(SegmentFloors, ARuleThatEqualsTheOneItFallsBackToIsLeftOut) {
  const auto made =
      segment_floors(request_of({{{}, {0.8}}, {{"de"}, {0.8}}, {{"de", "A.com"}, {1.30001}}}, {"c", "d"}));
  EXPECT_EQ(made.rules, 2U);
  EXPECT_EQ(dump(made.floors.at("values")), R"({"*|*":0.8,"de|a.com":1.3001})");
}

TEST(SegmentFloors, WithBiddersEverySegmentNamesEverySlot) {
  auto request = request_of({{{}, {0.5, 0.4}}, {{"de"}, {0.5, 0.4}}}, {"country", "bidder"});
  request.slots = {"DSP|1", "*"};
  const auto made = segment_floors(request);
  EXPECT_EQ(dump(made.floors.at("values")), R"({"*|dsp_1":0.5,"*|*":0.4,"de|dsp_1":0.5,"de|*":0.4})");
  EXPECT_EQ(made.floors.at("default").as_number(), 0.4);
  EXPECT_EQ(made.floors.at("floorMin").as_number(), 0.4);
}

TEST(SegmentFloors, KeysThatFallTogetherAndEmptyValuesAreRefused) {
  EXPECT_EQ(refused(request_of({{{}, {1.0}}, {{"a*"}, {2.0}}, {{"a|"}, {3.0}}}, {"x"})), Code::kUnavailable);
  auto empty = request_of({{{}, {1.0}}, {{""}, {2.0}}}, {"x"});
  EXPECT_EQ(refused(empty), Code::kUnavailable);
  empty.empty = SegmentFloorsRequest::Empty::kDrop;
  EXPECT_EQ(segment_floors(empty).dropped, 1U);
  EXPECT_EQ(segment_floors(empty).rules, 1U);
}

}  // namespace segment_floors_test
}  // namespace hannan::detail
