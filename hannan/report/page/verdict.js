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
const head = (text, name = "head") => element(`h${Math.min(levels.now, 6)}`, { class: name }, text);

function placed(name, percent, ...children) {
  const made = element("span", { class: name }, ...children);
  made.style.left = `${percent}%`;
  return made;
}

// The range against zero: worse to the left, better to the right.
function strip(data) {
  const low = Math.min(0, data.low, data.gain), span = Math.max(0, data.high, data.gain) - low || 1;
  const place = (value) => 12 + (76 * (value - low)) / span;
  const mark = (name, at, wide) => {
    const made = element("i", { class: name });
    made.style.left = `${at}%`;
    if (wide !== undefined) made.style.width = `${wide}%`;
    return made;
  };
  const zero = placed("below", place(0), data.zero_text);
  const range = placed("below of-range", place((data.low + data.high) / 2), `95\u00a0% range ${data.low_text} to ${data.high_text}`);
  const gain = placed("above", place(data.gain), data.gain_text);
  const ends = [element("span", { class: "end" }, "◀ worse"), element("span", { class: "end" }, "better ▶")];
  ends[1].style.right = "0";
  const root = element("div", { class: "strip", role: "img", "aria-label": data.alt }, element("i", { class: "axis" }), mark("zero", place(0)),
    mark("range", place(data.low), place(data.high) - place(data.low)), mark("dot", place(data.gain)), gain, zero, range, ...ends);
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
  const says = block.says.map((piece) => (piece.strong ? element("em", piece.text.length < 24 ? { class: "short" } : {}, piece.text) : piece.text));
  const title = element(first ? "h1" : "h3", { class: "says" }, ...says);
  const root = element("div", { class: `verdict ${block.state}${block.neutral ? " neutral" : ""}` },
    element("p", { class: "advice" }, element("span", { "aria-hidden": "true" }, ICONS[block.state]), block.advice), title, element("p", { class: "lede" }, block.lede));
  if (block.details?.length) root.append(element("ul", {}, ...block.details.map((detail) => element("li", {}, detail))));
  if (block.strip) root.append(strip(block.strip));
  return root;
}

function warnings(block) {
  const items = block.items.map((item) => element("li", {}, ...(item.what ? [element("b", {}, item.what), " "] : []), item.text));
  const title = block.serious ? element("p", { class: "head" }) : head("");  // it stands before the heading of the page
  title.append(element("span", { "aria-hidden": "true" }, "▲ "), block.title);
  return element("div", { class: block.serious ? "warns serious" : "warns", role: "note" }, title, element("ul", {}, ...items), ...(block.more ? [element("p", { class: "more-of-it" }, block.more)] : []));
}

const points = (block) => element("dl", { class: "points" },
  ...block.points.map((point) => element("div", {}, element("dt", {}, point.what), " ", element("dd", {}, point.text))));

// A row per player: the difference from what is done today as a bar, with its range.
function ranking(block) {
  const [low, high] = block.scale, span = high - low || 1;
  const place = (value) => 3 + (94 * (Math.max(low, Math.min(high, value)) - low)) / span;
  const bar = (row) => {
    const cell = element("td", { class: "bars", role: "cell" });
    cell.style.setProperty("--zero", `${place(0)}%`);
    const root = element("span", { class: "bar", "aria-hidden": "true" });
    const piece = (name, from, to) => {
      const made = element("i", { class: name });
      made.style.left = `${place(Math.min(from, to))}%`;
      made.style.width = `${Math.abs(place(to) - place(from))}%`;
      root.append(made);
    };
    if (!row.base) {
      piece("fill", 0, row.gain);
      const cut = row.gain < low ? "left" : row.gain > high ? "right" : "";
      if (cut) {
        const jag = element("i", { class: `jag ${cut}` });
        jag.style[cut] = "3%";
        root.append(jag);
      } else if (row.low < row.high) piece("whisker", row.low, row.high);
    }
    cell.append(root);
    return cell;
  };
  const cell = (label, name, ...children) => element("td", { role: "cell", "data-label": label, class: name }, element("span", {}, ...children));
  const [, earned, more, range, tenths] = block.header;
  const line = (row) => element("tr", { role: "row", class: [row.kind, row.mine && "mine", row.after && "after", row.base && "base"].filter(Boolean).join(" ") },
    element("th", { role: "rowheader", scope: "row" }, row.name, element("small", {}, row.about)), cell(earned, "", row.money), bar(row),
    cell(more, "", element("span", { class: "more" }, row.more), row.share ? ` (${row.share})` : ""), cell(range, "", row.base ? "–" : row.range), cell(tenths, row.tenths.length <= 22 ? "one-line" : "", row.tenths));
  const column = (text, name = "") => element("th", { role: "columnheader", scope: "col", class: name }, text);
  const sides = element("th", { role: "columnheader", scope: "col", class: "bars" },
    element("span", { class: "sides" }, element("span", {}, "◀ worse"), element("span", {}, "better ▶")));
  return element("div", { class: "ranking" }, element("table", { role: "table" },
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, column(""), column(earned), sides, column(more), column(range), column(tenths))),
    element("tbody", { role: "rowgroup" }, ...block.rows.map(line))), element("p", { class: "about" }, block.note));
}

// A row per choice, with the stretches in which it was in use.
function chosen(block) {
  return element("dl", { class: "chosen" }, ...block.rows.map((row) => {
    const bar = element("span", { class: "track", "aria-hidden": "true" }, ...row.stretches.map(([from, to]) => {
      const made = element("i", {});
      made.style.left = `${100 * from}%`;
      made.style.width = `${100 * (to - from)}%`;
      return made;
    }));
    return element("div", {}, element("dt", {}, row.name), element("dd", {}, bar, element("span", {}, row.share)));
  }));
}

function fold(block, content) {
  const root = element("details", { class: "fold" }, element("summary", {}, head(block.title), ...(block.about ? [element("small", {}, block.about)] : [])),
    element("div", {}, ...content));
  // Charts inside have no width before they are seen.
  root.addEventListener("toggle", () => { if (root.open) figures.forEach((figure) => { if (root.contains(figure.root)) figure.draw(); }); });
  return root;
}
