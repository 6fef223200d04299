#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/report/open_section.hpp"
#include "hannan/report/page.hpp"
#include "hannan/runtime/version.hpp"
#include "outputs.hpp"

namespace hannan::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::vector<std::string> logs;  // one for all records, or one for each
  std::string out, title;
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

int report_command(const ReportFlags& flags) {
  if (flags.out.empty() && !flags.json)
    throw Error(Code::kUsage, "found neither -o nor --json, expected a name for the page, such as -o report.html",
                "-o");
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
  if (!flags.out.empty()) need_page_parts();
  std::vector<LogNames> logs;
  for (const auto& log : flags.logs) logs.push_back(read_log(log));
  if (logs.empty()) logs.emplace_back();
  std::size_t records = 0;
  Json sections = Json::array();
  std::optional<Error> failed;
  std::string title = flags.title;
  for (const auto& file : flags.files) {
    // Whether a file is a record shows when it is open; its log would be the next one.
    Section section = open_section({.path = file,
                                    .checking = flags.no_verify ? Checking::kSkip : Checking::kVerify,
                                    .log = logs[std::min(records, logs.size() - 1)]});
    if (section.of_record) ++records;
    if (section.failed && !failed) failed = section.failed;
    if (title.empty()) title = section.json.at("title").as_string();
    sections.push_back(std::move(section.json));
  }
  if (logs.size() > 1 && logs.size() != records) {
    throw Error(Code::kUsage,
                fmt::format("found {} logs and {} records, expected one log, or one for each record in their order",
                            logs.size(), records),
                "--log");
  }
  const Json data = Json::object({{"report", 1},
                                  {"program", std::string("hannan ") + kVersion},
                                  {"title", title},
                                  {"sections", std::move(sections)}});
  if (flags.json) std::puts(dump(data).c_str());
  if (!flags.out.empty()) write_whole_file(flags.out, page_of(data, title));
  // The page is there and says so in red; scripts are told by the exit status.
  if (failed) {
    throw Error(failed->code(),
                failed->message() + (flags.out.empty() ? "" : "; " + flags.out + " was written and says so"),
                failed->at());
  }
  if (!flags.quiet && !flags.json) fmt::print("wrote {}: open it in any browser\n", flags.out);
  return 0;
}

}  // namespace

void add_report(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("report", "write one HTML page about runs, comparisons and experiments");
  auto flags = std::make_shared<ReportFlags>();
  command
      ->add_option("files", flags->files,
                   "a section each: what `run --record`, `run --summary`, `compare -o`,\n"
                   "`convert --summary` or `experiment -o` wrote, gzipped or not")
      ->required();
  command->add_option("-o,--out", flags->out, "the page: one file, no network needed to read it");
  command->add_option("--title", flags->title, "title of the page; left out: that of the first section");
  command
      ->add_option("--log", flags->logs,
                   "money, currency and names for records: what `convert --summary` wrote;\n"
                   "one for all, or given again for each record in their order")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  command->add_flag("--no-verify", flags->no_verify,
                    "show records as they are, in a third of the time; the page says so");
  command->add_flag("--json", flags->json, "print the data of the page as JSON and nothing else");
  command->add_flag("-q,--quiet", flags->quiet, "print nothing");
  command->footer(
      "A record that does not verify is shown in red, with the reason, and the exit status is 3.\n"
      "Examples:\n"
      "  hannan run experts -d losses.csv --record run.jsonl && hannan report run.jsonl -o report.html\n"
      "  hannan compare vcg-reserves --param levels=50 -d bids.csv --log bids.json -o result.json\n"
      "  hannan report result.json run.jsonl --log bids.json --title \"Reserve prices in May\" -o report.html\n"
      "  hannan experiment plans/first.toml -o first && hannan report first -o report.html");
  command->callback([run, flags] { run([flags] { return report_command(*flags); }); });
}

}  // namespace hannan::cli
