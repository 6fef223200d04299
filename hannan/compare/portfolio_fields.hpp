// The fields of a portfolio in a result, in the order of the file (result_json.cpp).
#pragma once

#include <concepts>
#include <type_traits>

#include "hannan/compare/result.hpp"

namespace hannan::detail {

// T or const T: a list of fields serves both directions.
template <class Given, class T>
concept Like = std::same_as<std::remove_const_t<Given>, T>;

template <class Way>
void list_fields(Way& way, Like<ResultStrategy> auto& of) {
  way.need("name", of.name);
  way.need("kind", of.kind);
  way.maybe("shadow", of.shadow);
  way.need("money", of.money);
  way.need("gain", of.gain);
  way.maybe("weight", of.weight);
  way.maybe("behind", of.behind);
  way.maybe("certified", of.certified);
  way.maybe("judgement", of.judgement);
  way.need("final_action", of.final_action);
  way.maybe("final_action_name", of.final_action_name);
  way.maybe("share", of.share);
}

template <class Way>
void list_fields(Way& way, Like<ResultPortfolio> auto& of) {
  way.need("player", of.player);
  way.need("gain", of.gain);
  way.need("low", of.low);
  way.need("drawn", of.drawn);
  way.need("drawn_gain", of.drawn_gain);
  way.need("drawn_low", of.drawn_low);
  way.need("risk", of.risk);
  way.need("largest", of.largest);
  way.need("hard", of.hard);
  way.need("certain", of.certain);
  way.need("limit", of.limit);
  way.need("best", of.best);
  way.need("behind", of.behind);
  way.need("certified", of.certified);
  way.need("strategies", of.strategies);
  way.need("certain_path", of.certain_path);
  way.need("drawn_path", of.drawn_path);
}

}  // namespace hannan::detail
