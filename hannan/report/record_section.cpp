// The section of a record: verified while it is read, once; after the first fault the rest is shown without being
// checked, and the page says so.
#include <algorithm>

#include "hannan/play/quoted_bound.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_words.hpp"
#include "hannan/report/part_blocks.hpp"
#include "hannan/report/record_curves.hpp"
#include "hannan/report/record_headline.hpp"
#include "hannan/report/section.hpp"
#include "hannan/report/segment_blocks.hpp"
#include "hannan/report/tracking_table.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {
namespace {

// "Reserve prices of flipflop", so that a page over several records tells them apart.
std::string titled(const PageWords& words, const Json* learner) {
  return learner && learner->is_string() ? words.title + " of " + learner->as_string() : words.title;
}

// Reads a record to its end or to the first line that is no JSON; verifies as long as it verifies.
class RecordStory {
 public:
  explicit RecordStory(const RecordRequest& request)
      : request_(request), checking_(request.checking == Checking::kVerify) {}

  Section tell() {
    read();
    const Json& problem = part("problem");
    const Json& learner = part("learner");
    const Json nothing;
    const Json* params = problem.find("params");
    const ActionWords words = action_words(kind(problem), params ? *params : nothing, request_.log);
    if (const auto best = end_.is_object() ? end_.find_number("best_action") : std::nullopt;
        best && !words.choices.empty())
      end_.set("best_action_name", words.text(*best));
    Json first = Json::array(), sure = Json::array(), blocks = Json::array();
    first.push_back(headline(params ? *params : nothing));
    const bool in_part = is_in_part(end_);
    if (in_part) {
      write_part_blocks(first, end_);
    } else {
      curves_.write_regret(first, bound_curve());
      write_segments(first);
    }
    curves_.actions().write_panels(first, words);
    sure.push_back(verdict());
    if (end_.is_object() && !in_part) write_report_blocks(sure, end_);
    if (!in_part) {
      curves_.write(blocks);
      tracking_.write(blocks);
    }
    curves_.actions().write_counts(blocks, words);
    if (end_.is_object() && !in_part) write_report_details(blocks, end_);
    if (const Json* set = learner.find("params"); set && set->is_object())
      blocks.push_back(object_block("Learner " + kind(learner) + ": parameters and seed", *set));
    if (params && params->is_object()) blocks.push_back(object_block("Problem " + kind(problem), *params));
    blocks.push_back(
        facts_block("Record", {{"file", request_.name},
                               {"written by", header_.find("program") ? shown(*header_.find("program")) : "-"},
                               {"digest", digest_.empty() ? "-" : digest_}}));
    if (!request_.log.summary.is_null()) write_log_blocks(blocks, request_.log.summary);
    first.push_back(fold_block("How sure is this?", "What was checked, and what is proven", std::move(sure)));
    first.push_back(
        fold_block("Technical details", "Rates, modes, work, parameters, what was read", std::move(blocks)));
    Section section{.json = {}, .failed = failed_, .of_record = true};
    const PageWords of_page = page_words(kind(problem), params ? *params : nothing);
    section.json.set("title", titled(of_page, learner.find("kind")) + ", record of a run")
        .set("about", of_page.rounds(curves_.rounds()))
        .set("source", request_.name)
        .set("blocks", std::move(first));
    return section;
  }

 private:
  // One pass: lines are verified and drawn as they come, so that memory does not grow with the record.
  void read() {
    RecordLines lines(request_.lines, request_.name);
    RecordVerifier verifier(request_.name);
    try {
      while (lines.next()) {
        if (checks()) check(verifier, lines);
        take(lines.json());
      }
      if (checks()) verified_ = verifier.result();
      if (!end_.is_object() && !failed_)
        failed_.emplace(Code::kTruncated, "found no end, expected a last line {\"end\":...,\"digest\":...}",
                        request_.name);
    } catch (const Error& e) {
      if (!failed_) failed_ = e;  // what was read before it is shown
    }
  }

  bool checks() const { return checking_ && !failed_ && !unavailable_; }

  // After the first line that does not hold, the rest is read without being checked. A learner without a rule to check
  // it by is no fault of the record.
  void check(RecordVerifier& verifier, const RecordLines& lines) {
    try {
      verifier.line(lines);
    } catch (const Error& e) {
      (e.code() == Code::kUnavailable ? unavailable_ : failed_) = e;
    }
  }

