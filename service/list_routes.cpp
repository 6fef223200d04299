// The list of learners: found by name or tag, sorted, in pages, with the sums of all that fit.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "service/combiner_json.hpp"
#include "service/host_values.hpp"
#include "service/learner_figures.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

// Learners that are taken from the host under one lock, and the most that one page shows.
constexpr std::size_t kRowsAtOnce = 1000;
constexpr std::size_t kRowsOfNode = 100'000;  // that one node gives another, all pages up to the one that is asked for

// One look at a learner: the order and the sums of an answer are of the same look. Its row is written from a later one.
struct ListedLearner {
  EntryPointer entry;  // null: it combines forecasts
  Entry::Now now;
  bool silent = false;
  CombinerPointer combiner = nullptr;
  CombinerEntry::Now combined = {};

  const std::string& name() const { return entry ? entry->name() : combiner->name(); }
  const Json& tags() const { return entry ? entry->config().tags : combiner->tags(); }
  Status status() const { return entry ? now.status : combined.status; }

  // Quarantined first, then those beyond their promise, without feedback, not loaded.
  static constexpr double kStopped = 4, kBeyond = 3, kSilent = 2;
  double attention() const {
    if (status() == Status::kQuarantined) return kStopped;
    if (now.published && is_beyond_promise(*now.published)) return kBeyond;
    if (silent) return kSilent;
    return status() == Status::kCold ? 1 : 0;
  }
};

// "site" asks for the tag at all, "site=news" for its value.
bool has_tag(const ListedLearner& one, const std::string& tag) {
  const std::size_t equals = tag.find('=');
  const Json* value = one.tags().find(tag.substr(0, equals));
  return value && (equals == std::string::npos || value->as_string() == tag.substr(equals + 1));
}

// A part of the name, or of a tag as "site=news", in any case.
bool matches(const ListedLearner& one, const std::string& wanted) {
  if (wanted.empty() || small_letters(one.name()).find(wanted) != std::string::npos) return true;
  const auto& tags = one.tags().as_object();
  return std::any_of(tags.begin(), tags.end(), [&](const auto& tag) {
    return small_letters(tag.first + "=" + tag.second.as_string()).find(wanted) != std::string::npos;
  });
}

constexpr double kUnknown = -std::numeric_limits<double>::infinity();  // last

// A function and not a field: figures such as money need the entry too.
using Key = double (*)(const ListedLearner&);
struct Order {
  std::string_view name;
  Key key;  // greatest first; null: by name
};
const Published* published(const ListedLearner& one) { return one.now.published.get(); }
constexpr std::array<Order, 6> kOrders{{
    {"name", nullptr},
    {"attention", [](const ListedLearner& one) { return one.attention(); }},
    {"rounds",
     [](const ListedLearner& one) {
       if (one.combined.seen) return static_cast<double>(one.combined.seen->rounds);
       return published(one) ? static_cast<double>(published(one)->rounds) : kUnknown;
     }},
    {"regret",
     [](const ListedLearner& one) {  // the most that it may be
       const Published* seen = published(one);
       return seen && seen->floor ? seen->total - *seen->floor : kUnknown;
     }},
    {"used",
     [](const ListedLearner& one) {
       const auto used = published(one) ? promise_used(*published(one)) : std::nullopt;
       return used ? used->hi : kUnknown;
     }},
    {"gain",
     [](const ListedLearner& one) {
       if (!published(one) || !published(one)->without) return kUnknown;
       const auto scale = money_scale(*one.entry);
       return published(one)->without->gain * (scale ? scale->unit : 1);
     }},
}};

// Null sorts by name, which is how the host lists them anyway.
Key key_of(const std::string& name) {
  for (const Order& order : kOrders) {
    if (order.name == name) return order.key;
  }
  throw Error(Code::kUnknownName, "found \"" + name + "\", expected name, attention, rounds, regret, used or gain",
              "sort");
}

// How many there are of each kind, and the money of all by currency.
Json summary_of(const std::vector<ListedLearner>& all) {
  std::map<std::string_view, std::size_t> statuses;
  struct Sum {
    std::size_t learners = 0;
    double total = 0, without = 0, gain = 0;
    std::map<std::string, std::size_t> verdicts;  // what was judged of each
  };
  std::map<std::string, Sum> sums;
  std::size_t attention = 0, silent = 0, beyond = 0;
  for (const ListedLearner& one : all) {
    ++statuses[status_name(one.status())];
    // Each under the gravest that is to be said of it: the three sum up to those that need attention.
    const double grade = one.attention();
    if (grade == ListedLearner::kSilent) ++silent;
    if (grade == ListedLearner::kBeyond) ++beyond;
    if (grade >= ListedLearner::kSilent) ++attention;
    const Published* seen = published(one);
    const auto scale = seen ? money_scale(*one.entry) : std::nullopt;
    if (!seen || !seen->without || seen->rounds == 0 || !scale) continue;
    const auto rounds = static_cast<double>(seen->rounds);
    Sum& sum = sums[scale->currency];
    ++sum.learners;
    sum.total += scale->of(seen->total, rounds);
    sum.without += scale->of(seen->without->total, rounds);
    sum.gain += scale->unit * seen->without->gain;
    ++sum.verdicts[seen->judged.is_object() ? seen->judged.at("recommendation").as_string() : "not judged"];
  }
  Json counts = Json::object(), money = Json::array();
  for (const auto& [status, count] : statuses) counts.set(std::string(status), count);
  for (const auto& [currency, sum] : sums) {
    Json verdicts = Json::object();
    for (const auto& [verdict, learners] : sum.verdicts) verdicts.set(verdict, learners);
    money.push_back(Json::object({{"currency", currency},
                                  {"learners", sum.learners},
                                  {"total", sum.total},
                                  {"without", sum.without},
                                  {"gain", sum.gain},
                                  {"verdicts", std::move(verdicts)}}));
  }
  return Json::object({{"statuses", counts},
                       {"attention", attention},
                       {"silent", silent},
                       {"beyond", beyond},
                       {"money", std::move(money)}});
}

}  // namespace

