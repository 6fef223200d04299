// A chart of series over rounds or days: values are read out for every series at the pointer or at the cursor of the arrow keys,
// series are shown and hidden, and the rounds are zoomed. Paper shows the series and the rounds that the screen shows.
"use strict";

const DAY = 86400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// Times of data are seconds since 1970, without a zone.
const yearOf = (seconds) => new Date(seconds * 1000).getUTCFullYear();
const dayOf = (seconds) => `${new Date(seconds * 1000).getUTCDate()} ${MONTHS[new Date(seconds * 1000).getUTCMonth()]}`;
const dateOf = (seconds) => `${dayOf(seconds)} ${yearOf(seconds)}`;
const hourOf = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 16);

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
// Colour and dash of a series: a thing that stands in several charts has the same in each.
const inkOf = (series, i) => series.ink ?? i;

// A line, or points where something came, or a faint line of what is only beside it.
const lineOf = (series) => `path.line${series.look ? `.${series.look}` : ""}`;
const dots = (points, x, y) => points.map(([a, b]) => `M${x(a)} ${y(b)}h0`).join("");

// The last place in a sorted list that is not beyond x; -1 where all are.
function placeOf(list, x) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle + 1; else high = middle;
  }
  return low - 1;
}

// [time, text, between]: the first days of years, quarters or months, the 1st and 15th, days or hours.
function timeTicks(low, high) {
  const days = (high - low) / DAY, list = [];
  if (days > 25) {
    const months = [1, 2, 3, 6, 12, 24, 60, 120, 240].find((one) => days / 30.4 / one <= 8) ?? 600;
    const first = yearOf(low) - (months > 12 ? yearOf(low) % (months / 12) : 0);
    for (let month = 0; ; ++month) {
      for (const day of days > 130 ? [1] : [1, 15]) {
        const at = Date.UTC(first, month, day) / 1000;
        if (at > high) return list;
        if (at < low || month % months) continue;
        list.push([at, months >= 12 ? String(yearOf(at)) : months > 1 ? `${MONTHS[month % 12]} ${yearOf(at)}` : dayOf(at), days > 130 ? undefined : day === 15]);
      }
    }
  }
  const step = days > 3 ? DAY * Math.ceil(days / 7) : 3600 * [1, 2, 3, 6, 12, 24].find((hours) => days * 24 / hours <= 7 || hours === 24);
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) list.push([at, step >= DAY ? dayOf(at) : `${at % DAY === 0 ? `${dayOf(at)} ` : ""}${hourOf(at)}`]);
  return list;
}
// The same of rounds, the first with its name.
const roundTicks = (low, high, name, wanted = 6) => ticks(low, high, wanted).filter(Number.isInteger).map((at, i) => [at, name && i === 0 ? `${name} ${whole(at)}` : whole(at)]);

class Figure {
  constructor(chart, caption) {
    this.chart = chart;
    this.at = chart.series.map((series) => series.at || chart.at);
    this.rounds = [...new Set(this.at.flat())].sort((a, b) => a - b);
    this.shown = chart.series.map(() => true);
    this.place = chart.log_x ? Math.log2 : (x) => x;  // on the axis
    this.ends = [this.rounds[0], this.rounds.at(-1)].map(this.place);
    this.window = this.ends;
    this.wanted = caption.length ? 4 : 6;  // steps of the y axis; with a caption it is a small panel
    this.plot = el("div.plot");
    this.readout = el("p.readout", { role: "status" });
    this.root = el("figure.drawn", {}, caption, el("div.axis", {}, el("span", {}, chart.y_name), el("span", {}, chart.x_name)), this.plot, this.readout,
      numbers([chart.x_name, ...chart.series.map((series) => series.name)], () => this.rows()));
    this.draw();
    this.reader = readable(this.plot, { count: this.rounds.length, place: (i) => this.x(this.rounds[i]), says: (i) => this.says(i), about: chart.title || chart.y_name, out: this.readout });
    this.plot.addEventListener("keydown", (event) => {
      const factor = { "+": 2, "=": 2, "-": 0.5, "0": 0 }[event.key];
      if (factor === undefined) return;
      this.zoom(factor);
      event.preventDefault();
    });
    this.plot.addEventListener("dblclick", () => this.zoom(0));
    this.plot.addEventListener("pointerdown", (event) => this.drag(event));
  }

  x(round) { return (this.place(round) - this.window[0]) / (this.window[1] - this.window[0] || 1); }
  when(x) { return this.chart.time ? dateOf(x) : `${this.chart.x_name} ${whole(x)}`; }
  // Every series at a round: the value there, or the last one before it.
  says(row) {
    const x = this.rounds[row];
    const parts = this.chart.series.map((series, i) => `${series.name} ${precise(series.values[placeOf(this.at[i], x)])}`).filter((_, i) => this.shown[i]);
    return `${this.when(x)}: ${parts.join(", ")}`;
  }
  // A row per round at which any series has a point.
  rows() {
    const columns = this.at.map((at, i) => new Map(at.map((x, k) => [x, this.chart.series[i].values[k]])));
    return this.rounds.map((x) => [this.chart.time ? dateOf(x) : whole(x), ...columns.map((column) => (known(column.get(x)) ? precise(column.get(x)) : ""))]);
  }

