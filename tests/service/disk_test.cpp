// SQLite's log on a disk that loses power between any two writes, at any byte of a transaction, is full or fails to
// sync.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "recording_disk.hpp"
#include "service/api.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {
namespace disk_test {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    // In memory where there is a place for that: files are made thousands of times.
    const fs::path memory = "/dev/shm";
    const bool fast = ::access(memory.c_str(), W_OK) == 0;
    std::string name = ((fast ? memory : fs::temp_directory_path()) / "hannan-disk-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry);
  }

 private:
  fs::path path_;
};

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

StoredLearner learner() {
  StoredLearner one;
  one.name = "a";
  one.config = "{}";
  return one;
}

// The rows of group g: as many as its number and one more, of this length each.
std::vector<Row> group(std::int64_t id, int g, std::uint64_t first, std::size_t length = 40) {
  std::vector<Row> rows;
  for (int i = 0; i <= g % 4; ++i) {
    const std::uint64_t t = first + static_cast<std::uint64_t>(i);
    rows.push_back({.log = {id, 1},
                    .t = t,
                    .id = "o" + std::to_string(t),
                    .decision = t,
                    .time = 1,
                    .line = std::string(length, static_cast<char>('a' + t % 26))});
  }
  return rows;
}

// Opens what is left of a log. It has every acknowledged row and no part of a group: its rows are `acknowledged`, or,
// where it was cut within a group, also that whole group.
void expect_whole(const std::string& path, std::uint64_t acknowledged, std::uint64_t with_next,
                  const std::string& when) {
  const auto store = open_sqlite(path);
  const auto learners = store->learners();
  std::uint64_t found = 0;
  if (!learners.empty()) {
    const auto rows = store->rows_after({learners.front().id, 1}, 0, 100'000);
    found = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].t, i + 1) << when;
      ASSERT_EQ(rows[i].id, "o" + std::to_string(i + 1)) << when;
      ASSERT_EQ(rows[i].line.find_first_not_of(static_cast<char>('a' + (i + 1) % 26)), std::string::npos) << when;
    }
  }
  ASSERT_TRUE(found == acknowledged || found == with_next)
      << when << ": found " << found << " rows, expected " << acknowledged << " or " << with_next;
}

struct Moment {
  RecordingDisk::Files files;
  std::uint64_t acknowledged, with_next;
};

