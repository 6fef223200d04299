// A hosted learner into a snapshot and out of it. What the service keeps is small and is read as JSON; the learner's
// own state may be large, and is written and read as text (io/text_archive.hpp).
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json_span.hpp"
#include "service/hosted_learner.hpp"

namespace hannan::detail::service {

// The learner's own state and what the service keeps beside it; load() takes the two apart again.
void HostedLearner::save(const TextSink& sink) {
  const auto pair = [](const Sum& sum) { return Json::array({Json(sum.value), Json(sum.carry)}); };
  Json ledger = Json::object({{"drift", pair(drift_)},
                              {"uncharged", pair(uncharged_)},
                              {"late", late_},
                              {"unattributed", unattributed_},
                              {"total", seen_.total},
                              {"best", seen_.best},
                              {"regret", seen_.regret},
                              {"floor", floor_},
                              {"oracle_calls", seen_.oracle_calls}});
  if (!judged_.is_null()) ledger.set("judged", judged_);
  if (learned_again_ > 0) ledger.set("learned_again", learned_again_);
  Json kept =
      Json::object({{"ledger", std::move(ledger)}, {"curve", curve_.json()}, {"yardsticks", baselines_.json()}});
  if (made_.learner.as<PortfolioLearner>()) kept.set("gains", gains_.json());
  std::string before = dump(kept);
  before.back() = ',';
  sink(before + "\"learner\":");
  made_.learner->save_to(sink);
  if (delayed_) {
    const Json late = Json::object({{"rounds", delayed_->json()}, {"decision", last_decision_}});
    sink(",\"delayed\":" + dump(late));
  }
  sink("}");
}

void HostedLearner::load(std::string_view state) {
  Json all = Json::object();
  std::string_view learner;  // which may be large, and is read as text
  for (const auto& [name, value] : object_fields(state)) {
    if (name == "learner") {
      learner = value;
    } else {
      all.append(name, parse_json(value));
    }
  }
  if (learner.empty()) throw Error(Code::kBadState, "this field of a saved state is missing", "learner");
  Fields in(all, "");
  Fields ledger = in.fields("ledger");
  const Curve curve = Curve::of(in.need("curve"), "curve");
  const Json* gained = in.maybe("gains");  // of a portfolio; states up to version 0.4 have none
  const Curve gains = gained ? Curve::of(*gained, "gains") : Curve();
  const Json* delayed = delayed_ ? &in.need("delayed") : nullptr;
  Baselines baselines(*made_.problem);
  const Json* held = in.maybe("yardsticks");  // states of earlier versions have none
  baselines.load(held ? *held : Baselines::unknown(), "yardsticks");
  in.done();
  const auto sum = [&](std::string_view name) {
    const auto parts = ledger.numbers(name);
    if (parts.size() != 2) throw Error(Code::kBadState, "found another number of parts, expected 2", ledger.at(name));
    return Sum{parts[0], parts[1]};
  };
  const auto maybe = [&](std::string_view name) -> std::optional<double> {
    const Json& value = ledger.need(name);
    if (value.is_null()) return std::nullopt;
    return to_number(value, ledger.at(name));
  };
  AnyTurn restored = made_.problem->load_text(learner);
  if (!(restored->params() == made_.learner->params()))
    throw Error(Code::kBadState, "found a learner with other parameters, expected those of the configuration",
                "learner");
  if (delayed) {
    Fields late(*delayed, "delayed");
    delayed_->load(late.need("rounds"), *restored.as<DelayedLearner>(), "delayed.rounds");
    last_decision_ = late.need("decision");
    late.done();
  }
  drift_ = sum("drift");
  uncharged_ = sum("uncharged");
  late_ = static_cast<std::uint64_t>(ledger.integer("late", kNatural));
  unattributed_ = static_cast<std::uint64_t>(ledger.integer("unattributed", kNatural));
  learned_again_ =
      ledger.maybe("learned_again") ? static_cast<std::uint64_t>(ledger.integer("learned_again", kNatural)) : 0;
  seen_.total = ledger.number("total");
  seen_.best = maybe("best");
  seen_.regret = maybe("regret");
  seen_.oracle_calls = static_cast<std::uint64_t>(ledger.integer("oracle_calls", kNatural));
  floor_ = ledger.has("floor") ? maybe("floor") : std::nullopt;  // states up to version 0.3 have neither
  const Json* judged = ledger.maybe("judged");
  judged_ = judged ? *judged : Json();
  ledger.done();
  made_.learner = std::move(restored);
  curve_ = curve;
  gains_ = gains;
  baselines_ = baselines;
  recent_.clear();
}

}  // namespace hannan::detail::service
