// The frontier of a history's evidence (frontier.hpp), kept from search to search and saved with the history: of the
// plain evidence, and of that with one noise, which serves the second search of a round under the noise of the first,
// and all rounds that have one draw.
//
// As with hints (warm_start.hpp) what a search found is used from the next outcome on: asking twice gives the same
// answer twice, even under a work limit. Only a finished search may be gone on from at once, since that changes neither
// its choice nor its floor; and what was found is replaced only where more of the best are looked for, so that a
// learner that asks again, after it was saved, makes the same searches from then on as one that did not.
//
// After few rounds one more outcome moves all bounds, and a search of the whole grid is quicker. So as long as the last
// search of the whole grid finished, going on may cost twice its nodes (most of them are boxes that are bounded once
// more and not divided, in half the time of others), and must leave enough of the limit for another one. If that is not
// enough the whole grid is searched, and so it is for the next few outcomes, twice as many each time, up to 8. With a
// new draw in every round so is the second search of the next few rounds. All of this counts nodes: it is the same
// everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/shaped_tables.hpp"

namespace hannan::detail {

template <class Outcome>
class WarmFrontier {
 public:
  // An outcome was added to the history.
  void add(const Outcome& y, double weight) {
    use_found();
    if (used_.empty()) return;
    pending_.emplace_back(y, weight);
    if (pending_.size() > kMostPending || used_.size() > kMostBoxes) forget();
  }
  // Something else was.
  void forget() { *this = {}; }

  // raise(frontier, y, weight) makes bounds and points hold after one more outcome; run(nodes, use) searches with this
  // limit and use of frontiers.
  template <class Raise, class Run>
  SearchResult search(const SearchRequest& request, Raise&& raise, Run&& run) {
    const bool proven = fresh_ && finished_, again = proven && request.keep <= 1;
    if (again) return run(request.limits.nodes, FrontierUse{.from = &found_, .to = nullptr});
    return search_from(proven, request.limits.nodes, raise, run);
  }
  // The same for the evidence with a noise, which comes as tables: the frontier is that of one noise; with another
  // scale the bounds change by the least that the difference can be.
  // Asked for one action again it begins where it began before, so that a learner that is saved after it decided makes
  // the same searches when it goes on.
  struct Noise {
    const std::vector<std::vector<double>>& tables;
    double scale;
  };
  template <class Raise, class Run>
  SearchResult search_noisy(const Noise& noise, const SearchRequest& request, Raise&& raise, Run&& run) {
    if (noise.tables != tables_) {
      const Pace pace = fresh_ ? next_ : pace_;  // whether going on pays depends on the data, not on the draw
      forget();
      tables_ = noise.tables;
      pace_ = next_ = pace;
    } else if (noise.scale != scale_) {
      use_found();
      used_.add_tables(tables_, noise.scale - scale_);
    }
    scale_ = noise.scale;
    return search_from(fresh_ && finished_ && request.keep > 1, request.limits.nodes, raise, run);
  }

  // fits(y): is it an outcome of the problem?
  template <class Fits>
  void archive(Archive& a, std::span<const std::size_t> domains, Fits&& fits) {
    a.later_field("scale", scale_);
    if (scale_ != 0) {
      tables_.resize(domains.size());
      for (std::size_t c = 0; c < domains.size(); ++c) tables_[c].resize(domains[c]);
      archive_tables(a, "tables", tables_);
    }
    a.count("fresh", fresh_);
    a.count("finished", finished_);
    for (Pace* pace : {&pace_, &next_}) {
      a.open(pace == &pace_ ? "pace" : "next_pace");
      a.count("whole_nodes", pace->whole_nodes);
      a.count("whole_finished", pace->whole_finished);
      a.count("pause", pace->pause, kLongestPause);
      a.count("next_pause", pace->next_pause, kLongestPause);
      a.close();
    }
    for (Frontier* frontier : {&used_, &found_}) {
      a.open(frontier == &used_ ? "used" : "found");
      frontier->archive(a, domains);
      a.close();
    }
    pending_.resize(a.open_list("pending", pending_.size()));
    for (auto& [y, weight] : pending_) {
      a.item();
      a.field("weight", weight);
      a.open("outcome");
      archive_value(a, y);
      a.close();
      if (a.reading() && !fits(y)) a.refuse("outcome", "found what is no outcome of this problem");
    }
    a.close_list();
  }