  // The points of a series in the window, with the nearest one on either side, where its line comes from and goes to.
  points(i) {
    const values = this.chart.series[i].values, found = this.at[i].map((x, k) => [this.x(x), values[k]]).filter(([, value]) => known(value));
    const first = found.findIndex(([x]) => x >= 0), beyond = found.findIndex(([x]) => x > 1);
    return found.slice(first < 0 ? -1 : Math.max(0, first - 1), beyond < 0 ? undefined : beyond + 1);
  }
  ticks() {
    const [left, right] = this.window;
    if (this.chart.log_x) return Array.from({ length: 16 }, (_, i) => 10 ** i).map((x) => [x, whole(x)]);
    return this.chart.time ? timeTicks(left, right) : right > left ? roundTicks(left, right, "", 1.5 * this.wanted) : [[left, precise(left)]];
  }
  draw() {
    const { chart } = this, drawn = chart.series.map((_, i) => (this.shown[i] ? this.points(i) : []));
    // Not by spreading: a list of values may be longer than a call has arguments.
    const values = drawn.flat().map(([, value]) => value), from = chart.free_y && values.length ? values[0] : 0;
    let low = values.reduce((a, b) => Math.min(a, b), from), high = values.reduce((a, b) => Math.max(a, b), from);
    const pad = (high - low || Math.abs(high) || 1) * 0.05;
    if (low !== 0) low -= pad;
    if (high !== 0 || low === 0) high += pad;
    const { svg, y } = frame({ into: this.plot, alt: chart.alt, low, high, label: precise, wanted: this.wanted,
      x: this.ticks().map(([x, ...rest]) => [this.x(x), ...rest]).filter(([x]) => x >= 0 && x <= 1) });
    // The first series lies on top.
    for (let i = drawn.length - 1; i >= 0; --i) if (this.shown[i]) svg.append(el(lineOf(chart.series[i]), { style: inked(inkOf(chart.series[i], i)), d: (chart.series[i].look === "points" ? dots : chart.step ? steps : lines)(drawn[i], thousandth, y) }));
    this.plot.classList.toggle("zoomed", this.window !== this.ends);
    if (this.reader && this.reader.now() >= 0) this.reader.show(this.reader.now());
  }

  toggle(i, on) {
    this.shown[i] = on;
    this.draw();
  }
  show(low, high) {
    const window = [Math.max(this.ends[0], low), Math.min(this.ends[1], high)];
    this.window = window[0] <= this.ends[0] && window[1] >= this.ends[1] ? this.ends : window;
    this.draw();
  }
  // 2 shows half as much, 0.5 twice as much, 0 everything.
  zoom(factor) {
    const [low, high] = this.window, row = this.reader.now(), middle = row >= 0 ? this.place(this.rounds[row]) : (low + high) / 2;
    this.show(...(factor === 0 ? this.ends : [middle - (high - low) / factor / 2, middle + (high - low) / factor / 2]));
  }
  // What the mouse is dragged over is shown alone. Fingers scroll the page.
  drag(down) {
    if (down.pointerType !== "mouse" || down.button !== 0) return;
    const box = this.plot.getBoundingClientRect(), part = (event) => Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)), from = part(down);
    const marked = el("i.marked"), end = new AbortController();
    this.plot.append(marked);
    const mark = (event) => Object.assign(marked.style, { left: `${100 * Math.min(from, part(event))}%`, width: `${100 * Math.abs(part(event) - from)}%` });
    addEventListener("pointermove", mark, { signal: end.signal });
    addEventListener("pointerup", (event) => {
      end.abort();
      marked.remove();
      const [low, high] = [from, part(event)].sort((a, b) => a - b), wide = this.window[1] - this.window[0];
      if ((high - low) * box.width >= 8) this.show(this.window[0] + low * wide, this.window[0] + high * wide);
    }, { signal: end.signal });
  }
}

// Checkboxes for series and buttons for rounds, of one figure or of several side by side.
function tools(figures, list) {
  const boxes = list.length < 2 ? [] : list.map((series, i) => {
    const box = el("input", { type: "checkbox", onchange: () => figures.forEach((figure) => figure.toggle(i, box.checked)) });
    box.checked = true;
    return el("label", {}, box, el("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" }, el(lineOf(series), { d: series.look === "points" ? "M18 6h0" : "M0 6H36", style: inked(inkOf(series, i)) })), series.name);
  });
  const zooms = [["+", "Zoom in", 2], ["−", "Zoom out", 0.5], ["Reset", "Show all rounds", 0]];
  return el("div.tools", {}, boxes, el("div.zoom", {}, zooms.map(([text, label, factor]) =>
    el("button", { type: "button", "aria-label": label, title: label, onclick: () => figures.forEach((figure) => figure.zoom(factor)) }, text))));
}
