#include "floors.hpp"

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "hannan/core/error.hpp"

namespace hannan::cli {
namespace {

// Rule keys are compared in lower case and cut at the delimiter, so neither may make two slots one.
std::string rule_key(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '|' || c == '*') c = '_';
  }
  return name;
}

// Four decimals, up: the floors module rounds to them, and a floor below the reserve would let bids through.
double as_floor(double money) { return std::ceil(money * 1e4 - 1e-6) / 1e4; }

}  // namespace

LogFacts log_facts(Json summary, const std::string& at) {
  LogFacts facts;
  facts.summary = std::move(summary);
  const Json* cap = facts.summary.find("cap");
  const Json* slots = facts.summary.find("slots");
  if (!cap || !cap->is_number() || !slots || !slots->is_array()) {
    throw Error(Code::kUsage, "found no \"cap\" and \"slots\", expected a file that `hannan convert --summary` wrote",
                at);
  }
  facts.cap = cap->as_number();
  facts.priced = true;
  if (const Json* currency = facts.summary.find("currency"); currency && currency->is_string())
    facts.currency = currency->as_string();
  for (const Json& slot : slots->as_array()) {
    const Json* name = slot.is_object() ? slot.find("name") : nullptr;
    const Json* pooled = slot.is_object() ? slot.find("pooled") : nullptr;
    if (!name || !name->is_string() || !pooled || !pooled->is_bool()) {
      throw Error(Code::kUsage,
                  "found slots without \"name\" and \"pooled\", expected a file that `hannan convert --summary` wrote",
                  at);
    }
    facts.slots.push_back(name->as_string());
    if (pooled->as_bool()) facts.rest.push_back(facts.slots.back());
  }
  return facts;
}

LogFacts MoneyFlags::facts() const { return facts(log.empty() ? LogFacts{} : log_facts(read_json_file(log), log)); }

LogFacts MoneyFlags::facts_of_table(const std::vector<std::string>& names, const std::string& path) const {
  LogFacts found = facts();
  if (names.empty()) return found;
  if (found.slots.empty()) found.slots = names;
  if (names.size() != found.slots.size() || names == found.slots)
    return found;  // another number is said where it matters
  const auto other = std::mismatch(names.begin(), names.end(), found.slots.begin());
  throw Error(Code::kUsage,
              "found \"" + *other.second + "\", expected \"" + *other.first + "\" as in the header of " + path +
                  ": is it the summary of another table?",
              log);
}

LogFacts MoneyFlags::facts(LogFacts facts) const {
  if (cap && !(*cap > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(*cap) + ", expected more than 0", "--cap");
  if (cap) {
    facts.cap = *cap;
    facts.priced = true;
  }
  if (!currency.empty()) facts.currency = currency;
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (!facts.currency.empty() &&
      (facts.currency.size() != 3 || !std::all_of(facts.currency.begin(), facts.currency.end(), letter))) {
    throw Error(Code::kOutOfRange, "found \"" + facts.currency + "\", expected three letters such as USD",
                "--currency");
  }
  return facts;
}

void add_money_flags(Command& command, MoneyFlags& flags) {
  command.add("--log", &flags.log, "the summary that `hannan convert` wrote with the data: money, currency and names");
  command.add("--cap", &flags.cap,
              "money that a bid of 1 stands for; that of --log, or 1; with --format: the bid that becomes 1");
  command.add("--currency", &flags.currency, "its currency, three letters; that of --log");
  command.add("--floors", &flags.floors,
              "write the best fixed reserves of the data to this file as Prebid price floors");
  command
      .add("--floors-field", &flags.field, "what a slot is to the ad server: bidder, adUnitCode, gptSlot, domain, ...")
      .show_default();
}

Json price_floors(const FloorsRequest& request) {
  if (request.problem.kind() != "vcg-reserves") {
    throw Error(
        Code::kUnavailable,
        "found \"" + std::string(request.problem.kind()) + "\", expected vcg-reserves: price floors are reserves",
        "--floors");
  }
  const LogFacts& log = request.log;
  if (!log.priced) {
    throw Error(Code::kUsage,
                "found neither --log nor --cap, expected one of them: floors are money, and somebody must say what a "
                "bid of 1 stands for",
                "--floors");
  }
  const double levels = request.problem.params().at("levels").as_number();
  const std::size_t bidders = request.action.size();
  const double wanted = request.problem.params().at("bidders").as_number();
  if (!log.slots.empty() && static_cast<double>(log.slots.size()) != wanted) {
    throw Error(
        Code::kUsage,
        "found " + std::to_string(log.slots.size()) + " slots, expected " + number_text(wanted) + ", one per bidder",
        "--log");
  }
  Json values = Json::object();
  double least = 0;
  for (std::size_t i = 0; i < bidders; ++i) {
    const std::string name = log.slots.empty() ? std::to_string(i + 1) : log.slots[i];
    // A pooled slot is everybody who has no rule of its own: the highest of them decides, the first such slot.
    const auto pooled = std::find(log.rest.begin(), log.rest.end(), name);
    if (pooled != log.rest.end() && pooled != log.rest.begin()) continue;
    std::string key = pooled != log.rest.end() ? "*" : rule_key(name);
    if (key.empty() || values.find(key)) key += "_" + std::to_string(i + 1);
    const double floor = as_floor(request.action[i].as_number() / levels * log.cap);
    least = i == 0 ? floor : std::min(least, floor);
    values.set(key, floor);
  }
  return Json::object({{"floorsSchemaVersion", 1},
                       {"floorProvider", "hannan"},
                       {"modelVersion", request.model},
                       {"currency", log.currency.empty() ? std::string("USD") : log.currency},
                       {"skipRate", 0},
                       {"floorMin", least},
                       {"schema", Json::object({{"delimiter", "|"}, {"fields", Json::array({Json(request.field)})}})},
                       {"values", std::move(values)},
                       {"default", least}});
}

}  // namespace hannan::cli
