// Logs as JSON lines with OpenRTB 2.x names. A line is
//   a bid response  {"id", "cur", "seatbid": [{"seat", "bid": [{"impid", "price", ...}]}]},
//   a bid request   {"id", "imp": [...]}, which opens its round,
//   or both in one  {"request" or "bidrequest": {...}, "response" or "bidresponse": {...} or a list of them}.
// The round is the response's id (the request's where the response gives none), the item is impid, the
// bidder is seat. "cur" is USD where it is left out, as the specification has it. Everything else is
// passed over, except the field of a bid that slots go by.
//
// The columns of a context are dotted paths into the request ("site.domain"): through a list goes its first element,
// but through "imp" the impression that a bid is for. A response has the context of the request of its id that stands
// on its line or is the last before it; without one it does not say its context. The opening bid is found the same way
// ("imp.bidfloor"), its currency behind the same path with "cur" ("imp.bidfloorcur"), USD where it is left out.
//
// A price that is a string ("1.25", "$1.25") is read like a cell of CSV (written_log.hpp).
//
// With rates, bids and opening bids in other currencies are converted; without, such bids are dropped and such opening
// bids not used.
#include <string>

#include "hannan/bidlog/openrtb_text.hpp"
#include "hannan/bidlog/row.hpp"
#include "hannan/io/amount.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {
namespace {

class OpenRtbRows final : public LogRows {
 public:
  explicit OpenRtbRows(LogInput input)
      : tally_(input.tally),
        lines_(std::move(input.bytes), input.name),
        currency_(input.columns.currency),
        columns_(input.columns),
        rates_(input.columns.rates),
        who_(input.columns.who),
        segment_(input.columns.segment),
        context_(input.columns.by) {
    for (const ContextColumn& column : input.columns.by)
      paths_.push_back(column.column.empty() ? input.columns.time : column.column);
    contexts_ = paths_.size();
    if (input.columns.opening.empty()) return;
    paths_.push_back(input.columns.opening);
    paths_.push_back(input.columns.opening + "cur");
  }

  bool next(LogRow& row) override {
    while (at_ == held_.size()) {
      if (!read_line()) return false;
    }
    const Held& held = held_[at_++];
    row = {};
    row.round = held.round;
    row.item = held.item;
    row.who = held.who;
    row.segment = held.segment;
    row.bid = held.bid;
    if (held.context.empty()) return true;
    // A request alone says that of its first impression, which need not be the one that a bid is for.
    if (paths_.size() > contexts_ && held.bid)
      row.opening = money(held.context[contexts_], held.context[contexts_ + 1]);
    if (contexts_ == 0) return true;
    context_.read([&](std::size_t i) -> std::string_view { return held.context[i]; },
                  [&](std::size_t i) { return lines_.where() + ": " + paths_[i]; });
    if (!context_.all_read()) ++tally_.context_not_a_number;
    row.context = &context_;
    return true;
  }

 private:
  struct Held {
    std::string round, item, who, segment;
    std::optional<double> bid;
    std::vector<std::string> context;  // at paths_; empty: it is not known, or none is asked for
  };

  // An amount that is a string, as the others of its name are written. Numbers of JSON have a decimal point.
  Reading read(const std::string& text, const std::string& name, double& number) {
    const DecimalMark decimal = columns_.decimal   ? *columns_.decimal
                                : columns_.written ? columns_.written->decimal_of(name)
                                                   : DecimalMark::kPoint;
    const Reading reading = read_amount(text, decimal, number);
    if (!columns_.written || !columns_.written->once) return reading;
    double plain = 0;
    if (reading == Reading::kFinite && (columns_.decimal || read_number(text, plain) == Reading::kFinite))
      return reading;
    ++tally_.unreadable;
    if (columns_.unreadable == LogColumns::Unreadable::kAccept || tally_.severity == Severity::kStrict ||
        !is_amount(text))
      return Reading::kNone;
    throw Error(Code::kUnreadable,
                "found " + dump(Json(text.substr(0, 60))) + " in \"" + name +
                    "\" of a log that is read once, expected a number: how amounts are written is found from all of "
                    "them; save the log to a file first, or say --decimal point or --decimal comma",
                lines_.where());
  }

  std::optional<double> money(const std::string& text, const std::string& cur) {
    double number = 0;
    if (text.empty()) return std::nullopt;
    const auto rate = rate_of(cur.empty() ? kDefaultCurrency : cur);
    if (rate && read(text, columns_.opening, number) == Reading::kFinite && number >= 0 &&
        number * *rate <= limits::kMostMoney)
      return number * *rate;
    ++tally_.baseline_not_a_number;
    return std::nullopt;
  }

  // What one of a currency is worth; nothing where it is another and there are no rates.
  std::optional<double> rate_of(const std::string& cur) const {
    if (rates_.empty()) return cur == currency_ ? std::optional(1.0) : std::nullopt;
    const auto rate = rates_.find(cur);
    if (rate == rates_.end())
      throw Error(Code::kUnknownName, "found " + dump(Json(cur)) + ", expected a currency that --rates has",
                  lines_.where());
    return rate->second;
  }

  // The contexts of a request: as a whole, and of each impression.
  void take_request(const Json& request, const std::string& id) {
    if (paths_.empty()) return;
    request_id_ = id;
    impressions_.clear();
    const auto context = [&](const Json* imp) {
      std::vector<std::string> cells;
      for (const std::string& path : paths_) cells.push_back(text_at(request, path, imp));
      return cells;
    };
    request_context_ = context(nullptr);
    const Json* imps = request.find("imp");
    for (std::size_t i = 0; imps && imps->is_array() && i < imps->size(); ++i) {
      const Json& imp = (*imps)[i];
      if (imp.is_object()) impressions_.emplace_back(text_of(imp.find("id")), context(&imp));
    }
  }
  std::vector<std::string> context_of(const std::string& id, const std::string& item) const {
    if (paths_.empty() || id.empty() || id != request_id_) return {};
    for (const auto& [name, cells] : impressions_) {
      if (!item.empty() && name == item) return cells;
    }
    return request_context_;
  }

