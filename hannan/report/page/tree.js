// The table of segments: rows are made when their segment is opened, so that 100,000 of them cost nothing at first.
// A row of the data is [depth, name, rounds, decision, figure, figure a round, share, exported], in order of the paths.
"use strict";

const MOST_ROWS = 200;  // made at once; a button makes more
const MOST_OPEN = 2000;  // rows of "Open all"
const FEW_ROUNDS = 100;

class SegmentTable {
  constructor(block) {
    this.rows = block.rows;
    this.below = this.rows.map(() => []);
    this.above = [];
    const path = [];
    this.rows.forEach(([depth], i) => {
      path.length = depth;
      this.above.push(depth > 0 ? path[depth - 1] ?? 0 : -1);
      if (depth > 0) this.below[this.above[i]].push(i);
      path[depth] = i;
    });
    for (const list of this.below) list.sort((a, b) => this.rows[b][2] - this.rows[a][2] || a - b);
    this.body = el("tbody");
    this.status = el("span", { role: "status", class: "quiet" });
    this.search = el("input", { type: "search", autocomplete: "off", placeholder: "words of its name" });
    this.filter = el("select", {}, [["", "all"], ["own", "with a decision of their own"], ["few", `fewer than ${FEW_ROUNDS} rounds`]]
      .map(([value, text]) => el("option", { value }, text)));
    this.search.addEventListener("input", () => this.draw());
    this.filter.addEventListener("change", () => this.draw());
    const head = el("tr", {}, block.header.map((text) => el("th", { scope: "col" }, text)));
    this.root = el("div.segments", {},
      el("div.tools", {}, el("label", {}, "Find a segment ", this.search), el("label", {}, "Show ", this.filter),
        this.button("Open all", () => this.openAll()), this.button("Close all", () => this.draw()), this.status),
      el("div.scroll", { tabindex: "0" }, el("table.tree", {}, el("caption.unseen", {}, block.title),
        el("thead", {}, head), this.body)));
    this.draw();
  }

  button(text, act) {
    return el("button", { type: "button", onclick: act }, text);
  }

  // The values from the root to a segment.
  path(i) {
    const names = [];
    for (; i > 0; i = this.above[i]) names.unshift(this.rows[i][1]);
    return names;
  }

  row(i, depth, name) {
    const [, , rounds, decision, figure, each, share, exported] = this.rows[i];
    const head = el("th", { scope: "row", style: { "--depth": depth } });
    if (this.below[i].length > 0 && name === undefined) {
      const toggle = this.button(this.rows[i][1], () => (made.open ? this.close(made) : this.open(made)));
      toggle.setAttribute("aria-expanded", "false");
      toggle.append(el("small", {}, ` ${whole(this.below[i].length)}`), el("span.unseen", {}, " segments below"));
      head.append(toggle);
    } else {
      head.append(el("span", {}, name ?? this.rows[i][1]));
    }
    const percent = `${precise(Math.round(share * 1000) / 10)} %`;
    const bar = el("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      el("rect.rest", { width: 100, height: 10 }), el("rect.bar", { width: 100 * share, height: 10 }));
    const line = el("tr", exported ? { class: "own" } : {}, head, el("td", {}, whole(rounds)), el("td", {}, decision), el("td", {}, figure),
      el("td", {}, each), el("td.share", {}, bar, percent));
    const made = { i, depth, line, open: false, made: [] };
    return made;
  }

  // Some rows behind another element, and a button for the rest of them.
  add(list, after, make, into) {
    let last = after;
    const place = (line) => { if (last) last.after(line); else this.body.append(line); last = line; };
    for (const i of list.slice(0, MOST_ROWS)) {
      const one = make(i);
      into.push(one);
      place(one.line);
    }
    const rest = list.slice(MOST_ROWS);
    if (rest.length === 0) return;
    const more = { line: el("tr", {}), made: [] };
    const show = this.button(`Show ${whole(Math.min(rest.length, MOST_ROWS))} of ${whole(rest.length)} more`, () => {
      into.splice(into.indexOf(more), 1);
      const before = more.line.previousSibling, first = into.length;
      more.line.remove();
      this.add(rest, before, make, into);
      into[first]?.line.querySelector("button")?.focus();
    });
    more.line.append(el("td", { colspan: "6" }, show));
    into.push(more);
    place(more.line);
  }

  open(parent) {
    if (parent.open || this.below[parent.i].length === 0) return;
    parent.open = true;
    parent.line.querySelector("button").setAttribute("aria-expanded", "true");
    this.add(this.below[parent.i], parent.line, (i) => this.row(i, parent.depth + 1), parent.made);
  }

  close(parent) {
    for (const one of parent.made) {
      if (one.open) this.close(one);
      one.line.remove();
    }
    parent.made = [];
    parent.open = false;
    parent.line.querySelector("button").setAttribute("aria-expanded", "false");
  }

  openAll() {
    this.search.value = this.filter.value = "";
    this.draw();
    for (const waiting = [this.top]; waiting.length > 0 && this.body.children.length < MOST_OPEN;) {
      const next = waiting.shift();
      if (next.i === undefined) continue;
      this.open(next);
      waiting.push(...next.made);
    }
  }

  // The tree with its first level open, or a plain list of what was asked for, with whole names.
  draw() {
    this.body.replaceChildren();
    const words = this.search.value.toLowerCase().split(/[\s/]+/).filter(Boolean), only = this.filter.value;
    const all = `${whole(this.rows.length)} segments`;
    if (words.length === 0 && only === "") {
      this.top = this.row(0, 0);
      this.body.append(this.top.line);
      this.open(this.top);
      this.status.textContent = all;
      return;
    }
    const found = [];
    this.rows.forEach((row, i) => {
      if ((only === "own" && !row[7]) || (only === "few" && row[2] >= FEW_ROUNDS)) return;
      const name = i === 0 ? row[1] : this.path(i).join(" ").toLowerCase();
      if (words.every((word) => name.includes(word))) found.push(i);
    });
    found.sort((a, b) => this.rows[b][2] - this.rows[a][2] || a - b);
    this.add(found, null, (i) => this.row(i, 0, this.path(i).join(" › ") || this.rows[i][1]), []);
    this.status.textContent = `${whole(found.length)} of ${all}`;
  }
}
