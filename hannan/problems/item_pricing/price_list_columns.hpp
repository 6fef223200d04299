// The perturbations of item-pricing with price lists and the data sets that make them (docs/theory.md, price lists).
#pragma once

#include <memory>
#include <vector>

#include "hannan/core/perturbation.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"

namespace hannan::detail {

std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> price_list_columns(
    const std::shared_ptr<const ItemPricing>& p);

}  // namespace hannan::detail