  // One line becomes any number of held_ rows, also none (a line that is blank or cannot be used), so next() asks
  // again.
  bool read_line() {
    held_.clear();
    at_ = 0;
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
      tally_.cut_short = !lines_.ended_with_newline();
      if (lines_.number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    } while (line.find_first_not_of(" \t") == std::string_view::npos);
    Json json;
    try {
      json = parse_json(line);
    } catch (const Error& e) {
      ++tally_.rows;
      tally_.drop(Drop::kNotJson, lines_.where() + ": " + e.at(), e.message());
      return true;
    }
    take_line(json);
    return true;
  }

  // A request opens its round even if no bid answers it: an auction without bids is one of the log.
  void take_line(const Json& json) {
    const auto [request, response] = parts_of_line(json);
    const std::string id = request ? text_of(request->find("id")) : std::string();
    const bool bare_request = request && !response && !request->find("imp");
    if ((!request && !response) || bare_request || (response && !response->is_object() && !response->is_array())) {
      ++tally_.rows;
      return drop(Drop::kNotOpenRtb, "a line without \"imp\" and \"seatbid\"");
    }
    if (request && !id.empty()) {
      take_request(*request, id);
      held_.push_back({id, {}, {}, {}, {}, context_of(id, {})});
    }
    if (response && response->is_array()) {
      for (const Json& one : response->as_array()) take_response(one, id);
    } else if (response) {
      take_response(*response, id);
    }
  }

  // The first currency met is that of the log where none is stated; bids in another are dropped, or converted by
  // --rates.
  void take_response(const Json& response, const std::string& request_id) {
    std::string id = text_of(response.find("id"));
    if (id.empty()) id = request_id;
    if (id.empty()) {
      ++tally_.rows;
      return drop(Drop::kNoRound, "a response without an \"id\"");
    }
    held_.push_back({id, {}, {}, {}, {}, context_of(id, {})});
    std::string cur = text_of(response.find("cur"));
    if (cur.empty()) cur = kDefaultCurrency;
    if (currency_.empty()) currency_ = cur;
    tally_.currency = currency_;
    const Json* seats = response.find("seatbid");
    if (!seats || !seats->is_array()) return;
    for (const Json& seat : seats->as_array()) {
      const Json* bids = seat.find("bid");
      if (!bids || !bids->is_array()) continue;
      for (const Json& bid : bids->as_array()) {
        ++tally_.rows;
        const auto rate = rate_of(cur);
        if (!rate) {
          drop(Drop::kCurrency, "a bid in " + cur + ", expected " + currency_);
          continue;
        }
        take_bid(id, seat, bid, *rate);
      }
    }
  }

  // The order of checks decides which reason a bid with two faults is counted under: names, a missing price, a price
  // that is none, a price out of range.
  void take_bid(const std::string& id, const Json& seat, const Json& bid, double rate) {
    const auto field = [&](const std::string& name) {
      return text_of(name == "seat" ? seat.find("seat") : bid.find(name));
    };
    Held held{id, text_of(bid.find("impid")), field(who_), field(segment_), {}, {}};
    held.context = context_of(id, held.item);
    if (held.who.empty() && !who_.empty()) return drop(Drop::kNoBidder, "a bid without \"" + who_ + "\"");
    if (held.segment.empty() && !segment_.empty()) return drop(Drop::kNoSegment, "a bid without \"" + segment_ + "\"");
    const Json* price = bid.find("price");
    if (!price || price->is_null()) return drop(Drop::kNoBid, "a bid without a \"price\"");
    double amount = 0;
    if (price->is_string()) {
      const std::string text(trimmed(price->as_string()));
      if (is_missing(text)) return drop(Drop::kNoBid, "a bid without a \"price\"");
      const Reading reading = read(text, "price", amount);
      if (reading == Reading::kUnbounded)
        return drop(Drop::kNotFinite, describe(*price) + ", expected a finite number");
      if (reading == Reading::kNone) return drop(Drop::kNotANumber, describe(*price) + ", expected a number");
    } else if (price->is_number()) {
      amount = price->as_number();
    } else {
      return drop(Drop::kNotANumber, describe(*price) + ", expected a number");
    }
    if (amount < 0) return drop(Drop::kNegative, describe(*price) + ", expected a price of at least 0");
    held.bid = amount * rate;
    if (*held.bid > limits::kMostMoney)
      return drop(Drop::kNotFinite, describe(*price) + ", expected money of at most 1e30");
    ++tally_.used;
    held_.push_back(std::move(held));
  }

  void drop(Drop reason, const std::string& found) { tally_.drop(reason, lines_.where(), found); }

  LogTally& tally_;
  LineReader lines_;
  std::string currency_;
  const LogColumns& columns_;
  const std::map<std::string, double, std::less<>>& rates_;
  std::string who_, segment_;  // fields of a bid, or "seat", or nothing
  ContextCells context_;
  std::vector<std::string> paths_;  // of its columns; behind them of the opening bid and its currency, where asked for
  std::size_t contexts_ = 0;        // how many are columns
  std::string request_id_;          // of the last request, whose contexts these are
  std::vector<std::string> request_context_;
  std::vector<std::pair<std::string, std::vector<std::string>>> impressions_;
  std::vector<Held> held_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<LogRows> openrtb_rows(LogInput input) { return std::make_unique<OpenRtbRows>(std::move(input)); }

}  // namespace hannan::detail
