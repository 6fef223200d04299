// Visits ahead of their turn (box_ahead.hpp). Invariant: ready_ holds findings of visits that saw the present
// incumbents, changes_ of them; as soon as these change all of it is thrown away. Workers write to batch_[task] alone,
// so no two touch the same findings; the boxes of a batch are different ones.
#include "hannan/oracles/box_ahead.hpp"

#include <utility>

namespace hannan::detail {

namespace {

// 64 MB: chosen, a quarter of what open boxes may keep.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of findings at hand; a batch may exceed it once

}  // namespace

// Worker 0 is the calling thread and uses the search's own visitor and model; each further one gets a copy of the
// model, because models have scratch memory.
BoxAhead::BoxAhead(const Parts& parts)
    : incumbents_(parts.incumbents),
      visitors_{&parts.visitor},
      team_(parts.threads, [this](std::size_t worker, std::size_t task) { visit_one(worker, task); }) {
  for (unsigned worker = 1; worker < parts.threads; ++worker) {
    models_.push_back(parts.model.clone());
    own_.push_back(std::make_unique<BoxVisitor>(*models_.back(), parts.incumbents, parts.dropped));
    visitors_.push_back(own_.back().get());
  }
}

bool BoxAhead::has(const BoxNode& node) const {
  return changes_ == incumbents_.changes() && ready_.contains(node.number);
}

std::vector<BoxFindings> BoxAhead::take(const BoxNode& node) {
  if (!has(node)) return {};
  auto ready = ready_.extract(node.number);
  bytes_ -= ready.mapped().bytes;
  return std::move(ready.mapped().pieces);
}

// Returns when all boxes are visited. The incumbents are read by all threads and changed by none in the meantime.
void BoxAhead::visit(std::span<BoxNode* const> boxes) {
  if (changes_ != incumbents_.changes()) {
    ready_.clear();
    bytes_ = 0;
    changes_ = incumbents_.changes();
  }
  if (boxes.size() < 2 || bytes_ > kMostBytes) return;
  boxes_ = boxes;
  batch_.clear();
  batch_.resize(boxes.size());
  team_.run(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (batch_[k].pieces.empty()) continue;
    for (const BoxFindings& found : batch_[k].pieces) batch_[k].bytes += found.bytes();
    bytes_ += batch_[k].bytes;
    ready_.emplace(boxes[k]->number, std::move(batch_[k]));
  }
}

void BoxAhead::visit_one(std::size_t worker, std::size_t task) {
  BoxNode& node = *boxes_[task];
  const bool filled = node.filled;
  try {
    for (std::size_t piece = 0; piece < BoxVisitor::pieces(node); ++piece)
      batch_[task].pieces.push_back(visitors_[worker]->open(node, piece));
  } catch (...) {
    batch_[task].pieces.clear();  // maybe too little memory for all at once; visited alone, when its turn comes
  }
  if (!filled) node.drop();  // its tables were dropped for their memory
}

}  // namespace hannan::detail
