#include <fmt/format.h>
#include <memory>

#include "command.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/verify/verifier.hpp"
#include "progress.hpp"

namespace hannan::detail::cli {
namespace {

struct VerifyFlags {
  std::string file;
  bool quiet = false;
};

int verify(const VerifyFlags& flags) {
  const Verification found = verify_record(lines_of_record(bytes_of_file(flags.file), flags.file), flags.file);
  if (flags.quiet) return 0;
  fmt::print("{} verifies: {} rounds, loss {}, best {}, regret {}\n", printable(flags.file), found.rounds,
             brief(found.total), brief(found.best), brief(found.regret));
  for (const auto& what : found.checked) fmt::print("  - {}\n", what);
  return 0;
}

}  // namespace

void define_verify(Command& command) {
  auto flags = std::make_shared<VerifyFlags>();
  command.add("file", &flags->file, "what `hannan run --record` wrote").required();
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says it all");
  command.notes =
      "Shares no code with the learners: losses, L*, rates, regret and bounds are derived again from\n"
      "the recorded outcomes and decisions, the noise is drawn again and every choice held against all\n"
      "actions where they can be listed, and any altered field is rejected with its line.";
  command.examples = {"hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl"};
  command.run = [flags] { return verify(*flags); };
}

}  // namespace hannan::detail::cli
