// Which of several processes that share a folder this one is: said by flags, or by the launcher that started them.
#pragma once

#include <cstdint>
#include <optional>

#include "flags.hpp"

namespace hannan::detail::cli {

struct Ranks {
  std::uint64_t rank = 0;
  std::uint64_t ranks = 1;
};

struct RankFlags {
  std::optional<std::uint64_t> rank, ranks;
  // As mpirun (Open MPI; MPICH and others by PMI) and srun say to their processes where no flag does. Throws kUsage.
  Ranks read() const;
};
void add_rank_flags(Command& command, RankFlags& flags);

}  // namespace hannan::detail::cli
