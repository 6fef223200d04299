// Files of a fold: one part for each input file, and fold.json, which says what is summed and which files belong to it.
// A file is one line of JSON with a digest of itself, so that a half-written or changed one is refused and never
// summed. Reading a folder is all or nothing: every file of the plan exactly once (read_folder), otherwise
// kPartMissing, kPartTwice, kPartDamaged or kOtherSums with what to do. Cost: O(bytes of the parts); the inputs are not
// read again.
#include "hannan/fold/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"

namespace hannan::detail {
namespace {

constexpr std::string_view kAgain = "; run `hannan fold` once more: it makes the parts that are missing";

std::string text_of(const std::string& path) {
  const auto source = bytes_of_file(path);
  // Doubling from 64 KiB: a file is copied at most twice on the way.
  std::string text(std::size_t{1} << 16, '\0');
  for (std::size_t length = 0;;) {
    const std::size_t got = source->read(text.data() + length, text.size() - length);
    length += got;
    if (got == 0) return text.substr(0, length);
    if (length == text.size()) text.resize(2 * length);
  }
}

// What was written, whole and of this kind.
Json unsealed(const std::string& text, const std::string& name, std::string_view kind) {
  const auto refuse = [&](const std::string& what) {
    throw Error(kPartDamaged, what + "; delete it" + (kind == "sums" ? " and make it once more" : std::string(kAgain)),
                name);
  };
  std::optional<Json> json;
  try {
    json = parse_json(text);
  } catch (const Error& e) {
    refuse("found no whole file of sums (" + e.message() + ")");
  }
  const Json* found = json->find("sums");
  if (!found || *found != Json(kind)) refuse(fmt::format("found no file with \"sums\":\"{}\"", kind));
  // sealed() computes the digest over all other fields.
  const Json* digest = json->find("digest");
  if (!digest || *digest != sealed(*json).at("digest")) refuse("found sums that were changed after they were written");
  return std::move(*json);
}

// By name, which is the order of their numbers; files that end otherwise are left alone.
std::vector<std::string> parts_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".sums") found.push_back(entry.path().string());
  }
  if (failed) throw Error(Code::kCannotRead, failed.message(), folder);
  std::sort(found.begin(), found.end());
  return found;
}

// Which fold a folder is of.
struct Plan {
  Summary nothing;
  std::vector<std::string> files;
};

// A fold writes fold.json before any part, so a folder without it is none of a fold.
Plan read_plan_of(const std::string& folder) {
  const std::string path = folder + "/fold.json";
  if (!std::filesystem::exists(path))
    throw Error(kPartMissing, "found no fold.json, expected the one that `hannan fold` writes: let it end first", path);
  const Json json = unsealed(text_of(path), path, "fold");
  try {
    Fields in(json, path);
    Summary nothing(make_problem(in.word("problem"), in.need("params"), in.at("params")), in.word("oracle"));
    return {std::move(nothing), in.words("files")};
  } catch (const Error& e) {
    throw Error(kPartDamaged, e.message(), path);
  }
}

std::string column_names(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ",")); }

// Every file of the plan must have exactly one part, every part a file of the plan, and no two files the same bytes: so
// every round is counted once, or the folder is refused. Parts are added in the order of the plan, though any order
// gives the same bits. O(sizes of the parts).
Folded read_folder(const std::string& folder) {
  Plan plan = read_plan_of(folder);
  std::map<std::string, std::string> seen;     // file -> the part it is in
  std::map<std::string, std::string> content;  // bytes and digest -> file
  std::map<std::string, Part> parts;
  for (const std::string& path : parts_in(folder)) {
    Part part = read_part(path);
    const SummedFile& file = part.file;
    if (std::find(plan.files.begin(), plan.files.end(), file.name) == plan.files.end())
      throw Error(kOtherSums, "found sums of " + file.name + ", which is no file of this fold; take it out", path);
    if (const auto [at, fresh] = seen.try_emplace(file.name, path); !fresh)
      throw Error(kPartTwice, "found sums of " + file.name + ", which are in " + at->second + " already; take one out",
                  path);
    if (const auto [at, fresh] = content.try_emplace(fmt::format("{} {}", file.bytes, file.digest), file.name); !fresh)
      throw Error(kPartTwice,
                  "found in " + file.name + " the same bytes as in " + at->second +
                      ", expected every round once; leave one out, or put both into one file if they are two",
                  path);
    parts.emplace(file.name, std::move(part));
  }
  Folded folded{.summary = std::move(plan.nothing), .files = plan.files.size(), .dropped = 0, .columns = {}};
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    const auto at = parts.find(plan.files[i]);
    const std::string path = folder + "/" + part_name(i + 1);
    if (at == parts.end()) throw Error(kPartMissing, "found no sums of " + plan.files[i] + std::string(kAgain), path);
    const Part& part = at->second;
    folded.summary.add(part.summary, path);
    folded.dropped += part.dropped;
    if (folded.columns.empty()) folded.columns = part.columns;
    if (!part.columns.empty() && part.columns != folded.columns)
      throw Error(kOtherSums,
                  "found the columns " + column_names(part.columns) + " in " + part.file.name + ", expected " +
                      column_names(folded.columns) + " as in the files before it",
                  path);
  }
  return folded;
}

}  // namespace

