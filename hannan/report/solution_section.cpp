// A solution of `hannan solve` as a section: what is recommended and what it costs, held rows first, every group, the
// mixture, the frontier, and the two bounds as they closed. Where no rows are held, figures are those that decided, and
// the page says so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hannan/bidlog/action_money.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/section.hpp"
#include "hannan/report/solution_charts.hpp"
#include "hannan/report/solution_mixture.hpp"
#include "hannan/report/solution_words.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/solution_check.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostRows = 40;   // of a table
constexpr std::uint64_t kFewRows = 30;  // of a group: its mean says little

// One of the three decisions that are compared.
struct Candidate {
  std::string kind, name, about;
  double worst, average;  // on deciding rows
  std::optional<double> held_worst, held_average;
};

class SolutionPage {
 public:
  SolutionPage(const Json& solution, const std::string& name)
      : solution_(solution),
        name_(name),
        amounts_(solution, kPageLetters),
        kind_(solution.at("problem").at("kind").as_string()),
        problem_(make_problem(kind_, solution.at("problem").at("params"), "problem.params")),
        money_(problem_->game().money()),
        action_money_(money_.get(), cap()) {
    const Json& gain = solution.at("gain");
    if (!gain.is_null() && !gain.at("held").is_null()) held_ = &gain.at("held");
    read_candidates();
  }

  Section section(Checking checking) {
    std::optional<Error> failed;
    const std::string checked = check(checking, failed);
    Json blocks = Json::array();
    blocks.push_back(headline(failed));
    blocks.push_back(points_block("", four_facts()));
    blocks.push_back(table_block(compared()));
    if (const Json warnings = things_to_know(); warnings.at("items").size() > 0) blocks.push_back(warnings);
    if (solution_.at("losses").size() > 0) blocks.push_back(pairs());
    blocks.push_back(table_block(mixture_table({.solution = solution_,
                                                .amounts = amounts_,
                                                .money = money_.get(),
                                                .action_money = action_money_,
                                                .noun = noun(),
                                                .text = [this](const Json& one) { return action_text(one); }})));
    if (const auto chart = frontier_chart(solution_, amounts_)) blocks.push_back(chart_block(*chart));
    blocks.push_back(chart_block(bounds_chart(solution_, amounts_)));
    blocks.push_back(fold_block("How sure is this?", "What is proven, and for whom", proofs(checked)));
    blocks.push_back(fold_block("Technical details", "Method, parameters, what was read", details()));
    return {.json = Json::object({{"title", title()}, {"source", name_}, {"blocks", std::move(blocks)}}),
            .failed = std::move(failed)};
  }

