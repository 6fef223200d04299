// `hannan report`: one HTML page out of records, comparisons, experiments and summaries; names and money from the log's
// summary.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/table.hpp"
#include "hannan/report/page.hpp"
#include "hannan/report/report.hpp"
#include "live_input.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::vector<std::string> logs;  // one for all records, or one for each
  std::string data, out, title;
  bool no_verify = false, json = false, quiet = false;
};

LogNames read_log(const std::string& path) {
  const Json summary = read_json_file(path);
  if (!is_log_summary(summary))
    throw Error(Code::kUsage,
                "found no \"cap\", \"slots\" and \"rows\", expected a file that `hannan convert --summary` wrote",
                path);
  return log_names(summary);
}

// Of the table that a run of experts was on.
std::vector<std::string> column_names(const std::string& path) {
  std::vector<std::string> names = open_table(live_input(path), input_name(path))->names();
  if (names.empty()) throw Error(Code::kUsage, "found no header, expected a table whose columns have names", path);
  return names;
}

int report_command(const ReportFlags& flags) {
  if (flags.out.empty() && !flags.json)
    throw Error(Code::kUsage, "found neither -o nor --json, expected a name for the page, such as -o report.html",
                "-o");
  const bool quiet = takes_standard_output({{"--json", flags.json ? "-" : ""}, {"-o", flags.out}}) || flags.quiet;
  for (const auto& file : flags.files) {
    if (same_file(file, flags.out) || same_file(file + "/results.json", flags.out))
      throw Error(Code::kUsage, "found the same file as input and output, expected another: it would be overwritten",
                  flags.out);
  }
  for (const auto& log : flags.logs) {
    if (same_file(log, flags.out))
      throw Error(Code::kUsage, "found the same file for --log and -o, expected another: it would be overwritten",
                  flags.out);
  }
  ReportRequest request{.files = flags.files,
                        .logs = {},
                        .title = flags.title,
                        .checking = flags.no_verify ? Checking::kSkip : Checking::kVerify};
  for (const auto& log : flags.logs) request.logs.push_back(read_log(log));
  if (!flags.data.empty()) {
    if (!flags.logs.empty())
      throw Error(Code::kUsage, "found --log and --data, expected one of them: each names what was chosen", "--data");
    request.logs.push_back({.currency = {}, .slots = column_names(flags.data), .summary = {}});
  }
  const Report report = make_report(request);
  if (flags.json) std::puts(dump(report.data).c_str());
  if (!flags.out.empty()) write_whole_file(flags.out, page_of(report.data, report.title));
  // The page is written and says so in red; scripts see it by the exit status.
  if (report.failed) {
    throw Error(report.failed->code(),
                report.failed->message() + (flags.out.empty() ? "" : "; " + flags.out + " was written and says so"),
                report.failed->at());
  }
  if (!quiet && !flags.json) fmt::print("wrote {}: open it in any browser\n", printable(flags.out));
  return 0;
}

}  // namespace

void define_report(Command& command) {
  auto flags = std::make_shared<ReportFlags>();
  command
      .add("files", &flags->files,
           "a section each: what `run --record`, `run --summary`, `compare -o`, "
           "`convert --summary` or `experiment -o` wrote, gzipped or not")
      .required();
  command.add("-o,--out", &flags->out, "the page: one file, no network needed to read it");
  command.add("--title", &flags->title, "title of the page; left out: that of the first section");
  command
      .add("--log", &flags->logs,
           "money, currency and names for records: what `convert --summary` wrote; "
           "one for all, or given again for each record in their order")
      .again();
  command.add("--data", &flags->data, "names for records of experts: the table that the run was on, with a header");
  command.add("--no-verify", &flags->no_verify, "show records as they are, in a third of the time; the page says so");
  command.add("--json", &flags->json, "print the data of the page as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.notes = "A record that does not verify is shown in red, with the reason, and the exit status is 3.";
  command.examples = {
      "hannan run experts -d losses.csv --record run.jsonl && hannan report run.jsonl -o report.html",
      "hannan compare vcg-reserves --param levels=50 -d bids.csv --log bids.json -o result.json",
      "hannan report result.json run.jsonl --log bids.json --title \"Reserve prices in May\" -o report.html",
      "hannan experiment plans/first.toml -o first && hannan report first -o report.html"};
  command.run = [flags] { return report_command(*flags); };
}

}  // namespace hannan::detail::cli
