// One chart: dygraphs draws the lines; the interaction is here. Values are read out for every series at the
// pointer or at the cursor of the arrow keys, series are toggled, and the rounds are zoomed. On paper the same lines are
// drawn as SVG (sheet.js): a canvas that was never on the screen is printed empty.
"use strict";

// Colours and dashes are those of tokens.css; with one dash more than colours, 42 inks differ.
const COLOURS = 6;
const DASHES = [null, [9, 5], [2, 5], [12, 4, 2, 4], [18, 6], [5, 3], [4, 4]];
// The legend of dygraphs writes HTML; this one writes text.
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
// Colour and dash of a series: a thing that stands in several charts has the same in each.
const inkOf = (series, i) => series.ink ?? i;
const dashOf = (ink) => DASHES[ink % DASHES.length];
const inkName = (ink) => `--s${(ink % COLOURS) + 1}`;
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const number = (value) => (value === null || value === undefined ? "-" : digits.format(value));
// Full digits; those of very small numbers would all be 0 otherwise, and very large ones have no place.
const tick = (value) => (value !== 0 && Math.abs(value) < 1e-3 ? value.toPrecision(2) : Math.abs(value) >= 1e8 ? compact.format(value) : digits.format(value));

// The last place in a sorted list that is not beyond x; -1 where all are.
function placeOf(list, x) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle + 1; else high = middle;
  }
  return low - 1;
}

// Ticks on days, as many as fit.
function dayTicker(low, high, pixels) {
  const ticks = timeTicks(low, high), every = Math.max(1, Math.ceil(ticks.length / Math.max(1, Math.floor(pixels / 70))));
  return ticks.filter((_, i) => i % every === 0).map(([v, label]) => ({ v, label }));
}

class Figure {
  constructor(chart, caption) {
    this.chart = chart;
    this.at = chart.series.map((series) => series.at || chart.at);
    this.rounds = [...new Set(this.at.flat())].sort((a, b) => a - b);
    this.shown = chart.series.map(() => true);
    this.cursor = -1;
    // A logarithmic axis is a linear one of logarithms: dygraphs' own shows nothing when padded.
    this.place = chart.log_x ? Math.log2 : (x) => x;
    this.round = chart.log_x ? (x) => 2 ** x : (x) => x;
    this.canvas = element("div", { class: "canvas" });
    this.line = element("div", { class: "cursor" });
    this.sheet = element("div", { class: "sheet", "aria-hidden": "true" });
    this.plot = element("div", { class: "plot", tabindex: "0", role: "img", "aria-label": `${chart.alt} Arrow keys read values.` }, this.canvas, this.sheet, this.line);
    this.readout = element("p", { class: "readout", role: "status" });
    this.root = element("figure", { class: "drawn" }, ...caption, element("div", { class: "axis" }, element("span", {}, chart.y_name), element("span", {}, chart.x_name)),
      this.plot, this.readout, this.table());
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.plot.addEventListener("blur", () => this.point(-1));
  }

  // A row per round at which any series has a point; a series keeps its line where others have points.
  rows() {
    const columns = this.at.map((at, i) => new Map(at.map((x, k) => [x, this.chart.series[i].values[k]])));
    return this.rounds.map((x) => [this.place(x), ...columns.map((column) => column.get(x) ?? null)]);
  }

  draw() {
    if (this.graph || this.canvas.clientWidth === 0) return;  // in a closed part there is no width
    // The first series lies on top: dygraphs draws them in order, so it gets them backwards.
    const names = this.chart.series.map((_, i) => `s${i}`);
    const backwards = ([x, ...values]) => [x, ...values.reverse()];
    const model = Dygraph.defaultInteractionModel;
    this.graph = new Dygraph(this.canvas, this.rows().map(backwards), {
      labels: backwards(["x", ...names]), visibility: [...this.shown].reverse(), connectSeparatedPoints: true, stepPlot: Boolean(this.chart.step), strokeWidth: 2,
      series: Object.fromEntries(names.map((name, i) => [name, { strokePattern: dashOf(inkOf(this.chart.series[i], i)) }])),
      // Fingers scroll the page; taps read values, buttons zoom.
      interactionModel: { mousedown: model.mousedown, dblclick: model.dblclick, willDestroyContextMyself: true },
      highlightCallback: (_event, _x, _points, row) => this.point(row), unhighlightCallback: () => this.point(-1),
      includeZero: !this.chart.free_y, rightGap: 12, xRangePad: 2, gridLineWidth: 1, axisLabelFontSize: 12, ...this.ink(),
      axes: {
        x: { axisLabelFormatter: (x) => (this.chart.time ? dayOf(x) : tick(this.round(x))), pixelsPerLabel: this.canvas.clientWidth < 300 ? 45 : 70, drawGrid: false, ...(this.chart.time ? { ticker: dayTicker } : {}) },
        y: { axisLabelFormatter: tick, axisLabelWidth: 60, pixelsPerLabel: 30 },
      },
    });
    this.root.dataset.drawn = "true";
  }

