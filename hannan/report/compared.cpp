// A result of a comparison read for its page. The file may be of an earlier version or edited: what is missing is left
// out, and nothing that is read is trusted to be in range. Differences are turned so that more is better.
#include "hannan/report/compared.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/io/amount_text.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

// A series of a result; what is no number is a gap in the line.
std::vector<std::optional<double>> numbers_or_gaps(const Json& list, const std::string& at) {
  std::vector<std::optional<double>> values;
  if (!list.is_array()) throw Error(Code::kMalformed, "found " + describe(list) + ", expected a list of numbers", at);
  for (const Json& value : list.as_array())
    values.push_back(value.is_number() ? std::optional(value.as_number()) : std::nullopt);
  return values;
}

Interval interval_of(Fields& in, const char* field) {
  const auto numbers = in.numbers(field);
  if (numbers.size() != 2)
    throw Error(Code::kMalformed, "found " + std::to_string(numbers.size()) + " numbers, expected two", in.at(field));
  return {numbers[0], numbers[1]};
}

// Of a pair whose ends may be infinite, which JSON writes as text.
std::optional<Interval> finite_interval(const Json& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) return std::nullopt;
  if (!std::isfinite(pair[0].as_number()) || !std::isfinite(pair[1].as_number())) return std::nullopt;
  return Interval{pair[0].as_number(), pair[1].as_number()};
}

// The judgement as it was made when the result was written. Nothing is judged again here: the page must say what the
// command said.
JudgedPlayer judged_of(const Json& json, const std::string& at) {
  Fields in(json, at);
  JudgedPlayer judged{.advice = in.word("recommendation"),
                      .says = in.word("says"),
                      .reason = in.word("reason"),
                      .doubts = {},
                      .doubts_told = json.find("doubts") != nullptr,
                      .gain = in.number("gain"),
                      .most_gain = json.find_number("most_gain"),
                      .range = {},
                      .share = {},
                      .share_range = {},
                      .at = {},
                      .path = {}};
  for (std::size_t i = 0; judged.doubts_told && i < in.list("doubts").size(); ++i) {
    Fields one(in.list("doubts")[i], path_of(in.at("doubts"), i));
    judged.doubts.push_back({.kind = one.word("doubt"), .says = one.word("says")});
  }
  // Where it is kept the stretches of the log decide; else what both intervals allow.
  judged.range = finite_interval(in.need(judged.advice == "keep" ? "blocks" : "range"));
  if (const Json* shares = json.find("shares"); shares && shares->is_object()) {
    judged.share = shares->find_number("gain");
    if (const Json* range = shares->find("range")) judged.share_range = finite_interval(*range);
  }
  const Json* most = json.find("most_blocks");
  if (const auto high = most ? finite_interval(*most) : std::nullopt; high && judged.range && judged.advice == "keep")
    judged.range->hi = high->hi;
  const Json* path = json.find("path");  // older results have none
  if (!path || !path->is_object()) return judged;
  Fields ranges(*path, at + ".path");
  judged.at = ranges.numbers("round");
  for (const Json& pair : ranges.list(judged.advice == "keep" ? "blocks" : "range"))
    judged.path.push_back(finite_interval(pair));
  if (judged.path.size() != judged.at.size())
    throw Error(Code::kMalformed, "found lists of different lengths, expected one range for each round", at + ".path");
  return judged;
}

// Turned so that a greater gain is better, whether the unit is a reward or a cost.
ComparedPage::Player player_of(const Json& json, std::size_t place, bool reward) {
  Fields in(json, path_of("players", place));
  ComparedPage::Player p;
  p.name = in.word("name");
  p.about = in.word("about");
  p.role = in.word("role");
  p.money = in.number("money");
  p.money_spread = interval_of(in, "money_interval");
  p.gain = (reward ? 1 : -1) * in.number("over_baseline");
  const Interval over = interval_of(in, "over_baseline_interval");
  p.spread = reward ? over : Interval{-over.hi, -over.lo};
  if (const Json* against = json.find("against"); against && against->is_string()) p.against = against->as_string();
  p.first = in.number("first_tenth_a_round");
  p.last = in.number("last_tenth_a_round");
  p.regret = in.number("regret");
  if (const Json& bound = in.need("bound"); bound.is_number()) p.bound = bound.as_number();
  if (const Json* of = json.find("bound_of"); of && of->is_string()) p.bound_of = of->as_string();
  p.calls = in.number("calls");
  p.final_action = in.has("final_action_name") ? in.need("final_action_name") : in.need("final_action");
  p.series = in.need("series");
  if (const Json* final_name = json.find("final_action_name"); final_name && final_name->is_string())
    p.final_name = final_name->as_string();
  if (const Json* report = json.find("report")) p.report = *report;
  if (const Json* segments = json.find("segments")) p.segments = *segments;
  if (const Json* part = json.find("uncontested"); part && part->is_object()) {
    p.uncontested_gain = part->find_number("gain");
    p.uncontested_rounds = part->find_number("rounds").value_or(0);
  }
  const Json* judged = json.find("judgement");
  if (judged && !judged->is_null()) p.judged = judged_of(*judged, in.at("judgement"));
  return p;
}

