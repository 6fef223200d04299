// Turns the data of a report (hannan/report/blocks.hpp) into a page. Everything from the data is set as text.
"use strict";

const figures = [];
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    near.unobserve(entry.target);
    figures.find((figure) => figure.root === entry.target).draw();
    if (performance.getEntriesByName("first chart").length === 0) performance.mark("first chart");
  }
}, { rootMargin: "400px" });

function figure(chart, caption) {
  const made = new Figure(chart, caption);
  figures.push(made);
  near.observe(made.root);
  return made;
}

const about = (block) => (block.about ? [element("p", { class: "about" }, block.about)] : []);
const heading = (block) => (block.title ? [element("h3", {}, block.title), ...about(block)] : about(block));

function table(header, rows) {
  // A column is words where any of its cells has a letter or a bracket first.
  const words = header.map((_, i) => rows.some((row) => /^\s*[^\d\s+\-−.,±%]/.test(row[i] || "")));
  const head = element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((row) => element("tr", {}, ...row.map((text, i) =>
    i === 0 ? element("th", { scope: "row" }, text) : element("td", words[i] && text.length > 24 ? { class: "words" } : {}, text))));
  return element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

// A bar from zero to the value, and a whisker over its interval, on one scale for all.
function bars(list) {
  const ends = list.flatMap((bar) => [bar.low, bar.high, bar.value, 0]);
  const low = Math.min(...ends), span = Math.max(...ends) - low || 1;
  const place = (value) => 2 + (96 * (value - low)) / span;
  const row = (bar) => {
    const line = (x1, x2, y1, y2) => drawing("line", { x1: place(x1), x2: place(x2), y1, y2 });
    const svg = drawing("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("rect", { class: bar.value < 0 ? "less" : "bar", x: place(Math.min(0, bar.value)), width: Math.abs(place(bar.value) - place(0)), y: 4, height: 12 }),
      line(0, 0, 0, 20), line(bar.low, bar.high, 10, 10), line(bar.low, bar.low, 6, 14), line(bar.high, bar.high, 6, 14));
    return element("tr", {}, element("th", { scope: "row" }, bar.name), element("td", {}, svg), element("td", {}, bar.text));
  };
  return element("table", { class: "bars" }, element("tbody", {}, ...list.map(row)));
}

const draw = {
  text: (block) => [element("p", {}, block.text)],
  facts: (block) => [...heading(block), element("dl", { class: "facts" },
    ...block.facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))))],
  verdict: (block) => {
    const mark = { good: "✓ ", bad: "✗ ", open: "? " }[block.verdict];
    return [element("div", { class: `verdict ${block.verdict}`, ...(block.verdict === "bad" ? { role: "alert" } : {}) }, element("p", {}, mark + block.text),
      element("ul", {}, ...block.details.map((detail) => element("li", {}, detail))))];
  },
  table: (block) => [...heading(block), ...(block.rows.length ? [table(block.header, block.rows)] : [])],
  bars: (block) => [...heading(block), bars(block.bars)],
  tree: (block) => [...heading(block), new SegmentTable(block).root],
  chart: (block) => {
    const made = figure(block, []);
    made.root.prepend(tools([made], block.series));
    return [...heading(block), made.root];
  },
  charts: (block) => {
    const made = block.charts.map((chart) => figure(chart, [element("h4", {}, chart.title)]));
    // One set of boxes for all, where all have the same series.
    const lists = block.charts.map((chart) => chart.series);
    const same = (list) => list.length > 1 && list.length === lists[0].length && list.every((series, i) => series.name === lists[0][i].name);
    const shared = lists.every(same);
    if (!shared) made.forEach((one, i) => { if (lists[i].length > 1) one.root.insertBefore(tools([one], lists[i]), one.root.children[1]); });
    return [...heading(block), tools(made, shared ? lists[0] : []), element("div", { class: "charts small" }, ...made.map((one) => one.root))];
  },
};

function section(data, i, all) {
  const alone = all.length === 1 && document.title === data.title;  // the page is called that already
  const made = element("section", { id: `section-${i + 1}` }, element("h2", alone ? { class: "alone" } : {}, data.title), element("p", { class: "quiet" }, `From ${data.source}`));
  for (const block of data.blocks) made.append(...draw[block.block](block));
  return made;
}

function build() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  if (data.sections.length > 1) {
    page.append(element("nav", { "aria-label": "Sections" }, element("ul", {}, ...data.sections.map((one, i) =>
      element("li", {}, element("a", { href: `#section-${i + 1}` }, one.title), element("span", { class: "quiet" }, ` from ${one.source}`))))));
  }
  page.append(...data.sections.map(section));
  page.append(element("footer", { class: "quiet" }, element("p", {}, `Written by ${data.program}. Charts: dygraphs, MIT licence. Drag over a chart to zoom, double-click to go back; `
    + "with the keyboard, tab to a chart and use the arrow keys, Home, End, +, - and 0.")));
  performance.mark("built");
}

build();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => figures.forEach((figure) => figure.recolour()));
// Paper is white, whatever the screen is.
addEventListener("beforeprint", () => {
  document.documentElement.classList.add("paper");
  figures.forEach((figure) => { figure.draw(); figure.recolour(); });
});
addEventListener("afterprint", () => {
  document.documentElement.classList.remove("paper");
  figures.forEach((figure) => figure.recolour());
});
