// Charts of gains: what was earned more, or saved, over dates or rounds. Zero is what is done today, up is better.
"use strict";

const MARKS = ["●", "■", "▲", "◆", "✕", "○"];
const INKS = ["none", "9 5", "2 5", "12 4 2 4", "18 6", "5 3"];
const DAY = 86400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const dayOf = (seconds) => {
  const date = new Date(seconds * 1000);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
};
const dateOf = (seconds) => `${dayOf(seconds)} ${new Date(seconds * 1000).getUTCFullYear()}`;
const hourOf = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 16);

// Differences in full digits: with a sign, or of costs with the words of both sides: "12 less", "3 USD more".
function difference(value, places, sides, unit = "") {
  const text = new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places }).format(Math.abs(value));
  if (!/[1-9]/.test(text)) return `0${unit}`;
  return sides ? `${text}${unit} ${sides[value > 0 ? 0 : 1]}` : (value < 0 ? "−" : "+") + text + unit;
}

// Steps of 1, 2 or 5 times a power of ten, about `count` of them.
function stepOf(span, count) {
  const rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
}

// [place, text, between]: the first days of years, quarters or months, the 1st and 15th, days or hours.
function timeTicks(low, high) {
  const days = (high - low) / DAY, list = [];
  const first = new Date(low * 1000);
  if (days > 25) {
    const months = days > 1500 ? 12 : days > 400 ? 3 : 1;
    for (let month = 0; month < 12 * 400; ++month) {
      for (const day of days > 130 ? [1] : [1, 15]) {
        const at = Date.UTC(first.getUTCFullYear(), month, day) / 1000;
        if (at > high) return list;
        if (at < low || month % months) continue;
        list.push([at, months === 12 ? String(new Date(at * 1000).getUTCFullYear()) : months === 3 ? `${MONTHS[month % 12]} ${new Date(at * 1000).getUTCFullYear()}` : dayOf(at), day === 15]);
      }
    }
    return list;
  }
  const step = days > 3 ? DAY * Math.ceil(days / 7) : 3600 * [1, 2, 3, 6, 12, 24].find((hours) => days * 24 / hours <= 7 || hours === 24);
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) list.push([at, step >= DAY ? dayOf(at) : `${at % DAY === 0 ? `${dayOf(at)} ` : ""}${hourOf(at)}`, list.length % 2 === 1]);
  return list;
}

function roundTicks(low, high, name) {
  const step = stepOf(high - low, 6), list = [];
  for (let at = Math.ceil(low / step) * step || 0; at <= high; at += step) list.push([at, whole.format(at), list.length % 2 === 1]);
  if (name && list.length > 0) list[0][1] = `${name} ${list[0][1]}`;
  return list;
}

