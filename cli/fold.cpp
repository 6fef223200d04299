// File i of the sorted list is the work of rank i mod ranks, so that processes share nothing but the folder. A part
// that is there, whole and of the same file (name, size, digest) is not made again: a fold that was stopped goes on.
#include <fmt/format.h>
#include <glob.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/fold/parts.hpp"
#include "live_input.hpp"
#include "output_file.hpp"
#include "ranks.hpp"

namespace hannan::detail::cli {
namespace {

struct FoldFlags {
  ProblemFlags problem;
  std::vector<std::string> data;
  std::string out, oracle;
  std::uint64_t bad_rows = 0;
  RankFlags ranks;
  bool json = false;
  bool quiet = false;
};

// The files that a name or a pattern means. A file of that very name goes before a pattern.
std::vector<std::string> matching(const std::string& given) {
  std::error_code unknown;
  if (std::filesystem::exists(given, unknown)) return {given};
  glob_t found{};
  std::vector<std::string> names;
  if (::glob(given.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (names.empty())
    throw Error(Code::kCannotRead, "found no such file, expected a file of outcomes or a pattern", given);
  return names;
}

// All files of the fold in the order of their names, byte by byte: the same in every process and every language.
std::vector<std::string> files_of(const std::vector<std::string>& given) {
  std::set<std::string> names;
  for (const std::string& one : given) {
    for (const std::string& name : one == "-" ? std::vector{one} : matching(one)) {
      if (read_once(name))
        throw Error(Code::kUsage, "found what can be read only once, expected files: each becomes a part of its own",
                    "-d");
      if (!names.insert(std::filesystem::path(name).lexically_normal().string()).second)
        throw Error(kPartTwice, "found this file twice, expected every file of outcomes once", name);
    }
  }
  return {names.begin(), names.end()};
}

// Is it the row that is at fault, so that the next one can be read?
bool is_bad_row(Code code) {
  constexpr Code kOfRows[] = {Code::kColumnCount, Code::kNotANumber, Code::kLossRange, Code::kBadOutcome,
                              Code::kNotJson};
  return std::find(std::begin(kOfRows), std::end(kOfRows), code) != std::end(kOfRows);
}

class FoldCommand {
 public:
  explicit FoldCommand(const FoldFlags& flags) : flags_(flags) {}

  int operator()() {
    const Ranks ranks = flags_.ranks.read();
    files_ = files_of(flags_.data);
    if (!flags_.problem.prices.empty() && flags_.problem.prices.starts_with("quantiles"))
      throw Error(Code::kUnavailable, "found prices from the data, expected the same for all files: name them outright",
                  "--prices");
    // The width of the first file says what the parameters leave open; all others must have the same.
    problem_ = open_data(flags_.problem, files_.front()).problem;
    const Summary nothing(problem_, flags_.oracle);
    begin(nothing, ranks);
    Done done;
    for (std::size_t i = ranks.rank; i < files_.size(); i += ranks.ranks) fold(i, nothing, done);
    if (ranks.rank == 0) print(done, ranks);
    return 0;
  }

 private:
  struct Done {
    std::uint64_t files = 0, found = 0, rows = 0, dropped = 0;
  };

  // Every process holds the folder against its own files; the first one writes down which they are.
  void begin(const Summary& nothing, const Ranks& ranks) const {
    std::error_code failed;
    std::filesystem::create_directories(flags_.out, failed);
    if (failed) throw Error(Code::kCannotWrite, failed.message(), flags_.out);
    const std::string path = flags_.out + "/fold.json", text = fold_text(nothing, files_);
    if (std::filesystem::exists(path)) {
      if (!is_fold(flags_.out, text))
        throw Error(
            kOtherSums,
            "found the fold of other files, parameters or another oracle, expected none: choose another folder, or "
            "delete this one",
            path);
    } else if (ranks.rank == 0) {
      write_whole_file(path, text);
    }
  }

  // A part that is there and that of this very file is kept; one that is damaged is made once more.
  std::optional<Part> kept(const std::string& path, const SummedFile& file, const Summary& nothing) const {
    if (!std::filesystem::exists(path)) return std::nullopt;
    try {
      Part part = read_part(path);
      Summary same = nothing.nothing();
      same.add(part.summary, path);
      return part.file == file ? std::optional(std::move(part)) : std::nullopt;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  // One file to one part. The digest of the file is computed first, so that a part which is there can be kept without
  // reading the outcomes again.
  void fold(std::size_t index, const Summary& nothing, Done& done) const {
    const std::string& name = files_[index];
    const std::string path = flags_.out + "/" + part_name(index + 1);
    const SummedFile file = described_file(name);
    if (const auto part = kept(path, file, nothing)) {
      count(*part, done);
      ++done.found;
      return;
    }
    Part part{.file = file, .dropped = 0, .columns = {}, .summary = nothing.nothing()};
    const DataFlags data{.path = name, .log = {}, .by = {}};
    const auto opened = open_source(problem_, {.problem = flags_.problem, .data = data, .money = MoneyFlags{}});
    part.columns = opened.names;
    AnyOutcome y;
    while (next(*opened.source, y, part)) part.summary.add(y, 1.0);
    write_whole_file(path, part_text(part));
    count(part, done);
  }

  // The next outcome; rows that are none are passed over and counted, as many as are allowed.
  bool next(Source& source, AnyOutcome& y, Part& part) const {
    for (;;) {
      try {
        return source.next(y);
      } catch (const Error& e) {
        if (part.dropped == flags_.bad_rows || !is_bad_row(e.code())) throw;
        ++part.dropped;
      }
    }
  }

  static void count(const Part& part, Done& done) {
    ++done.files;
    done.rows += part.summary.rounds();
    done.dropped += part.dropped;
  }

  void print(const Done& done, const Ranks& ranks) const {
    if (flags_.json) {
      fmt::print("{}\n", dump(Json::object({{"rank", ranks.rank},
                                            {"ranks", ranks.ranks},
                                            {"files", files_.size()},
                                            {"folded", done.files},
                                            {"found", done.found},
                                            {"rows", done.rows},
                                            {"dropped", done.dropped}})));
    } else if (!flags_.quiet) {
      fmt::print("{}{} of {} files, {} of them folded before: {} rows, {} dropped; sums in {}\n",
                 ranks.ranks > 1 ? fmt::format("rank 0 of {}: ", ranks.ranks) : "", done.files, files_.size(),
                 done.found, done.rows, done.dropped, printable(flags_.out));
    }
  }

  const FoldFlags& flags_;
  std::vector<std::string> files_;
  std::shared_ptr<AnyProblem> problem_;
};

}  // namespace

void define_fold(Command& command) {
  auto flags = std::make_shared<FoldFlags>();
  add_problem_flags(command, flags->problem);
  command
      .add("-d,--data", &flags->data,
           "a file of outcomes, or a pattern in quotes: CSV, .npy or JSON lines, plain or gzipped; again for more "
           "files. "
           "Each becomes a part of its own")
      .again()
      .required();
  command.add("-o,--out", &flags->out, "folder of the sums; one that was begun is gone on with").required();
  command.add("--oracle", &flags->oracle,
              "whose history is summed, and who searches it later; the default is the problem's first");
  command
      .add("--bad-rows", &flags->bad_rows,
           "rows of a file that may be no outcomes: they are dropped and counted; one more is an error")
      .show_default();
  add_column_flags(command, flags->problem);
  add_rank_flags(command, flags->ranks);
  command.add("--json", &flags->json, "print what was done as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan fold experts -d losses.csv -d more.csv -o sums",
                      "hannan oracle experts --sums sums --keep 3",
                      "mpirun -n 16 hannan fold vcg-reserves --param levels=10 -d 'logs/part-*.csv.gz' -o shared/sums",
                      "srun -n 64 hannan fold vcg-reserves --param levels=10 -d 'logs/part-*.csv.gz' -o shared/sums"};
  command.run = [flags] { return FoldCommand(*flags)(); };
}

}  // namespace hannan::detail::cli
