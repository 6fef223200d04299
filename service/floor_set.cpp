// Sets of floors: one file of price floors (Prebid's JSON schema) put together from several learners by rules. A set is
// checked when it is made, but its learners may end or change afterwards: a rule that no longer fits is left out of the
// file and listed as missing, and only a set with nothing left is an error. Cost: O(rules) a file, without asking the
// writer.
#include "service/floor_set.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/io/fields.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kMostRules = 10'000;  // every page loads the file

// A key has one value per field of the set, "*" for any; values are written as Prebid compares them.
FloorRule read_rule(const Json& json, std::size_t fields, const std::string& path) {
  Fields in(json, path);
  FloorRule rule;
  for (const std::string& part : in.words("key")) rule.key.push_back(part == "*" ? part : floor_key(part));
  rule.learner = in.word("learner");
  rule.slot = in.word("slot", "");
  in.done();
  if (rule.key.size() != fields) {
    throw Error(
        Code::kOutOfRange,
        "found " + std::to_string(rule.key.size()) + " values, expected " + std::to_string(fields) + ", one per field",
        in.at("key"));
  }
  return rule;
}

// The key of a rule as Prebid writes it: its values with the delimiter between them.
std::string joined(const std::vector<std::string>& parts, char delimiter) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(1, delimiter)) + part;
  return text;
}

// A model is a list of rules with different keys; its weight is the share of page views that use it.
FloorModel read_model(Fields& in, std::size_t fields, std::uint64_t weight) {
  FloorModel model{.weight = weight, .rules = {}};
  const auto& list = in.list("rules");
  if (list.empty() || list.size() > kMostRules) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(list.size()) + " rules, expected 1 to " + std::to_string(kMostRules),
                in.at("rules"));
  }
  std::set<std::vector<std::string>> keys;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = path_of(in.at("rules"), i);
    model.rules.push_back(read_rule(list[i], fields, path));
    if (!keys.insert(model.rules.back().key).second)
      throw Error(Code::kOutOfRange, "found a key for the second time, expected each once", path_of(path, "key"));
  }
  return model;
}

Json rules_json(const FloorModel& model) {
  Json rules = Json::array();
  for (const FloorRule& rule : model.rules) {
    Json one = Json::object({{"key", Json(rule.key)}, {"learner", rule.learner}});
    if (!rule.slot.empty()) one.set("slot", rule.slot);
    rules.push_back(std::move(one));
  }
  return rules;
}

// Its prices are ceilings, which are no floors.
bool is_reverse(const LearnerConfig& config) {
  return config.money && config.money->floors == Money::Floors::kCeilings;
}

// Throws where a learner has no floors that a set could take.
void check_has_floors(const LearnerConfig& config, const std::string& name) {
  if (!config.orders.empty()) {
    throw Error(Code::kUnavailable,
                "found a learner with contexts (" + name + "), expected one without: it has a file of its own",
                "learner");
  }
  check_floors(config.floors_of(), config.facts());
  if (is_reverse(config)) {
    throw Error(Code::kUnavailable,
                "found a reverse auction (" + name + "), expected a forward one: floors are reserves", "learner");
  }
}

// The place of the slot among the bidders.
std::size_t slot_place(const FloorRule& rule, const Entry& entry) {
  const LearnerConfig& config = entry.config();
  check_has_floors(config, rule.learner);
  const std::size_t bidders = config.floors_of().owners();
  if (rule.slot.empty() && bidders == 1) return 0;
  for (std::size_t i = 0; i < bidders; ++i) {
    if (rule.slot == (config.slots.empty() ? std::to_string(i + 1) : config.slots[i])) return i;
  }
  throw Error(Code::kUnknownName, "found the slot \"" + rule.slot + "\" of " + rule.learner + ", expected one it has",
              "slot");
}

// What one rule says.
struct RuleFloor {
  double floor = 0;
  std::string currency;  // empty: not stated
  std::string decision;
};

// From the floors.json of a learner on another node.
RuleFloor far_floor(const FloorRule& rule, const Json& one) {
  const Json& values = one.at("values");
  const std::string key = rule.slot == "*" ? rule.slot : floor_key(rule.slot);
  const Json* found = rule.slot.empty() && values.size() == 1 ? &values.as_object().front().second : values.find(key);
  if (!found) {
    throw Error(Code::kUnknownName, "found the slot \"" + rule.slot + "\" of " + rule.learner + ", expected one it has",
                "slot");
  }
  const Json* currency = one.find("currency");
  return {.floor = found->as_number(),
          .currency = currency ? currency->as_string() : std::string(),
          .decision = one.at("modelVersion").as_string()};
}

