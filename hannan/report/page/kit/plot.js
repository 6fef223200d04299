// Charts of all pages: an SVG that is stretched, with texts beside it that are not. One read-out by pointer and arrow keys, and
// the numbers as a table. Places on the x axis are 0 to 1; inside the SVG both axes go from 0 to 1000, down.

const page = { draws: 0 };  // counted for those who want to know that a hidden page draws nothing

// The token of a series' colour and dash (tokens.css). There is one dash more than colours: 42 inks differ.
const COLOURS = 6, DASHES = 7, MARKS = ["●", "■", "▲", "◆", "✕", "○"];
const colourOf = ink => `--s${ink % COLOURS + 1}`, dashOf = ink => `--d${ink % DASHES + 1}`, markOf = ink => MARKS[ink % MARKS.length];
const inked = ink => ({ "--c": `var(${colourOf(ink)})`, "--d": `var(${dashOf(ink)})` });

// Round numbers from low to high in about `wanted` steps or fewer: of 1, 2 or 5 times a power of ten, or of 25 times one.
function ticks(low, high, wanted) {
  const step = (high - low || 1) / wanted, power = 10 ** Math.floor(Math.log10(step));
  const nice = [1, 2, 2.5, 5, 10].map(one => one * power).find(one => one >= step * 0.999 && (one !== 2.5 * power || power >= 10));
  const found = [];
  for (let i = Math.ceil(low / nice - 1e-9); i * nice <= high + 1e-9 * nice; ++i) found.push(i === 0 ? 0 : i * nice);
  return found;
}
// Decimals that numbers so far apart need.
const placesOf = step => step >= 1 ? 0 : Math.min(8, Math.ceil(-Math.log10(step) - 1e-9));

const steps = (points, x, y) => points.map(([a, b], i) => i === 0 ? `M${x(a)} ${y(b)}` : `H${x(a)}V${y(b)}`).join("");
const lines = (points, x, y) => points.map(([a, b], i) => `${i === 0 ? "M" : "L"}${x(a)} ${y(b)}`).join("");
const thousandth = place => Math.round(10000 * place) / 10;

// The frame of a chart: {alt, low, high, label(value, places) -> text, x: [[place, text, in between]], marks: [[place, letter]]}, and
// where wanted {into: a plot to draw anew, ticks or how many are wanted, left, right}. Labels in between are left out on phones, in small panels all but a few.
// Returns the plot, its svg, and y(value) in 0..1000.
function frame(spec) {
  ++page.draws;
  const range = spec.high - spec.low || 1, y = value => thousandth((spec.high - value) / range);
  const svg = el("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": spec.alt });
  const plot = spec.into || el("div.plot");
  plot.replaceChildren(svg, ...plot.querySelectorAll(":scope > .cursor, :scope > .tip"));  // a read-out stays
  const label = (kind, style, text) => plot.append(el("span." + kind, { "aria-hidden": "true", style }, text));
  const values = spec.ticks || ticks(spec.low, spec.high, spec.wanted || 4), places = placesOf(values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1);
  let longest = 0;
  for (const value of values) {
    const text = spec.label(value, places);
    longest = Math.max(longest, text.length);
    svg.append(el(value === 0 ? "path.zero" : "path.grid", { d: `M0 ${y(value)}H1000` }));
    label("y", { top: y(value) / 10 + "%" }, text);
  }
  // About 7.4 pixels a letter: large numbers need more than the usual space.
  plot.style.setProperty("--left", spec.left || (longest > 7 ? `${Math.ceil(7.4 * longest) + 12}px` : ""));
  plot.style.setProperty("--right", spec.right || "");
  const x = (spec.x || []).map(([place, text, between], i, all) => {
    const side = all.length > 1 && place <= 0.03 ? ".first" : place >= 0.96 ? ".last" : "";
    return { place, text, side, between: between ?? (!side && i % 2 === 1) };
  });
  const kept = x.filter(one => !one.between);
  for (const one of x) label("x" + one.side + (one.between ? ".between" : kept.length > 3 && kept.indexOf(one) % 2 ? ".seldom" : ""), { left: 100 * one.place + "%" }, one.text);
  for (const [place, letter] of spec.marks || []) {
    svg.append(el("path.when", { d: `M${Math.round(1000 * place)} 0V1000` }));
    label("mark", { left: 100 * place + "%" }, letter);
  }
  return { plot, svg, y };
}