// Every file as it was synced, as it was written, and mixtures: a cut keeps any part of what was not synced.
void expect_whole_after_cut(const Folder& folder, const Moment& moment, const std::string& when) {
  for (const bool main_written : {false, true}) {
    for (const bool others_written : {false, true}) {
      folder.clear();
      for (const auto& [path, file] : moment.files) {
        const std::string name = fs::path(path).filename().string();
        put(folder / name, (name == "log.db" ? main_written : others_written) ? file.now : file.synced);
      }
      expect_whole(folder / "log.db", moment.acknowledged, moment.with_next, when);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Disk, KeepsEveryAcknowledgedGroupWhenPowerIsCutBetweenAnyTwoWrites) {
  RecordingDisk disk;
  std::vector<Moment> moments;
  {
    const Folder folder;
    std::uint64_t acknowledged = 0, with_next = 0;
    std::size_t changes = 0;
    int every = 1;
    disk.before_change = [&] {
      if (changes++ % (every == 1 ? 1 : 211) == 0) moments.push_back({disk.files(), acknowledged, with_next});
    };
    const auto store = open_sqlite(folder / "log.db");
    const std::int64_t id = store->add_learner(learner());
    const auto add = [&](int g, std::size_t length) {
      const auto rows = group(id, g, acknowledged + 1, length);
      with_next = acknowledged + rows.size();
      // In one commit, or the first rows by themselves.
      const std::size_t first = g % 3 == 0 ? 0 : rows.size() / 2;
      if (first > 0) store->append_part(std::span(rows).first(first));
      store->append(std::span(rows).subspan(first));
      acknowledged = with_next;
      if (g % every == 0) moments.push_back({disk.files(), acknowledged, acknowledged});
    };
    for (int g = 0; g < 10; ++g) add(g, 40);
    store->keep_snapshot({.log = {id, 1}, .t = 5, .engine = "e", .state = std::string(9000, 's')});
    // Enough that the log is written back into the file (after 1,000 pages). Of the moments only some, for memory's
    // sake.
    every = 12;
    for (int g = 0; g < 60; ++g) add(g, 30'000);
    const std::size_t pages_back = disk.files().at(folder / "log.db").now.size() / 4096;
    EXPECT_GT(pages_back, 500U);
    disk.before_change = nullptr;
  }
  ASSERT_GT(moments.size(), 100U);
  const Folder folder;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    expect_whole_after_cut(folder, moments[i], "moment " + std::to_string(i));
    if (HasFatalFailure()) return;
    disk.forget_files();
  }
}

TEST(Disk, PartsOfAnAppendAreThereWithItsLastAndOthersTakeTheirPlaceWhereItIsCut) {
  const Folder folder;
  const std::string path = folder / "log.db";
  auto store = open_sqlite(path);
  const std::int64_t id = store->add_learner(learner());
  StoredLearner second = learner();
  second.name = "b";
  const std::int64_t other = store->add_learner(second);
  const auto count = [&](std::int64_t of) { return store->rows_after({of, 1}, 0, 100).size(); };
  const auto rows = group(id, 3, 1);
  ASSERT_EQ(rows.size(), 4U);
  ASSERT_TRUE(store->append_part(std::span(rows).first(1)));
  ASSERT_TRUE(store->append_part(std::span(rows).subspan(1, 2)));
  // In between others write, and none of it is seen by any question, of the writer or of a reader.
  store->append(group(other, 1, 1));
  EXPECT_EQ(count(other), 2U);
  EXPECT_EQ(count(id), 0U);
  EXPECT_EQ(store->last_round({id, 1}), 0U);
  EXPECT_FALSE(store->reader()->find({id, 1}, "o2"));
  store->append(std::span(rows).subspan(3));
  EXPECT_EQ(count(id), 4U);
  EXPECT_TRUE(store->reader()->find({id, 1}, "o2"));
  // Cut: what follows has the same rounds and ids. Of a process that goes on, and of one that begins.
  for (std::uint64_t round = 5; round < 7; ++round) {
    ASSERT_TRUE(store->append_part(std::span<const Row>(group(id, 3, round)).first(3)));
    if (round == 6) {
      store = nullptr;
      store = open_sqlite(path);
    }
    EXPECT_EQ(store->last_round({id, 1}), round - 1);
    store->append(group(id, 0, round));
    EXPECT_EQ(store->last_round({id, 1}), round);
  }
  // Cut: another learner's parts follow, and those of the first are gone.
  ASSERT_TRUE(store->append_part(group(id, 1, 7)));
  ASSERT_TRUE(store->append_part(group(other, 0, 3)));
  store->append(group(other, 0, 4));
  EXPECT_EQ(count(other), 4U);
  EXPECT_EQ(store->last_round({id, 1}), 6U);
  store->append(group(id, 1, 7));
  EXPECT_EQ(store->last_round({id, 1}), 8U);
}

TEST(Disk, PagesAreCopiedBesideTheWriterAndAPowerCutMeanwhileLosesNothing) {
  RecordingDisk disk;
  std::vector<Moment> moments;
  {
    const Folder folder;
    const auto store = open_sqlite(folder / "log.db");
    const auto upkeep = store->upkeep();
    const std::int64_t id = store->add_learner(learner());
    std::uint64_t acknowledged = 0;
    const auto add = [&](int g) {
      const auto rows = group(id, g, acknowledged + 1, 30'000);
      store->append(rows);
      acknowledged += rows.size();
    };
    for (int g = 0; g < 20; ++g) add(g);
    const auto pages = [&] { return disk.files().at(folder / "log.db").now.size() / 4096; };
    const std::size_t before = pages();
    std::size_t changes = 0;
    disk.before_change = [&] {
      if (changes++ % 37 == 0) moments.push_back({disk.files(), acknowledged, acknowledged});
    };
    const Store::Remains left = upkeep();
    disk.before_change = nullptr;
    EXPECT_GT(pages(), before + 200);
    EXPECT_EQ(left.waiting, 0U);
    EXPECT_GT(left.all, 200U);
    // All of it was copied: the log begins again.
    const std::size_t size = disk.files().at(folder / "log.db-wal").now.size();
    add(0);
    EXPECT_EQ(disk.files().at(folder / "log.db-wal").now.size(), size);
    const Store::Remains next = upkeep();
    EXPECT_LT(next.all, left.all);
    moments.push_back({disk.files(), acknowledged, acknowledged});
  }
  ASSERT_GT(moments.size(), 5U);
  const Folder folder;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    expect_whole_after_cut(folder, moments[i], "moment " + std::to_string(i));
    if (HasFatalFailure()) return;
    disk.forget_files();
  }
}

TEST(Disk, KeepsEveryAcknowledgedGroupWhenTheLogIsCutAtAnyByteOfTheLastOne) {
  RecordingDisk disk;
  RecordingDisk::Files before, after;
  const std::uint64_t acknowledged = 1 + 2 + 3;
  {
    const Folder folder;
    const auto store = open_sqlite(folder / "log.db");
    const std::int64_t id = store->add_learner(learner());
    std::uint64_t next = 1;
    for (int g = 0; g < 3; ++g) {
      store->append(group(id, g, next));
      next += static_cast<std::uint64_t>(g) + 1;
    }
    before = disk.files();
    store->append(group(id, 1, next));
    after = disk.files();
  }
  const auto of = [](const RecordingDisk::Files& files, const std::string& name) {
    for (const auto& [path, file] : files) {
      if (fs::path(path).filename() == name) return file.now;
    }
    return std::string();
  };
  const std::string main = of(before, "log.db"), log = of(after, "log.db-wal");
  const std::size_t begin = of(before, "log.db-wal").size();
  ASSERT_GT(log.size(), begin + 4096);
  const Folder folder;
  for (std::size_t end = begin; end <= log.size(); ++end) {
    const bool whole = end == log.size();
    for (const bool zeros : {false, true}) {  // the length of a file may reach the disk before its bytes
      if (zeros && end % 8 != 0) continue;
      folder.clear();
      put(folder / "log.db", main);
      std::string left = log.substr(0, end);
      if (zeros) left.resize(log.size(), '\0');
      put(folder / "log.db-wal", left);
      expect_whole(folder / "log.db", acknowledged, whole ? acknowledged + 2 : acknowledged,
                   "cut at byte " + std::to_string(end) + (zeros ? ", zeros after it" : ""));
      if (HasFatalFailure()) return;
      disk.forget_files();
    }
  }
}

constexpr int kManyAt = 4;
constexpr int kMany = 150;  // enough that they are written in parts, because others were written just before

// The service over SQLite; requests are answered before call() returns.
class DiskService {
 public:
  explicit DiskService(const std::string& path) {
    HostLimits limits;
    limits.snapshot_every = 3;
    host_ = std::make_unique<Host>(open_sqlite(path), limits, metrics_);
    api_ = std::make_unique<Api>(*host_, metrics_, tokens_, ApiSetting{});
  }
  Reply call(const std::string& method, const std::string& target, const std::string& body = "") {
    std::promise<Reply> answered;
    auto reply = answered.get_future();
    api_->handle({.method = method, .target = target, .headers = {}, .body = body},
                 [&](Reply got) { answered.set_value(std::move(got)); });
    return reply.get();
  }
  // Request i: one outcome, but one of them has many.
  Reply tell(int i) {
    const auto outcome = [](const std::string& id, int n) {
      return R"({"id":")" + id + R"(","outcome":[0.5,)" + (n % 2 ? "0,1]}" : "1,0]}");
    };
    std::string body = outcome(std::to_string(i), i);
    if (i == kManyAt) {
      for (int k = 1; k < kMany; ++k) body += "," + outcome("m" + std::to_string(k), k);
      body = R"({"outcomes":[)" + body + "]}";
    }
    return call("POST", "/v1/learners/a/outcomes", body);
  }

 private:
  Metrics metrics_;
  Tokens tokens_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Api> api_;
};

constexpr int kTold = 9;
constexpr int kRounds = kTold - 1 + kMany;
constexpr const char* kExperts = R"({"problem":{"kind":"experts","params":{"experts":3}}})";

// Outcomes sent until each is acknowledged, with a disk that `fails`; what the service says at the end.
std::string told_all(RecordingDisk& disk, const std::function<void()>& fails) {
  const Folder folder;
  std::string seen;
  {
    DiskService service(folder / "log.db");
    EXPECT_EQ(service.call("PUT", "/v1/learners/a", kExperts).status, 201);
    fails();
    for (int i = 0; i < kTold; ++i) {
      for (int tries = 0;; ++tries) {
        const Reply reply = service.tell(i);
        if (reply.status == 200) break;
        EXPECT_EQ(reply.status, 503);
        EXPECT_EQ(parse_json(reply.body).at("error").at("code").as_string(), "H821") << reply.body;
        EXPECT_EQ(service.call("GET", "/v1/learners/a/decision").status, 200);  // of the last commit
        if (tries == 2) disk.full_at_write(0);                                  // space is back
        if (tries > 5) {
          ADD_FAILURE() << "it does not recover: " << reply.body;
          return seen;
        }
      }
    }
    disk.full_at_write(0);
    seen = service.call("GET", "/v1/learners/a/decision").body;
  }
  DiskService again(folder / "log.db");
  EXPECT_EQ(again.call("GET", "/v1/learners/a/decision").body, seen);
  EXPECT_EQ(parse_json(again.call("GET", "/v1/learners/a").body).at("rounds").as_number(), kRounds);
  const auto reader = [&] {
    SCOPED_TRACE("rows");
    return again.call("GET", "/v1/learners/a/decisions/g1.1").status;
  }();
  EXPECT_EQ(reader, 200);
  return seen;
}

TEST(Disk, RefusesWhileItIsFullAndGoesOnWhenThereIsSpaceAgain) {
  RecordingDisk disk;
  const std::string expected = told_all(disk, [] {});
  for (int n = 1;; ++n) {
    SCOPED_TRACE("full at write " + std::to_string(n));
    const int before = disk.failures();
    EXPECT_EQ(told_all(disk, [&] { disk.full_at_write(n); }), expected);
    disk.forget_files();
    if (disk.failures() == before) {
      EXPECT_GT(n, 20);
      return;
    }
    ASSERT_LT(n, 1000);
    if (HasFailure()) return;
  }
}

TEST(Disk, ReadsTheLogAgainWhenASyncFails) {
  RecordingDisk disk;
  const std::string expected = told_all(disk, [] {});
  for (int n = 1;; ++n) {
    SCOPED_TRACE("sync " + std::to_string(n) + " fails");
    const int before = disk.failures();
    EXPECT_EQ(told_all(disk, [&] { disk.fail_sync(n); }), expected);
    disk.forget_files();
    if (disk.failures() == before) {
      EXPECT_GT(n, 8);
      return;
    }
    ASSERT_LT(n, 1000);
    if (HasFailure()) return;
  }
}

}  // namespace disk_test
}  // namespace hannan::detail::service