// From what this node has published.
RuleFloor near_floor(const FloorRule& rule, const Entry& entry, const DecidedAction& decided) {
  const LearnerConfig& config = entry.config();
  const std::size_t place = slot_place(rule, entry);
  const ReserveInMoney money{*config.money, config.cap.value_or(1), "floors"};
  return {.floor = rounded_floor(money.of(place, decided.action[place])),
          .currency = config.currency,
          .decision = decision_name(decided.generation, decided.round)};
}

// The file of a set, whose learners may have changed since the set was made.
class SetFile {
 public:
  SetFile(const FloorSet& set, const FloorSources& from) : set_(set), from_(from) {}

  // One model as a file of schema 1; null where no rule of it is left.
  Json model(const FloorModel& model) {
    Json values = Json::object();
    std::vector<std::string> versions;
    std::set<std::string> seen;
    double least = 0;
    for (const FloorRule& rule : model.rules) {
      const auto one = fitting_floor(rule);
      if (!one) {
        if (std::find(file_.missing.begin(), file_.missing.end(), rule.learner) == file_.missing.end())
          file_.missing.push_back(rule.learner);
        continue;
      }
      least = values.size() == 0 ? one->floor : std::min(least, one->floor);
      values.set(joined(rule.key, '|'), one->floor);
      if (seen.insert(rule.learner).second) versions.push_back(rule.learner + "=" + one->decision);
    }
    if (values.size() == 0) return {};
    Json made = Json::object(
        {{"floorsSchemaVersion", 1}, {"floorProvider", "hannan"}, {"modelVersion", joined(versions, ',')}});
    if (!currency_->empty()) made.set("currency", *currency_);
    made.set("skipRate", set_.skip_rate).set("floorMin", least);
    made.set("schema", Json::object({{"delimiter", "|"}, {"fields", Json(set_.fields)}}));
    return made.set("values", std::move(values)).set("default", least);
  }

  FloorsFile done(Json json) {
    if (json.is_null())
      throw Error(Code::kUndefined, "found none of the set's learners with floors, expected at least one", "set");
    file_.json = std::move(json);
    return std::move(file_);
  }

 private:
  // Nothing where the learner was ended, or was made again as one whose floors are no part of this file.
  std::optional<RuleFloor> fitting_floor(const FloorRule& rule) {
    try {
      auto one = floor_of(rule);
      if (!one || (currency_ && one->currency != *currency_)) return std::nullopt;
      currency_ = one->currency;
      return one;
    } catch (const Error& e) {
      // A learner that is only not loaded yet will have floors soon: the request is refused rather than answered
      // without it.
      if (e.code() == kNotReady) throw;
      return std::nullopt;
    }
  }

  std::optional<RuleFloor> floor_of(const FloorRule& rule) {
    const auto far = from_.far.find(rule.learner);
    if (far != from_.far.end()) {
      if (far->second.one.is_null()) return std::nullopt;
      auto one = far_floor(rule, far->second.one);
      file_.stale = file_.stale || far->second.stale;
      return one;
    }
    const EntryPointer entry = from_.find(rule.learner);
    if (!entry) return std::nullopt;
    slot_place(rule, *entry);  // what has no such floor needs no decision
    const auto now = entry->now();
    const auto decided = now.decided();
    // It has not decided yet, or its log does not say what.
    if (!decided && (now.published || now.status == Status::kQuarantined)) return std::nullopt;
    if (!decided)
      throw Error(kNotReady, "found a learner that is not loaded (" + rule.learner + "), expected one; ask again");
    // One old decision makes the whole file old: the answer then carries a warning.
    file_.stale = file_.stale || now.status != Status::kReady;
    return near_floor(rule, *entry, *decided);
  }

  const FloorSet& set_;
  const FloorSources& from_;
  FloorsFile file_;
  std::optional<std::string> currency_;  // that of the first rule which is left; "": it states none
};

}  // namespace

Json FloorSet::json() const {
  Json all = Json::object({{"fields", Json(fields)}});
  Json list = Json::array();
  for (const FloorModel& model : models)
    list.push_back(Json::object({{"weight", model.weight}, {"rules", rules_json(model)}}));
  all.set("models", std::move(list));
  all.set("skip_rate", skip_rate);
  all.set("max_age", max_age);
  all.set("public", is_public);
  return all;
}

std::vector<std::string> FloorSet::learners() const {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const FloorModel& model : models) {
    for (const FloorRule& rule : model.rules) {
      if (seen.insert(rule.learner).second) names.push_back(rule.learner);
    }
  }
  return names;
}

