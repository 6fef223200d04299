// Shares that sum to 1 over rounds or days, stacked: {title, about, alt, x_name, time, at, series: [{name, ink, values}]}. The first lies at the
// bottom; names stand at the right with the last share, of the MOST_NAMED that ever were the largest: a band that is gone at the end is
// named too.
"use strict";

const MOST_NAMED = 8, WORTH_NAMING = 0.02;

class BandChart {
  constructor(block) {
    this.block = block;
    const { at, series, time } = block, left = at[0], wide = at.at(-1) - left || 1, x = (i) => (1000 * (at[i] - left)) / wide;
    const ticks = time ? timeTicks(left, left + wide) : roundTicks(left, left + wide, block.x_name);
    const peak = (line) => Math.max(...line.values), named = new Set(series.filter((line) => peak(line) >= WORTH_NAMING).sort((a, b) => peak(b) - peak(a)).slice(0, MOST_NAMED));
    const { plot, svg, y } = frame({ alt: block.alt, low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1], label: (value) => `${Math.round(100 * value)} %`,
      right: [...named].some((line) => line.name.length > 17) ? "14rem" : "9.5rem", x: ticks.map(([when, ...rest]) => [(when - left) / wide, ...rest]) });
    plot.classList.add("bands");
    const below = at.map(() => 0), names = [];
    for (const line of series) {
      const above = line.values.map((value, i) => below[i] + value);
      const up = above.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(Math.min(1, value)).toFixed(1)}`).join("");
      const down = below.map((value, i) => `L${x(i).toFixed(1)} ${y(Math.min(1, value)).toFixed(1)}`).reverse().join("");
      svg.append(el("path.share", { d: `${up}${down}Z`, style: { fill: `var(${colourOf(line.ink)})`, "fill-opacity": line.ink < COLOURS ? 0.62 : 0.32, stroke: "var(--page)", "stroke-width": 1 } }));
      if (named.has(line)) names.push({ at: y((below.at(-1) + above.at(-1)) / 2), kind: `s${line.ink % COLOURS + 1}`, sign: markOf(line.ink), text: line.name, value: line.values.at(-1) > 0 && line.values.at(-1) < 0.005 ? "under 1 %" : `${Math.round(100 * line.values.at(-1))} %` });
      above.forEach((value, i) => { below[i] = value; });
    }
    ends(plot, names, 300);
    const when = (i) => (time ? dateOf(at[i]) : `${block.x_name} ${whole(at[i])}`), shown = (value) => `${(100 * value).toFixed(1)} %`;
    readable(plot, { count: at.length, place: (i) => x(i) / 1000, about: block.title,
      says: (i) => [when(i), ...series.filter((line) => line.values[i] >= 0.005).map((line) => `${line.name} ${shown(line.values[i])}`)].join("\n") });
    const step = Math.max(1, Math.ceil(at.length / 14));
    this.root = el("figure.gains", {}, head(block.title), el("p.sub", {}, block.about), plot, legend(names),
      numbers([block.x_name, ...series.map((line) => line.name)], () => at.map((_, i) => i).filter((i) => (at.length - 1 - i) % step === 0).map((i) => [when(i), ...series.map((line) => shown(line.values[i]))])));
  }
}