  // The first line is the header, one with "end" the last; all others are rounds.
  void take(const Json& line) {
    if (header_.is_null()) {
      header_ = line;
      tracking_.begin(line);
      depths_.begin(line);
    } else if (const Json* end = line.find("end")) {
      end_ = *end;
      if (const Json* digest = line.find("digest")) digest_ = shown(*digest);
    } else {
      curves_.round(line);
      tracking_.round(line);
      depths_.round(line);
    }
  }

  // What was checked decides the words: all of it, a part, nothing, or that the record does not hold.
  Json headline(const Json& params) const {
    RecordHeadline of{.report = end_, .problem = kind(part("problem")), .params = params, .log = request_.log};
    of.rounds = curves_.rounds();
    if (failed_) {
      of.checked = Checked::kDoesNotHold;
      of.lede =
          "Everything below is drawn as recorded. Ask for the original file, or run the learner again on its data.";
      of.details = {code_name(failed_->code()) + ": " + failed_->at() + ": " + failed_->message(),
                    counted(curves_.rounds(), "round") + " could be read."};
    } else if (unavailable_ || !checking_) {
      of.lede = std::string("The figures are as recorded. ") +
                (unavailable_ ? "There is no rule to check this learner by."
                              : "Leave out --no-verify to have them computed again.");
    } else if (!verified_.trusted.empty()) {
      of.checked = Checked::kInPart;
      of.unchecked = verified_.choices_on_trust ? "some choices are as recorded" : "some figures are as recorded";
      of.lede =
          "Nothing in the record contradicts the rest, but what is named here could not be derived again: it is as "
          "true as whoever wrote the record.";
      of.details = not_checked();
    } else {
      of.checked = Checked::kAgrees;
      of.lede =
          "Every figure was derived again from the recorded outcomes and decisions, by code that shares nothing "
          "with the learner.";
    }
    return record_headline(of);
  }

  // The same four cases in full, for those who open "How sure is this?".
  Json verdict() const {
    if (failed_) {
      return verdict_block(Verdict::kBad, "Not verified: this record does not hold. Do not rely on the figures below.",
                           {code_name(failed_->code()) + ": " + failed_->at() + ": " + failed_->message(),
                            counted(curves_.rounds(), "round") + " could be read and are shown as recorded."});
    }
    if (unavailable_) {
      return verdict_block(
          Verdict::kOpen, "Not verified: there is no rule to check this learner by. The figures below are as recorded.",
          {code_name(unavailable_->code()) + ": " + unavailable_->at() + ": " + unavailable_->message()});
    }
    if (!checking_) {
      return verdict_block(Verdict::kOpen, "Not verified: --no-verify was given. The figures below are as recorded.",
                           {"hannan verify " + request_.name + " checks them."});
    }
    auto details = not_checked();
    for (const auto& what : verified_.checked) details.push_back("checked: " + what);
    for (const auto& what : verified_.recorded) details.push_back("as recorded: " + what);
    const bool whole = verified_.trusted.empty();
    if (!verified_.in_part.empty()) {
      return verdict_block(whole ? Verdict::kGood : Verdict::kOpen,
                           (whole ? "Verified: " : "Consistent, not checked in part: ") +
                               counted(verified_.rounds, "round") + ", " + verified_.in_part,
                           details);
    }
    return verdict_block(
        whole ? Verdict::kGood : Verdict::kOpen,
        (whole ? "Verified: " : "Consistent, not checked in part: ") + counted(verified_.rounds, "round") + ", loss " +
            shown(verified_.total) + ", best " + best_text() + ", regret " + regret_text() +
            (whole
                 ? " were derived again from the recorded outcomes and decisions, by code that shares nothing with the "
                   "learner."
                 : "; what is named here first rests on what the record says."),
        details);
  }

  std::vector<std::string> not_checked() const {
    std::vector<std::string> all;
    for (const auto& what : verified_.trusted) all.push_back("not checked: " + what);
    return all;
  }

  // L* and the regret as the verifier knows them: ranges where no search proved the best.
  std::string best_text() const {
    return verified_.floor < verified_.best ? "from " + shown(verified_.floor) + " to " + shown(verified_.best)
                                            : shown(verified_.best);
  }
  std::string regret_text() const {
    return verified_.floor < verified_.best
               ? "from " + shown(verified_.regret) + " to " + shown(verified_.total - verified_.floor)
               : shown(verified_.regret);
  }

