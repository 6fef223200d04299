// `hannan convert`: a bid log as outcomes in a file, and a summary of what was read. Rows that cannot be used are
// dropped and counted; too much hidden or unreadable money stops it. The file is complete or not there.
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "command.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "log_data.hpp"
#include "log_flags.hpp"
#include "output_file.hpp"
#include "row_file.hpp"

namespace hannan::detail::cli {
namespace {

struct ConvertFlags {
  LogFlags log;
  LogRequest request{.path = {}, .problem = first_log_kind([](const LogUse&) { return true; })};
  std::vector<std::string> by;  // each as it was given
  std::string out = "-", summary;
  bool json = false, quiet = false;
};

[[noreturn]] void usage(const std::string& message, const std::string& at) { throw Error(Code::kUsage, message, at); }

// The columns of all orders. A table has each once; JSON lines have the whole context.
std::vector<std::string> written_columns(const std::vector<std::string>& by, const std::string& out) {
  ColumnOrders orders;
  for (const std::string& given : by) orders.push_back(split_columns(given));
  check_orders(orders, "--by");
  std::vector<std::string> columns;
  for (const std::string& column : all_columns(orders)) {
    if (looks_like_json_lines(out) || std::find(columns.begin(), columns.end(), column) == columns.end())
      columns.push_back(column);
  }
  return columns;
}

// Writes every outcome; how many there were.
std::uint64_t write_rows(LogData& data, const ConvertFlags& flags) {
  std::vector<double> row;
  bool more = data.next(row);  // what is wrong with the whole log is said before a file is opened
  RowFile file(flags.out, data.names(), flags.request.by);
  for (; more; more = data.next(row)) file.write(row, data.context());
  data.check_hidden();  // a file that is not closed is not left behind
  file.close();
  return file.rows();
}

std::uint64_t write_lines(LogData& data, const ConvertFlags& flags) {
  Json outcome;
  bool more = data.next(outcome);
  JsonLinesFile file(flags.out);
  for (; more; more = data.next(outcome)) file.write(outcome, data.context());
  data.check_hidden();
  file.close();
  return file.rows();
}

// The parameters that a run of the outcomes needs.
std::string params_text(const Json& params) {
  std::string text;
  for (const auto& [name, value] : params.as_object())
    text += " --param " + name + "=" + (value.is_string() ? value.as_string() : dump(value));
  return text;
}

int convert_command(const ConvertFlags& flags) {
  const std::string& log = flags.request.path;
  if (flags.json && flags.out == "-")
    usage("found --json without -o, expected a file for the table: standard output is the summary's", "-o");
  takes_standard_output({{"-o", flags.out}, {"--summary", flags.summary}, {"--json", flags.json ? "-" : ""}});
  for (const auto& [a, b] :
       {std::pair(&log, &flags.out), std::pair(&log, &flags.summary), std::pair(&flags.out, &flags.summary)}) {
    if (same_file(*a, *b)) usage("found the same file twice, expected another: it would be overwritten", *b);
  }
  LogData data(flags.log, flags.request);
  const std::uint64_t written = data.rows() ? write_rows(data, flags) : write_lines(data, flags);
  Json summary = data.summary();
  summary.set("table", flags.out);
  if (!flags.summary.empty()) write_whole_file(flags.summary, pretty(summary) + "\n");
  if (flags.json) {
    std::puts(dump(summary).c_str());
  } else if (!flags.quiet) {
    data.print();
    if (flags.out != "-") {
      std::fputs(fmt::format("wrote {} rounds to {}, for {}{}\n", written, printable(flags.out), flags.request.problem,
                             params_text(summary.at("params")))
                     .c_str(),
                 stderr);
    }
  }
  return 0;
}

}  // namespace

void define_convert(Command& command) {
  using enum LogShape;
  auto flags = std::make_shared<ConvertFlags>();
  command.add("log", &flags->request.path, "the log: CSV or OpenRTB JSON lines, plain or gzipped; - is standard input")
      .required();
  command
      .add("-o,--out", &flags->out,
           "the outcomes: .csv, .jsonl or .npy; .jsonl alone for " + log_kinds_of({kBuyers, kValuations}) +
               "; - is standard output")
      .show_default();
  command.add("--summary", &flags->summary,
              "write what was read, used and dropped to this JSON file; `hannan compare --log` reads it");
  command.add("--for", &flags->request.problem, "the problem that the outcomes are for")
      .one_of(log_problems())
      .show_default();
  command
      .add("--demand", &flags->request.demand,
           log_kinds_of({kBuyers}) +
               ": single (a buyer's bids add up to the value of its bundle) or unit (a value an item)")
      .one_of({"single", "unit"})
      .show_default();
  command.add("--units", &flags->request.units,
              log_kinds_of({kValuations}) + ": how many there are to split; " + log_kinds_in_money() +
                  ": how many are sold in an auction");
  command.add("--money", &flags->request.in_money,
              log_kinds_in_money() +
                  " with prices in money: bids as they are, with opening bids, as JSON lines; so it is without --cap "
                  "and --cap-quantile");
  command.add("--cap", &flags->request.cap, "the bid that becomes 1; higher ones are clipped and counted");
  command.add("--currency", &flags->request.currency,
              "of the figures, three letters; openrtb: drop bids in others; left out: that of the first response");
  command
      .add("--by", &flags->by,
           "columns of the context, coarse first, which are written first: country,site or price[10;20;50] (the "
           "interval of a number) or @hour, @weekday of --timestamp; openrtb: paths into the request, site.domain")
      .again();
  add_log_flags(command, flags->log);
  command.explained = command.flags.back().group;
  command.add("--json", &flags->json, "print the summary as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print no summary");
  command.examples = {"hannan convert log.csv --round auctionid --bidder name --bid amount --cap 50 -n 5 -o bids.csv",
                      "hannan convert bids.jsonl.gz --cap-quantile 0.99 -o bids.npy --summary bids.json",
                      "hannan convert wide.csv --format wide --cap 10 | hannan run vcg-reserves --param levels=20 -d -",
                      "hannan convert log.csv --for second-price-bidding --me acme --item slot -n 3 --cap 10 \\\n"
                      "    -o prices.csv",
                      "hannan convert log.csv --for item-pricing --item good --cap-quantile 1 -o buyers.jsonl",
                      "hannan convert log.csv --for multi-unit --quantity kg --lot 1000 --units 40 --cap 9000 \\\n"
                      "    -o values.jsonl",
                      "hannan convert log.csv --cap 10 --by country,site -o bids.csv"};
  command.run = [flags] {
    flags->request.by = written_columns(flags->by, flags->out);
    // A table needs a scale; JSON lines hold bids in money as they are.
    const bool table = flags->out.ends_with(".csv") || flags->out.ends_with(".npy");
    const bool takes_money = log_use(flags->request.problem).in_money != kNone;
    if (takes_money && !flags->request.cap && !flags->log.quantile && !table) flags->request.in_money = true;
    return convert_command(*flags);
  };
}

}  // namespace hannan::detail::cli
