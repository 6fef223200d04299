// Reasons for which rows are left out, with their words and counts (LogTally), and the first look at a log: how its
// amounts and times are written. A reason is counted always and refused where --strict says so; the first place of each
// is kept for the message.
#include "hannan/bidlog/row.hpp"

#include <algorithm>

#include "hannan/bidlog/sorted_rows.hpp"

namespace hannan::detail {

const DropFact& fact_of(Drop drop) {
  static constexpr std::array<DropFact, kDrops> kFacts{{
      {"columns", "with another number of columns than the header", Code::kColumnCount},
      {"no_round", "without a round", Code::kMalformed},
      {"no_bidder", "without a bidder", Code::kMalformed},
      {"no_bid", "without a bid", Code::kMalformed},
      {"not_a_number", "whose bid is not a number", Code::kNotANumber},
      {"not_finite", "whose bid is NaN, infinite or beyond 1e30", Code::kNotANumber},
      {"negative", "with a negative bid", Code::kLossRange},
      {"filtered", "left out by --where", Code::kUsage},
      {"again", "of rounds that came before, after other rounds", Code::kMalformed},
      {"not_json", "that are not JSON", Code::kNotJson},
      {"not_openrtb", "that are neither a bid request nor a bid response", Code::kMalformed},
      {"currency", "in another currency", Code::kMalformed},
      {"no_item", "without an item", Code::kMalformed},
      {"no_segment", "without a segment", Code::kMalformed},
      {"quantity", "whose quantity is not a number above 0", Code::kNotANumber},
  }};
  return kFacts[static_cast<std::size_t>(drop)];
}

void LogTally::drop(Drop reason, const std::string& at, const std::string& found) {
  const auto& fact = fact_of(reason);
  if (severity == Severity::kStrict && reason != Drop::kFiltered) {
    throw Error(fact.code, "found " + found + "; leave out --strict to drop and count such rows", at);
  }
  const auto i = static_cast<std::size_t>(reason);
  if (dropped[i]++ == 0) first_at[i] = at;
}

void LogTally::differs(const std::string& at, const std::string& found) {
  if (severity == Severity::kStrict) {
    throw Error(Code::kMalformed,
                "found " + found + "; leave out --strict to take the first context of an auction and count such rows",
                at);
  }
  ++context_differs;
}

Json LogTally::dropped_json() const {
  Json json = Json::object();
  for (std::size_t i = 0; i < kDrops; ++i) {
    if (dropped[i] == 0) continue;
    json.set(fact_of(static_cast<Drop>(i)).name, Json::object({{"rows", dropped[i]}, {"first_at", first_at[i]}}));
  }
  return json;
}

namespace {

std::unique_ptr<ByteSource> plain_text(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  auto plain = unzipped(std::move(bytes), name);
  const auto start = plain->peek(2);
  if (start == "\xFF\xFE" || start == "\xFE\xFF") {
    throw Error(Code::kMalformed, "found UTF-16, expected UTF-8; convert it first, e.g. with iconv -f UTF-16 -t UTF-8",
                name + ":1");
  }
  return plain;
}

}  // namespace

WrittenLog observe_log(LogInput input) {
  input.bytes = plain_text(std::move(input.bytes), input.name);
  const LogColumns& columns = input.columns;
  LogObserver::Setting setting{.decimal = columns.decimal, .currency = columns.currency, .times = columns.times};
  setting.hours = std::any_of(columns.by.begin(), columns.by.end(),
                              [](const ContextColumn& column) { return column.column.empty(); });
  for (const auto& [name, rate] : columns.rates) setting.most_rate = std::max(setting.most_rate, rate);
  LogObserver observer(std::move(setting));
  if (columns.format == LogFormat::kWide) {
    observe_wide(std::move(input), observer);
  } else if (columns.format == LogFormat::kOpenRtb) {
    observe_openrtb(std::move(input), observer);
  } else {
    observe_long(std::move(input), observer);
  }
  return observer.finish();
}

std::unique_ptr<LogRows> open_log(LogInput input) {
  input.bytes = plain_text(std::move(input.bytes), input.name);
  const bool sorts = !input.columns.sort.empty();
  const SortSetting setting{.name = input.name, .times = input.columns.times};
  const LogFormat format = input.columns.format;
  std::unique_ptr<LogRows> rows = format == LogFormat::kWide      ? wide_rows(std::move(input))
                                  : format == LogFormat::kOpenRtb ? openrtb_rows(std::move(input))
                                                                  : long_rows(std::move(input));
  return sorts ? sorted_rows(std::move(rows), setting) : std::move(rows);
}

}  // namespace hannan::detail
