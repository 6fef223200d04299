// The known name that a mistyped one was probably meant to be, for error messages. First by distance: at most a third
// of the letters may differ. Then by containment: "vcg" means "vcg-reserves". Upper and lower case and _ and - are the
// same. Cost: O(names * length^2), paid only when something is refused.
#include "hannan/core/near_name.hpp"

#include <algorithm>
#include <cstddef>

#include "hannan/core/small_letters.hpp"

namespace hannan::detail {
namespace {

// Longer text is no mistyped name, and the distance costs the product of the lengths.
constexpr std::size_t kLongest = 64;

std::string plain_letters(std::string_view text) {
  std::string plain = small_letters(text);
  std::replace(plain.begin(), plain.end(), '_', '-');
  return plain;
}

// Letters added, left out, changed, or swapped with their neighbour: the optimal string alignment distance.
// last[j] is the distance of the first i - 1 letters of a from the first j of b, row[j] that of the first i,
// before_last[j] that of the first i - 2. O(|a| |b|) time, three rows of memory.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string near_name(std::string_view found, std::span<const std::string> known) {
  if (found.size() < 2 || found.size() > kLongest) return {};
  const std::string typed = plain_letters(found);
  // A slip in three letters, chosen: beyond that names that have nothing to do with each other come near.
  const std::size_t most = std::max<std::size_t>(1, typed.size() / 3);
  std::size_t nearest = most + 1;
  std::string best;
  for (const std::string& name : known) {
    if (name.size() > kLongest) continue;
    const std::size_t far = distance(typed, plain_letters(name));
    if (far >= nearest) continue;
    nearest = far;
    best = name;
  }
  if (!best.empty() || typed.size() < 3) return best;
  // The shortest that begins with it; otherwise the shortest that holds it.
  bool begins = false;
  for (const std::string& name : known) {
    const std::size_t at = plain_letters(name).find(typed);
    if (at == std::string::npos || (begins && at > 0)) continue;
    if (best.empty() || (at == 0 && !begins) || name.size() < best.size()) best = name;
    begins = begins || at == 0;
  }
  return best;
}

std::string near_hint(std::string_view found, std::span<const std::string> known) {
  const std::string near = near_name(found, known);
  return near.empty() ? std::string() : " (did you mean \"" + near + "\"?)";
}

}  // namespace hannan::detail
