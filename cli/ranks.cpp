// Flags go before the environment of a launcher; of several launchers the first whose two variables are numbers counts.
#include "ranks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail::cli {

Ranks RankFlags::read() const {
  if (rank.has_value() != ranks.has_value())
    throw Error(Code::kUsage, "found one of --rank and --ranks, expected both", "--rank");
  Ranks found{.rank = rank.value_or(0), .ranks = ranks.value_or(1)};
  constexpr std::pair<const char*, const char*> kLaunchers[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
  const auto number = [](const char* name) -> std::optional<std::uint64_t> {
    const char* text = std::getenv(name);
    if (!text) return std::nullopt;
    std::uint64_t value = 0;
    const std::string_view all(text);
    const auto [end, failed] = std::from_chars(all.data(), all.data() + all.size(), value);
    return failed == std::errc() && end == all.data() + all.size() ? std::optional(value) : std::nullopt;
  };
  for (const auto& [of_rank, of_size] : kLaunchers) {
    if (ranks) break;
    const auto r = number(of_rank), n = number(of_size);
    if (!r || !n) continue;
    found = {*r, *n};
    break;
  }
  if (found.rank >= found.ranks)
    throw Error(Code::kUsage,
                fmt::format("found rank {} of {}, expected one from 0 to {}", found.rank, found.ranks, found.ranks - 1),
                "--rank");
  return found;
}

void add_rank_flags(Command& command, RankFlags& flags) {
  command.add("--rank", &flags.rank,
              "which process this is, from 0, of those that share the folder; mpirun and srun say it themselves");
  command.add("--ranks", &flags.ranks, "how many there are");
}

}  // namespace hannan::detail::cli