// Rules of a single model may stand in the set itself; several models have a list of their own.
FloorSet read_floor_set(const Json& body) {
  Fields in(body, "");
  FloorSet set;
  set.fields = in.words("fields");
  if (set.fields.empty()) throw Error(Code::kEmpty, "found no field, expected at least one", "fields");
  if (const Json* models = in.maybe("models")) {
    const auto& list = to_list(*models, "models");
    if (list.empty()) throw Error(Code::kEmpty, "found no model, expected at least one", "models");
    for (std::size_t i = 0; i < list.size(); ++i) {
      Fields one(list[i], path_of("models", i));
      const auto weight = static_cast<std::uint64_t>(one.integer("weight", {1, 100}, 100));
      set.models.push_back(read_model(one, set.fields.size(), weight));
      one.done();
    }
  } else {
    set.models.push_back(read_model(in, set.fields.size(), 100));
  }
  set.skip_rate = static_cast<std::uint64_t>(in.integer("skip_rate", {0, 100}, 0));
  set.max_age = static_cast<std::uint64_t>(in.integer("max_age", {0, 31'536'000}, 600));
  set.is_public = in.flag("public", false);
  in.done();
  return set;
}

// When a set is made every rule must fit, in one currency; later, rules that no longer fit are left out instead.
void check_floor_set(const FloorSet& set, const FloorSources& from) {
  const auto checked_currency = [&](const FloorRule& rule) {
    const auto far = from.far.find(rule.learner);
    if (far != from.far.end() && !far->second.one.is_null()) return far_floor(rule, far->second.one).currency;
    const EntryPointer entry = far == from.far.end() ? from.find(rule.learner) : nullptr;
    if (!entry)
      throw Error(Code::kUndefined, "found no learner " + rule.learner + " with floors, expected one", "learner");
    slot_place(rule, *entry);
    return entry->config().currency;
  };
  const auto shown = [](const std::string& currency) { return currency.empty() ? std::string("none") : currency; };
  std::optional<std::string> currency;
  for (const FloorModel& model : set.models) {
    for (const FloorRule& rule : model.rules) {
      const std::string found = checked_currency(rule);
      if (currency && *currency != found) {
        throw Error(Code::kOutOfRange,
                    "found the currencies " + shown(*currency) + " and " + shown(found) +
                        ", expected one for all learners of a set",
                    "learner");
      }
      currency = found;
    }
  }
}

// Schema 1 has one model, schema 2 groups of models with weights. floorMin is the least floor of all groups.
FloorsFile floors_of_set(const FloorSet& set, int schema, const FloorSources& from) {
  SetFile file(set, from);
  if (schema == 1) {
    if (set.models.size() > 1)
      throw Error(Code::kUnavailable, "found several models, expected one; ask with schema=2", "schema");
    return file.done(file.model(set.models.front()));
  }
  Json all, groups = Json::array();
  for (const FloorModel& model : set.models) {
    const Json one = file.model(model);
    if (one.is_null()) continue;
    const Json two = floors_of_schema_two(one);
    Json group = two.at("modelGroups")[0];
    group.set("modelWeight", model.weight);
    groups.push_back(std::move(group));
    if (all.is_null()) {
      all = two;
    } else if (two.at("floorMin").as_number() < all.at("floorMin").as_number()) {
      all.set("floorMin", two.at("floorMin"));
    }
  }
  if (!all.is_null()) all.set("modelGroups", std::move(groups));
  return file.done(std::move(all));
}

// What the learner's floors.json would have in its schema, shown with the learner; null where it has no floors.
Json floors_offer(const LearnerConfig& config) {
  try {
    check_floors(config.floors_of(), config.facts());
  } catch (const Error&) {
    return {};
  }
  if (is_reverse(config)) return {};
  const std::size_t bidders = config.floors_of().owners();
  const FloorFields named = read_floor_fields(config.floor_fields, config.orders);
  const std::vector<std::string> fields =
      config.orders.empty() ? std::vector<std::string>{named.of_slot} : named.of(config.orders.front(), bidders);
  // What Prebid Server takes: no field of one's own.
  static const std::set<std::string> known{"gptSlot",   "adUnitCode", "size",    "domain",  "mediaType", "siteDomain",
                                           "pubDomain", "bundle",     "channel", "country", "deviceType"};
  const bool server = std::all_of(fields.begin(), fields.end(), [](const auto& one) { return known.contains(one); });
  Json offer = Json::object({{"fields", Json(fields)}, {"prebid_js", true}, {"prebid_server", server}});
  if (config.currency.empty()) offer.set("note", kNoCurrencyStated);
  return offer;
}

}  // namespace hannan::detail::service
