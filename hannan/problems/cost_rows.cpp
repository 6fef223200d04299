#include "hannan/problems/cost_rows.hpp"

#include "hannan/problems/experts/experts_codec.hpp"
#include "hannan/problems/routing/routing_codec.hpp"

namespace hannan::detail {

// An expert loses its own number of the row, a walk the sum over its edges.
bool has_cost_rows(std::string_view kind) { return kind == Codec<Experts>::kKind || kind == Codec<Routing>::kKind; }

}  // namespace hannan::detail
