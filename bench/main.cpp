// hannan-bench, which `hannan bench` becomes: the signature of the program's behaviour, and ratios measured against
// rivals in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/signature.hpp"
#include "bench/stopwatch.hpp"
#include "cli/bench_flags.hpp"
#include "cli/entry.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail::bench {
namespace {

// Rivals lie where installing puts them: DIR/bin/hannan and DIR/share/hannan/bench.
std::string rivals_beside_program() {
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return (program.parent_path().parent_path() / "share" / "hannan" / "bench").string();
}

// A folder of our own, gone at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "hannan-bench-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(Code::kCannotWrite, "no folder for the benchmark's data could be made", name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Told with the result: figures of a busy machine are less steady, though processor time leaves most of it out.
double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

// The load is taken before the first measurement, since the measurements themselves are load.
int bench(const cli::BenchFlags& flags) {
  const auto wanted = [&](std::string_view name) {
    return flags.only.empty() || std::find(flags.only.begin(), flags.only.end(), name) != flags.only.end();
  };
  const Scratch scratch;
  using Size = Setting::Size;
  Setting setting{.size = flags.quick       ? Size::kQuick
                          : flags.all_sizes ? Size::kLong
                                            : Size::kFull,
                  .rivals = flags.rivals.empty() ? rivals_beside_program() : flags.rivals,
                  .python = find_python(),
                  .scratch = scratch.path()};
  const WallClock watch;
  if (!flags.quiet)
    setting.say = [&](std::string_view what) { fmt::print(stderr, "{:7.1f} s  {}\n", watch.seconds(), what); };

  const double load = load_average();
  Signature found;
  if (wanted(cli::kSignaturePart)) found = signature(setting);
  std::vector<Row> rows;
  for (const auto& race : races()) {
    if (!wanted(race.name)) continue;
    for (auto& row : race.run(setting)) rows.push_back(std::move(row));
  }

  if (flags.json) {
    Json list = Json::array();
    for (const auto& row : rows) list.push_back(row_json(row));
    std::puts(dump(Json::object({{"version", kVersion},
                                 {"signature", found.runs > 0 ? Json(found.hex) : Json()},
                                 {"runs", found.runs},
                                 {"quick", flags.quick},
                                 {"load", load},
                                 {"seconds", watch.seconds()},
                                 {"rows", std::move(list)}}))
                  .c_str());
    return 0;
  }
  if (found.runs > 0) {
    fmt::print("signature {}  ({} runs, {} combinations that do not exist)\n", found.hex, found.runs, found.refused);
  }
  if (!rows.empty()) fmt::print("{}", flags.markdown ? table_markdown(rows) : table_text(rows));
  if (flags.quick && !rows.empty()) fmt::print("--quick: sizes so small that the ratios mean nothing\n");
  fmt::print("{:.0f} s, load {:.1f} at the start\n", watch.seconds(), load);
  return 0;
}

}  // namespace
}  // namespace hannan::detail::bench

int main(int argc, char** argv) {
  using namespace hannan::detail;
  return cli::run_one_command({.name = "bench",
                               .define =
                                   [](cli::Command& command) {
                                     const auto flags = cli::add_bench_flags(command);
                                     command.run = [flags] { return bench::bench(*flags); };
                                   }},
                              {argv, argv + argc});
}
