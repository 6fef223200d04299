// The dashboard: its page, the last rounds of one learner, and the check of a record.
#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "service/codes.hpp"
#include "service/dashboard_page.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

// What learners of both kinds have; their figures are added by the caller.
FirstRow first_row(const auto& entry, const auto& now) {
  FirstRow row;
  row.name = entry.name();
  row.status = status_name(now.status);
  row.why = now.why;
  return row;
}

}  // namespace

void Api::page(Call& call) {
  Reply reply;
  reply.type = "text/html; charset=utf-8";
  std::vector<FirstRow> rows;
  // Without scripts there is no way to give a token: then the page itself has nothing to show.
  if (!tokens_.required()) {
    for (const auto& entry : host_.list("", kFirstRows)) {
      const auto now = entry->now();
      FirstRow row = first_row(*entry, now);
      if (now.published) {
        row.rounds = now.published->rounds;
        row.loss = now.published->seen_total();
        const Published& seen = *now.published;
        if (seen.best && seen.floor) row.regret = Interval{seen.total - *seen.best, seen.total - *seen.floor};
      }
      rows.push_back(std::move(row));
    }
    for (const auto& entry : host_.combiners()) {
      const auto now = entry->now();
      FirstRow row = first_row(*entry, now);
      if (now.seen) {
        row.rounds = now.seen->rounds;
        row.loss = now.seen->total;
      }
      rows.push_back(std::move(row));
    }
    std::ranges::sort(rows, {}, &FirstRow::name);
    if (rows.size() > kFirstRows) rows.resize(kFirstRows);
  }
  const DashboardPage made = dashboard_page(rows, tokens_.required() ? TokenEntry::kNeeded : TokenEntry::kNone);
  reply.body = made.html;
  reply.headers = {{"Content-Security-Policy", made.policy},
                   {"X-Content-Type-Options", "nosniff"},
                   {"Referrer-Policy", "no-referrer"},
                   {"Cache-Control", "no-store"}};
  call.respond(std::move(reply));
}

// With what is usual for the learner's feedback, as lists have it: looked up now for the next question.
void Api::recent_rounds(Call& call) {
  const auto entry = host_.find(call.name);
  Json answer = recent_.of(entry);
  answer.set("feedback", feedback_json(*entry));
  call.respond(json_reply(answer));
  const std::vector<EntryPointer> shown{entry};
  list_figures_.refresh(shown);
}

void Api::verification(Call& call) { call.respond(json_reply(verify_jobs_.state(*host_.find(call.name)))); }

void Api::verify(Call& call) { call.respond(json_reply(verify_jobs_.start(host_.find(call.name)), 202)); }

}  // namespace hannan::detail::service
