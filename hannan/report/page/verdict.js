// The first screen of a comparison and what follows it: what to do, warnings, what each would have earned, closed parts.
"use strict";

const ICONS = { better: "✓", worse: "✕", keep: "=", unsure: "?" };

// The level of headings depends on where a block stands: below the verdict of a page they are h2.
const levels = { now: 2 };
function atLevel(level, make) {
  const before = levels.now;
  levels.now = level;
  const made = make();
  levels.now = before;
  return made;
}
const head = (text, name = "head") => el(`h${Math.min(levels.now, 6)}`, { class: name }, text);

// The range against zero: worse to the left, better to the right.
function strip(data) {
  const low = Math.min(0, data.low, data.gain), span = Math.max(0, data.high, data.gain) - low || 1;
  const place = (value) => 12 + (76 * (value - low)) / span;
  const mark = (what, value, ...text) => el(what, { style: { left: `${place(value)}%` } }, text);
  const zero = mark("span.below", 0, data.zero_text), gain = mark("span.above", data.gain, data.gain_text);
  const range = mark("span.below.of-range", (data.low + data.high) / 2, `95\u00a0% range ${data.low_text} to ${data.high_text}`);
  const ends = [el("span.end", {}, "◀ worse"), el("span.end", { style: { right: 0 } }, "better ▶")];
  const root = el("div.strip", { role: "img", "aria-label": data.alt }, el("i.axis"), mark("i.zero", 0),
    el("i.range", { style: { left: `${place(data.low)}%`, width: `${place(data.high) - place(data.low)}%` } }), mark("i.dot", data.gain), gain, zero, range, ends);
  // Labels stay inside the strip and never overlap; which is known once they have a size.
  const fit = () => {
    const wide = root.clientWidth;
    if (wide === 0) return;
    for (const [label, at] of [[gain, data.gain], [zero, 0], [range, (data.low + data.high) / 2]]) {
      const half = label.offsetWidth / 2;
      label.style.left = `${Math.max(half, Math.min(wide - half, (place(at) / 100) * wide))}px`;
    }
    const boxes = [zero, range].map((label) => label.getBoundingClientRect());
    root.classList.toggle("two", boxes[0].right + 8 > boxes[1].left && boxes[1].right + 8 > boxes[0].left);
    const [left, right] = ends.map((label) => label.getBoundingClientRect()), over = gain.getBoundingClientRect();
    ends[0].style.visibility = left.right + 8 > over.left ? "hidden" : "visible";
    ends[1].style.visibility = right.left - 8 < over.right ? "hidden" : "visible";
  };
  new ResizeObserver(fit).observe(root);
  return root;
}

function headline(block, first) {
  const says = block.says.map((piece) => (piece.strong ? el(piece.text.length < 24 ? "em.short" : "em", {}, piece.text) : piece.text));
  return el(`div.verdict.${block.state}${block.neutral ? ".neutral" : ""}`, {}, el("p.advice", {}, el("span", { "aria-hidden": "true" }, ICONS[block.state]), block.advice),
    el(first ? "h1.says" : "h3.says", {}, says), el("p.lede", {}, block.lede), block.details?.length > 0 && el("ul", {}, block.details.map((detail) => el("li", {}, detail))), block.strip && strip(block.strip));
}

function warnings(block) {
  const items = block.items.map((item) => el("li", {}, item.what ? [el("b", {}, item.what), " "] : null, item.text));
  const title = block.serious ? el("p.head") : head("");  // it stands before the heading of the page
  title.append(el("span", { "aria-hidden": "true" }, "▲ "), block.title);
  return el(block.serious ? "div.warns.serious" : "div.warns", { role: "note" }, title, el("ul", {}, items), block.more && el("p.more-of-it", {}, block.more));
}

const points = (block) => el("dl.points", {}, block.points.map((point) => el("div", {}, el("dt", {}, point.what), " ", el("dd", {}, point.text))));

