// Exact search for min over a product grid, by boxes: nodes are lists of positions per coordinate.
//
// What box_model.hpp says about a box is bounded by messages between tables (dual_bound.hpp), which also bound every
// single position: those that cannot hold a wanted assignment are struck out, the box shrinks, more of it is
// resolved. A box that is small enough is tabulated, any other is split in two.
//   order        best first: the open box with the least bound, so that a search that is cut short leaves the
//                best floor; equal bounds: the one with the smallest first corner, then the older one.
//   pruning      see incumbents.hpp: against the keep-th best value, and plateaus of ties by order.
//   incumbents   coordinate descents (descent.hpp), and the tabulated boxes.
//   limits       nodes (boxes that were filled) and the memory of the tables that open boxes keep. Beyond it tables are
//                dropped and filled anew when the box is opened. Nothing counts time: the same evidence, limits and
//                hints give the same answer, and a finished search chooses the same action whatever the hints.
//   threads      look at the boxes that come next before their turn (box_ahead.hpp); the result, to the bit and with
//                all counts, is that of one thread.
// A search may begin where an earlier one stopped (frontier.hpp): the choice of a finished search stays the same.
// Rounding: bounds are sums like the values, and are compared within a quarter of the tie window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hannan/oracles/box_model.hpp"
#include "hannan/oracles/frontier.hpp"
#include "hannan/oracles/search_result.hpp"
#include "hannan/oracles/search_threads.hpp"

namespace hannan::detail {

struct BoxLimits {
  std::size_t bytes = std::size_t{256} << 20;  // of tables kept by open boxes
  unsigned threads = SearchThreads::most();    // at most; the result does not depend on it
  std::uint64_t nodes_alone = 16;              // on one thread: to start others takes as long as some nodes
};

struct FrontierUse {
  const Frontier* from = nullptr;  // begin here, not with the whole grid; its bounds and points hold for this evidence
  Frontier* to = nullptr;          // where the search stopped; left empty where it was one leaf
};

SearchResult box_search(BoxModel& model, const SearchRequest& request, const BoxLimits& limits = {},
                        const FrontierUse& use = {});

}  // namespace hannan::detail