  // Of a run with contexts.
  void write_segments(Json& blocks) const {
    depths_.write(blocks);
    if (!end_.is_object()) return;
    const Json* params = part("problem").find("params");
    blocks_of_segments(
        blocks,
        {.report = end_, .problem = kind(part("problem")), .params = params ? *params : Json(), .log = request_.log});
  }

  // As it was derived again, or else the one of the recorded report.
  RecordCurves::BoundCurve bound_curve() const {
    using Of = RecordCurves::BoundCurve::Of;
    const auto quoted = end_.is_object() ? quoted_bound(end_) : std::nullopt;
    RecordCurves::BoundCurve curve{.path = verified_.bound_path, .recorded = {}, .certainty = {}};
    if (quoted) {
      curve.recorded = quoted->value;
      curve.of = static_cast<Of>(quoted->of);
      curve.conditional = !quoted->realised();
    }
    if (!curve.path.empty()) curve.of = static_cast<Of>(verified_.bound_of);
    curve.certainty = certainty_text(end_);
    return curve;
  }

  const Json& part(const char* name) const {
    static const Json kNothing;
    const Json* found = header_.find(name);
    return found ? *found : kNothing;
  }
  static std::string kind(const Json& part) { return part.find("kind") ? shown(*part.find("kind")) : "unknown"; }

  const RecordRequest& request_;
  bool checking_;
  Json header_, end_;
  std::string digest_;
  RecordCurves curves_;
  DepthWeights depths_;
  TrackingTable tracking_;
  Verification verified_;
  std::optional<Error> failed_, unavailable_;
};

}  // namespace

Section record_section(const RecordRequest& request) { return RecordStory(request).tell(); }

// A bid log by itself: what was read and what was left out.
Section log_section(const Json& summary, const std::string& name) {
  Json blocks = Json::array();
  write_log_blocks(blocks, summary);
  return {.json = Json::object({{"title", "Bid log"}, {"source", name}, {"blocks", std::move(blocks)}}), .failed = {}};
}

// A summary of a run has figures and no rounds, so that there is nothing to verify.
Section summary_section(const Json& summary, const std::string& name) {
  const auto rounds = summary.find_number("rounds").value_or(0);
  const Json* kind = summary.find("problem");
  const Json* of_problem = summary.find("problem_params");
  Json first = Json::array(), blocks = Json::array();
  first.push_back(
      record_headline({.report = summary,
                       .problem = kind && kind->is_string() ? kind->as_string() : "",
                       .params = of_problem ? *of_problem : Json(),
                       .log = {},
                       .rounds = rounds >= 0 && rounds < 1e15 ? static_cast<std::uint64_t>(rounds) : 0,
                       .lede = "A summary holds no rounds to check. Give the record of the run for that."}));
  blocks.push_back(verdict_block(
      Verdict::kOpen,
      "Not verified: a summary holds no rounds to check. Give the record of the run (hannan run --record) for that.",
      {}));
  if (is_in_part(summary)) {
    write_part_blocks(blocks, summary);
  } else {
    write_report_blocks(blocks, summary);
    write_report_details(blocks, summary);
  }
  blocks_of_segments(first, {.report = summary,
                             .problem = kind && kind->is_string() ? kind->as_string() : "",
                             .params = of_problem ? *of_problem : Json(),
                             .log = {}});
  const Json nothing;
  const auto text = [&](const char* field) {
    return summary.find(field) ? shown(*summary.find(field)) : std::string("-");
  };
  blocks.push_back(facts_block("Next decision", {{"action", text("next_action")}}));
  for (const char* field : {"params", "problem_params"}) {
    const Json* found = summary.find(field);
    if (found && found->is_object())
      blocks.push_back(object_block(std::string(field) == "params"
                                        ? "Learner " + text("learner") + ": parameters and seed"
                                        : "Problem " + text("problem"),
                                    *found));
  }
  if (const Json* data = summary.find("data"); data && is_log_summary(*data)) write_log_blocks(blocks, *data);
  for (const Json& block : blocks.as_array()) first.push_back(block);
  return {.json = Json::object({{"title", titled(page_words(text("problem"), of_problem ? *of_problem : nothing),
                                                 summary.find("learner")) +
                                              ", summary of a run"},
                                {"source", name},
                                {"blocks", std::move(first)}}),
          .failed = {}};
}

}  // namespace hannan::detail
