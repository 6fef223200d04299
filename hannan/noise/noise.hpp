// Any of the noise laws, as one value: what a learner holds and what the protocol names; and draws of it.
//
// The built-in laws have names: "laplace" (the default), "exponential", "exponential-centred", "lp:2" or "lp:inf",
// "uniform:4" (noise/all.hpp lists them). A type of your own that satisfies NoiseLaw (core/noise.hpp) becomes a Noise
// by conversion. A Noise is an immutable value: copies share the law, and any number of threads may draw from it.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/noise.hpp"

namespace hannan {

// A law behind one pointer; two of the same name are equal.
class Noise {
 public:
  Noise();  // Laplace, the default of every learner that takes a noise

  // A law of any type, kept by value.
  template <class L>
    requires(!std::same_as<L, Noise>) && NoiseLaw<L>
  Noise(L law) : law_(std::make_shared<const Held<L>>(std::move(law))) {}

  // The law of this name. Throws kUnknownName, kNotANumber or kOutOfRange at `at`.
  static Noise parse(std::string_view name, std::string_view at = "noise");

  std::string name() const { return law_->name(); }  // parse(name()) is the same law
  // What proofs may rest on.
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

// A law and a key make a draw: the noise of round t is a function of (key, purpose, t) alone, whatever else was drawn
// before or beside it. Every column gets sign +1; one-sided laws on another hedge sign take a Draw of their own.
Draw seeded(Noise law, Key key, Purpose purpose = Purpose::kNoise);

}  // namespace hannan
