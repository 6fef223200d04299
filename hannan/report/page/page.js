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
  made.print();
  figures.push(made);
  near.observe(made.root);
  return made;
}

const about = (block) => (block.about ? [element("p", { class: "about" }, block.about)] : []);
const heading = (block) => (block.title ? [head(block.title, levels.now > 2 ? "sub-head" : "head"), ...about(block)] : about(block));

function table(header, rows) {
  // A column is words where any of its cells has a letter or a bracket first.
  const words = header.map((_, i) => rows.some((row) => /^\s*[^\d\s+\-−.,±%]/.test(row[i] || "")));
  const head = element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((row) => element("tr", {}, ...row.map((text, i) =>
    i === 0 ? element("th", { scope: "row" }, text) : element("td", words[i] && text.length > 24 ? { class: "words" } : {}, text))));
  return element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

const draw = {
  text: (block) => [element("p", {}, block.text)],
  facts: (block) => [...heading(block), element("dl", { class: "facts" },
    ...block.facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))))],
  headline: (block) => [headline(block, levels.first)],
  warnings: (block) => [warnings(block)],
  beside: (block) => [element("div", { class: "first" }, element("div", {}, ...block.main.flatMap(drawn)), element("aside", { "aria-label": "About the data" }, ...block.aside.flatMap(drawn)))],
  gains: (block) => [new GainChart(block).root],
  ranking: (block) => [head(block.title), ...(block.about ? [element("p", {}, block.about)] : []), ranking(block)],
  download: (block) => [element("p", {}, element("a", { class: "button", download: block.name, href: `data:text/csv;charset=utf-8,${encodeURIComponent(block.text)}` }, block.button))],
  chosen: (block) => [...heading(block), chosen(block)],
  points: (block) => (block.points.length ? [...heading(block), points(block)] : []),
  fold: (block) => [fold(block, atLevel(levels.now + 1, () => block.blocks.flatMap(drawn)))],
  verdict: (block) => {
    const [state, icon] = { good: ["better", "✓"], bad: ["worse", "✕"], open: ["unsure", "?"] }[block.verdict];
    return [element("div", { class: `verdict ${block.verdict} ${state}`, ...(block.verdict === "bad" ? { role: "alert" } : {}) },
      element("p", { class: "lede" }, element("b", {}, `${icon} ${block.text}`)), element("ul", {}, ...block.details.map((detail) => element("li", {}, detail))))];
  },
  table: (block) => [...heading(block), ...(block.rows.length ? [table(block.header, block.rows)] : [])],
  tree: (block) => [...heading(block), new SegmentTable(block).root],
  chart: (block) => {
    const made = figure(block, []);
    made.root.prepend(tools([made], block.series));
    return [...heading(block), made.root];
  },
  charts: (block) => {
    const made = block.charts.map((chart) => figure(chart, [atLevel(levels.now + 1, () => head(chart.title, "")), ...(chart.now ? [element("p", { class: "now" }, chart.now)] : []), ...about(chart)]));
    // One set of boxes for all, where all have the same series.
    const lists = block.charts.map((chart) => chart.series);
    const same = (list) => list.length > 1 && list.length === lists[0].length && list.every((series, i) => series.name === lists[0][i].name);
    const shared = lists.every(same);
    if (!shared) made.forEach((one, i) => { if (lists[i].length > 1) one.root.insertBefore(tools([one], lists[i]), one.root.children[1]); });
    // Panels of one line with its last value in words need no tools.
    const plain = block.charts.every((chart) => chart.now && chart.series.length === 1);
    return [...heading(block), ...(plain ? [] : [tools(made, shared ? lists[0] : [])]), element("div", { class: "charts small" }, ...made.map((one) => one.root))];
  },
};

const drawn = (block) => draw[block.block](block);

function section(data, i, all) {
  const first = i === 0 && data.blocks.some((block) => block.block === "headline");  // its sentence is the heading of the page
  const alone = first || (all.length === 1 && document.title === data.title);  // the page is called that already
  const made = element("section", { id: `section-${i + 1}` });
  if (!first) made.append(element("h2", { class: alone ? "section alone" : "section" }, data.title));
  levels.first = first;
  made.append(...atLevel(first ? 2 : 3, () => data.blocks.flatMap(drawn)));
  made.append(element("p", { class: "quiet" }, `From ${data.source}`));
  return made;
}

function build() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const verdict = data.sections[0]?.blocks.some((block) => block.block === "headline");
  page.replaceChildren(...(verdict ? [] : [element("h1", {}, data.title)]));
  document.body.prepend(element("a", { class: "skip", href: "#page" }, "Skip to the result"));
  if (data.sections.length > 1) {
    page.append(element("nav", { "aria-label": "Sections" }, element("ul", {}, ...data.sections.map((one, i) =>
      element("li", {}, element("a", { href: `#section-${i + 1}` }, one.title), element("span", { class: "quiet" }, ` from ${one.source}`))))));
  }
  page.append(...data.sections.map(section));
  document.body.append(element("footer", {}, element("p", {}, `Made with ${data.program}. This file loads nothing and can be sent on as it is. Charts in the details: dygraphs, MIT licence; `
    + "drag over one to zoom, double-click to go back; with the keyboard, tab to a chart and use the arrow keys, Home, End, +, - and 0.")));
}

build();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => figures.forEach((figure) => figure.recolour()));
// Paper is white, whatever the screen is, and has all parts open. Parts that were closed are closed again.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details.fold:not([open])")];
  closed.forEach((part) => { part.open = true; });
  figures.forEach((figure) => figure.print());
});
addEventListener("afterprint", () => closed.forEach((part) => { part.open = false; }));
