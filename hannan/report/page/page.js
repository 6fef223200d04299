// Turns the data of a report (hannan/report/blocks.hpp) into a page. Everything from the data is set as text.
"use strict";

const figures = [];
function figure(chart, caption) {
  figures.push(new Figure(chart, caption));
  return figures.at(-1);
}

const about = (block) => (block.about ? [el("p.about", {}, block.about)] : []);
const heading = (block) => (block.title ? [head(block.title, levels.now > 2 ? "sub-head" : "head"), ...about(block)] : about(block));

const draw = {
  text: (block) => [el("p", {}, block.text)],
  facts: (block) => [...heading(block), el("dl.facts", {}, block.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))))],
  four: (block) => [el("dl.four", {}, block.figures.map(([name, amount, note]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("b", {}, amount), note))))],
  headline: (block) => [headline(block, levels.first)],
  warnings: (block) => [warnings(block)],
  beside: (block) => [el("div.first", {}, el("div", {}, block.main.map(drawn)), el("aside", { "aria-label": "About the data" }, block.aside.map(drawn)))],
  gains: (block) => [new GainChart(block).root],
  bands: (block) => [new BandChart(block).root],
  ranking: (block) => [head(block.title), ...(block.about ? [el("p", {}, block.about)] : []), ranking(block)],
  download: (block) => [el("p", {}, el("a.button", { download: block.name, href: `data:text/csv;charset=utf-8,${encodeURIComponent(block.text)}` }, block.button))],
  pairs: (block) => [...heading(block), pairs(block)],
  chosen: (block) => [...heading(block), chosen(block)],
  points: (block) => (block.points.length ? [...heading(block), points(block)] : []),
  fold: (block) => [fold(block, atLevel(levels.now + 1, () => block.blocks.flatMap(drawn)))],
  verdict: (block) => {
    const [state, icon] = { good: ["better", "✓"], bad: ["worse", "✕"], open: ["unsure", "?"] }[block.verdict];
    return [el(`div.verdict.${block.verdict}.${state}`, { role: block.verdict === "bad" ? "alert" : null }, el("p.lede", {}, el("b", {}, `${icon} ${block.text}`)), el("ul", {}, block.details.map((detail) => el("li", {}, detail))))];
  },
  table: (block) => [...heading(block), ...(block.rows.length ? [table(block.header, block.rows)] : [])],
  tree: (block) => [...heading(block), new SegmentTable(block).root],
  chart: (block) => {
    const made = figure(block, []);
    made.root.prepend(tools([made], block.series));
    return [...heading(block), made.root];
  },
  charts: (block) => {
    const made = block.charts.map((chart) => figure(chart, [atLevel(levels.now + 1, () => head(chart.title, "")), ...(chart.now ? [el("p.now", {}, chart.now)] : []), ...about(chart)]));
    // One set of boxes for all, where all have the same series.
    const lists = block.charts.map((chart) => chart.series);
    const same = (list) => list.length > 1 && list.length === lists[0].length && list.every((series, i) => series.name === lists[0][i].name);
    const shared = lists.every(same);
    if (!shared) made.forEach((one, i) => { if (lists[i].length > 1) one.root.insertBefore(tools([one], lists[i]), one.root.children[1]); });
    // Panels of one line with its last value in words need no tools.
    const plain = block.charts.every((chart) => chart.now && chart.series.length === 1);
    return [...heading(block), ...(plain ? [] : [tools(made, shared ? lists[0] : [])]), el("div.charts.small", {}, ...made.map((one) => one.root))];
  },
};

const drawn = (block) => draw[block.block](block);

function section(data, i, all) {
  const first = i === 0 && data.blocks.some((block) => block.block === "headline");  // its sentence is the heading of the page
  const alone = first || (all.length === 1 && document.title === data.title);  // the page is called that already
  const made = el("section", { id: `section-${i + 1}` });
  if (!first) made.append(el("h2", { class: alone ? "section alone" : "section" }, data.title));
  levels.first = first;
  made.append(...atLevel(first ? 2 : 3, () => data.blocks.flatMap(drawn)));
  made.append(el("p.quiet", {}, `From ${data.source}`));
  return made;
}

function build() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const verdict = data.sections[0]?.blocks.some((block) => block.block === "headline");
  page.replaceChildren(...(verdict ? [] : [el("h1", {}, data.title)]));
  document.body.prepend(el("a.skip", { href: "#page" }, "Skip to the result"));
  if (data.sections.length > 1) {
    page.append(el("nav", { "aria-label": "Sections" }, el("ul", {}, ...data.sections.map((one, i) =>
      el("li", {}, el("a", { href: `#section-${i + 1}` }, one.title), el("span.quiet", {}, ` from ${one.source}`))))));
  }
  page.append(...data.sections.map(section));
  document.body.append(el("footer", {}, el("p", {}, `Made with ${data.program}. This file loads nothing and can be sent on as it is. `
    + "Drag over a chart in the details to zoom, double-click to go back; with the keyboard, tab to a chart and use the arrow keys, Home, End, +, - and 0.")));
}

build();
// Paper is white, whatever the screen is, and has all parts open. Parts that were closed are closed again.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details.fold:not([open])")];
  closed.forEach((part) => { part.open = true; });
});
addEventListener("afterprint", () => closed.forEach((part) => { part.open = false; }));
