// What a noise and a perturbation matrix have to do with each other: whether they go together, and M.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/certify/noise_size.hpp"
#include "hannan/game/game.hpp"
#include "hannan/noise/noise.hpp"

namespace hannan::detail {

// What one-sided noise needs and the matrix lacks; empty: it lacks nothing.
std::string one_sided_objection(const NoiseFacts& noise, const MatrixFacts& matrix);

// The sign of the hedge vector, per column.
std::vector<int> column_signs(const MatrixFacts& matrix);

// M of a matrix under a noise: exact if it can be, else by Monte Carlo with fixed keys, so that it is a fact of the
// problem and not of a run. Costs an oracle call a draw, 2000 draws, fewer where `tabulate` looks at every action.
NoiseSize size_of_noise(const std::shared_ptr<const GameOracle>& oracle,
                        const std::shared_ptr<const GameMatrix>& matrix, const Noise& noise);

// rho2: no less than the mean square of the range of the noise, for columns of these ranges and centred noise of norm
// p. No columns: none (docs/theory-run.md, moves_upper).
std::optional<double> square_of_noise(const std::vector<double>& ranges, double p);

}  // namespace hannan::detail