 private:
  struct Pace {
    std::uint64_t whole_nodes = 0;  // of the last search of the whole grid
    bool whole_finished = false;
    std::uint64_t pause = 0;  // outcomes after which the whole grid is searched without trying to go on
    std::uint64_t next_pause = 1;
  };

  // The evidence changes: what the last search found is where the next one begins.
  void use_found() {
    if (!std::exchange(fresh_, false)) return;
    used_ = std::move(found_);
    found_.clear();
    pending_.clear();
    pace_ = next_;
  }

  // proven: the choice is, and more of the best are asked for.
  template <class Raise, class Run>
  SearchResult search_from(bool proven, std::uint64_t nodes, Raise&& raise, Run&& run) {
    for (const auto& [y, weight] : pending_) raise(used_, y, weight);
    pending_.clear();
    Frontier stopped;
    SearchResult found;
    if (proven && !found_.empty()) {  // the pace is that of the search that proved it
      found = run(nodes, FrontierUse{.from = &found_, .to = &stopped});
    } else if (!proven && !used_.empty() && pace_.pause == 0) {
      next_ = pace_;
      found = go_on(nodes, run, stopped);
    } else {
      next_ = pace_;
      if (next_.pause > 0 && !used_.empty()) --next_.pause;
      found = begin_anew(nodes, run, stopped);
    }
    found_ = std::move(stopped);
    fresh_ = true;
    finished_ = proven || found.finished;
    if (finished_ && scale_ == 0) used_.clear();
    return found;
  }

  template <class Run>
  SearchResult begin_anew(std::uint64_t nodes, Run&& run, Frontier& stopped) {
    auto found = run(nodes, FrontierUse{.from = nullptr, .to = &stopped});
    next_.whole_nodes = found.nodes;
    next_.whole_finished = found.finished;
    return found;
  }
  template <class Run>
  SearchResult go_on(std::uint64_t nodes, Run&& run, Frontier& stopped) {
    // A quarter more than last time, and half of it as the least worth trying: chosen.
    const std::uint64_t whole = pace_.whole_nodes + pace_.whole_nodes / 4;  // it grows from round to round
    const bool may_change = pace_.whole_finished && whole + pace_.whole_nodes / 2 < nodes;
    const std::uint64_t most = may_change ? std::min(2 * pace_.whole_nodes, nodes - whole) : nodes;
    auto found = run(most, FrontierUse{.from = &used_, .to = &stopped});
    if (found.finished) next_.next_pause = std::max<std::uint64_t>(pace_.next_pause / 2, 1);
    if (found.finished || !may_change) return found;
    Frontier other;
    auto anew = begin_anew(nodes - std::min(found.nodes, nodes), run, other);
    const std::uint64_t both = found.nodes + anew.nodes;
    if (anew.finished) {
      next_.pause = pace_.next_pause;
      next_.next_pause = std::min(2 * pace_.next_pause, kLongestPause);
    }
    if (anew.finished || anew.floor > found.floor) {
      found = std::move(anew);
      stopped = std::move(other);
    }
    found.nodes = both;
    return found;
  }

  // Raising costs a pass over all boxes an outcome, some 50 ns each: beyond these a search of the whole grid is
  // quicker. Boxes take some 80 bytes. Fewer would be no gain: under a work limit a search of the whole grid takes many
  // calls.
  static constexpr std::size_t kMostPending = 64, kMostBoxes = 500'000;
  static constexpr std::uint64_t kLongestPause = 8;

  // used_ is the frontier before the pending outcomes, raised by them at the next search; found_ is what the last
  // search stopped at, of the present evidence where fresh_.
  double scale_ = 0;                         // of the noise; 0: of the plain evidence
  std::vector<std::vector<double>> tables_;  // the noise
  Frontier used_, found_;
  std::vector<std::pair<Outcome, double>> pending_;  // since used_
  bool fresh_ = false;                               // found_ is of the present evidence
  bool finished_ = false;                            // and of a search that proved its choice
  Pace pace_, next_;                                 // now, and from the next outcome on
};

}  // namespace hannan::detail
