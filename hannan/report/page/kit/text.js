"use strict";
// Elements, numbers and times of all pages: reports and the dashboard. Data go into a page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg", SHAPES = new Set(["svg", "path", "rect", "g", "clipPath"]);

// el("p.note", {title: "x"}, "text", child): a name with its classes, attributes, content. `on...` are listeners,
// `style` an object of properties: a policy that forbids style attributes allows these.
function el(what, attributes, ...content) {
  const [name, ...classes] = what.split(".");
  const made = SHAPES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [property, text] of Object.entries(value)) made.style.setProperty(property, text);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...content.flat(Infinity).filter(one => one !== null && one !== undefined && one !== false));
  return made;
}

const MINUS = "\u2212", SPACE = "\u00a0";
const known = value => typeof value === "number" && Number.isFinite(value);
const formats = new Map();  // by the options: making one costs more than using it
function format(value, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat("en", options));
  return formats.get(key).format(value);
}
// Without its sign, in groups of three, with so many decimals.
const digits = (value, places) => format(Math.abs(value), { minimumFractionDigits: places, maximumFractionDigits: places });
const sign = (value, text, plus) => (value < 0 && /[1-9]/.test(text) ? MINUS : plus && /[1-9]/.test(text) ? "+" : "") + text;

const whole = value => format(value, { maximumFractionDigits: 0 });
// Full digits to 999,999; then 1.04 million.
function count(value) {
  if (!known(value)) return "–";
  if (value < 1e6) return whole(value);
  return value < 1e9 ? `${(value / 1e6).toFixed(2)}${SPACE}million` : `${(value / 1e9).toFixed(2)}${SPACE}billion`;
}
// A sum: whole from 10 up, two decimals below. With its unit, if there is one.
function sum(value, unit, plus) {
  if (!known(value)) return "–";
  const text = sign(value, digits(value, Math.abs(value) >= 10 || value === 0 ? 0 : 2), plus);
  return unit ? text + SPACE + unit : text;
}
// A sum as far as it is proven: one number, or "from 3 to 8".
const isRange = range => Array.isArray(range) && range[0] < range[1];
const sumRange = (range, unit, scale = 1) => isRange(range) ? `from ${sum(range[0] * scale)} to ${sum(range[1] * scale, unit)}` : sum(range[1] * scale, unit);
// A price: always two decimals.
const price = (value, unit) => (known(value) ? sign(value, digits(value, 2)) : "–") + (unit ? SPACE + unit : "");
// +23.0 %; two decimals where one would read 0.0.
function percent(share, plus = true) {
  if (!known(share)) return "–";
  const value = 100 * share, text = digits(value, Math.abs(value) < 0.05 && value !== 0 ? 2 : 1);
  return sign(value, text, plus) + SPACE + "%";
}
const share = value => known(value) ? `${Math.round(100 * value)}${SPACE}%` : "–";
const shareRange = range => share(range[0]) === share(range[1]) ? share(range[1]) : `${share(range[0])} to ${share(range[1])}`;
// A number of no unit: an action's coordinate, a multiplier.
const plain = value => known(value) ? sign(value, format(Math.abs(value), { maximumFractionDigits: Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0 })) : "–";
// Six digits that count; two of very small numbers, and short words for very large ones.
function precise(value) {
  if (!known(value)) return "-";
  const size = Math.abs(value);
  return size > 0 && size < 1e-3 ? value.toPrecision(2) : format(value, size >= 1e8 ? { notation: "compact", maximumSignificantDigits: 4 } : { maximumSignificantDigits: 6 });
}

// 40 s, 12 min, 3 hours, 2 days.
function span(milliseconds) {
  if (!known(milliseconds)) return "–";
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 10) return `${seconds < 1 ? seconds.toFixed(1) : Math.round(seconds)}${SPACE}s`;
  if (seconds < 120) return `${Math.round(seconds)}${SPACE}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}${SPACE}min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86400)} days`;
}
const clock = time => new Date(time).toLocaleTimeString("en-GB");
const day = time => new Date(time).toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" });
// The time of day; with its day where that is not today.
const when = time => new Date(time).toDateString() === new Date().toDateString() ? clock(time) : `${day(time)} ${clock(time)}`;
const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

// Replaces the content of a node only where its text changes, so that what is selected or focused stays.
function put(node, ...content) {
  const fresh = el("div", {}, ...content);
  if (node.innerHTML !== fresh.innerHTML) node.replaceChildren(...fresh.childNodes);
}
