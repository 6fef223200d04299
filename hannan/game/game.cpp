// What a Game answers where its problem offers nothing: plain defaults, or kUnavailable with what is missing.
#include "hannan/game/game.hpp"

#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/game/rivals.hpp"

namespace hannan {
namespace {

[[noreturn]] void refuse_json() {
  throw Error(Code::kUnavailable, "a problem without a Codec is neither read from nor written as JSON", "problem");
}

}  // namespace

std::string_view Game::kind() const { return "a problem of your own"; }
detail::Json Game::params() const { return detail::Json::object(); }

std::optional<detail::Elements> Game::elements() const { return std::nullopt; }
void Game::element_losses(const AnyOutcome&, std::span<const std::int32_t>, std::span<double>) const {}

std::unique_ptr<const detail::ActionTable> Game::action_table(std::uint64_t) const { return nullptr; }
bool Game::action_row(const AnyAction&, std::vector<std::int32_t>&) const { return false; }
detail::Json Game::action_json(const AnyAction&) const { refuse_json(); }
AnyAction Game::parse_action(const detail::Json&, std::string_view) const { refuse_json(); }

detail::Json Game::outcome_json(const AnyOutcome&) const { refuse_json(); }
void Game::read_outcome(const detail::Json&, std::string_view, AnyOutcome&) const { refuse_json(); }
std::size_t Game::row_width() const { return 0; }
detail::Interval Game::row_range() const { return detail::kUnit; }
detail::RowGaps Game::row_gaps() const { return detail::RowGaps::kRefused; }
std::string_view Game::row_gap_hint() const { return {}; }
void Game::read_row(std::span<const double>, AnyOutcome&) const { detail::refuse_row(); }

bool Game::extreme_outcomes(detail::ExtremeOutcomes<AnyOutcome>&) const { return false; }
bool Game::simulates() const { return false; }
void Game::simulate(const detail::MarketDraws&, AnyOutcome&) const {
  throw Error(Code::kUnavailable, "no simulated market makes outcomes of this problem", "problem");
}
std::size_t Game::labelled_points() const { return 0; }

std::shared_ptr<const detail::Money> Game::money() const { return nullptr; }
std::unique_ptr<detail::RivalGroup> Game::rivals() const { return nullptr; }

}  // namespace hannan
