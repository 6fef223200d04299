#include "service/copy_store.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail::service {

namespace {
constexpr std::size_t kCopiedAtATime = 500;
}

std::unique_ptr<Store> open_store(const std::string& where) {
  const bool postgres = where.starts_with("postgresql://") || where.starts_with("postgres://");
  return postgres ? open_postgres(where) : open_sqlite(where);
}

CopiedCounts copy_store(Store& from, Store& to) {
  if (!to.learners().empty())
    throw Error(Code::kUsage, "found learners in the database that is copied to, expected an empty one", "--db");
  CopiedCounts counts;
  for (const StoredLearner& learner : from.learners()) {
    const std::int64_t id = to.add_learner(learner);
    ++counts.learners;
    for (std::uint64_t generation = 1; generation <= learner.generation; ++generation) {
      const LogName old{learner.id, generation}, now{id, generation};
      std::uint64_t t = 0;
      for (auto rows = from.rows_after(old, t, kCopiedAtATime); !rows.empty();
           rows = from.rows_after(old, t, kCopiedAtATime)) {
        t = rows.back().t;
        counts.rows += rows.size();
        for (Row& row : rows) row.log = now;
        to.append(rows);
      }
      auto snapshots = from.snapshots(old);
      for (auto it = snapshots.rbegin(); it != snapshots.rend(); ++it) {
        it->log = now;
        to.keep_snapshot(*it);
      }
    }
  }
  return counts;
}

}  // namespace hannan::detail::service
