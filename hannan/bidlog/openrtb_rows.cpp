// Logs as JSON lines with OpenRTB 2.x names. A line is
//   a bid response  {"id", "cur", "seatbid": [{"seat", "bid": [{"impid", "price", ...}]}]},
//   a bid request   {"id", "imp": [...]}, which opens its round,
//   or both in one  {"request" or "bidrequest": {...}, "response" or "bidresponse": {...} or a list of them}.
// The round is the response's id (the request's where the response gives none), the item is impid, the
// bidder is seat. "cur" is USD where it is left out, as the specification has it. Everything else is
// passed over, except the field of a bid that slots go by.
#include <string>

#include "hannan/bidlog/row.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {
namespace {

// A string, a number, or the first of a list of them, as text.
std::string text_of(const Json* value) {
  if (value && value->is_array() && value->size() > 0) value = &(*value)[0];
  if (!value) return {};
  if (value->is_string()) return value->as_string();
  return value->is_number() ? number_text(value->as_number()) : std::string();
}

class OpenRtbRows final : public LogRows {
 public:
  explicit OpenRtbRows(LogInput input)
      : tally_(input.tally),
        lines_(std::move(input.bytes), input.name),
        currency_(input.columns.currency),
        who_(input.columns.who),
        segment_(input.columns.segment) {}

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
    return true;
  }

 private:
  struct Held {
    std::string round, item, who, segment;
    std::optional<double> bid;
  };

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

  void take_line(const Json& json) {
    const Json* request = either(json, "request", "bidrequest");
    const Json* response = either(json, "response", "bidresponse");
    if (!request && !response) (json.find("seatbid") || json.find("nbr") ? response : request) = &json;
    const std::string id = request ? text_of(request->find("id")) : std::string();
    const bool bare_request = request && !response && !request->find("imp");
    if ((!request && !response) || bare_request || (response && !response->is_object() && !response->is_array())) {
      ++tally_.rows;
      return drop(Drop::kNotOpenRtb, "a line without \"imp\" and \"seatbid\"");
    }
    if (request && !id.empty()) held_.push_back({id, {}, {}, {}, {}});
    if (response && response->is_array()) {
      for (const Json& one : response->as_array()) take_response(one, id);
    } else if (response) {
      take_response(*response, id);
    }
  }

  void take_response(const Json& response, const std::string& request_id) {
    std::string id = text_of(response.find("id"));
    if (id.empty()) id = request_id;
    if (id.empty()) {
      ++tally_.rows;
      return drop(Drop::kNoRound, "a response without an \"id\"");
    }
    held_.push_back({id, {}, {}, {}, {}});
    std::string cur = text_of(response.find("cur"));
    if (cur.empty()) cur = "USD";
    if (currency_.empty()) currency_ = cur;
    tally_.currency = currency_;
    const Json* seats = response.find("seatbid");
    if (!seats || !seats->is_array()) return;
    for (const Json& seat : seats->as_array()) {
      const Json* bids = seat.find("bid");
      if (!bids || !bids->is_array()) continue;
      for (const Json& bid : bids->as_array()) {
        ++tally_.rows;
        if (cur != currency_) {
          drop(Drop::kCurrency, "a bid in " + cur + ", expected " + currency_);
          continue;
        }
        take_bid(id, seat, bid);
      }
    }
  }

  void take_bid(const std::string& id, const Json& seat, const Json& bid) {
    const auto field = [&](const std::string& name) {
      return text_of(name == "seat" ? seat.find("seat") : bid.find(name));
    };
    Held held{id, text_of(bid.find("impid")), field(who_), field(segment_), {}};
    if (held.who.empty() && !who_.empty()) return drop(Drop::kNoBidder, "a bid without \"" + who_ + "\"");
    if (held.segment.empty() && !segment_.empty()) return drop(Drop::kNoSegment, "a bid without \"" + segment_ + "\"");
    const Json* price = bid.find("price");
    if (!price || price->is_null()) return drop(Drop::kNoBid, "a bid without a \"price\"");
    if (!price->is_number()) return drop(Drop::kNotANumber, describe(*price) + ", expected a number");
    if (price->as_number() < 0) return drop(Drop::kNegative, describe(*price) + ", expected a price of at least 0");
    held.bid = price->as_number();
    ++tally_.used;
    held_.push_back(std::move(held));
  }

  void drop(Drop reason, const std::string& found) { tally_.drop(reason, lines_.where(), found); }

  static const Json* either(const Json& json, std::string_view one, std::string_view other) {
    const Json* found = json.find(one);
    return found ? found : json.find(other);
  }

  LogTally& tally_;
  LineReader lines_;
  std::string currency_;
  std::string who_, segment_;  // fields of a bid, or "seat", or nothing
  std::vector<Held> held_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<LogRows> openrtb_rows(LogInput input) { return std::make_unique<OpenRtbRows>(std::move(input)); }

}  // namespace hannan::detail
