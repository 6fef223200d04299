// Any of the noise laws, as one value: what a learner holds and what the protocol names.
//
// The laws are listed in noise/all.hpp; "laplace", "lp:2" or "uniform:4" are names. Adding a law: its header, its
// source, one line there.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/noise.hpp"
#include "hannan/noise/exponential.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/lp_ball.hpp"
#include "hannan/noise/uniform.hpp"

namespace hannan {

class Noise {
 public:
  Noise() : Noise(Laplace{}) {}  // the default of every learner that takes a noise

  template <class L>
    requires(!std::same_as<L, Noise>) && NoiseLaw<L>
  Noise(L law) : law_(std::make_shared<const Held<L>>(std::move(law))) {}

  // Throws kUnknownName, kNotANumber or kOutOfRange at `at`.
  static Noise parse(std::string_view name, std::string_view at);

  std::string name() const { return law_->name(); }
  NoiseFacts facts() const { return law_->facts(); }

  // Fills alpha; one-sided laws need the sign of the hedge vector per column, others ignore it.
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const {
    law_->draw(random, alpha, signs);
  }

  // P[low <= alpha <= high] for one column, sign +1.
  double mass(double low, double high) const { return law_->mass(low, high); }

  // A name says everything about its law.
  friend bool operator==(const Noise& a, const Noise& b) { return a.name() == b.name(); }

 private:
  struct Law {
    virtual ~Law() = default;
    virtual std::string name() const = 0;
    virtual NoiseFacts facts() const = 0;
    virtual void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs) const = 0;
    virtual double mass(double low, double high) const = 0;
  };

  template <class L>
  struct Held final : Law {
    explicit Held(L given) : law(std::move(given)) {}
    std::string name() const override { return law.name(); }
    NoiseFacts facts() const override { return law.facts(); }
    void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs) const override {
      law.draw(random, alpha, signs);
    }
    double mass(double low, double high) const override { return law.mass(low, high); }

    L law;
  };

  std::shared_ptr<const Law> law_;  // never null; immutable, so copies share it
};

static_assert(NoiseLaw<Noise>);

}  // namespace hannan
