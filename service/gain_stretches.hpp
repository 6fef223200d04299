// The gains of a run in at most 512 sums, whatever its length: stretches of rounds of equal length, which double when
// there are too many. They give the totals of the eight blocks that a judgement takes (hannan/compare/judgement.hpp).
//
// Up to 512 rounds the blocks are those of judge(), round for round. Beyond, there are 256 stretches or more, and a
// block ends at the end of the stretch nearest to where it should: it is off by at most half a stretch at each end, a
// 32nd of its length. A function of the rounds alone, so replay gives it again.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hannan/compare/judgement.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::service {

class GainStretches {
 public:
  void add(double gain);
  std::uint64_t rounds() const { return rounds_; }
  std::array<double, kJudgedBlocks> blocks() const;

  Json json() const;                                                 // {width, rounds, gains}
  static GainStretches of(const Json& json, std::string_view path);  // of json()

 private:
  static constexpr std::size_t kMost = 512;
  std::uint64_t width_ = 1;    // rounds in a stretch; the last may have fewer
  std::uint64_t rounds_ = 0;   // of all
  std::vector<double> gains_;  // by stretch
};

}  // namespace hannan::detail::service
