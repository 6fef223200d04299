// A chart as paper shows it: an SVG that is stretched to the width of the page, with HTML labels that are not. It is part
// of the page from the start and drawn anew before printing, with the series and the rounds that are seen by then.
"use strict";

// Ticks of the x axis as [place, text, between]: days, powers of ten, or round numbers.
function sheetTicks(figure, low, high) {
  const { chart } = figure;
  if (chart.time) return timeTicks(low, high);
  if (!chart.log_x) return high > low ? roundTicks(low, high, "") : [[low, tick(low)]];
  const list = [];
  for (let x = 1; figure.place(x) <= high; x *= 10) if (figure.place(x) >= low) list.push([figure.place(x), whole.format(x), false]);
  return list;
}

function sheetOf(figure) {
  const { chart } = figure, [left, right] = figure.window(), wide = right - left || 1;
  const shown = chart.series.map((series, i) => ({ series, i, at: figure.at[i] })).filter(({ i }) => figure.shown[i]);
  // Values inside the window, and the last one before it, which a line comes from.
  const inside = ({ series, at }) => at.map((x, k) => [figure.place(x), series.values[k]]).filter(([x, value]) => x >= left && x <= right && value !== null);
  const values = shown.flatMap((one) => inside(one).map(([, value]) => value));
  if (values.length === 0) return [];
  // Not by spreading: a list of values may be longer than a call has arguments.
  let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  if (!chart.free_y) [low, high] = [Math.min(0, low), Math.max(0, high)];
  const pad = (high - low || Math.abs(high) || 1) * 0.05;
  if (low !== 0) low -= pad;
  if (high !== 0 || low === 0) high += pad;
  const x = (at) => (1000 * (at - left)) / wide, y = (value) => (1000 * (high - value)) / (high - low);
  const svg = drawing("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none" }), labels = [];
  const label = (name, side, place, text) => {
    const made = element("span", { class: name }, text);
    made.style[side] = `${place / 10}%`;
    labels.push(made);
  };
  const step = stepOf(high - low, 4);
  for (let k = Math.ceil(low / step) || 0; k * step <= high; ++k) {
    svg.append(drawing("path", { class: "grid", d: `M0 ${y(k * step).toFixed(1)}H1000` }));
    label("y", "top", y(k * step), tick(k * step));
  }
  for (const [at, text, between] of sheetTicks(figure, left, right)) label(`x${x(at) > 960 ? " last" : ""}${between ? " between" : ""}`, "left", x(at), text);
  // The first series lies on top.
  for (const one of shown.reverse()) {
    const ink = inkOf(one.series, one.i), dash = dashOf(ink);
    const points = inside(one).map(([at, value]) => [x(at).toFixed(1), y(value).toFixed(1)]);
    const d = points.map(([a, b], k) => (k === 0 ? `M${a} ${b}` : chart.step ? `H${a}V${b}` : `L${a} ${b}`)).join("");
    svg.append(drawing("path", { class: "line", d, stroke: `var(${inkName(ink)})`, ...(dash ? { "stroke-dasharray": dash.join(" ") } : {}) }));
  }
  return [svg, ...labels];
}