// One pass over the file in pieces of 64 KiB: its length and digest tell whether a part is still that of the file.
SummedFile described_file(const std::string& name) {
  const auto source = bytes_of_file(name);
  SummedFile file{.name = name, .bytes = 0, .digest = {}};
  Digest digest;
  std::string buffer(std::size_t{1} << 16, '\0');
  while (const std::size_t got = source->read(buffer.data(), buffer.size())) {
    digest.add(std::string_view(buffer).substr(0, got));
    file.bytes += got;
  }
  file.digest = digest.hex();
  return file;
}

std::string part_name(std::size_t number) { return fmt::format("{:06}.sums", number); }

std::string part_text(const Part& part) {
  const SummedFile& file = part.file;
  const Json json =
      Json::object({{"sums", "part"},
                    {"file", Json::object({{"name", file.name}, {"bytes", file.bytes}, {"digest", file.digest}})},
                    {"rows", part.summary.rounds()},
                    {"dropped", part.dropped},
                    {"columns", Json::array(part.columns)},
                    {"summary", part.summary.json()}});
  return dump(sealed(json)) + "\n";
}

std::string fold_text(const Summary& nothing, const std::vector<std::string>& files) {
  const Json empty = nothing.json();
  const Json json = Json::object({{"sums", "fold"},
                                  {"problem", empty.at("problem")},
                                  {"params", empty.at("params")},
                                  {"oracle", empty.at("oracle")},
                                  {"files", Json::array(files)}});
  return dump(sealed(json)) + "\n";
}

// Whether a folder was begun for the same sums of the same files: then its parts can be used.
bool is_fold(const std::string& folder, const std::string& text) { return text_of(folder + "/fold.json") == text; }

// Throws kPartDamaged with the path for anything that is wrong with it.
Part read_part(const std::string& path) {
  const Json json = unsealed(text_of(path), path, "part");
  try {
    Fields in(json, path);
    Fields file = in.fields("file");
    return {.file = {.name = file.word("name"),
                     .bytes = static_cast<std::uint64_t>(file.integer("bytes", kNatural)),
                     .digest = file.word("digest")},
            .dropped = static_cast<std::uint64_t>(in.integer("dropped", kNatural)),
            .columns = in.words("columns"),
            .summary = Summary::read(in.need("summary"), path)};
  } catch (const Error& e) {
    throw Error(kPartDamaged, e.message(), path);
  }
}

// A folder of parts, or one file that sums_text() wrote.
Folded read_sums(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return read_folder(path);
  return {.summary = parse_sums(text_of(path), path), .files = 1, .dropped = 0, .columns = {}};
}

std::string sums_text(const Summary& summary) {
  return dump(sealed(Json::object({{"sums", "sums"}, {"summary", summary.json()}}))) + "\n";
}

Summary parse_sums(const std::string& text, const std::string& name) {
  const Json json = unsealed(text, name, "sums");
  const Json* summary = json.find("summary");
  if (!summary) throw Error(kPartDamaged, "found no \"summary\"; delete it and make it once more", name);
  return Summary::read(*summary, name);
}

}  // namespace hannan::detail