// Sets differences that are only rounding to zero: of sums as large as the money, or as the losses of all rounds.
void clear(ComparedPage& page) {
  double money = 0;
  for (const auto& p : page.players) money = std::max(money, std::abs(p.money));
  for (auto& p : page.players) {
    for (double* value : {&p.money, &p.money_spread.lo, &p.money_spread.hi, &p.gain, &p.spread.lo, &p.spread.hi})
      *value = cleared(*value, money);
    p.regret = cleared(p.regret, static_cast<double>(page.rounds));
  }
}

// The learner of the page has the first ink, what is known only afterwards the sixth. Between them stand the best three
// of the others and the worst, which are the ones that are drawn together; the baseline is zero and needs none.
void give_inks(ComparedPage& page) {
  constexpr std::size_t kAfterwards = 5, kOthers = 4;
  std::vector<ComparedPage::Player*> others;
  for (auto& p : page.players) {
    if (&p == page.best_fixed()) {
      p.ink = kAfterwards;
    } else if (&p != &page.players.front() && &p != page.base() && !page.repeats_baseline(p)) {
      others.push_back(&p);
    }
  }
  std::sort(others.begin(), others.end(), [](const auto* a, const auto* b) { return ahead(*a, *b); });
  for (std::size_t i = 0; i < others.size(); ++i) others[i]->ink = i < kOthers ? i + 1 : i + 2;
  if (others.size() > kOthers) std::swap(others[kOthers - 1]->ink, others.back()->ink);
  for (auto& p : page.players) {
    const bool zero = &p == page.base() || page.repeats_baseline(p);
    if (zero && &p != &page.players.front() && &p != page.best_fixed())
      p.ink = others.size() + (page.repeats_baseline(p) ? 3 : 2);
  }
}

// A result of an earlier version says only why it cannot tell: the intervals, or something that forbids a verdict.
void add_unshown_doubts(ComparedPage& page) {
  for (auto& p : page.players) {
    if (!p.judged || p.judged->doubts_told || p.judged->advice != "cannot tell") continue;
    const std::string& reason = p.judged->reason;
    if (page.rounds < 40) {
      p.judged->doubts.push_back({.kind = "few rounds", .says = reason});
    } else if (reason.starts_with("more than a tenth")) {
      p.judged->doubts.push_back({.kind = "hidden", .says = reason});
    } else if (!reason.starts_with("the intervals hold") && !reason.starts_with("what the log hides") &&
               !reason.starts_with("as a share")) {
      p.judged->doubts.push_back({.kind = "other", .says = reason});
    }
  }
}

// Times that can be read, one a point and never going back.
std::vector<double> times_of(const Json& list, std::size_t points) {
  if (!list.is_array() || list.size() != points) return {};
  std::vector<std::string> texts;
  for (const Json& text : list.as_array()) texts.push_back(text.is_string() ? text.as_string() : "");
  std::vector<double> times = seconds_of(texts);
  if (times.empty() || times.front() == times.back() || !std::is_sorted(times.begin(), times.end())) return {};
  return times;
}

}  // namespace