// Names at the ends of lines, pushed apart where they would overlap: [{at 0..1000, kind, sign, text, value}], `high` pixels in all.
function ends(plot, names, high) {
  const apart = 39000 / high, places = names.map(one => ({ ...one, top: Math.max(0, Math.min(1000, one.at)) })).sort((a, b) => a.top - b.top);
  places.forEach((one, i) => { if (i > 0) one.top = Math.max(one.top, places[i - 1].top + apart); });
  places.reverse().forEach((one, i) => { one.top = Math.min(one.top, 1010 - i * apart); });
  for (const one of places)
    plot.append(el("span.name." + one.kind, { "aria-hidden": "true", title: one.text, style: { top: one.top / 10 + "%" } }, el("i", {}, one.sign), one.text, el("b", {}, one.value)));
}
// The same on a phone, where names have no place in the chart.
const legend = names => el("ul.legend", {}, names.map(one => el("li." + one.kind, {}, el("i", { "aria-hidden": "true" }, one.sign), ` ${one.text} ${one.value}`)));

// A read-out of `count` points: {place(i) in 0..1, says(i) -> text, about, out: where it is written if not beside the cursor}. Arrow keys
// go from one to the next, with Shift by more, Home and End to the ends; Escape ends it.
function readable(plot, { count: all, place, says, about, out }) {
  const cursor = el("i.cursor"), tip = out || el("span.tip", { role: "status" });
  let at = all - 1, reading = false;
  const hide = () => {
    reading = false;
    plot.classList.remove("reading");
    tip.textContent = "";
  };
  const show = i => {
    at = Math.max(0, Math.min(all - 1, i));
    reading = true;
    cursor.style.left = 100 * place(at) + "%";
    if (!out) tip.style.left = Math.max(18, Math.min(82, 100 * place(at))) + "%";
    tip.textContent = says(at);
    plot.classList.toggle("reading", place(at) >= 0 && place(at) <= 1);
  };
  if (!all) return { show: () => {}, now: () => -1 };
  plot.append(cursor, ...(out ? [] : [tip]));
  plot.tabIndex = 0;
  plot.setAttribute("aria-label", about + " Arrow keys read values.");
  plot.setAttribute("role", "group");
  const point = event => {
    const box = plot.getBoundingClientRect(), wanted = (event.clientX - box.left) / box.width;
    let low = 0, high = all - 1;  // places rise: the first that is not before the pointer
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place(middle) < wanted) low = middle + 1; else high = middle;
    }
    show(low > 0 && wanted - place(low - 1) < place(low) - wanted ? low - 1 : low);
  };
  for (const name of ["pointermove", "pointerdown"]) plot.addEventListener(name, point);
  for (const name of ["pointerleave", "blur"]) plot.addEventListener(name, hide);
  plot.addEventListener("focus", () => show(at));
  plot.addEventListener("keydown", event => {
    const step = event.shiftKey ? Math.max(7, Math.round(all / 20)) : 1;
    const to = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: all - 1 }[event.key];
    if (event.key === "Escape") hide();
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  return { show, now: () => reading ? at : -1 };
}

// A table that scrolls by itself. A column is words where any of its cells has a letter or a bracket first.
function table(heads, rows) {
  const words = heads.map((_, i) => rows.some(row => /^\s*[^\d\s+\-−.,±%]/.test(row[i] || "")));
  const cell = (text, i) => i === 0 ? el("th", { scope: "row" }, text) : el(words[i] && text.length > 24 ? "td.words" : "td", {}, text);
  return el("div.scroll", { tabindex: "0" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map(text => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows.map(row => el("tr", {}, row.map(cell))))));
}

// The numbers of a chart, made when they are asked for. Opened again after the chart was drawn anew, if `opened` has its key.
function numbers(heads, rows, opened = new Set(), key = "") {
  const details = el("details.numbers", {}, el("summary", {}, "The numbers of this chart"));
  const fill = () => { if (details.childElementCount === 1) details.append(table(heads, rows())); };
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
