// Sorts a few things so that equal ones keep their order: insertion, n^2 steps. std::stable_sort of the standard
// library here uses what later versions of the language have struck out, and clang refuses it.
#pragma once

#include <algorithm>
#include <vector>

namespace hannan::detail {

template <class T, class Before>
void order_few(std::vector<T>& things, const Before& before) {
  for (auto next = things.begin(); next != things.end(); ++next)
    std::rotate(std::upper_bound(things.begin(), next, *next, before), next, next + 1);
}

}  // namespace hannan::detail
