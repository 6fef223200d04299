// What an oracle looks at: data + scale * noise, a view, nothing copied.
//
// Both are histories, linear summaries of weighted outcomes, so the oracle cannot tell them apart:
// the objective of action x is data(x) + scale * noise(x). scale = 0 is the unperturbed problem.
#pragma once

namespace hannan {

template <class History>
struct Evidence {
  const History& data;
  const History& noise;
  double scale = 0;
};

}  // namespace hannan