// A row per player: the difference from what is done today as a bar, with its range.
function ranking(block) {
  const [low, high] = block.scale, span = high - low || 1;
  const place = (value) => 3 + (94 * (Math.max(low, Math.min(high, value)) - low)) / span;
  const bar = (row) => {
    const piece = (what, from, to) => el(what, { style: { left: `${place(Math.min(from, to))}%`, width: `${Math.abs(place(to) - place(from))}%` } });
    const cut = row.gain < low ? "left" : row.gain > high ? "right" : "";
    const marks = row.base ? [] : [piece("i.fill", 0, row.gain), cut ? el(`i.jag.${cut}`, { style: { [cut]: "3%" } }) : row.low < row.high && piece("i.whisker", row.low, row.high)];
    return el("td.bars", { role: "cell", style: { "--zero": `${place(0)}%` } }, el("span.bar", { "aria-hidden": "true" }, marks));
  };
  const cell = (label, name, ...children) => el("td", { role: "cell", "data-label": label, class: name }, el("span", {}, ...children));
  const [, earned, more, range, tenths] = block.header;
  const line = (row) => el("tr", { role: "row", class: [row.kind, row.mine && "mine", row.after && "after", row.base && "base"].filter(Boolean).join(" ") },
    el("th", { role: "rowheader", scope: "row" }, row.name, el("small", {}, row.about)), cell(earned, "", row.money), bar(row),
    cell(more, "", el("span.more", {}, row.more), row.share ? ` (${row.share})` : ""), cell(range, "", row.base ? "–" : row.range), cell(tenths, row.tenths.length <= 22 ? "one-line" : "", row.tenths));
  const column = (text, name = "") => el("th", { role: "columnheader", scope: "col", class: name }, text);
  const sides = column(el("span.sides", {}, el("span", {}, "◀ worse"), el("span", {}, "better ▶")), "bars");
  return el("div.ranking", {}, el("table.cards", { role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, column(""), column(earned), sides, column(more), column(range), column(tenths))),
    el("tbody", { role: "rowgroup" }, block.rows.map(line))), el("p.about", {}, block.note));
}

// A row per scenario: two bars, one below the other, from zero.
function pairs(block) {
  const [low, high] = block.scale, span = high - low || 1;
  const place = (value) => (100 * (value - low)) / span;
  const bar = (value, i) => el(`i.s${i + 1}`, { style: { left: `${Math.min(place(0), place(value))}%`, width: `${Math.abs(place(value) - place(0))}%` } });
  const cell = (label, text, name = "") => el("td", { role: "cell", "data-label": label, class: name }, el("span", {}, text));
  const column = (text, name = "") => el("th", { role: "columnheader", scope: "col", class: name }, text);
  const [noun, first, second, more] = block.header;
  const line = (row) => el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, row.name, el("small", {}, row.about)),
    el("td.bars", { role: "cell", style: { "--zero": `${place(0)}%` } }, el("span.pair", { "aria-hidden": "true" }, row.values.map(bar))),
    cell(first, row.texts[0]), cell(second, row.texts[1]), cell(more, row.more, row.good === null ? "" : row.good ? "good" : "bad"));
  return el("div.pairs", {}, el("ul.keys", {}, block.series.map((name, i) => el("li", {}, el(`i.s${i + 1}`, { "aria-hidden": "true" }), name))),
    el("table.cards", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, column(noun), column(block.side, "bars"), column(first), column(second), column(more))),
      el("tbody", { role: "rowgroup" }, block.rows.map(line))));
}

// A row per choice, with the stretches in which it was in use.
function chosen(block) {
  return el("dl.chosen", {}, block.rows.map((row) => {
    const bar = el("span.track", { "aria-hidden": "true" }, row.stretches.map(([from, to]) => el("i", { style: { left: `${100 * from}%`, width: `${100 * (to - from)}%` } })));
    return el("div", {}, el("dt", {}, row.name), el("dd", {}, bar, el("span", {}, row.share)));
  }));
}

const fold = (block, content) => el("details.fold", {}, el("summary", {}, head(block.title), block.about && el("small", {}, block.about)), el("div", {}, content));
