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
    this.body = element("tbody");
    this.status = element("span", { role: "status", class: "quiet" });
    this.search = element("input", { type: "search", autocomplete: "off", placeholder: "words of its name" });
    this.filter = element("select", {}, ...[["", "all"], ["own", "with a decision of their own"], ["few", `fewer than ${FEW_ROUNDS} rounds`]]
      .map(([value, text]) => element("option", { value }, text)));
    this.search.addEventListener("input", () => this.draw());
    this.filter.addEventListener("change", () => this.draw());
    const head = element("tr", {}, ...block.header.map((text) => element("th", { scope: "col" }, text)));
    this.root = element("div", { class: "segments" },
      element("div", { class: "tools" }, element("label", {}, "Find a segment ", this.search), element("label", {}, "Show ", this.filter),
        this.button("Open all", () => this.openAll()), this.button("Close all", () => this.draw()), this.status),
      element("div", { class: "scroll", tabindex: "0" }, element("table", { class: "tree" }, element("caption", { class: "unseen" }, block.title),
        element("thead", {}, head), this.body)));
    this.draw();
  }

  button(text, act) {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", act);
    return made;
  }

  // The values from the root to a segment.
  path(i) {
    const names = [];
    for (; i > 0; i = this.above[i]) names.unshift(this.rows[i][1]);
    return names;
  }

  row(i, depth, name) {
    const [, , rounds, decision, figure, each, share, exported] = this.rows[i];
    const head = element("th", { scope: "row" });
    head.style.setProperty("--depth", depth);
    if (this.below[i].length > 0 && name === undefined) {
      const toggle = this.button(this.rows[i][1], () => (made.open ? this.close(made) : this.open(made)));
      toggle.setAttribute("aria-expanded", "false");
      toggle.append(element("small", {}, ` ${whole.format(this.below[i].length)}`), element("span", { class: "unseen" }, " segments below"));
      head.append(toggle);
    } else {
      head.append(element("span", {}, name ?? this.rows[i][1]));
    }
    const percent = `${digits.format(Math.round(share * 1000) / 10)} %`;
    const bar = drawing("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("rect", { class: "rest", width: 100, height: 10 }), drawing("rect", { class: "bar", width: 100 * share, height: 10 }));
    const line = element("tr", exported ? { class: "own" } : {}, head, element("td", {}, whole.format(rounds)), element("td", {}, decision), element("td", {}, figure),
      element("td", {}, each), element("td", { class: "share" }, bar, percent));
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
    const more = { line: element("tr", {}), made: [] };
    const show = this.button(`Show ${whole.format(Math.min(rest.length, MOST_ROWS))} of ${whole.format(rest.length)} more`, () => {
      into.splice(into.indexOf(more), 1);
      const before = more.line.previousSibling, first = into.length;
      more.line.remove();
      this.add(rest, before, make, into);
      into[first]?.line.querySelector("button")?.focus();
    });
    more.line.append(element("td", { colspan: "6" }, show));
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
    const all = `${whole.format(this.rows.length)} segments`;
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
    this.status.textContent = `${whole.format(found.length)} of ${all}`;
  }
}