// Later steps need earlier ones: the log's names before players are named, players before inks are given, all of them
// before words that depend on who is first.
ComparedPage::ComparedPage(const Json& result, const std::string& name) : file(name) {
  Fields in(result, "");
  problem = in.word("problem");
  params = in.need("params");
  seed = in.need("seed");
  blocks = in.need("blocks");
  rounds = static_cast<std::uint64_t>(in.integer("rounds", kNatural));
  reward = in.word("unit") == "reward";
  currency = in.word("currency");
  baseline = in.word("baseline");
  log.cap = in.number("cap");
  log.currency = currency;
  loss_of_one = log.cap * result.find_number("normaliser").value_or(1);
  if (const Json& data = in.need("data"); is_log_summary(data)) log = log_names(data);
  if (const Json* slots = result.find("slots"); log.slots.empty() && slots && slots->is_array()) {
    for (const Json& slot : slots->as_array()) {
      if (slot.is_string()) log.slots.push_back(slot.as_string());
    }
  }
  const auto of_log = [&](const char* field) {
    const Json* found = result.find(field);
    if (!found && log.summary.is_object()) found = log.summary.find(field);
    return found ? *found : Json();
  };
  hidden = of_log("hidden");
  as_logged = of_log("as_logged");
  most_fixed_gain = result.find_number("most_fixed_gain");
  if (const Json* weak = result.find("weak_class"); weak && weak->is_object()) {
    Fields of_class(*weak, "weak_class");
    weak_class =
        WeakClass{.rival = player_words({.name = of_class.word("rival"), .about = {}, .role = "rival"}, {}).inside,
                  .errs = of_class.number("errs"),
                  .best = of_class.number("best")};
  }
  words = page_words(problem, params);
  if (const Json* payment = result.find("payment"); payment && *payment == Json("pay-as-bid")) {
    paid_as_bid = true;
    words.learned = words.learned_here = "second price with the same bids";
    words.many = false;
  }
  hindsight_prices = result.find("prices_from") != nullptr;
  not_played = static_cast<std::uint64_t>(result.find_number("not_played").value_or(0));
  rehearsed = static_cast<std::uint64_t>(result.find_number("rehearsed").value_or(0));
  first_gave_prices = result.find("first_gave_prices") != nullptr;
  Fields series = in.fields("series");
  at = series.numbers("round");
  if (const Json* list = in.need("series").find("time")) {
    times_given = true;
    times = times_of(*list, at.size());
  }
  const auto& list = in.list("players");
  for (std::size_t i = 0; i < list.size(); ++i) players.push_back(player_of(list[i], i, reward));
  clear(*this);
  add_unshown_doubts(*this);
  if (result.find("best") || result.find("doubts")) {  // results of earlier versions have neither
    in.list("doubts");
    Fields of_best = in.fields("best");
    if (!of_best.flag("proven", true)) best_range = interval_of(of_best, "money");
  }
  if (players.empty() || at.empty())
    throw Error(Code::kMalformed, "found no players or no rounds, expected a result of hannan compare", name);
  if (players.front().segments.is_object()) {
    words.learned += " per segment";
    words.learned_here += " per segment";
  }
  if (const Json* payment = result.find("payment"); payment && *payment == Json("posted")) {
    price_test = result.find("price_test") != nullptr;
    if (!price_test && ours().judged) cannot_tell = ours().judged->reason;
    if (price_test) words.learned = words.learned_here = ours().name;
    words.many = false;
  }
  give_inks(*this);
  for (auto& p : players) {
    p.words = player_words({.name = p.name, .about = p.about, .role = p.role, .ours = &p == &players.front()}, words);
    if (&p == best_fixed() && !p.final_name.empty()) p.words.about = p.final_name + "; " + p.words.about;
  }
}

// How amounts are written together: with as many decimals as the smallest of them needs, so that sums on the page add
// up to what the reader sees.
AmountForm ComparedPage::form(std::vector<double> together) const {
  if (base()) together.insert(together.end(), {ours().money, base()->money, ours().gain});
  if (!words.mistakes) {
    // Rounded sums of small differences may contradict them: 136 less 121 is not 14.
    constexpr double kSmall = 100;
    AmountForm form = form_of(together, currency);
    const double gain = reward ? ours().gain : -ours().gain;
    const bool apart =
        base() && std::abs(gain) < kSmall && std::round(ours().money) - std::round(base()->money) != std::round(gain);
    if (apart && form.places == 0) form.places = decimals_of(currency);
    return form;
  }
  // Mistakes are counted. Those of a mixture are a mean: it has decimals only where whole numbers would hide it.
  const bool whole = std::all_of(together.begin(), together.end(),
                                 [](double figure) { return figure == 0 || std::abs(figure) >= 0.5; });
  return whole ? AmountForm{} : form_of(together, "");
}

