// hannan: the command line program. One file per command.
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/version.hpp"

namespace {

constexpr const char* kAbout =
    "Hannan chooses again and again from sets too large to list, nearly as well as the best fixed\n"
    "choice in hindsight, and proves it beside every run.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  hannan demo                                      see what it does\n"
    "  hannan run experts -d losses.csv                 play on your own data, one column per expert\n"
    "  hannan run experts -d losses.npy -l gftpl --set c=0.5 -p decisions.csv\n"
    "  hannan simulate experts --stream killer -l leader -l flipflop --runs 20\n"
    "  hannan experiment plans/first.toml --threads 2   a whole plan of them, resumable, on many machines too\n"
    "  hannan oracle experts -d losses.csv              the best action in hindsight\n"
    "  hannan check vcg-reserves --param bidders=2 --param levels=4   whether a perturbation keeps its promises\n"
    "  hannan convert log.csv --cap 50 -o bids.csv      a bid log as a table\n"
    "  hannan compare vcg-reserves -d bids.csv --param levels=50   learners and rivals, in money\n"
    "  hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl\n"
    "  hannan report run.jsonl -o report.html           the same run as one page to look at\n"
    "  hannan bench --only signature                    whether any decision has changed; without --only, how fast\n"
    "  echo '{\"op\":\"hello\"}' | hannan pipe             drive it from any language\n"
    "\n"
    "Exit status: 0 ok, 1 a limit was reached, 2 usage, 3 bad data. Error codes: docs/errors.md.\n";

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const hannan::Error& e) {
    std::fprintf(stderr, "hannan: %s\n", e.what());
    return hannan::exit_status(e.code());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "hannan: H208: there is not enough memory for this\n");
    return 3;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{kAbout, "hannan"};
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("hannan ") + hannan::kVersion);
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);

  int status = 0;
  const hannan::cli::Run run = [&](const std::function<int()>& command) { status = guarded(command); };
  hannan::cli::add_run(app, run);
  hannan::cli::add_simulate(app, run);
  hannan::cli::add_experiment(app, run);
  hannan::cli::add_oracle(app, run);
  hannan::cli::add_show(app, run);
  hannan::cli::add_check(app, run);
  hannan::cli::add_pipe(app, run);
  hannan::cli::add_verify(app, run);
  hannan::cli::add_bound(app, run);
  hannan::cli::add_bench(app, run);
  hannan::cli::add_convert(app, run);
  hannan::cli::add_compare(app, run);
  hannan::cli::add_report(app, run);
  hannan::cli::add_demo(app, run);

  std::string names;
  bool known = argc < 2 || argv[1][0] == '-';
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + command->get_name();
    known = known || command->get_name() == argv[1];
  }
  if (!known) {
    std::fprintf(stderr, "hannan: H100: found the command \"%s\", expected one of %s\n", argv[1], names.c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // help and version
    std::fprintf(stderr, "hannan: H100: %s; hannan COMMAND --help shows usage and examples\n", e.what());
    return 2;
  } catch (const hannan::Error& e) {
    std::fprintf(stderr, "hannan: %s\n", e.what());
    return hannan::exit_status(e.code());
  }
  return status;
}