class GainChart {
  constructor(block) {
    this.block = block;
    const ends = [block.at[0], block.at.at(-1)];
    // Days are shown whole; rounds begin with the first.
    this.left = !block.time ? Math.min(ends[0], 1) : ends[1] - ends[0] > 3 * DAY ? Math.floor(ends[0] / DAY) * DAY : ends[0];
    this.wide = ends[1] - this.left || 1;
    const [low, high] = block.scale, pad = (high - low || 1) * 0.06;
    this.low = low < 0 ? low - pad : low;
    this.high = (high > 0 ? high : 0) + pad;
    if (low >= 0) this.low -= 1.6 * pad;  // the name of zero stands below it
    this.svg = drawing("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.plot = element("div", { class: "gain", tabindex: "0", role: "img", "aria-label": `${block.alt} Arrow keys read values.` }, this.svg);
    this.several = block.series.length > 1;
    this.axes();
    if (this.several) this.lines(); else this.one();
    this.readOut();
    this.root = element("figure", { class: "gains" }, head(block.title), element("p", { class: "sub" }, block.about + (this.cut() ? " The shaded range goes on beyond the chart." : "")), this.plot, ...(this.several ? [this.legend()] : []), this.numbers());
  }

  // Is a part of the range above or below what is drawn?
  cut() {
    const { band } = this.block;
    return !!band && [...band.low, ...band.high].some((value) => this.y(value) < 0 || this.y(value) > 1000);
  }
  x(at) { return (1000 * (at - this.left)) / this.wide; }
  y(value) { return (1000 * (this.high - value)) / (this.high - this.low); }
  // As the sums of the page are written: whole from 10 up, two decimals below, more where the page needs them.
  amount(value, unit = "") {
    const { places, sides, unit: what } = this.block;
    return value === null || value === undefined ? "–" : difference(value, Math.max(places, Math.abs(value) >= 10 || what === "mistakes" ? 0 : 2), sides, unit);
  }
  add(name, attributes) { this.svg.append(drawing(name, attributes)); }
  label(name, left, top, ...children) {
    const made = element("span", { class: name, "aria-hidden": "true" }, ...children);
    if (left !== null) made.style.left = `${left / 10}%`;
    if (top !== null) made.style.top = `${top / 10}%`;
    this.plot.append(made);
    return made;
  }
  path(values, at = this.block.at) {
    let text = "", pen = "M";
    values.forEach((value, i) => {
      if (value === null) { pen = "M"; return; }
      // Far outside it is cut: coordinates stay small.
      text += `${pen}${this.x(at[i]).toFixed(1)} ${Math.max(-5000, Math.min(6000, this.y(value))).toFixed(1)}`;
      pen = "L";
    });
    return text;
  }

  axes() {
    const step = stepOf(this.high - this.low, 4), block = this.block;
    let longest = 0;
    for (let value = Math.ceil(this.low / step) * step; value <= this.high; value += step) {
      if (Math.abs(value) < step / 2) value = 0;
      if (value !== 0) this.add("path", { class: "grid", d: `M0 ${this.y(value).toFixed(1)}H1000` });
      longest = Math.max(longest, this.label("y", null, this.y(value), difference(value, step >= 1 ? 0 : Math.min(8, Math.ceil(-Math.log10(step))), block.sides)).textContent.length);
    }
    // About 7.4 pixels a letter: large sums need more than the usual space.
    if (longest > 7) this.plot.style.setProperty("--left", `${Math.ceil(7.4 * longest) + 12}px`);
    const ticks = block.time ? timeTicks(this.left, this.left + this.wide) : roundTicks(this.left, this.left + this.wide, block.round);
    for (const [at, text, between] of ticks) {
      const label = this.label(between ? "x between" : "x", this.x(at), null, text);
      if (this.x(at) > 960) label.style.transform = "translateX(-100%)";  // it stays inside the page
    }
  }

  // Above zero in the colour of better, below in that of worse; grey where it may be chance.
  one() {
    const { series: [line], band, state, zero } = this.block, at = this.y(0);
    const grey = state === "unsure" || state === "keep";
    const shape = band && band.at.length > 1 ? `${this.path(band.low, band.at)}L${this.path([...band.high].reverse(), [...band.at].reverse()).slice(1)}Z` : "";
    for (const [side, top, high] of [["up", -5000, at + 5000], ["down", at, 6000]]) {
      const id = `${side}-${figures.length}-${GainChart.count = (GainChart.count || 0) + 1}`;
      const clip = drawing("clipPath", { id }, drawing("rect", { x: -20, y: top, width: 1040, height: high }));
      const group = drawing("g", { "clip-path": `url(#${id})` });
      if (shape) group.append(drawing("path", { class: `band ${grey ? "grey" : side}`, d: shape }));
      group.append(drawing("path", { class: `line i0 ${grey ? "grey" : side}`, d: this.path(line.values) }));
      this.svg.append(clip, group);
    }
    this.add("path", { class: "null", d: `M0 ${at.toFixed(1)}H1000` });
    const last = line.values.at(-1) ?? 0;
    const end = this.label(`inside ${grey ? "grey" : last < 0 ? "down" : "up"}`, null, null, line.end);
    const name = this.label("inside", null, null, zero);
    // Beyond all of the line above or below the label, and the name of zero on the other side of it.
    this.settle(() => {
      const [wide, high] = this.size(end);
      const near = line.values.filter((value, i) => value !== null && this.x(this.block.at[i]) > 1000 - wide).map((value) => this.y(value));
      const gap = this.pixels(6), up = Math.min(this.y(last), ...near) - gap - high, down = Math.max(this.y(last), ...near) + gap;
      const zeroed = (top) => top < at + this.pixels(2) && top + high > at - this.pixels(2);
      let top = last < 0 ? down : up;
      if (top < 0 || top + high > 1000 || zeroed(top)) top = last < 0 ? up : down;
      if (top < 0 || top + high > 1000 || zeroed(top)) top = last < 0 ? 1000 - high : 0;
      this.put(end, 1000 - wide, top);
      this.nameZero(name, [[1000 - wide, top, wide, high]]);
    });
  }

  // Sizes of labels are known once the page is laid out, and change with its width. In thousandths of the plot.
  settle(place) { new ResizeObserver(() => { if (this.plot.clientWidth > 0) place(); }).observe(this.plot); }
  pixels(count) { return (1000 * count) / this.plot.clientHeight; }
  size(label) { return [(1000 * (label.offsetWidth + 2)) / this.plot.clientWidth, this.pixels(label.offsetHeight)]; }
  put(label, left, top) {
    label.style.left = `${left / 10}%`;
    label.style.top = `${top / 10}%`;
  }

  // Beside the line of zero, where fewest points of lines and none of the other labels are.
  nameZero(name, taken = []) {
    const [wide, high] = this.size(name), at = this.y(0), gap = this.pixels(3);
    let least = Infinity;
    for (const top of [at + gap, at - gap - high]) {
      if (top < 0 || top + high > 1000) continue;
      for (const left of [1000 - wide, 0, (1000 - wide) / 2, (1000 - wide) / 4, (3 * (1000 - wide)) / 4]) {
        const covers = taken.some(([x, y, w, h]) => left < x + w && x < left + wide && top < y + h && y < top + high);
        let count = covers ? 10000 : 0;
        for (const { values } of this.block.series) {
          values.forEach((value, i) => {
            if (value === null) return;
            // Between two points too: few of them may be far apart.
            const last = i > 0 ? values[i - 1] : null, from = this.x(this.block.at[Math.max(0, i - 1)]), to = this.x(this.block.at[i]);
            if (to < left || from > left + wide) return;
            for (let k = 0; k < 8; ++k) {
              const share = last === null ? 1 : (k + 1) / 8, x = from + (to - from) * share, y = this.y(last === null ? value : last + (value - last) * share);
              if (x >= left && x <= left + wide && y >= top && y <= top + high) ++count;
            }
          });
        }
        if (count < least) {
          least = count;
          this.put(name, left, top);
        }
      }
    }
  }

  // One line a player, the first on top, with marks and its name at the end; what leaves the scale says so.
  lines() {
    const { series, off, zero } = this.block, gone = new Map(off.map((one) => [one.name, one]));
    this.plot.classList.add("several");
    this.add("path", { class: "null", d: `M0 ${this.y(0).toFixed(1)}H1000` });
    [...series].reverse().forEach((line) => {
      const ink = line.ink % MARKS.length;
      this.add("path", { class: `line of i${ink}`, d: this.path(line.values), "stroke-dasharray": line.ink < MARKS.length ? INKS[ink] : "3 3" });
    });
    series.forEach((line, k) => {
      for (let i = 0; i < 5; ++i) {
        const place = Math.round(((i + 0.35 + k * 0.1) * (this.block.at.length - 1)) / 5), value = line.values[place];
        if (value !== null && value !== undefined && value >= this.low && value <= this.high) this.label(`mark i${line.ink % MARKS.length}`, this.x(this.block.at[place]), this.y(value), MARKS[line.ink % MARKS.length]);
      }
    });
    const name = this.label("inside", null, null, zero), notes = [];
    const ends = series.filter((line) => !gone.has(line.name)).map((line) => ({ line, top: Math.max(0, Math.min(1000, this.y(line.values.at(-1) ?? 0))) })).sort((a, b) => a.top - b.top);
    const apart = 130;  // of 1000: two lines of text in 300 pixels
    ends.forEach((end, i) => { if (i > 0) end.top = Math.max(end.top, ends[i - 1].top + apart); });
    for (let i = ends.length - 1, most = 1010; i >= 0; --i, most -= apart) ends[i].top = Math.min(ends[i].top, most);
    for (const { line, top } of ends) {
      const ink = line.ink % MARKS.length;
      this.label(`name i${ink}`, null, top, element("i", {}, MARKS[ink]), line.name, element("b", {}, line.end)).title = line.name;
    }
    for (const [label, one] of gone) {
      const line = series.find((candidate) => candidate.name === label), ink = one.ink % MARKS.length;
      const place = line.values.findIndex((value) => value !== null && (value < this.low || value > this.high)), below = line.values[place] < 0;
      const at = Math.max(0, this.x(this.block.at[Math.max(0, place)]));
      notes.push({ note: this.label(`gone i${ink}`, null, null, element("i", {}, MARKS[ink]), ` ${below ? "↓" : "↑"} ${label}: ${one.text}`), at, below });
    }
    this.settle(() => this.nameZero(name, this.stack(notes)));
  }

  // Notes of lines that leave the scale, one above the other at the edge where they leave it: the boxes that they take.
  stack(notes) {
    const edges = { true: 1000 - this.pixels(2), false: this.pixels(2) };
    return notes.map(({ note, at, below }) => {
      const [wide, high] = this.size(note), left = Math.max(0, Math.min(1000 - wide, at > 500 ? at - wide : at));
      const top = below ? edges[below] - high : edges[below];
      edges[below] += below ? -high : high;
      this.put(note, left, top);
      return [left, top, wide, high];
    });
  }

  // On a phone, where names and notes have no place in the chart.
  legend() {
    const gone = new Map(this.block.off.map((one) => [one.name, one.text]));
    return element("ul", { class: "legend" }, ...this.block.series.map((line) => element("li", { class: `i${line.ink % MARKS.length}` }, element("i", { "aria-hidden": "true" }, MARKS[line.ink % MARKS.length]), ` ${line.name} ${gone.get(line.name) ?? line.end}`)));
  }

  when(i) {
    const { at, rounds, time, round } = this.block;
    return time ? `${dateOf(at[i])}, ${round} ${whole.format(rounds[i])}` : `${round} ${whole.format(at[i])}`;
  }
  range(i) {
    const { band, at } = this.block;
    const place = band ? placeOf(band.at, at[i]) : -1;
    return place < 0 ? null : [band.low[place], band.high[place]];
  }

  readOut() {
    const { at, series } = this.block, cursor = element("i", { class: "cursor" }), tip = element("span", { class: "tip", role: "status" });
    this.plot.append(cursor, tip);
    let now = at.length - 1;
    const hide = () => { cursor.style.display = tip.style.display = "none"; tip.textContent = ""; };
    const show = (i) => {
      now = Math.max(0, Math.min(at.length - 1, i));
      const place = this.x(at[now]) / 10, range = this.several ? null : this.range(now);
      cursor.style.display = tip.style.display = "block";
      cursor.style.left = `${place}%`;
      tip.style.left = `${Math.max(18, Math.min(82, place))}%`;
      const unit = this.block.currency ? ` ${this.block.currency}` : "";
      tip.textContent = [this.when(now), ...series.map((line) => `${this.several ? `${line.name} ` : ""}${this.amount(line.values[now], unit)}`),
        ...(range ? [`95 % range ${this.amount(range[0])} to ${this.amount(range[1], unit)}`] : [])].join("\n");
    };
    this.plot.addEventListener("pointermove", (event) => {
      const box = this.plot.getBoundingClientRect(), x = this.left + ((event.clientX - box.left) / box.width) * this.wide;
      const before = placeOf(at, x);
      show(before + 1 < at.length && at[before + 1] - x < x - (at[before] ?? -Infinity) ? before + 1 : before);
    });
    for (const name of ["pointerleave", "blur"]) this.plot.addEventListener(name, hide);
    this.plot.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 7 : 1, moves = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: at.length - 1 };
      if (event.key === "Escape") hide();
      else if (event.key in moves) show(tip.textContent === "" && event.key.startsWith("Arrow") ? now : moves[event.key]);
      else return;
      event.preventDefault();
    });
  }

  // About a dozen of the points, made when they are opened.
  numbers() {
    const root = element("details", { class: "numbers" }, element("summary", {}, "The numbers of this chart"));
    root.addEventListener("toggle", () => {
      if (!root.open || root.childElementCount > 1) return;
      const { at, series, band, unit } = this.block, step = Math.max(1, Math.ceil(at.length / 14)), rows = [];
      for (let i = (at.length - 1) % step; i < at.length; i += step) {
        const range = this.range(i);
        rows.push([this.when(i), ...series.map((line) => this.amount(line.values[i])), ...(band ? [range ? `${this.amount(range[0])} to ${this.amount(range[1])}` : "–"] : [])]);
      }
      const of = unit ? `, ${unit}` : "";
      root.append(table(["until", ...series.map((line) => line.name + of), ...(band ? [`95 % range${of}`] : [])], rows));
    });
    return root;
  }
}
