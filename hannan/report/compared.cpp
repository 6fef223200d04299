// A result of a comparison (compare/result.hpp) for its page. The file may be edited: nothing that is read is trusted
// to be in range. Differences are turned so that more is better.
#include "hannan/report/compared.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/io/amount_text.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

std::optional<Interval> finite(const std::optional<Interval>& range) {
  return range && std::isfinite(range->lo) && std::isfinite(range->hi) ? range : std::nullopt;
}

// The judgement as it was made when the result was written. Nothing is judged again here: the page must say what the
// command said.
JudgedPlayer judged_of(const ResultJudgement& of) {
  // Where it is kept the stretches of the log decide; else what both intervals allow.
  const bool kept = of.recommendation == "keep";
  JudgedPlayer judged{.advice = of.recommendation,
                      .says = of.says,
                      .reason = of.reason,
                      .doubts = of.doubts,
                      .gain = of.gain,
                      .most_gain = of.most_gain,
                      .range = finite(kept ? of.blocks : of.range),
                      .share = {},
                      .share_range = {},
                      .at = {},
                      .path = {}};
  if (of.shares) {
    judged.share = of.shares->gain;
    judged.share_range = finite(of.shares->range);
  }
  if (const auto high = finite(of.most_blocks); high && judged.range && kept) judged.range->hi = high->hi;
  if (of.path) {
    judged.at = of.path->round;
    for (const auto& range : kept ? of.path->blocks : of.path->range) judged.path.push_back(finite(range));
  }
  return judged;
}

// Turned so that a greater gain is better, whether the unit is a reward or a cost.
ComparedPage::Player player_of(const ResultPlayer& of, bool reward) {
  ComparedPage::Player p;
  p.name = of.name;
  p.about = of.about;
  p.role = of.role;
  p.money = of.money;
  p.money_spread = of.money_interval;
  p.gain = (reward ? 1 : -1) * of.over_baseline;
  const Interval over = of.over_baseline_interval;
  p.spread = reward ? over : Interval{-over.hi, -over.lo};
  p.against = of.against;
  p.first = of.first_tenth;
  p.last = of.last_tenth;
  p.regret = of.regret;
  if (of.bound && std::isfinite(*of.bound)) p.bound = of.bound;
  p.bound_of = of.bound_of;
  p.calls = of.calls;
  p.final_name = of.final_action_name;
  p.final_action = p.final_name.empty() ? of.final_action : Json(p.final_name);
  p.series = of.series;
  p.report = of.report;
  p.segments = of.segments;
  p.uncontested = of.uncontested;
  if (of.judgement) p.judged = judged_of(*of.judgement);
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

// Times that can be read, one a point and never going back.
std::vector<double> times_of(const std::vector<std::string>& texts, std::size_t points) {
  if (texts.size() != points) return {};
  std::vector<double> times = seconds_of(texts);
  if (times.empty() || times.front() == times.back() || !std::is_sorted(times.begin(), times.end())) return {};
  return times;
}

}  // namespace

// Later steps need earlier ones: the log's names before players are named, players before inks are given, all of them
// before words that depend on who is first.
ComparedPage::ComparedPage(const Json& json, const std::string& name) : file(name) {
  const ComparisonResult result = read_result(json);
  if (result.players.empty() || result.points.round.empty())
    throw Error(Code::kMalformed, "found no players or no rounds, expected a result of hannan compare", name);
  problem = result.problem;
  params = result.params;
  seed = result.seed;
  blocks = result.blocks;
  rounds = result.rounds;
  reward = result.reward();
  currency = result.currency;
  baseline = result.baseline;
  log.cap = result.cap;
  log.currency = currency;
  loss_of_one = result.cap * result.normaliser;
  if (is_log_summary(result.data)) log = log_names(result.data);
  if (log.slots.empty()) log.slots = result.slots;
  const auto of_log = [&](const Json& own, const char* field) {
    const Json* found = own.is_null() && log.summary.is_object() ? log.summary.find(field) : &own;
    return found ? *found : Json();
  };
  hidden = of_log(result.hidden, "hidden");
  as_logged = of_log(result.as_logged, "as_logged");
  most_fixed_gain = result.most_fixed_gain;
  if (const auto& weak = result.weak_class) {
    weak_class = WeakClass{.rival = player_words({.name = weak->rival, .about = {}, .role = "rival"}, {}).inside,
                           .errs = weak->errs,
                           .best = weak->best};
  }
  words = page_words(problem, params);
  if (result.payment == "pay-as-bid") {
    paid_as_bid = true;
    words.learned = words.learned_here = "second price with the same bids";
    words.many = false;
  }
  hindsight_prices = !result.prices_from.empty();
  not_played = static_cast<std::uint64_t>(result.not_played);
  rehearsed = static_cast<std::uint64_t>(result.rehearsed);
  first_gave_prices = result.first_gave_prices;
  at = result.points.round;
  times_given = !result.points.time.empty();
  times = times_of(result.points.time, at.size());
  if (result.portfolio && result.portfolio->player == result.players.front().name) {
    portfolio = result.portfolio;
    words.beside = words.learned_here;
    words.learned = "the portfolio";
    words.learned_here = "portfolio";
    words.many = false;
  }
  for (const ResultPlayer& player : result.players) players.push_back(player_of(player, reward));
  clear(*this);
  if (!result.best.proven) best_range = result.best.money;
  if (players.front().segments) {
    words.learned += " per segment";
    words.learned_here += " per segment";
  }
  if (result.payment == "posted") {
    price_test = result.price_test.has_value();
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

const StatedDoubt* ComparedPage::doubt() const {
  const auto& judged = ours().judged;
  return judged && !judged->doubts.empty() ? &judged->doubts.front() : nullptr;
}

std::string ComparedPage::baseline_words() const {
  const Player* found = base();
  if (own_baseline()) return "you did";
  if (!found) return "“" + baseline + "”";
  return found->role == "hindsight" ? "the " + found->words.inside : found->words.inside;
}

// Summed gain over the baseline at every point, or over the player that this one is held against.
std::vector<std::optional<double>> ComparedPage::gains(const Player& player) const {
  const Player* less = base();
  for (const auto& other : players) less = other.name == player.against ? &other : less;
  if (!less) return {};
  auto values = player.series.money;
  const auto& other = less->series.money;
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
