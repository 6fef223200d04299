#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/verify/verifier.hpp"
#include "progress.hpp"

namespace hannan::detail::cli {
namespace {

struct VerifyFlags {
  std::vector<std::string> files;
  bool quiet = false;
};

int verify(const VerifyFlags& flags) {
  std::vector<RecordPart> parts;
  std::string names;
  for (const auto& file : flags.files) {
    parts.push_back({file, [file] { return lines_of_record(bytes_of_file(file), file); }});
    names += (names.empty() ? "" : ", ") + printable(file);
  }
  const Verification found = verify_parts(parts);
  if (flags.quiet) return 0;
  fmt::print("{} {}: {} rounds, loss {}, best {}, regret {}\n", names,
             parts.size() > 1 ? "verify together" : "verifies", found.rounds, brief(found.total), brief(found.best),
             brief(found.regret));
  for (const auto& what : found.checked) fmt::print("  - {}\n", what);
  return 0;
}

}  // namespace

void define_verify(Command& command) {
  auto flags = std::make_shared<VerifyFlags>();
  command.add("file", &flags->files, "what `hannan run --record` wrote, or its parts in order").required();
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says it all");
  command.notes =
      "Shares no code with the learners: losses, L*, rates, regret and bounds are derived again from\n"
      "the recorded outcomes and decisions, the noise is drawn again and every choice held against all\n"
      "actions where they can be listed, and any altered field is rejected with its line. Several files are\n"
      "the parts of one record: each goes on from the state of the learner in the one before it.";
  command.examples = {"hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl",
                      "hannan verify before.jsonl moved.jsonl"};
  command.run = [flags] { return verify(*flags); };
}

}  // namespace hannan::detail::cli