// `beside` are amounts that stand next to it and must look alike.
std::string ComparedPage::sum(double amount, const std::vector<double>& beside) const {
  std::vector<double> all = beside;
  all.push_back(amount);
  return page_amount(amount, form(std::move(all)));
}

std::string ComparedPage::bare_sum(double amount, const std::vector<double>& beside) const {
  std::vector<double> all = beside;
  all.push_back(amount);
  return page_amount(amount, {.unit = {}, .places = form(std::move(all)).places});
}

std::string ComparedPage::amount_words(double amount) const {
  const std::string text = sum(std::abs(amount));
  if (words.mistakes) return text + (text == "1" ? " mistake" : " mistakes");
  return losses() ? "a loss of " + text : text;
}

bool ComparedPage::is_nothing(double gain) const { return reads_as_nothing(gain, form({gain})); }

std::string ComparedPage::difference_words(double gain) const { return sum(std::abs(gain)) + " " + side(gain); }

// Signed for earnings; of costs and mistakes in words, since a sign would be read as that of the cost.
std::string ComparedPage::difference(double gain) const {
  return reward || is_nothing(gain) ? page_signed(gain, form({gain})) : difference_words(gain);
}

std::string ComparedPage::bare_difference(double gain) const {
  if (reward || is_nothing(gain)) return page_signed(gain, {.unit = {}, .places = form({gain}).places});
  return bare_sum(std::abs(gain)) + " " + side(gain);
}

std::string ComparedPage::share_difference(double gain) const {
  const Player* found = base();
  if (!found || !(found->money > 0)) return {};
  if (reward) return page_percent(gain / found->money);
  const std::string text = page_percent(std::abs(gain) / found->money);
  return (text.starts_with('+') ? text.substr(1) + " " + side(gain) : text);
}

// What a gain is counted from; null where the data do not say what is done today.
const ComparedPage::Player* ComparedPage::base() const {
  const auto found = std::find_if(players.begin(), players.end(), [&](const auto& p) { return p.name == baseline; });
  return found == players.end() ? nullptr : &*found;
}

const ComparedPage::Player* ComparedPage::best_fixed() const {
  const auto found = std::find_if(players.begin(), players.end(),
                                  [](const auto& p) { return p.role == "hindsight" && p.name == "best fixed"; });
  return found == players.end() ? nullptr : &*found;
}

std::string ComparedPage::best_sum() const {
  if (best_range) return "from " + bare_sum(best_range->lo) + " to " + sum(best_range->hi);
  return best_fixed() ? sum(best_fixed()->money) : std::string();
}

const JudgedPlayer::Doubt* ComparedPage::doubt() const {
  const auto& judged = ours().judged;
  return judged && !judged->doubts.empty() ? &judged->doubts.front() : nullptr;
}

std::string ComparedPage::baseline_words() const {
  const Player* found = base();
  if (own_baseline()) return "you did";
  if (!found) return "“" + baseline + "”";
  return found->role == "hindsight" ? "the " + found->words.inside : found->words.inside;
}

// A series of a player, one value a point of the page. A series of another length is a damaged file.
std::vector<std::optional<double>> ComparedPage::path(const Player& player, const char* name) const {
  const Json* found = player.series.find(name);
  auto values = found ? numbers_or_gaps(*found, file) : std::vector<std::optional<double>>{};
  if (found && values.size() != at.size()) {
    throw Error(
        Code::kMalformed,
        "found " + std::to_string(values.size()) + " points of " + name + ", expected " + std::to_string(at.size()),
        file);
  }
  return values;
}

// Summed gain over the baseline at every point, or over the player that this one is held against.
std::vector<std::optional<double>> ComparedPage::gains(const Player& player) const {
  const Player* less = base();
  for (const auto& other : players) less = other.name == player.against ? &other : less;
  if (!less) return {};
  auto values = path(player, "money");
  const auto other = path(*less, "money");
  const double scale = std::abs(less->money);
  for (std::size_t i = 0; i < std::min(values.size(), other.size()); ++i) {
    if (!values[i] || !other[i]) {
      values[i].reset();
      continue;
    }
    values[i] = cleared((reward ? 1 : -1) * (*values[i] - *other[i]), scale);
  }
  return values;
}

}  // namespace hannan::detail
