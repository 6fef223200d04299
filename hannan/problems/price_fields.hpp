// Price lists in parameters and flags.
//
// A list is an array of numbers or fractions ([0, 0.5, "4/3"]), or a text: the prices with commas between them
// ("0,0.5,1"), "linear:K:TOP" or "geometric:K:LOW:TOP" (problems/price_list.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/problems/price_list.hpp"

namespace hannan::detail {

// A number as a flag has it: "0.5", "1e3" or a fraction.
double number_from_text(std::string_view text, std::string_view path);

PriceList price_list_from_text(std::string_view text, std::string_view path, Decimals decimals = {});
// "quantiles:K" gives K; they are taken of bids, which the caller has.
std::optional<std::size_t> quantiles_in_text(std::string_view text, std::string_view path);
// Likewise "quantiles-all:K", and 20 of "quantiles-all": they are taken of all bids, which is known only in hindsight.
std::optional<std::size_t> all_quantiles_in_text(std::string_view text, std::string_view path);

PriceList to_price_list(const Json& value, std::string_view path);

// The field `name`: a list for every one of `count` coordinates, or one for all of them. `count` absent: there must be
// a list for each.
struct PriceCount {
  std::optional<std::size_t> count;
  std::string_view parameter;  // what gives the count where the lists do not: "bidders"
};
std::vector<PriceList> price_lists(Fields& params, std::string_view name, const PriceCount& count);
// One list where all are equal, one for each otherwise: what price_lists reads.
Json price_lists_json(const std::vector<PriceList>& lists);

}  // namespace hannan::detail
