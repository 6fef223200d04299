// The first piece stays in memory until the end, because it goes with the snapshot. Pieces are cut between letters of
// UTF-8: PostgreSQL takes no others.
#include "service/snapshots.hpp"

#include <utility>

namespace hannan::detail::service {
namespace {

constexpr std::size_t kSnapshotPiece = std::size_t{64} << 10U;  // chosen: under a millisecond of writing

}  // namespace

SnapshotWriter::SnapshotWriter(Store& store, Snapshot made) : store_(store), made_(std::move(made)) {
  made_.pieces = 1;
}

void SnapshotWriter::add(std::string_view text) {
  digest_.add(text);
  bytes_ += text.size();
  piece_ += text;
  while (piece_.size() > kSnapshotPiece) keep_filled();
}

void SnapshotWriter::keep_filled() {
  std::size_t size = kSnapshotPiece;
  while (size > 1 && (static_cast<unsigned char>(piece_[size]) & 0xC0U) == 0x80U) --size;  // within a letter
  std::string rest = piece_.substr(size);
  piece_.resize(size);
  if (first_) {
    first_ = false;
    made_.state = std::move(piece_);
  } else {
    store_.keep_piece(made_, made_.pieces++, piece_);
  }
  piece_ = std::move(rest);
}

void SnapshotWriter::done() {
  if (first_) {
    made_.state = std::move(piece_);
  } else if (!piece_.empty()) {
    store_.keep_piece(made_, made_.pieces++, piece_);
  }
  made_.digest = digest_.value();
  store_.keep_snapshot(made_);
  while (store_.drop_pieces(made_.log)) {
  }
}

std::optional<std::string> read_snapshot(Store& store, const Snapshot& snapshot) {
  std::string state;
  if (snapshot.pieces > 1) state.reserve(snapshot.pieces * kSnapshotPiece);  // so that it is never there twice
  state += snapshot.state;
  for (std::uint64_t number = 1; number < snapshot.pieces; ++number) state += store.piece(snapshot, number);
  Digest digest;
  digest.add(state);
  if (digest.value() != snapshot.digest) return std::nullopt;
  return state;
}

}  // namespace hannan::detail::service
