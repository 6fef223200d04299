// A snapshot on its way into the store and out of it, in pieces.
//
// Pieces of about 1 MiB are written one at a time, each by itself, so that neither the whole state is in memory nor the
// commits of other learners wait for it. The last write makes them a snapshot; before it nothing of them is seen. A
// state of one piece is one row, as before there were pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/core/digest.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {

class SnapshotWriter {
 public:
  // `made`: its log, round and engine.
  SnapshotWriter(Store& store, Snapshot made);
  void add(std::string_view text);
  void done();
  std::uint64_t bytes() const { return bytes_; }  // of the text so far

 private:
  void keep_filled();

  Store& store_;
  Snapshot made_;
  std::string piece_;  // that is being filled
  bool first_ = true;  // the piece that is being filled is the first one
  std::uint64_t bytes_ = 0;
  Digest digest_;
};

// The whole state; none where it is damaged.
std::optional<std::string> read_snapshot(Store& store, const Snapshot& snapshot);

}  // namespace hannan::detail::service
