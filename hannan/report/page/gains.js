// Charts of gains: what was earned more, or saved, over dates or rounds. Zero is what is done today, up is better.
"use strict";

// Differences in full digits: with a sign, or of costs with the words of both sides: "12 less", "3 USD more".
function difference(value, places, sides, unit = "") {
  const text = digits(value, places);
  if (!/[1-9]/.test(text)) return `0${unit}`;
  return sides ? `${text}${unit} ${sides[value > 0 ? 0 : 1]}` : sign(value, text, true) + unit;
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
    const right = this.left + this.wide, times = block.time ? timeTicks(this.left, right) : roundTicks(this.left, right, block.round);
    const { plot, svg, y } = frame({ alt: block.alt, low: this.low, high: this.high, label: (value, places) => difference(value, places, block.sides),
      x: times.map(([at, ...rest]) => [this.x(at) / 1000, ...rest]) });
    Object.assign(this, { plot, svg, y });
    plot.classList.add("gain");
    this.several = block.series.length > 1;
    if (this.several) this.lines(); else this.one();
    readable(plot, { count: block.at.length, place: (i) => this.x(block.at[i]) / 1000, says: (i) => this.says(i), about: block.title });
    this.root = el("figure.gains", {}, head(block.title), el("p.sub", {}, block.about + (this.cut() ? " The shaded range goes on beyond the chart." : "")), plot, this.several && legend(this.names()), this.numbers());
  }

  // Is a part of the range above or below what is drawn?
  cut() {
    const { band } = this.block;
    return !!band && [...band.low, ...band.high].some((value) => this.y(value) < 0 || this.y(value) > 1000);
  }
  x(at) { return (1000 * (at - this.left)) / this.wide; }
  // As the sums of the page are written: whole from 10 up, two decimals below, more where the page needs them.
  amount(value, unit = "") {
    const { places, sides, unit: what } = this.block;
    return !known(value) ? "–" : difference(value, Math.max(places, Math.abs(value) >= 10 || what === "mistakes" ? 0 : 2), sides, unit);
  }
  label(name, ...children) {
    const made = el("span." + name, { "aria-hidden": "true" }, children);
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

  // Above zero in the colour of better, below in that of worse; grey where it may be chance.
  one() {
    const { series: [line], band, state, zero } = this.block, at = this.y(0);
    const grey = state === "unsure" || state === "keep";
    const shape = band && band.at.length > 1 ? `${this.path(band.low, band.at)}L${this.path([...band.high].reverse(), [...band.at].reverse()).slice(1)}Z` : "";
    for (const [side, top, high] of [["up", -5000, at + 5000], ["down", at, 6000]]) {
      const id = `${side}-${page.draws}`, kind = grey ? "even" : side;
      this.svg.append(el("clipPath", { id }, el("rect", { x: -20, y: top, width: 1040, height: high })),
        el("g", { "clip-path": `url(#${id})` }, shape && el(`path.band.${kind}`, { d: shape }), el(`path.line.s1.${kind}`, { d: this.path(line.values) })));
    }
    this.svg.append(el("path.zero", { d: `M0 ${at}H1000` }));
    const last = line.values.at(-1) ?? 0;
    const end = this.label(`inside.${grey ? "even" : last < 0 ? "down" : "up"}`, line.end), name = this.label("inside", zero);
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

  names() {
    const gone = new Map(this.block.off.map((one) => [one.name, one.text]));
    return this.block.series.map((line) => ({ at: this.y(line.values.at(-1) ?? 0), kind: `s${line.ink % COLOURS + 1}`, sign: markOf(line.ink), text: line.name, value: gone.get(line.name) ?? line.end, gone: gone.has(line.name) }));
  }

  // One line a player, the first on top, with marks and its name at the end; what leaves the scale says so.
  lines() {
    const { series, zero, at } = this.block, names = this.names();
    this.plot.classList.add("several");
    [...series].reverse().forEach((line) => this.svg.append(el(`path.line${line.ink ? "" : ".s1"}`, { d: this.path(line.values), style: inked(line.ink) })));
    series.forEach((line, k) => {
      for (let i = 0; i < 5; ++i) {
        const place = Math.round(((i + 0.35 + k * 0.1) * (at.length - 1)) / 5), value = line.values[place];
        if (known(value) && value >= this.low && value <= this.high) this.put(this.label(`dot.${names[k].kind}`, names[k].sign), this.x(at[place]), this.y(value));
      }
    });
    ends(this.plot, names.filter((one) => !one.gone), 300);
    const notes = names.flatMap((one, k) => {
      if (!one.gone) return [];
      const { values } = series[k], place = Math.max(0, values.findIndex((value) => known(value) && (value < this.low || value > this.high))), below = values[place] < 0;
      return [{ note: this.label(`gone.${one.kind}`, el("i", {}, one.sign), ` ${below ? "↓" : "↑"} ${one.text}: ${one.value}`), at: Math.max(0, this.x(at[place])), below }];
    });
    const name = this.label("inside", zero);
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

  when(i) {
    const { at, rounds, time, round } = this.block;
    return time ? `${dateOf(at[i])}, ${round} ${whole(rounds[i])}` : `${round} ${whole(at[i])}`;
  }
  range(i) {
    const { band, at } = this.block;
    const place = band ? placeOf(band.at, at[i]) : -1;
    return place < 0 ? null : [band.low[place], band.high[place]];
  }

  says(i) {
    const range = this.several ? null : this.range(i), unit = this.block.currency ? ` ${this.block.currency}` : "";
    return [this.when(i), ...this.block.series.map((line) => `${this.several ? `${line.name} ` : ""}${this.amount(line.values[i], unit)}`),
      ...(range ? [`95 % range ${this.amount(range[0])} to ${this.amount(range[1], unit)}`] : [])].join("\n");
  }

  // About a dozen of the points.
  numbers() {
    const { at, series, band, unit } = this.block, step = Math.max(1, Math.ceil(at.length / 14)), of = unit ? `, ${unit}` : "";
    const row = (i) => [this.when(i), ...series.map((line) => this.amount(line.values[i])), ...(band ? [this.range(i) ? this.range(i).map((end) => this.amount(end)).join(" to ") : "–"] : [])];
    return numbers(["until", ...series.map((line) => line.name + of), ...(band ? [`95 % range${of}`] : [])], () => at.map((_, i) => i).filter((i) => (at.length - 1 - i) % step === 0).map(row));
  }
}