// When a learner last heard of an outcome and how far apart they usually are; null: not looked up yet.
Json Api::feedback_json(const Entry& entry) const {
  const auto figure = list_figures_.of(entry);
  if (!figure || figure->time <= 0) return {};
  return Json::object({{"time", figure->time},
                       {"gap", figure->gap},
                       {"pause", figure->pause()},
                       {"silent", ListFigures::silent(*figure, now_in_milliseconds())}});
}

// A row of the list: the learner, when it last heard of an outcome, and a small curve of mean losses.
Json Api::listed_json(const Entry& entry) const {
  Json row = learner_json(entry);
  row.set("feedback", feedback_json(entry));
  const auto figure = list_figures_.of(entry);
  Json means = Json::array();
  if (figure) {
    for (const double loss : figure->mean_losses) means.push_back(std::round(loss * 1e4) / 1e4);
  }
  row.set("course", std::move(means));
  return row;
}

// Sorted by a figure, pages go by offset; by name, they go on behind `after`. Of several nodes each is asked for as
// many as the page and all before it may have.
void Api::learners(Call& call) {
  const std::string node = call.target.value("node", "all");
  if (node != "all" && node != "this")
    throw Error(Code::kUnknownName, "found \"" + node + "\", expected all or this", "node");
  const bool alone = node == "this" || !host_.cluster() || !call.request.header(kForwarded).empty();
  const std::size_t most = node == "this" ? kRowsOfNode : kRowsAtOnce;
  ListPage page{.offset = whole(call.target.value("offset", "0"), kRowsOfNode, "offset"),
                .limit = std::max<std::uint64_t>(1, whole(call.target.value("limit", "200"), most, "limit"))};
  if (alone) return call.respond(json_reply(own_list(call, page)));
  list_all_nodes(call, page, own_list(call, {.offset = 0, .limit = page.offset + page.limit}));
}

// All learners are gone through, in pages of kRowsAtOnce so that the lock is short; sums are over all of them, rows
// over those that fit.
Json Api::own_list(const Call& call, const ListPage& page) {
  const std::string tag = call.target.value("tag"), match = small_letters(call.target.value("match")),
                    status = call.target.value("status"), after = call.target.value("after");
  const Key key = key_of(call.target.value("sort", "name"));
  const std::int64_t time = now_in_milliseconds();
  const auto allowed = tokens_.allowed(Scope::kRead, call.request.header("authorization"));
  std::vector<ListedLearner> all, fits;
  for (std::string from;;) {
    const auto some = host_.list(from, kRowsAtOnce);
    if (some.empty()) break;
    for (const auto& entry : some) {
      if (!allowed.has(entry->name())) continue;
      const auto figure = list_figures_.of(*entry);
      all.push_back({.entry = entry, .now = entry->now(), .silent = figure && ListFigures::silent(*figure, time)});
    }
    from = some.back()->name();
  }
  for (const auto& combiner : host_.combiners()) {
    if (allowed.has(combiner->name()))
      all.push_back({.entry = nullptr, .now = {}, .combiner = combiner, .combined = combiner->now()});
  }
  std::ranges::sort(all, {}, [](const ListedLearner& one) { return one.name(); });
  for (const ListedLearner& one : all) {
    if (!matches(one, match) || (!tag.empty() && !has_tag(one, tag))) continue;
    if (status == "attention" ? one.attention() < ListedLearner::kSilent
                              : !status.empty() && status_name(one.status()) != status)
      continue;
    fits.push_back(one);
  }
  const std::size_t matching = fits.size();
  if (key) {
    std::vector<std::pair<double, std::size_t>> keys;  // equal ones stay in the order of their names
    for (std::size_t i = 0; i < fits.size(); ++i) keys.emplace_back(-key(fits[i]), i);
    std::sort(keys.begin(), keys.end());
    std::vector<ListedLearner> sorted;
    for (const auto& [value, i] : keys) sorted.push_back(std::move(fits[i]));
    fits = std::move(sorted);
  } else if (!after.empty()) {
    std::erase_if(fits, [&](const ListedLearner& one) { return one.name() <= after; });
  }
  fits.erase(fits.begin(), fits.begin() + static_cast<std::ptrdiff_t>(std::min(page.offset, fits.size())));
  const bool more = fits.size() > page.limit;
  if (more) fits.resize(page.limit);
  Json rows = Json::array(), keys = Json::array();
  std::vector<EntryPointer> shown;
  for (const ListedLearner& one : fits) {
    rows.push_back(one.entry ? listed_json(*one.entry) : combiner_json(*one.combiner));
    const double value = key ? key(one) : kUnknown;
    keys.push_back(std::isfinite(value) ? Json(value) : Json());
    if (one.entry) shown.push_back(one.entry);
  }
  Json answer = Json::object(
      {{"learners", std::move(rows)}, {"count", all.size()}, {"matching", matching}, {"summary", summary_of(all)}});
  if (host_.cluster()) answer.set("keys", std::move(keys));
  if (more) answer.set("next", fits.back().name());
  list_figures_.refresh(shown);  // what is looked up now is for the next list
  return answer;
}

}  // namespace hannan::detail::service