  // What paper shows: the series and the rounds that the screen shows.
  print() { this.sheet.replaceChildren(...sheetOf(this)); }
  // The ends of the x axis as they are seen, in the places of this.place.
  window() { return this.graph ? this.graph.xAxisRange() : [this.rounds[0], this.rounds.at(-1)].map(this.place); }

  ink() {
    return { colors: this.chart.series.map((series, i) => colour(inkName(inkOf(series, i)))).reverse(), gridLineColor: colour("--rule"), axisLineColor: colour("--rule") };
  }
  recolour() { if (this.graph) this.graph.updateOptions(this.ink()); }

  toggle(i, on) {
    this.shown[i] = on;
    if (this.graph) this.graph.setVisibility(this.shown.length - 1 - i, on);
    this.point(this.cursor);
  }

  // 2 shows half as much, 0.5 twice as much, 0 everything.
  zoom(factor) {
    this.draw();
    if (!this.graph) return;
    const ends = [this.rounds[0], this.rounds.at(-1)].map(this.place);
    const [low, high] = this.graph.xAxisRange();
    const middle = this.cursor >= 0 ? this.place(this.rounds[this.cursor]) : (low + high) / 2;
    const half = (high - low) / factor / 2;
    const window = [Math.max(ends[0], middle - half), Math.min(ends[1], middle + half)];
    if (factor === 0 || window[1] - window[0] >= ends[1] - ends[0]) this.graph.resetZoom();
    else this.graph.updateOptions({ dateWindow: window });
    this.point(this.cursor);
  }

  when(x) { return this.chart.time ? dateOf(x) : `${this.chart.x_name} ${whole.format(x)}`; }

  // Reads out every series at a round: the value there, or the last one before it.
  point(row) {
    this.cursor = row;
    if (row < 0) {
      this.readout.textContent = "";
      this.line.style.display = "none";
      return;
    }
    const x = this.rounds[row];
    const parts = this.chart.series.map((series, i) => (this.shown[i] ? `${series.name} ${number(series.values[placeOf(this.at[i], x)])}` : null));
    this.readout.textContent = `${this.when(x)}: ${parts.filter((part) => part !== null).join(", ")}`;
    const area = this.graph.getArea();
    Object.assign(this.line.style, { display: "block", left: `${this.graph.toDomXCoord(this.place(x))}px`, top: `${area.y}px`, height: `${area.h}px` });
  }

  key(event) {
    const zooms = { "+": 2, "=": 2, "-": 0.5, "0": 0 };
    const last = this.rounds.length - 1, step = event.shiftKey ? Math.max(1, Math.round(last / 20)) : 1;
    const moves = { ArrowRight: this.cursor + step, ArrowLeft: this.cursor < 0 ? last : this.cursor - step, Home: 0, End: last };
    this.draw();
    if (event.key in zooms) this.zoom(zooms[event.key]);
    else if (event.key === "Escape") this.point(-1);
    else if (event.key in moves) this.point(Math.min(last, Math.max(0, moves[event.key])));
    else return;
    event.preventDefault();
  }

  // The same numbers, made when they are opened.
  table() {
    const details = element("details", { class: "numbers" }, element("summary", {}, "Numbers"));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const head = element("tr", {}, ...[this.chart.x_name, ...this.chart.series.map((s) => s.name)].map((name) => element("th", { scope: "col" }, name)));
      const body = this.rows().map(([, ...values], row) =>
        element("tr", {}, element("th", { scope: "row" }, this.chart.time ? dateOf(this.rounds[row]) : whole.format(this.rounds[row])), ...values.map((value) => element("td", {}, value === null ? "" : number(value)))));
      details.append(element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body))));
    });
    return details;
  }
}

// Checkboxes for series and buttons for rounds, of one figure or of several side by side.
function tools(figures, list) {
  const bar = element("div", { class: "tools" });
  if (list.length > 1) {
    list.forEach((series, i) => {
      const box = element("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => figures.forEach((figure) => figure.toggle(i, box.checked)));
      const ink = inkOf(series, i), dash = dashOf(ink);
      const line = drawing("line", { x1: 0, x2: 36, y1: 6, y2: 6, "stroke-width": 3, stroke: `var(${inkName(ink)})`, ...(dash ? { "stroke-dasharray": dash.join(" ") } : {}) });
      bar.append(element("label", {}, box, drawing("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" }, line), series.name));
    });
  }
  const zoom = element("div", { class: "zoom" });
  for (const [text, label, factor] of [["+", "Zoom in", 2], ["−", "Zoom out", 0.5], ["Reset", "Show all rounds", 0]]) {
    const button = element("button", { type: "button", "aria-label": label, title: label }, text);
    button.addEventListener("click", () => figures.forEach((figure) => figure.zoom(factor)));
    zoom.append(button);
  }
  bar.append(zoom);
  return bar;
}
