// A folder of sums: one part per file of outcomes, made by any number of processes that share nothing but the folder.
//
//   fold.json       {sums: "fold", problem, params, oracle, files: [name], digest}
//   000001.sums     {sums: "part", file: {name, bytes, digest}, rows, dropped, columns, summary, digest}
//
// Files are in the order of their names, and part i is that of file i, from 1. Each is put in place whole. A part that
// is missing, damaged, there twice or of other parameters is an error with its name, never a smaller sum.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/fold/summary.hpp"

namespace hannan::detail {

// A file of outcomes as it was when it was summed.
struct SummedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string digest;  // core/digest.hpp, of its bytes as they lie on disk
  friend bool operator==(const SummedFile&, const SummedFile&) = default;
};
// Reads all of it. Throws kCannotRead.
SummedFile described_file(const std::string& name);

struct Part {
  SummedFile file;
  std::uint64_t dropped = 0;         // rows that were no outcomes
  std::vector<std::string> columns;  // their names, where the file gives them
  Summary summary;
};

std::string part_name(std::size_t number);  // from 1
// What is written: a line of JSON.
std::string part_text(const Part& part);
std::string fold_text(const Summary& nothing, const std::vector<std::string>& files);

// Is what the folder says of itself this very text?
bool is_fold(const std::string& folder, const std::string& text);

// A part as it lies on disk. Throws kPartDamaged at the path.
Part read_part(const std::string& path);

struct Folded {
  Summary summary;
  std::size_t files = 0;
  std::uint64_t dropped = 0;
  std::vector<std::string> columns;
};
// All parts of a folder, or one file of sums that Python or `hannan oracle --merged` wrote. Throws kPartMissing,
// kPartTwice, kPartDamaged and kOtherSums, each at the file it is about.
Folded read_sums(const std::string& path);

// A summary as a file of its own, and back.
std::string sums_text(const Summary& summary);
Summary parse_sums(const std::string& text, const std::string& name);

}  // namespace hannan::detail
