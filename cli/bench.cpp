// hannan bench: the signature of the program's behaviour, and ratios measured against rivals in the same run.
#include <fmt/format.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/signature.hpp"
#include "bench/stopwatch.hpp"
#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail::cli {
namespace {

struct BenchFlags {
  std::vector<std::string> only;
  std::string rivals;
  bool quick = false;
  bool all_sizes = false;
  bool json = false;
  bool markdown = false;
  bool quiet = false;
};

constexpr const char* kSignature = "signature";

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

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

int bench_command(const BenchFlags& flags) {
  const auto wanted = [&](std::string_view name) {
    return flags.only.empty() || std::find(flags.only.begin(), flags.only.end(), name) != flags.only.end();
  };
  const Scratch scratch;
  using Size = bench::Setting::Size;
  bench::Setting setting{.size = flags.quick       ? Size::kQuick
                                 : flags.all_sizes ? Size::kLong
                                                   : Size::kFull,
                         .rivals = flags.rivals.empty() ? rivals_beside_program() : flags.rivals,
                         .python = bench::find_python(),
                         .scratch = scratch.path()};
  const bench::WallClock watch;
  if (!flags.quiet)
    setting.say = [&](std::string_view what) { fmt::print(stderr, "{:7.1f} s  {}\n", watch.seconds(), what); };

  const double load = load_average();
  bench::Signature signature;
  if (wanted(kSignature)) signature = bench::signature(setting);
  std::vector<bench::Row> rows;
  for (const auto& race : bench::races()) {
    if (!wanted(race.name)) continue;
    for (auto& row : race.run(setting)) rows.push_back(std::move(row));
  }

  if (flags.json) {
    Json list = Json::array();
    for (const auto& row : rows) list.push_back(bench::row_json(row));
    std::puts(dump(Json::object({{"version", kVersion},
                                 {"signature", signature.runs > 0 ? Json(signature.hex) : Json()},
                                 {"runs", signature.runs},
                                 {"quick", flags.quick},
                                 {"load", load},
                                 {"seconds", watch.seconds()},
                                 {"rows", std::move(list)}}))
                  .c_str());
    return 0;
  }
  if (signature.runs > 0) {
    fmt::print("signature {}  ({} runs, {} combinations that do not exist)\n", signature.hex, signature.runs,
               signature.refused);
  }
  if (!rows.empty()) fmt::print("{}", flags.markdown ? bench::table_markdown(rows) : bench::table_text(rows));
  if (flags.quick && !rows.empty()) fmt::print("--quick: sizes so small that the ratios mean nothing\n");
  fmt::print("{:.0f} s, load {:.1f} at the start\n", watch.seconds(), load);
  return 0;
}

}  // namespace

void define_bench(Command& command) {
  auto flags = std::make_shared<BenchFlags>();
  std::vector<std::string> names{kSignature};
  std::string about = "Parts:\n  signature   a fingerprint of short fixed runs of every problem and learner\n";
  for (const auto& race : bench::races()) {
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
  command.run = [flags] { return bench_command(*flags); };
}

}  // namespace hannan::detail::cli
