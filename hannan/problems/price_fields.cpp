// Price lists from parameters and flags: numbers, or a name with its arguments behind colons. Errors of the list itself
// get the path of the parameter.
#include "hannan/problems/price_fields.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {

namespace {

std::vector<std::string_view> split_at(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// How many prices a name asks for, without the 0 that stands in front of every list.
std::size_t count_from_text(std::string_view text, std::string_view path) {
  return static_cast<std::size_t>(
      to_integer(Json(std::string(text)), path, {1, static_cast<std::int64_t>(PriceList::kMostPrices) - 1}));
}

// Prices that the constructor refuses are refused at this path.
template <class Make>
PriceList made_at(std::string_view path, const Make& make) {
  try {
    return make();
  } catch (const Error& e) {
    throw Error(e.code(), e.at().empty() ? e.message() : e.at() + ": " + e.message(), std::string(path));
  }
}

}  // namespace

// from_chars first, which reads decimals on every machine alike; what it leaves, such as "1/3", is read as a number in
// a JSON string is.
double number_from_text(std::string_view text, std::string_view path) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (!text.empty() && stop == end && status == std::errc()) return to_number(Json(number), path);
  return to_number(Json(std::string(text)), path);
}

// None says that the text is not of this form, and the caller goes on to price_list_from_text. Quantiles are made where
// the bids are known.
std::optional<std::size_t> quantiles_in_text(std::string_view text, std::string_view path) {
  const auto parts = split_at(text, ':');
  if (parts.front() != "quantiles" || parts.size() != 2) return std::nullopt;
  return count_from_text(parts[1], path);
}

std::optional<std::size_t> all_quantiles_in_text(std::string_view text, std::string_view path) {
  // Chosen: the number of prices where the text gives none.
  constexpr std::size_t kCount = 20;
  const auto parts = split_at(text, ':');
  if (parts.front() != "quantiles-all" || parts.size() > 2) return std::nullopt;
  return parts.size() == 2 ? count_from_text(parts[1], path) : kCount;
}

// A name has its arguments behind colons; anything that begins with a digit or a dot is a list of numbers between
// commas.
PriceList price_list_from_text(std::string_view text, std::string_view path, Decimals decimals) {
  const auto parts = split_at(text, ':');
  const auto number = [&](std::size_t k) { return number_from_text(parts[k], path); };
  if (parts.front() == "linear" && parts.size() == 3) {
    const std::size_t count = count_from_text(parts[1], path);
    return made_at(path, [&] { return linear_prices(count, number(2), decimals); });
  }
  if (parts.front() == "geometric" && parts.size() == 4) {
    const std::size_t count = count_from_text(parts[1], path);
    const double low = number(2), top = number(3);
    return made_at(path, [&] { return geometric_prices(count, {low, top}, decimals); });
  }
  if (parts.front() == "quantiles" || parts.front() == "quantiles-all") {
    throw Error(Code::kUnavailable,
                "\"" + std::string(parts.front()) +
                    "\" takes prices from the bids of a log, and there is no log here; give the prices, linear:K:TOP "
                    "or geometric:K:LOW:TOP",
                std::string(path));
  }
  const bool named = !parts.front().empty() && parts.front().find_first_of("0123456789.") != 0;
  if (named || parts.size() > 1) {
    throw Error(Code::kUnknownName,
                "found \"" + std::string(text) +
                    "\", expected prices like 0,0.5,1,2 or one of linear:K:TOP, geometric:K:LOW:TOP",
                std::string(path));
  }
  std::vector<double> prices;
  for (const auto part : split_at(text, ',')) prices.push_back(number_from_text(part, path));
  return made_at(path, [&] { return PriceList(std::move(prices)); });
}

// A parameter in JSON: a text as on the command line, or a list of numbers.
PriceList to_price_list(const Json& value, std::string_view path) {
  if (value.is_string()) return price_list_from_text(value.as_string(), path);
  return PriceList(to_numbers(value, path), std::string(path));
}

// One list for all needs to be told for how many; several lists say it themselves, and must agree with the count if it
// is given too.
std::vector<PriceList> price_lists(Fields& params, std::string_view name, const PriceCount& wanted) {
  const Json& value = params.need(name);
  const std::string path = params.at(name);
  const bool nested = value.is_array() && std::any_of(value.as_array().begin(), value.as_array().end(),
                                                      [](const Json& entry) { return entry.is_array(); });
  if (!nested) {
    const PriceList one = to_price_list(value, path);
    if (!wanted.count) {
      throw Error(Code::kMissingField,
                  "found one list of prices, expected " + std::string(wanted.parameter) +
                      " as well, or a list for each of them",
                  params.at(wanted.parameter));
    }
    return std::vector<PriceList>(*wanted.count, one);
  }
  std::vector<PriceList> lists;
  const auto& entries = value.as_array();
  for (std::size_t i = 0; i < entries.size(); ++i) lists.push_back(to_price_list(entries[i], path_of(path, i)));
  if (wanted.count && lists.size() != *wanted.count) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(lists.size()) + " lists of prices, expected " +
                    std::string(wanted.parameter) + " of them, " + std::to_string(*wanted.count),
                path);
  }
  return lists;
}

// The shorter form where all lists are equal. price_lists() reads both.
Json price_lists_json(const std::vector<PriceList>& lists) {
  const bool equal = std::all_of(lists.begin(), lists.end(), [&](const PriceList& l) { return l == lists.front(); });
  if (equal && !lists.empty()) return Json::array(lists.front().prices());
  Json::Array all;
  for (const auto& list : lists) all.push_back(Json::array(list.prices()));
  return Json(std::move(all));
}

}  // namespace hannan::detail
