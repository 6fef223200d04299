// What a problem tells the box search (box_search.hpp) about one evidence.
//
// The evidence is  constant + sum over coordinates c of own(c)[x_c] + sum over parts p of part_p(x).  A box is a list
// of positions per coordinate. In a box a part may be RESOLVED: equal, on all of the box and so on every box within it,
// to a sum of functions of one group of coordinates each. Then it is added to the groups' tables exactly. The other
// parts are OPEN: tables get something that is nowhere above them, and they are looked at again in smaller boxes.
// Resolved parts are inherited by restriction, so a box costs its parent's open parts and the size of its tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hannan::detail {

// Positions per coordinate, increasing, none empty.
using BoxLists = std::vector<std::vector<int>>;
using Groups = std::vector<std::vector<std::size_t>>;

// Number of assignments in a box, as a double: it may be astronomic.
inline double points_in(const BoxLists& box) {
  double points = 1;
  for (const auto& list : box) points *= static_cast<double>(list.size());
  return points;
}

// Where each group's table begins in one array of all tables, and its messages in one of all messages (one number per
// member and position). Tables are row by row: the last member runs fastest.
struct BoxLayout {
  std::vector<std::size_t> tables, messages;  // one more than there are groups

  BoxLayout(const Groups& groups, const BoxLists& box) : tables{0}, messages{0} {
    for (const auto& group : groups) {
      std::size_t entries = 1, numbers = 0;
      for (const std::size_t c : group) {
        entries *= box[c].size();
        numbers += box[c].size();
      }
      tables.push_back(tables.back() + entries);
      messages.push_back(messages.back() + numbers);
    }
  }
};

// A box falls into the positions before and from `at` on in the list of one coordinate.
struct BoxSplit {
  std::size_t coordinate = 0;
  std::size_t at = 0;
};

// Tables of a box as the model fills them, all zero before.
struct BoxTables {
  const BoxLayout& layout;
  std::span<double> exact;          // of what is resolved
  std::span<double> loose;          // never above what is open
  std::vector<std::uint32_t> open;  // the parts that are open
};

class BoxModel {
 public:
  virtual ~BoxModel() = default;
  // Another one of the same evidence with buffers of its own. While the original is not used each may be on a thread of
  // its own; value and line are not asked of it.
  virtual std::unique_ptr<BoxModel> clone() const = 0;

  virtual std::size_t coordinates() const = 0;
  virtual std::size_t domain(std::size_t c) const = 0;  // positions 0..D-1
  virtual const Groups& groups() const = 0;             // increasing members, at least one each
  virtual std::uint32_t parts() const = 0;
  virtual double constant() const = 0;
  virtual std::span<const double> own(std::size_t c) const = 0;
  virtual double value(const std::vector<int>& full) = 0;
  virtual void line(const std::vector<int>& full, std::size_t c, std::span<double> out) = 0;

  // Adds these parts to the tables of a box.
  virtual void fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) = 0;
  // Is the box, with so many open parts, small enough to evaluate all of its assignments? A single one always is.
  virtual bool is_leaf(const BoxLists& box, std::size_t open) const = 0;
  // Adds the open parts' exact values to all assignments of a box, the last coordinate running fastest.
  virtual void tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) = 0;
  // Where to divide a box that is no leaf, by default the longest list in the middle; `likeliest`, a full assignment in
  // it, is where the bound is least.
  virtual BoxSplit split(const BoxLists& box, std::span<const std::uint32_t> open, const std::vector<int>& likeliest);
};

// A box model whose single values come from a model of the search by values, which must outlive it.
template <class Evidence>
class EvidenceBoxes : public BoxModel {
 public:
  explicit EvidenceBoxes(Evidence& evidence) : evidence_(evidence) {}

  std::size_t coordinates() const override { return evidence_.coordinates(); }
  std::size_t domain(std::size_t c) const override { return evidence_.domain(c); }
  std::span<const double> own(std::size_t c) const override { return evidence_.table(c); }
  double value(const std::vector<int>& full) override { return evidence_.value(full); }
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) override {
    evidence_.line(full, c, out);
  }

 protected:
  Evidence& evidence_;
};

}  // namespace hannan::detail
