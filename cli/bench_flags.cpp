// The flags of `hannan bench` with the list of races in their help; shared by the program that explains them and the
// one that reads them.
#include "bench_flags.hpp"

#include <fmt/format.h>

#include <string_view>

namespace hannan::detail::cli {
namespace {

struct RaceRow {
  std::string_view name, about;
};

#define HANNAN_RACE(name, about) {#name, about},
constexpr RaceRow kRaces[] = {
#include "bench_parts.hpp"
};
#undef HANNAN_RACE

}  // namespace

std::shared_ptr<BenchFlags> add_bench_flags(Command& command) {
  auto flags = std::make_shared<BenchFlags>();
  std::vector<std::string> names{kSignaturePart};
  std::string about = "Parts:\n  signature   a fingerprint of short fixed runs of every problem and learner\n";
  for (const auto& race : kRaces) {
    names.emplace_back(race.name);
    about += fmt::format("  {:<11} {}\n", race.name, race.about);
  }
  command.add("--only", &flags->only, "only this part; may be repeated").one_of(names);
  command.add("--quick", &flags->quick, "tiny sizes: seconds, and ratios without meaning");
  command.add("--all-sizes", &flags->all_sizes, "all sizes of the part proof: an hour");
  command.add("--rivals", &flags->rivals,
              "folder of the rivals' programs; left out: ../share/hannan/bench beside this program");
  command.add("--json", &flags->json, "print everything as JSON and nothing else");
  command.add("--markdown", &flags->markdown, "the table as Markdown");
  command.add("-q,--quiet", &flags->quiet, "no progress on standard error");
  command.notes = about + "A rival that is not there (python3-numpy, Cbc) leaves its rows without a ratio.";
  command.examples = {"hannan bench                          everything, in under ten minutes on two cores",
                      "hannan bench --only signature         has any decision changed?",
                      "hannan bench --only proof --only search --all-sizes", "hannan bench --only flat --json -q"};
  command.values = flags;
  return flags;
}

}  // namespace hannan::detail::cli
