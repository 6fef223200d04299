#include "logged_today.hpp"

#include <algorithm>
#include <utility>

#include "hannan/compare/as_logged.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail::cli {
namespace {

class SourceWithToday final : public Source {
 public:
  SourceWithToday(Source& outcomes, LossAsLogged today) : outcomes_(outcomes), today_(std::move(today)) {}
  bool next(AnyOutcome& outcome) override {
    if (!outcomes_.next(outcome)) return false;
    lost_ = today_(outcome);
    return true;
  }
  std::span<const std::string> context() const override { return outcomes_.context(); }
  std::uint64_t context_not_numbers() const override { return outcomes_.context_not_numbers(); }
  std::optional<double> today_loss() const override { return lost_; }
  bool skip() override { return outcomes_.skip(); }

 private:
  Source& outcomes_;
  LossAsLogged today_;
  std::optional<double> lost_;
};

LossAsLogged loss_of(LoggedToday& today) {
  if (!today.losses.empty()) {
    const auto played = std::min<std::uint64_t>(today.played, today.losses.size());
    today.losses.erase(today.losses.begin(), today.losses.begin() + static_cast<std::ptrdiff_t>(played));
    return as_logged_of_list(std::move(today.losses));
  }
  if (!today.column.empty()) return as_logged_of_column(today.problem, today.names, today.column, "--as-logged");
  if (today.bids && today.bids->knows_money())
    return as_logged_of_log(today.problem, today.log.cap, [bids = today.bids] { return bids->last_logged(); });
  return as_logged_of_rows(today.problem, today.log.summary, today.log.cap);
}

}  // namespace

std::unique_ptr<Source> with_logged_today(Source& outcomes, LoggedToday today) {
  LossAsLogged loss = loss_of(today);
  if (!loss)
    throw Error(Code::kMissingField,
                "found a portfolio whose today is logged, and data that do not say what was done, expected a log of "
                "bids (--format), the summary of one (--log), or --as-logged COLUMN",
                "--as-logged");
  return std::make_unique<SourceWithToday>(outcomes, std::move(loss));
}

}  // namespace hannan::detail::cli