 private:
  static Json piece(const std::string& text) { return Json::object({{"text", text}}); }
  static Json strong(const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); }

  // Money of a bid of 1.
  std::optional<double> cap() const {
    const Json* money = solution_.find("money");
    if (!money || money->is_null()) return std::nullopt;
    return money->at("unit").as_number() / problem_->game().normaliser();
  }

  // By its name, its amounts of money, or as the problem says it.
  std::string action_text(const Json& entry) const {
    if (const Json* name = entry.find("name")) return name->as_string();
    const Json& action = entry.at("action");
    if (action_money_.what().empty() || !action_money_.in_currency()) return shortened(action_words(kind_, action));
    const std::string currency = amounts_.unit() == "money" ? "" : amounts_.unit();
    const Json* owners = solution_.at("money").find("owners");
    const std::vector<double> amounts = action_money_.of(action);
    std::string text;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      if (i > 0) text += ", ";
      if (owners) text += (*owners)[i].as_string() + " ";
      text += price_text(amounts[i], currency, kPageLetters);
    }
    return shortened(text);
  }

  void read_candidates() {
    const auto held = [&](const char* field) -> std::optional<double> {
      return held_ ? std::optional(held_->at(field).as_number()) : std::nullopt;
    };
    const Json &single = solution_.at("best_single"), &mean = solution_.at("best_average");
    const std::size_t actions = solution_.at("strategy").size();
    single_ = {"Best single decision",
               "One decision: " + action_text(single),
               "the single one with the best worst " + noun(),
               single.at("worst").as_number(),
               single.at("average").as_number(),
               held("worst_best_single"),
               held("average_best_single")};
    mixture_ = {"The mixture",
                actions == 1 ? "One decision: " + action_text(solution_.at("strategy")[0])
                             : "Drawn from " + counted(actions, "action"),
                "drawn anew for every round",
                solution_.at("upper").as_number(),
                solution_.at("average").as_number(),
                held("worst"),
                held("average")};
    mean_ = {"Best on average",
             "One decision: " + action_text(mean),
             "the best on average",
             mean.at("worst").as_number(),
             mean.at("average").as_number(),
             held("worst_best_average"),
             held("average_best_average")};
  }

  std::string noun() const { return scenario_noun(solution_); }
  double shown_worst(const Candidate& one) const { return one.held_worst.value_or(one.worst); }
  double shown_average(const Candidate& one) const { return one.held_average.value_or(one.average); }
  bool caution_pays() const { return std::min(shown_worst(mixture_), shown_worst(single_)) < shown_worst(mean_); }
  bool single_does() const { return shown_worst(single_) <= shown_worst(mixture_); }
  const Candidate& recommended() const { return !caution_pays() ? mean_ : single_does() ? single_ : mixture_; }

  // Names what is recommended.
  std::string title() const {
    const Candidate& best = recommended();
    if (!caution_pays())
      return "Caution is not worth it: " + best.name + " is best on average and in the worst " + noun();
    return fmt::format("Worst {} {} instead of {}; average {} instead of {}", noun(), amounts_.text(shown_worst(best)),
                       amounts_.text(shown_worst(mean_)), amounts_.text(shown_average(best)),
                       amounts_.text(shown_average(mean_)));
  }

  Json headline(const std::optional<Error>& failed) const {
    const Candidate& best = recommended();
    Json says = Json::array();
    const std::string verb = amounts_.earns() ? " would bring " : " would lose ";
    std::string advice = "Your choice: how much caution is worth";
    if (!caution_pays()) {
      advice = "Caution is not worth it here";
      says.push_back(strong(best.name));
      says.push_back(
          piece(" is best on average, and no worse in the worst " + noun() + ": " + amounts_.text(shown_worst(best))));
    } else {
      says.push_back(piece("The worst " + noun() + verb));
      says.push_back(strong(amounts_.text(shown_worst(best))));
      says.push_back(piece(" instead of " + amounts_.text(shown_worst(mean_)) + "; the average goes from " +
                           amounts_.text(shown_average(mean_)) + " to "));
      says.push_back(strong(amounts_.text(shown_average(best))));
    }
    std::string lede;
    if (held_) {
      lede = fmt::format("Measured on rows that took no part in deciding. Promised on those that did: {} instead of {}",
                         amounts_.text(best.worst), amounts_.text(mean_.worst));
      if (const Json& errors = solution_.at("gain").at("errors"); !errors.is_null())
        lede += fmt::format(", a gain of {:.1f} standard errors", errors.as_number());
      lede += ".";
    } else {
      lede = solution_sentence(solution_, problem_->game().ln_size(), kPageLetters);
      if (!solution_.at("gain").is_null())
        lede += " No rows were held: on new rows less must be expected (--hold shows how much).";
    }
    if (failed) {
      advice = "This file does not verify";
      lede = failed->message() + " (" + failed->at() + ")";
    }
    return Json::object({{"block", "headline"},
                         {"state", failed           ? "worse"
                                   : caution_pays() ? "unsure"
                                                    : "keep"},
                         {"neutral", !failed},
                         {"advice", advice},
                         {"says", std::move(says)},
                         {"lede", lede},
                         {"short", ""}});
  }

  std::vector<std::pair<std::string, std::string>> four_facts() const {
    const Candidate& best = recommended();
    std::vector<std::pair<std::string, std::string>> facts;
    const std::string where = held_ ? ", held rows" : "";
    facts.emplace_back(
        amounts_.text(shown_worst(best)),
        "worst " + noun() + where + ", instead of " + amounts_.text(shown_worst(mean_)) + " with the best on average");
    facts.emplace_back(amounts_.difference(shown_average(best), shown_average(mean_)),
                       "what caution costs on average" + where);
    facts.emplace_back(best.name, best.about);
    if (caution_pays() && !single_does())
      facts.emplace_back(single_.name, "simpler: worst " + noun() + " " + amounts_.text(shown_worst(single_)));
    return facts;
  }

  PageTable compared() const {
    PageTable table{
        .title = held_ ? "Held rows first, then those that decided" : "What each would give",
        .about = "In " + amounts_.unit() + "; " + amounts_.better() + " is better." +
                 (held_ ? " What deciding rows promise is usually too good: trust the first two columns." : ""),
        .header = {""},
        .rows = {}};
    if (held_) table.header.insert(table.header.end(), {"Worst " + noun() + ", held", "Average, held"});
    const std::string deciding = held_ ? ", deciding" : "";
    table.header.insert(table.header.end(), {"Worst " + noun() + deciding, "Average" + deciding});
    for (const Candidate* one : {&single_, &mixture_, &mean_}) {
      PageRow row{one->kind};
      if (held_) row.insert(row.end(), {amounts_.text(*one->held_worst), amounts_.text(*one->held_average)});
      row.insert(row.end(), {amounts_.text(one->worst), amounts_.text(one->average)});
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Json things_to_know() const {
    Json items = Json::array();
    const auto add = [&](const std::string& what, const std::string& text) {
      items.push_back(Json::object({{"what", what}, {"text", text}}));
    };
    const Json& gain = solution_.at("gain");
    if (const Json* rows = gain.is_null() ? nullptr : gain.find("rows")) {
      double least = rows->size() > 0 ? (*rows)[0].as_number() : 0;
      for (const Json& count : rows->as_array()) least = std::min(least, count.as_number());
      if (least < static_cast<double>(kFewRows))
        add("Some groups are small.",
            fmt::format("The smallest has {:.0f} deciding rows; its mean is uncertain.", least));
      add("It is for groups that come again.", "For past months, which do not, prefer the mean of several: --worst 3.");
    }
    if (solution_.at("strategy").size() > 1)
      add("A mixture must be drawn anew every round.",
          "If the other side sees the draw before it acts, use the best single decision.");
    if (solution_.at("open").as_bool())
      add("The bounds are open.", "A better mixture may exist, up to the lower bound.");
    return Json::object({{"block", "warnings"},
                         {"serious", false},
                         {"title", items.size() == 1 ? "One thing to know" : "Things to know"},
                         {"items", std::move(items)}});
  }

  // A bar for the mixture and one for the best on average, by scenario; worst of the best on average first.
  Json pairs() const {
    struct Row {
      std::string name, about;
      double mixture, mean;
    };
    std::vector<Row> rows;
    const auto& losses = solution_.at("losses").as_array();
    const Json* decided = solution_.at("gain").is_null() ? nullptr : solution_.at("gain").find("rows");
    const Json* held_losses = held_ ? held_->find("losses") : nullptr;
    for (std::size_t g = 0; g < losses.size(); ++g) {
      Row row{losses[g].at("scenario").as_string(), "", losses[g].at("loss").as_number(),
              losses[g].at("best_average").as_number()};
      if (decided) row.about = shown((*decided)[g].as_number(), 0) + " decided";
      if (held_losses) {
        row.mixture = (*held_losses)[g].as_number();
        row.mean = held_->at("losses_best_average")[g].as_number();
        row.about = shown(held_->at("rows")[g].as_number(), 0) + " held, " + row.about;
      }
      rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.mean != b.mean ? a.mean > b.mean : a.name < b.name; });
    const std::size_t all = rows.size();
    rows.resize(std::min(rows.size(), kMostRows));
    double low = 0, high = 0;
    Json list = Json::array();
    std::size_t better = 0;
    for (const Row& row : rows) {
      const double mixture = amounts_.amount(row.mixture), mean = amounts_.amount(row.mean);
      low = std::min({low, mixture, mean});
      high = std::max({high, mixture, mean});
      const bool same = amounts_.text(row.mixture) == amounts_.text(row.mean);  // as they are shown
      better += !same && row.mixture < row.mean;
      list.push_back(Json::object({{"name", row.name},
                                   {"about", row.about},
                                   {"values", Json::array({rounded(mixture), rounded(mean)})},
                                   {"texts", Json::array({amounts_.text(row.mixture), amounts_.text(row.mean)})},
                                   {"more", amounts_.difference(row.mixture, row.mean)},
                                   {"good", same ? Json() : Json(row.mixture < row.mean)}}));
    }
    const std::string many = all > kMostRows ? fmt::format(" The {} that are worst of {}.", kMostRows, all) : "";
    return Json::object({{"block", "pairs"},
                         {"title", "Every " + noun() + (held_losses ? ", on held rows" : "")},
                         {"about", fmt::format("{} of {} do better with the mixture than with the best on average.{}",
                                               better, rows.size(), many)},
                         {"series", Json::array({"the mixture", "best on average (" +
                                                                    action_text(solution_.at("best_average")) + ")"})},
                         {"scale", Json::array({rounded(low), rounded(high)})},
                         {"header", Json::array({noun(), "mixture", "best on average", "difference"})},
                         {"side", std::string(amounts_.better()) + " is better"},
                         {"rows", std::move(list)}});
  }

  Json proofs(const std::string& checked) const {
    std::vector<std::pair<std::string, std::string>> points;
    points.emplace_back("Proven for what decided:",
                        solution_sentence(solution_, problem_->game().ln_size(), kPageLetters) + " " + checked);
    if (held_)
      points.emplace_back("Not proven for other rows:", "the rows that were held gave " +
                                                            amounts_.text(*mixture_.held_worst) + " where " +
                                                            amounts_.text(mixture_.worst) + " was promised.");
    if (const std::string fresh = fresh_sentence(solution_, amounts_); !fresh.empty())
      points.emplace_back("For new rows:", fresh);
    if (!solution_.at("claims").is_null())
      points.emplace_back("On the word of an oracle of your own:", solution_.at("claims").as_string() + ".");
    Json blocks = Json::array();
    blocks.push_back(points_block("", points));
    return blocks;
  }

  Json details() const {
    const Json& work = solution_.at("work");
    std::string witness;
    const auto& opponent = solution_.at("opponent").as_array();
    for (std::size_t i = 0; i < std::min<std::size_t>(5, opponent.size()); ++i)
      witness += (i ? ", " : "") + fmt::format("{:.1f} % {}", 100 * opponent[i].at("probability").as_number(),
                                               opponent[i].at("scenario").as_string());
    Json blocks = Json::array();
    blocks.push_back(facts_block(
        "",
        {{"Problem", kind_ + ", " + action_count_text(problem_->game().ln_size()) + " actions"},
         {"Opponent", opponent_text(solution_)},
         {"Solved", fmt::format("{} after {} rounds, {} calls of {}", solution_.at("stopped").as_string(),
                                work.at("rounds").as_number(), work.at("oracle_calls").as_number(),
                                solution_.at("oracle").as_string())},
         {"As losses", fmt::format("lower {:.9g}, upper {:.9g}, unit {:.6g}", solution_.at("lower").as_number(),
                                   solution_.at("upper").as_number(), solution_.at("unit").as_number())},
         {"Settings", fmt::format("cap {:.6g}, tolerance {:.3g}, slack {:.6g}, regret {}",
                                  solution_.at("cap").as_number(), solution_.at("tolerance").as_number(),
                                  solution_.at("slack").as_number(), solution_.at("regret").as_bool() ? "yes" : "no")},
         {"Witness of the lower bound", witness}}));
    return blocks;
  }

  // In words; a file that does not verify is told in red.
  std::string check(Checking checking, std::optional<Error>& failed) const {
    if (checking == Checking::kSkip) return "Not checked for this page.";
    if (solution_.at("scenarios").at("from").as_string() == "rows")
      return "Not checked for this page, which has no rows: hannan verify with -d checks it.";
    try {
      const SolutionVerification found = verify_solution(solution_, name_, {});
      return found.trusted.empty() ? "Checked: computed again by separate code, and agrees."
                                   : "Checked by separate code, in part on trust.";
    } catch (const Error& e) {
      failed = e;
      return "It does not verify.";
    }
  }

  const Json& solution_;
  std::string name_;
  SolutionAmounts amounts_;
  std::string kind_;
  std::unique_ptr<AnyProblem> problem_;
  std::shared_ptr<const Money> money_;
  ActionMoney action_money_;
  const Json* held_ = nullptr;
  Candidate single_, mixture_, mean_;
};

}  // namespace

Section solution_section(const Json& solution, const std::string& name, Checking checking) {
  return SolutionPage(solution, name).section(checking);
}

}  // namespace hannan::detail
