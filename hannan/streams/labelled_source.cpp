// Simulated streams of labelled points for problems that have points: the stream's (point, label) becomes a row of two
// numbers. The number of experts of the stream is one more than the points, so that its thresholds are the problem's.
#include "hannan/streams/labelled_source.hpp"

#include <array>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/streams/threshold_streams.hpp"

namespace hannan::detail {
namespace {

class LabelledSource final : public Source {
 public:
  LabelledSource(std::unique_ptr<LossStream> stream, const Game& game)
      : owner_(std::move(stream)), stream_(dynamic_cast<const LabelledStream&>(*owner_)), game_(game) {}

  bool next(AnyOutcome& outcome) override {
    if (!skip()) return false;
    const LabelledRound seen = *stream_.labelled(round_);
    const std::array<double, 2> row{static_cast<double>(seen.point), static_cast<double>(seen.label)};
    game_.read_row(row, outcome);
    return true;
  }
  bool skip() override { return round_ < owner_->rounds() && ++round_ > 0; }

 private:
  std::unique_ptr<LossStream> owner_;
  const LabelledStream& stream_;
  const Game& game_;
  std::uint64_t round_ = 0;
};

}  // namespace

bool labels_points(std::string_view stream) { return stream.starts_with("threshold-"); }

std::unique_ptr<Source> labelled_source(const Game& game, StreamSpec spec) {
  const std::size_t points = game.labelled_points();
  if (points == 0)
    throw Error(Code::kOutOfRange, "found a problem without points, expected points to label", "stream.name");
  spec.experts = points + 1;
  auto stream = make_loss_stream(spec);
  if (!dynamic_cast<const LabelledStream&>(*stream).every_round_has_a_point()) {
    throw Error(Code::kUnavailable,
                "found \"" + spec.name +
                    "\", which has rounds without a point, expected a stream with a point to label in every round",
                "stream.name");
  }
  return std::make_unique<LabelledSource>(std::move(stream), game);
}

}  // namespace hannan::detail
