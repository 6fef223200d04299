#include "service/snapshots.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_folder.hpp"

namespace hannan::detail::service {
namespace snapshots_test {

Snapshot made(std::int64_t learner, std::uint64_t t) {
  return {.log = {learner, 1}, .t = t, .engine = "e", .state = {}};
}

void keep(Store& store, const Snapshot& snapshot, const std::string& text) {
  SnapshotWriter writer(store, snapshot);
  // In parts of many sizes, as a state comes.
  std::size_t size = 1;
  for (std::size_t at = 0; at < text.size(); at += size, size = 1 + (7 * size) % 65'537)
    writer.add(std::string_view(text).substr(at, size));
  writer.done();
}

// Letters of one to four bytes, so that a piece of a round number of bytes would end within one.
std::string text_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "a\u00e9\u20ac\U0001F600";
  return text;
}

bool begins_with_a_letter(const std::string& text) {
  return text.empty() || (static_cast<unsigned char>(text.front()) & 0xC0U) != 0x80U;
}

void check(Store& store) {
  const std::int64_t learner = store.add_learner({.id = 0, .name = "a", .config = "{}"});
  const std::string small = "{}", large = text_of(300'000), other = text_of(150'000);
  keep(store, made(learner, 1), small);
  keep(store, made(learner, 2), large);
  auto found = store.snapshots({learner, 1});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].pieces, 5u);
  EXPECT_EQ(found[1].pieces, 1u);
  EXPECT_EQ(found[1].state, small);
  for (std::uint64_t number = 1; number < found[0].pieces; ++number) {
    const std::string piece = store.piece(found[0], number);
    EXPECT_LE(piece.size(), std::size_t{1} << 20U);
    EXPECT_TRUE(begins_with_a_letter(piece)) << number;
  }
  EXPECT_EQ(read_snapshot(store, found[0]), large);
  EXPECT_EQ(read_snapshot(store, found[1]), small);
  // Written again with fewer pieces; those of before are gone.
  keep(store, made(learner, 2), other);
  found = store.snapshots({learner, 1});
  EXPECT_EQ(found[0].pieces, 3u);
  EXPECT_EQ(read_snapshot(store, found[0]), other);
  EXPECT_EQ(store.piece(found[0], 3), "");
  // One that was not finished is not seen, and its pieces go with the next.
  store.keep_piece(made(learner, 3), 1, "left behind");
  EXPECT_EQ(store.snapshots({learner, 1}).size(), 2u);
  keep(store, made(learner, 4), small);
  EXPECT_EQ(store.piece(made(learner, 3), 1), "");
  // A piece that was changed makes it none.
  found = store.snapshots({learner, 1});
  ASSERT_EQ(found[1].t, 2u);
  std::string damaged = store.piece(found[1], 2);
  damaged.back() ^= 1;
  store.keep_piece(found[1], 2, damaged);
  EXPECT_EQ(read_snapshot(store, found[1]), std::nullopt);
  // The two newest are kept, and no pieces of others.
  keep(store, made(learner, 5), small);
  EXPECT_EQ(store.piece(found[1], 1), "");
  keep(store, made(learner, 6), large);
  purge_whole(store, learner);
  EXPECT_EQ(store.piece(made(learner, 6), 1), "");
}

TEST(Snapshots, OfManyPiecesAreKeptInMemory) { check(*make_memory_store()); }

TEST(Snapshots, OfManyPiecesAreKeptInSqlite) {
  const TemporaryFolder folder;
  check(*open_sqlite(folder.path() + "/log.db"));
}

TEST(Snapshots, RowsOfALearnerWhosePurgeWasCutAreDeletedWhenTheFileIsOpened) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/log.db";
  std::int64_t learner = 0;
  {
    const auto store = open_sqlite(path);
    learner = store->add_learner({.name = "a", .generation = 1, .config = "{}", .status = "ready"});
    std::vector<Row> rows;
    for (std::uint64_t t = 1; t <= 1000; ++t) {
      rows.push_back({.log = {learner, 1}, .t = t, .id = std::to_string(t), .decision = t, .time = 0, .line = "{}"});
    }
    store->append(rows);
    store->purge(learner);
    EXPECT_TRUE(store->learners().empty());  // at once
    EXPECT_TRUE(store->purge_more(learner));
    EXPECT_GT(store->rows_after({learner, 1}, 0, 1000).size(), 0u);  // not all in one go
  }
  const auto store = open_sqlite(path);
  EXPECT_EQ(store->last_round({learner, 1}), 0u);
  EXPECT_FALSE(store->purge_more(learner));
  EXPECT_GT(store->add_learner({.name = "a", .generation = 1, .config = "{}", .status = "ready"}), learner);
}

TEST(Snapshots, RowsAreTrimmedSomeAtATime) {
  const TemporaryFolder folder;
  const auto store = open_sqlite(folder.path() + "/log.db");
  const std::int64_t learner = store->add_learner({.name = "a", .generation = 1, .config = "{}", .status = "ready"});
  std::vector<Row> rows;
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    rows.push_back({.log = {learner, 1}, .t = t, .id = std::to_string(t), .decision = t, .time = 0, .line = "{}"});
  }
  store->append(rows);
  EXPECT_TRUE(store->trim({learner, 1}, 901));
  EXPECT_GT(store->rows_after({learner, 1}, 0, 1000).size(), 100u);
  while (store->trim({learner, 1}, 901)) {
  }
  EXPECT_EQ(store->rows_after({learner, 1}, 0, 1000).size(), 100u);
}

}  // namespace snapshots_test
}  // namespace hannan::detail::service
