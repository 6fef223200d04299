"""The places of a C++ file that a mutant may change, and the file with a switch at each of them.

One program holds all mutants; which of them is switched on is read from the environment when it starts. Without one it
computes what the sources compute, bit by bit. Places are found in the text, which the formatter has laid out: a binary
operator has white space on both sides, so a pointer or a sign is not taken for one.

    number     2 -> 3, 0.5 -> 0.5 * 1.01, 0.0 -> 0.01
    + - * /    the inverse operator; the result times 1.01
    += ...     what is added (subtracted ...) times 1.01; nothing
    -x         x
    min, max   the other one
    if (x)     if (!x)
"""

import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*(?:\\\n[^\n]*)*)
  | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>(?:0x[0-9a-fA-F']+|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
  | (?P<sign>->|\+\+|--|<<=|>>=|<=>|&&|\|\||[-+*/%<>=!&|^]=|<<|>>|.)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

NAMES = {"+": "Plus", "-": "Minus", "*": "Times", "/": "Over"}
VIA = {"+": "+", "-": "+", "*": "*", "/": "*"}  # an operator of the same precedence, between which the switch stands
NO_OPERAND = {"return", "case", "co_return", "throw", "else", "do"}
SAID = {"number": ["another number"], "operator": ["the inverse operator", "the result times 1.01"],
        "assign": ["what is added times 1.01", "nothing is added"], "sign": ["without its sign"],
        "choice": ["the other of min and max"], "condition": ["the condition negated"]}

HEADER = r"""// Switches between what the sources compute and what a mutant computes. Written by scripts/mutations.
#pragma once
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>
namespace hannan::mutants {
struct Seen {
  std::vector<char> sites = std::vector<char>(@COUNT@, 0);
  const char* file = std::getenv("HANNAN_MUTANTS_SEEN");
  int chosen = std::getenv("HANNAN_MUTANT") ? std::atoi(std::getenv("HANNAN_MUTANT")) : -1;
  ~Seen() {
    std::FILE* out = file ? std::fopen(file, "a") : nullptr;
    for (int i = 0; out && i < @COUNT@; ++i)
      if (sites[i]) std::fprintf(out, "%d\n", i);
    if (out) std::fclose(out);
  }
};
inline Seen& seen() {
  static Seen all;
  return all;
}
inline bool on(int mutant) {
  Seen& all = seen();
  all.sites[mutant] = 1;
  return mutant == all.chosen;
}
template <class T>
T number(int mutant, T value) {
  if (!on(mutant)) return value;
  if constexpr (std::is_floating_point_v<T>) return value == 0 ? T(0.01) : value * T(1.01);
  return value + 1;
}
template <class T>
T scaled(int mutant, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (on(mutant)) return value * T(1.01);
  }
  return value;
}
template <class T>
T added(int mutant, T value) {
  if (on(mutant + 1)) return T{};
  return scaled(mutant, value);
}
inline int sign(int mutant) { return on(mutant) ? 1 : -1; }
inline bool condition(int mutant, bool holds) { return on(mutant) ? !holds : holds; }
template <class A, class B>
auto least(int mutant, const A& a, const B& b) { return (b < a) != on(mutant) ? b : a; }
template <class A, class B>
auto most(int mutant, const A& a, const B& b) { return (a < b) != on(mutant) ? b : a; }
#define HANNAN_MUTANT_OPERATOR(Name, via, op, other)                                                   \
  struct Name {                                                                                       \
    int mutant;                                                                                       \
  };                                                                                                  \
  template <class A>                                                                                  \
  struct Name##Left {                                                                                 \
    A a;                                                                                              \
    int mutant;                                                                                       \
  };                                                                                                  \
  template <class A>                                                                                  \
  Name##Left<std::decay_t<A>> operator via(A&& a, Name n) {                                           \
    return {std::forward<A>(a), n.mutant};                                                            \
  }                                                                                                   \
  template <class A, class B>                                                                         \
  auto operator via(const Name##Left<A>& left, const B& b) {                                          \
    using R = std::decay_t<decltype(left.a op b)>;                                                    \
    if constexpr (requires { static_cast<R>(left.a other b); } && std::is_arithmetic_v<R>) {           \
      if (on(left.mutant)) return static_cast<R>(left.a other b);                                     \
    }                                                                                                 \
    return scaled<R>(left.mutant + 1, left.a op b);                                                   \
  }
HANNAN_MUTANT_OPERATOR(Plus, +, +, -)
HANNAN_MUTANT_OPERATOR(Minus, +, -, +)
HANNAN_MUTANT_OPERATOR(Times, *, *, /)
HANNAN_MUTANT_OPERATOR(Over, *, /, *)
}  // namespace hannan::mutants
"""


class Sites:
    """All places of several files, numbered; a place with two mutants has two numbers."""

    def __init__(self):
        self.mutants = []  # file, line, the line's text, what is changed

    def header(self):
        return HEADER.replace("@COUNT@", str(len(self.mutants)))

    def add(self, place, kind, what):
        first = len(self.mutants)
        self.mutants += [(*place, f"{what}: {said}") for said in SAID[kind]]
        return first

    def switched(self, path, text):
        """The text of a file with a switch at every place."""
        tokens = [(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text)]
        solid = [i for i, token in enumerate(tokens) if token[0] != "space"]
        out = [token[1] for token in tokens]
        lines = text.split("\n")

        def place(i):
            line = text.count("\n", 0, tokens[i][2]) + 1
            return path, line, lines[line - 1].strip()

        def spaced(at):
            i = solid[at]
            return 0 < i < len(tokens) - 1 and tokens[i - 1][0] == "space" and tokens[i + 1][0] == "space"

        def closing(at, ends):
            """The place in `solid` of the first of `ends` that is not inside brackets."""
            depth = 0
            for k in range(at, len(solid)):
                value = tokens[solid[k]][1]
                if depth == 0 and value in ends:
                    return k
                depth += (value in "([{") - (value in ")]}") if len(value) == 1 else 0
            return None

        for at, i in enumerate(solid):
            kind, value, _ = tokens[i]
            before = tokens[solid[at - 1]] if at else ("sign", ";", 0)
            after = tokens[solid[at + 1]] if at + 1 < len(solid) else ("sign", ";", 0)
            operand = before[0] in ("number", "word") and before[1] not in NO_OPERAND or before[1] in (")", "]")
            if kind == "word" and value == "constexpr":
                if before[1] != "if":  # a switch is no constant expression
                    out[i] = "" if after[1] == "const" else "const"
            elif kind == "number" and before[1] not in ("case", "<", "alignas"):
                out[i] = f"hannan::mutants::number({self.add(place(i), 'number', value)}, {value})"
            elif kind == "sign" and value in NAMES and operand and spaced(at) and "text" not in (before[0], after[0]):
                via = VIA[value]
                first = self.add(place(i), "operator", value)
                out[i] = f"{via}hannan::mutants::{NAMES[value]}{{{first}}}{via}"
            elif kind == "sign" and value == "-" and not operand and after[0] in ("number", "word") \
                    and before[1] not in ("*", "/", "operator"):
                out[i] = f"hannan::mutants::sign({self.add(place(i), 'sign', '-')}) * "
            elif kind == "sign" and value in ("+=", "-=", "*=", "/="):
                end = closing(at + 1, (";", ")"))
                if end is None or tokens[solid[at + 1]][0] == "text":
                    continue
                first = self.add(place(i), "assign", value)
                out[i] += f" hannan::mutants::added({first}, "
                out[solid[end]] = ")" + out[solid[end]]
            elif kind == "word" and value in ("std::min", "std::max") and after[1] == "(":
                first = self.add(place(i), "choice", value)
                out[i] = "hannan::mutants::" + ("least" if value == "std::min" else "most")
                out[solid[at + 1]] = f"({first}, "
            elif kind == "word" and value == "if" and after[1] == "(":
                end = closing(at + 2, (")",))
                inside = [tokens[solid[k]][1] for k in range(at + 2, end)]
                if "=" in inside or ";" in inside:
                    continue  # it declares something
                first = self.add(place(i), "condition", "if")
                out[solid[at + 1]] += f"hannan::mutants::condition({first}, static_cast<bool>("
                out[solid[end]] = "))" + out[solid[end]]
        return '#include "hannan/mutants.hpp"\n' + "".join(out) if not path.endswith(".hpp") else \
            re.sub(r"(#pragma once\n)", r'\1#include "hannan/mutants.hpp"' + "\n", "".join(out), count=1)
