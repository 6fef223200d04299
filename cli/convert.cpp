#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/engine/source.hpp"
#include "hannan/io/log_table.hpp"
#include "outputs.hpp"
#include "row_file.hpp"

namespace hannan::cli {
namespace {

struct ConvertFlags {
  std::string log, out = "-", summary;
  std::string format, header = "names", separator;
  std::string round, bidder, bid = "bid", segment, item, timestamp, currency;
  std::vector<std::string> columns, where, names;
  std::string slots = "identity", rest = "pool", again = "refuse";
  std::size_t count = 4, rest_slots = 1, drop_top = 0, least = 1;
  std::optional<double> cap, quantile;
  bool strict = false, json = false, quiet = false;
};

[[noreturn]] void usage(const std::string& message, const std::string& at) { throw Error(Code::kUsage, message, at); }

char separator_of(const std::string& text) {
  static const std::pair<std::string_view, char> kNames[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}, {"pipe", '|'}};
  for (const auto& [name, c] : kNames) {
    if (text == name) return c;
  }
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  if (!text.empty()) usage("found \"" + text + "\", expected comma, semicolon, tab, space, pipe or one character", "--separator");
  return 0;
}

LogFormat format_of(const ConvertFlags& flags) {
  if (flags.format == "openrtb") return LogFormat::kOpenRtb;
  if (flags.format == "wide") return LogFormat::kWide;
  if (flags.format.empty() && looks_like_json_lines(flags.log)) return LogFormat::kOpenRtb;
  return LogFormat::kLong;
}

LogColumns columns_of(const ConvertFlags& flags) {
  LogColumns columns{.format = format_of(flags), .separator = separator_of(flags.separator), .round = flags.round, .who = flags.bidder,
                     .bid = flags.bid, .item = flags.item, .time = flags.timestamp, .columns = flags.columns, .currency = flags.currency};
  const bool wide = columns.format == LogFormat::kWide, openrtb = columns.format == LogFormat::kOpenRtb;
  const auto only = [&](bool given, bool fits, const char* flag, const char* where) {
    if (given && !fits) usage(std::string("found ") + flag + ", expected it with --format " + where + " alone", flag);
  };
  only(!flags.columns.empty(), wide, "--columns", "wide");
  only(!flags.item.empty() || !flags.timestamp.empty(), !wide && !openrtb, flags.item.empty() ? "--timestamp" : "--item", "long");
  only(!flags.where.empty(), !openrtb, "--where", "long or wide");
  if (flags.header == "none") columns.header = LogColumns::Header::kNone;
  if (columns.round.empty() && columns.format == LogFormat::kLong) columns.round = "round";
  if (flags.slots == "segment") {
    if (flags.segment.empty()) usage("found --slots segment, expected --segment COLUMN with it", "--segment");
    columns.who = flags.segment;
  } else if (columns.who.empty()) {
    columns.who = openrtb ? "seat" : "bidder";
  } else if (columns.who == "none") {
    if (flags.slots == "identity") usage("found --bidder none, expected --slots order or rank with it: slots by identity need names", "--bidder");
    columns.who.clear();
  }
  for (const auto& rule : flags.where) {
    const auto equals = rule.find('=');
    if (equals == std::string::npos || equals == 0) usage("found \"" + rule + "\", expected column=value", "--where");
    columns.where.emplace_back(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return columns;
}

LogPlan plan_of(const ConvertFlags& flags) {
  if (!flags.cap && !flags.quantile) {
    throw Error(Code::kMissingField, "found no scale, expected --cap MONEY (that bid becomes 1) or --cap-quantile Q", "--cap");
  }
  if (flags.cap && flags.quantile) usage("found --cap and --cap-quantile, expected one of them", "--cap");
  if (flags.cap && !(*flags.cap > 0)) throw Error(Code::kOutOfRange, "found " + number_text(*flags.cap) + ", expected more than 0", "--cap");
  if (flags.quantile && !(*flags.quantile > 0 && *flags.quantile <= 1)) {
    throw Error(Code::kOutOfRange, "found " + number_text(*flags.quantile) + ", expected a number in (0,1]", "--cap-quantile");
  }
  if (flags.rest_slots == 0) throw Error(Code::kOutOfRange, "found 0, expected at least one slot; --rest drop leaves the rest out", "--rest-slots");
  if (flags.count == 0) throw Error(Code::kOutOfRange, "found 0, expected at least one slot", "-n");
  LogPlan plan{.columns = columns_of(flags), .count = flags.count, .names = flags.names, .rest_slots = flags.rest_slots, .drop_top = flags.drop_top, .least = flags.least, .cap = flags.cap};
  if (flags.strict) plan.severity = Severity::kStrict;
  plan.again = flags.again == "drop" ? Again::kDrop : flags.again == "new" ? Again::kNew : Again::kRefuse;
  plan.slots = flags.slots == "order" ? Slots::kOrder : flags.slots == "rank" ? Slots::kRank : Slots::kIdentity;
  plan.rest = flags.rest == "drop" ? Rest::kDrop : Rest::kPool;
  plan.quantile = flags.quantile.value_or(1);
  if (!plan.names.empty() && plan.slots != Slots::kIdentity) usage("found --names, expected --slots identity or segment with it", "--names");
  const bool twice = !flags.cap || (plan.slots == Slots::kIdentity && plan.names.empty());
  if (flags.log == "-" && twice) {
    usage("found standard input, which is read once, expected --cap MONEY and --names A,B,... or --slots order or rank; or a file", "LOG");
  }
  return plan;
}

// What happened, for people, on standard error: standard output may be the table.
void tell(const LogTable& table, const Json& summary, const ConvertFlags& flags) {
  const LogTally& tally = table.tally();
  const auto count = [&](const char* group, const char* name) { return static_cast<std::uint64_t>(summary.at(group).at(name).as_number()); };
  const auto line = [](const std::string& text) { std::fputs((text + "\n").c_str(), stderr); };
  line(fmt::format("{}: {} rows read, {} used", flags.log, tally.rows, tally.used));
  for (std::size_t i = 0; i < kDrops; ++i) {
    if (tally.dropped[i] > 0) line(fmt::format("  dropped {} {}, the first at {}", tally.dropped[i], fact_of(static_cast<Drop>(i)).about, tally.first_at[i]));
  }
  if (tally.superseded > 0) line(fmt::format("  {} bids below the same bidder's highest in the round", tally.superseded));
  if (tally.not_utf8 > 0) line(fmt::format("  {} rows with names that are not UTF-8, used as they are", tally.not_utf8));
  if (tally.backwards > 0) line(fmt::format("  {} rows with a timestamp before that of the row before them", tally.backwards));
  if (tally.cut_short) line("  the last line has no line end: was the file cut short?");
  line(fmt::format("{} auctions read, {} used, {} without a bid, {} with too few bidders", count("auctions", "read"), count("auctions", "used"),
                   count("auctions", "empty"), count("auctions", "few_bidders")));
  line(fmt::format("scale: {} becomes 1{}; {} of {} bids clipped, the largest is {}", number_text(table.cap()),
                   flags.cap ? "" : fmt::format(" (quantile {})", number_text(*flags.quantile)), count("bids", "clipped"), count("bids", "in_slots"),
                   number_text(summary.at("largest_bid").as_number())));
  if (count("bids", "tops_dropped") > 0) line(fmt::format("{} highest bidders left out by --drop-top", count("bids", "tops_dropped")));
  std::string slots;
  for (const Json& slot : summary.at("slots").as_array()) {
    slots += fmt::format("{}{} ({})", slots.empty() ? "" : ", ", slot.at("name").as_string(), number_text(slot.at("auctions").as_number()));
  }
  line(fmt::format("slots, and the auctions in which they bid: {}", slots));
  if (count("bids", "pooled") > 0) line(fmt::format("  {} bids pooled into {} for the rest, by maximum", count("bids", "pooled"), flags.rest_slots == 1 ? "the slot" : "the slots"));
  if (count("bids", "left_out") > 0) line(fmt::format("  {} bids of others left out", count("bids", "left_out")));
  if (count("bids", "seconds_hidden") > 0) {
    line(fmt::format("  in {} auctions the second highest bid is lost that way, and with it the price; --rest-slots 2 keeps it", count("bids", "seconds_hidden")));
  }
}

int convert_command(const ConvertFlags& flags) {
  if (flags.json && flags.out == "-") usage("found --json without -o, expected a file for the table: standard output is the summary's", "-o");
  for (const auto& [a, b] : {std::pair(&flags.log, &flags.out), std::pair(&flags.log, &flags.summary), std::pair(&flags.out, &flags.summary)}) {
    if (same_file(*a, *b)) usage("found the same file twice, expected another: it would be overwritten", *b);
  }
  LogPlan plan = plan_of(flags);
  LogTable table([&flags] { return flags.log == "-" ? bytes_of_stream(stdin, "stdin") : bytes_of_file(flags.log); },
                 flags.log == "-" ? "stdin" : flags.log, std::move(plan));
  std::vector<double> row;
  bool more = table.next(row);  // what is wrong with the whole log is said before a file is opened
  RowFile file(flags.out, table.names());
  for (; more; more = table.next(row)) file.write(row);
  file.close();
  Json summary = table.summary();
  summary.set("table", flags.out);
  if (!flags.summary.empty()) write_whole_file(flags.summary, pretty(summary) + "\n");
  if (flags.json) {
    std::puts(dump(summary).c_str());
  } else if (!flags.quiet) {
    tell(table, summary, flags);
    if (flags.out != "-") std::fputs(fmt::format("wrote {} rows of {} bids to {}\n", file.rows(), table.columns(), flags.out).c_str(), stderr);
  }
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("convert", "turn a bid log into a table of bids in [0,1], one auction a row");
  auto flags = std::make_shared<ConvertFlags>();
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* about) {
    command->add_option(name, to, about)->delimiter(',')->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  };
  command->add_option("log", flags->log, "the log: CSV or OpenRTB JSON lines, plain or gzipped; - is standard input")->required();
  command->add_option("-o,--out", flags->out, "the table: .csv, .jsonl or .npy; - is standard output")->capture_default_str();
  command->add_option("--summary", flags->summary, "write what was read, used and dropped to this JSON file; `hannan compare --log` reads it");
  command->add_option("--format", flags->format, "long (one bid a row), wide (one auction a row) or openrtb; left out: openrtb for .jsonl, else long")
      ->check(CLI::IsMember({"long", "wide", "openrtb"}));
  command->add_option("--header", flags->header, "names, or none: then columns are called 1, 2, ...")->check(CLI::IsMember({"names", "none"}))->capture_default_str();
  command->add_option("--separator", flags->separator, "comma, semicolon, tab, space, pipe or a character; left out: taken from the first line");
  command->add_option("--round", flags->round, "column of the round; long: round, wide: none");
  command->add_option("--bidder", flags->bidder, "column of the bidder, none if there is none; long: bidder, openrtb: seat");
  command->add_option("--bid", flags->bid, "column of the bid")->capture_default_str();
  command->add_option("--segment", flags->segment, "column for --slots segment; openrtb: a field of the bid, e.g. dealid");
  command->add_option("--item", flags->item, "column of what is sold: each item of a round is an auction of its own");
  command->add_option("--timestamp", flags->timestamp, "column of the time; rows that go back in time within a round are counted");
  list("--columns", flags->columns, "wide: the bidders' columns, A,B,...; left out: all but the round's");
  command->add_option("--where", flags->where, "column=value: use only these rows; may be given again")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  command->add_option("--currency", flags->currency, "openrtb: drop bids in others; left out: that of the first response");
  command->add_option("--slots", flags->slots, "columns of the table: identity (the most frequent bidders), segment, order (of first bids) or rank (of bids)")
      ->check(CLI::IsMember({"identity", "segment", "order", "rank"}))->capture_default_str();
  command->add_option("-n,--count", flags->count, "number of slots, the rest not counted")->check(whole_number)->capture_default_str();
  list("--names", flags->names, "identity or segment: exactly these slots, A,B,...");
  command->add_option("--rest", flags->rest, "others than the n: pool (one more slot, their highest bid) or drop")->check(CLI::IsMember({"pool", "drop"}))->capture_default_str();
  command->add_option("--rest-slots", flags->rest_slots, "slots for the pooled rest: its highest bids; 2 keep the price of a second-price auction")
      ->check(whole_number)->capture_default_str();
  command->add_option("--drop-top", flags->drop_top, "leave out so many highest bidders of each auction, where the log hides what they would have paid")
      ->check(whole_number)->capture_default_str();
  command->add_option("--least", flags->least, "drop auctions with fewer bidders")->check(whole_number)->capture_default_str();
  command->add_option("--again", flags->again, "a round that comes again after others: refuse, drop or new (another round)")
      ->check(CLI::IsMember({"refuse", "drop", "new"}))->capture_default_str();
  command->add_option("--cap", flags->cap, "the bid that becomes 1; higher ones are clipped and counted");
  command->add_option("--cap-quantile", flags->quantile, "the same as a quantile of the bids, e.g. 0.99; 1 is the highest");
  command->add_flag("--strict", flags->strict, "the first row that cannot be used is an error");
  command->add_flag("--json", flags->json, "print the summary as JSON and nothing else");
  command->add_flag("-q,--quiet", flags->quiet, "print no summary");
  command->footer("Examples:\n"
                  "  hannan convert log.csv --round auctionid --bidder name --bid amount --cap 50 -n 5 -o bids.csv\n"
                  "  hannan convert bids.jsonl.gz --cap-quantile 0.99 -o bids.npy --summary bids.json\n"
                  "  hannan convert wide.csv --format wide --cap 10 | hannan run vcg-reserves --param levels=20 -d -");
  command->callback([run, flags] { run([flags] { return convert_command(*flags); }); });
}

}  // namespace hannan::cli
