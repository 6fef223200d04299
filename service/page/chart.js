// Charts as SVG that is stretched, with texts beside it that are not. One read-out by pointer and arrow keys, and the
// numbers as a table.

const page = { draws: 0 };  // counted for those who want to know that a hidden page draws nothing

// Round numbers that cover low to high, about `wanted` of them.
function ticks(low, high, wanted) {
  const step = (high - low || 1) / wanted, power = 10 ** Math.floor(Math.log10(step));
  const nice = [1, 2, 2.5, 5, 10].map(one => one * power).find(one => one >= step * 0.999);
  const found = [];
  for (let i = Math.ceil(low / nice - 1e-9); i * nice <= high + 1e-9 * nice; ++i) found.push(i === 0 ? 0 : i * nice);
  return found;
}

const steps = (points, x, y) => points.map(([a, b], i) => i === 0 ? `M${x(a)} ${y(b)}` : `H${x(a)}V${y(b)}`).join("");
const lines = (points, x, y) => points.map(([a, b], i) => `${i === 0 ? "M" : "L"}${x(a)} ${y(b)}`).join("");

// The frame of a chart: {alt, low, high, left, right, labels(values) -> text, x: [[place 0..1, text]], marks: [[place, letter]]}.
// Returns the plot, its svg, and y(value) in 0..1000.
function frame(spec) {
  ++page.draws;
  const range = spec.high - spec.low || 1;
  const y = value => Math.round(10000 * (spec.high - value) / range) / 10;
  const svg = el("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": spec.alt });
  const plot = el("div.plot", { style: { "--right": spec.right || "0px", ...(spec.left ? { "--left": spec.left } : {}) } }, svg);
  for (const value of spec.ticks || ticks(spec.low, spec.high, 4)) {
    svg.append(el(value === 0 ? "path.zero" : "path.grid", { d: `M0 ${y(value)}H1000` }));
    plot.append(el("span.y", { "aria-hidden": "true", style: { top: y(value) / 10 + "%" } }, spec.label(value)));
  }
  (spec.x || []).forEach(([place, text], i, all) => {
    const side = all.length > 1 && place <= 0.03 ? ".first" : place >= 0.97 ? ".last" : i % 2 ? ".between" : "";
    plot.append(el("span.x" + side, { "aria-hidden": "true", style: { left: 100 * place + "%" } }, text));
  });
  for (const [place, letter] of spec.marks || []) {
    svg.append(el("path.when", { d: `M${Math.round(1000 * place)} 0V1000` }));
    plot.append(el("span.mark", { "aria-hidden": "true", style: { left: 100 * place + "%" } }, letter));
  }
  return { plot, svg, y };
}

// Names at the ends of lines, pushed apart where they would overlap: [{at 0..1000, kind, sign, text}].
function ends(plot, names, height) {
  const places = names.map(one => ({ ...one, top: one.at / 1000 * height })).sort((a, b) => a.top - b.top);
  for (let i = 1; i < places.length; ++i) places[i].top = Math.max(places[i].top, places[i - 1].top + 36);
  for (const one of places)
    plot.append(el("span.end." + one.kind, { "aria-hidden": "true", style: { top: one.top + "px" } }, el("i", {}, one.sign), one.text));
}
const legend = names => el("ul.legend", {}, names.map(one => el("li", {}, el("i." + one.kind, { "aria-hidden": "true" }, one.sign), one.text.replace("\n", ", "))));

// A read-out: points are [place 0..1, text]. Arrow keys go from one to the next, with Shift by seven, Home and End.
function readable(plot, points, about) {
  if (!points.length) return;
  const cursor = el("i.cursor"), tip = el("span.tip", { role: "status" });
  plot.append(cursor, tip);
  plot.tabIndex = 0;
  plot.setAttribute("aria-label", about + " Arrow keys read single values.");
  plot.setAttribute("role", "group");
  let at = points.length - 1;
  const show = i => {
    at = Math.max(0, Math.min(points.length - 1, i));
    const [place, text] = points[at];
    cursor.style.left = 100 * place + "%";
    tip.style.left = Math.max(16, Math.min(84, 100 * place)) + "%";
    tip.textContent = text;
    plot.classList.add("reading");
  };
  const hide = () => plot.classList.remove("reading");
  plot.addEventListener("pointermove", event => {
    const box = plot.getBoundingClientRect(), place = (event.clientX - box.left) / box.width;
    let best = 0;
    points.forEach(([one], i) => { if (Math.abs(one - place) < Math.abs(points[best][0] - place)) best = i; });
    show(best);
  });
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("blur", hide);
  plot.addEventListener("focus", () => show(at));
  plot.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(at + step * (event.shiftKey ? 7 : 1));
  });
}

// The numbers of a chart, made when they are asked for. Opened again after the chart was drawn anew.
function numbers(key, heads, rows, opened) {
  const holder = el("div.scroll", { tabindex: "0", role: "region", "aria-label": "The numbers of this chart" });
  const fill = () => holder.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, heads.map(text => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows().map(row => el("tr", {}, row.map((cell, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, cell)))))));
  const details = el("details.num", {}, el("summary", {}, "The numbers of this chart"), holder);
  if (opened.has(key)) {
    details.open = true;
    fill();
  }
  details.addEventListener("toggle", () => {
    if (details.open) {
      opened.add(key);
      fill();
    } else {
      opened.delete(key);
    }
  });
  return details;
}
