// How the amounts of an OpenRTB log are written: prices of bids, and opening bids where they are asked for.
//
// Numbers of JSON say what they are. A line that has nothing else under these names, which a search of its text finds,
// is not parsed.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/bidlog/openrtb_text.hpp"
#include "hannan/bidlog/row.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {
namespace {

// Calls found(text behind the name) for every place where this name, with its quotes, stands; until it says false.
template <class Found>
bool each_value(std::string_view line, std::string_view quoted_name, const Found& found) {
  for (std::size_t at = line.find(quoted_name); at != std::string_view::npos; at = line.find(quoted_name, at + 1)) {
    std::string_view rest = line.substr(at + quoted_name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t:"), rest.size()));
    if (!found(rest)) return false;
  }
  return true;
}

// By its first letter: in valid JSON '-' and digits begin a number, 'n' is null. What is not valid is found where rows
// are read.
bool is_number_or_null(std::string_view rest) {
  return !rest.empty() && (rest[0] == '-' || rest[0] == 'n' || (rest[0] >= '0' && rest[0] <= '9'));
}

class PriceObserver {
 public:
  PriceObserver(const LogColumns& columns, LogObserver& observer)
      : columns_(columns), observer_(observer), price_(observer.add("price", AmountRole::kBid)) {
    if (columns.opening.empty()) return;
    opening_ = observer.add(columns.opening, AmountRole::kMoney);
    const std::size_t dot = columns.opening.rfind('.');
    opening_name_ = "\"" + columns.opening.substr(dot == std::string::npos ? 0 : dot + 1) + "\"";
  }

  // A line whose amounts are all numbers is not parsed.
  void see_text(std::string_view line, const std::string& where) {
    const bool plain =
        each_value(line, kPrice, is_number_or_null) && each_value(line, opening_name_, is_number_or_null);
    if (!plain) return see_line(parse_json(line), where);
    count_numbers(line, kPrice, price_);
    if (opening_) count_numbers(line, opening_name_, *opening_);
  }

 private:
  static constexpr std::string_view kPrice = "\"price\"";

  void count_numbers(std::string_view line, std::string_view name, std::size_t column) {
    each_value(line, name, [&](std::string_view rest) {
      double number = 0;
      rest = rest.substr(0, rest.find_first_of(",}] \t"));
      if (read_number(rest, number) == Reading::kFinite) observer_.see_number(column, number);
      return true;
    });
  }
  void see_line(const Json& json, const std::string& where) {
    const OpenRtbLine line = parts_of_line(json);
    if (line.request && line.request->is_object() && opening_) see_request(*line.request, where);
    if (!line.response) return;
    if (line.response->is_array()) {
      for (const Json& one : line.response->as_array()) see_response(one, where);
    } else {
      see_response(*line.response, where);
    }
  }
  void see_request(const Json& request, const std::string& where) {
    const Json* imps = request.find("imp");
    for (std::size_t i = 0; imps && imps->is_array() && i < imps->size(); ++i) {
      const Json& imp = (*imps)[i];
      const std::string cur = text_at(request, columns_.opening + "cur", &imp);
      observer_.see(*opening_, trimmed(text_at(request, columns_.opening, &imp)), cur.empty() ? kDefaultCurrency : cur,
                    [&] { return where; });
    }
  }
  void see_response(const Json& response, const std::string& where) {
    if (!response.is_object()) return;
    std::string cur = text_of(response.find("cur"));
    if (cur.empty()) cur = kDefaultCurrency;
    const Json* seats = response.find("seatbid");
    for (std::size_t i = 0; seats && seats->is_array() && i < seats->size(); ++i) {
      const Json* bids = (*seats)[i].is_object() ? (*seats)[i].find("bid") : nullptr;
      for (std::size_t k = 0; bids && bids->is_array() && k < bids->size(); ++k) {
        const Json* price = (*bids)[k].is_object() ? (*bids)[k].find("price") : nullptr;
        if (price && !price->is_null()) see_price(*price, cur, where);
      }
    }
  }
  void see_price(const Json& price, const std::string& cur, const std::string& where) {
    if (price.is_string()) {
      observer_.see(price_, trimmed(price.as_string()), cur, [&] { return where; });
    } else if (price.is_number()) {
      observer_.see_number(price_, price.as_number());
    } else {
      observer_.refuse(price_, dump(price), where);
    }
  }

  const LogColumns& columns_;
  LogObserver& observer_;
  std::size_t price_;
  std::optional<std::size_t> opening_;
  std::string opening_name_ = kPrice.data();  // the last name of its path, with quotes
};

}  // namespace

void observe_openrtb(LogInput input, LogObserver& observer) {
  PriceObserver prices(input.columns, observer);
  LineReader lines(std::move(input.bytes), input.name);
  std::string_view line;
  while (lines.next(line)) {
    try {
      prices.see_text(line, lines.where());
    } catch (const Error& e) {
      if (e.code() != Code::kNotJson) throw;  // a line that is not JSON is counted where rows are read
    }
  }
}

}  // namespace hannan::detail
