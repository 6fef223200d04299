// The segments of a learner with contexts: which level decides, and a tree of all segments with what each brought.

const FEW_OF_SEGMENT = 100, MOST_SHOWN = 400, MOST_PERCENT = 10;  // a share of next to nothing says nothing

// The share of the decision that is taken at each level, over the rounds that were read: stacked, light to dark.
function levelsFigure(segments, words, opened) {
  const { rounds, shares } = segments.levels, names = ["all", ...segments.columns].slice(0, shares.length);
  const figure = el("figure", {}, el("figcaption", {}, "Which level decides"), el("p.sub", {}, `Share of each decision that is taken at each level of the segments, over the last ${plural(rounds.reduce((all, one) => all + one, 0), words.round)}. It starts coarse and goes as fine as the data can bear.`));
  if (rounds.length < 2) { figure.append(el("p.empty", {}, "Drawn after a few rounds.")); return figure; }
  const total = rounds.reduce((all, one) => all + one, 0), at = [];
  rounds.reduce((before, one, i) => { at[i] = (before + one / 2) / total; return before + one; }, 0);
  const last = rounds.length - 1, lastText = names.map((name, d) => `${capital(name)} ${share(shares[d][last])}`).join(", ");
  const { plot, svg, y } = frame({ alt: `Stacked areas of the share of decisions at each level; at the end ${lastText}`, low: 0, high: 1, ticks: [0, 0.5, 1], label: value => share(value),
    x: [[0, "first"], [1, "now"]] });
  let below = rounds.map(() => 0);
  shares.forEach((level, d) => {
    const above = level.map((value, i) => below[i] + value);
    const edge = (values, i) => `${thousandth(i === 0 ? 0 : i === last ? 1 : at[i])} ${y(Math.min(1, values[i]))}`;
    const up = above.map((one, i) => edge(above, i)), down = below.map((one, i) => edge(below, i)).reverse();
    svg.append(el(`path.level.v${Math.min(d, 4)}`, { d: `M${up.join("L")}L${down.join("L")}Z` }));
    below = above;
  });
  readable(plot, { count: rounds.length, place: i => at[i], says: i => names.map((name, d) => `${capital(name)} ${share(shares[d][i])}`).join("\n"), about: "Which level decides." });
  figure.append(plot, el("ul.levels", {}, names.map((name, d) => el("li", {}, el("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" }, el(`rect.level.v${Math.min(d, 4)}`, { width: 34, height: 12 })), d === 0 ? `one ${words.thing === "prices" ? "price" : "choice"} for all` : `by ${name}`))),
    numbers(["Up to", ...names.map(capital)], () => rounds.map((one, i) => [share(at[i]), ...shares.map(level => share(level[i]))]), opened, "levels"));
  return figure;
}

// Rows by their paths, most rounds first under each parent; state (what is open, what is looked for) outlives a redraw.
function segmentTree(segments, seen, words, unit, state) {
  const gainName = words.thing === "prices" ? "one price" : `one ${words.thing === "choice" ? "choice" : words.thing}`, money = Boolean(seen.one.money), key = path => JSON.stringify(path);
  const rows = new Map(segments.rows.map(row => [key(row.path), { ...row, below: [] }]));
  for (const row of rows.values()) if (row.path.length) rows.get(key(row.path.slice(0, -1)))?.below.push(row);
  for (const row of rows.values()) row.below.sort((a, b) => b.rounds - a.rounds || (key(a.path) < key(b.path) ? -1 : 1));
  const kindOf = row => row.gain < -row.spread ? "lose" : row.gain > row.spread ? "win" : "even";
  const called = value => value === "" ? "(none)" : value;
  const fits = row => {
    const wanted = state.find.toLowerCase().split(/[\s/]+/).filter(Boolean), path = row.path.join("/").toLowerCase();
    return wanted.every(word => path.includes(word)) && (state.show === "" || (state.show === "few" ? row.rounds < FEW_OF_SEGMENT : kindOf(row) === state.show));
  };
  const filtered = state.find.trim() !== "" || state.show !== "";
  const keep = new Set();
  let matching = 0;
  if (filtered) for (const row of rows.values()) if (fits(row)) { ++matching; for (let d = row.path.length; d >= 0; --d) keep.add(key(row.path.slice(0, d))); }
  const bar = (value, text, kind) => el("span.bar2", {}, el("span.meter" + kind, { "aria-hidden": "true" }, el("i", { style: { width: `${Math.max(0, Math.min(100, 100 * value))}%` } })), " " + text);
  const made = [];
  const price_ = row => row.amounts ? row.amounts.map(value => price(value)).join(" · ") : row.action === null ? "–" : JSON.stringify(row.action).slice(0, 60);
  const line = (row, open) => {
    const depth = row.path.length, kind = kindOf(row), name = depth === 0 ? "All segments" : called(row.path[depth - 1]);
    const head = row.below.length && !filtered
      ? el("button", { type: "button", "aria-expanded": String(open), onclick: () => { open ? state.open.delete(key(row.path)) : state.open.add(key(row.path)); state.draw(key(row.path)); }, "data-key": key(row.path) }, name, el("small", {}, ` ${count(row.below.length)}`), el("span.unseen", {}, " segments below"))
      : el("span", {}, name);
    const relative = money && row.one > 0 ? row.gain / row.one : null, cells = [
      [capital(words.round) + "s", count(row.rounds), row.rounds < FEW_OF_SEGMENT ? el("small", {}, " few") : null],
      ["Last " + (row.amounts ? "price" : "choice"), price_(row)],
      [`More than ${gainName}`, el("span." + (kind === "win" ? "pos" : kind === "lose" ? "neg" : "even"), {}, sum(row.gain, "", true))],
      ["In %", relative === null ? "–" : relative > MOST_PERCENT ? `over ${percent(MOST_PERCENT)}` : percent(relative)],
      ["Decides here", bar(row.share, share(row.share), "")]];
    return el("tr." + kind, { role: "row" }, el("th", { role: "rowheader", scope: "row", style: { "--depth": depth } }, head), cells.map(([label, ...content]) => el("td", { role: "cell", "data-label": label }, ...content)));
  };
  const walk = row => {
    if (made.length >= MOST_SHOWN || (filtered && !keep.has(key(row.path)))) return;
    const open = filtered || state.open.has(key(row.path));
    made.push(line(row, open));
    if (open) row.below.forEach(walk);
  };
  const root = rows.get("[]");
  if (root) walk(root);
  const heads = ["Segment", capital(words.round) + "s", `Last price${unit ? ", " + unit : ""}`, `${money ? (seen.one.money.reward ? "Earned" : "Spent") : "Lost"} ${money && seen.one.money.reward ? "more" : "less"} than ${gainName}${unit ? ", " + unit : ""}`, "in\u00a0%", "Decides here"];
  if (!segments.rows.some(row => row.amounts)) heads[2] = "Last choice";
  state.count.textContent = filtered ? `${count(matching)} of ${plural(rows.size, "segment")}` : plural(rows.size, "segment");
  state.none.hidden = !filtered || matching > 0;
  const table = el("table.cards.tree", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map(text => el("th", { role: "columnheader", scope: "col" }, text)))), el("tbody", { role: "rowgroup" }, made));
  table.hidden = made.length === 0;
  return [table, made.length >= MOST_SHOWN ? el("p.note", {}, `The first ${count(MOST_SHOWN)} are shown; find the others by their names.`) : null,
    segments.left_out ? el("p.note", {}, `${plural(segments.left_out, words.round)} of further segments ${segments.left_out === 1 ? "is" : "are"} counted above them alone: at most 2,000 segments are told apart here.`) : null];
}

// The section; update(seen) draws it again with what was read since.
function segmentsSection() {
  const find = el("input", { id: "segment-find", type: "search", placeholder: "words of its name", autocomplete: "off", spellcheck: "false" });
  const show = el("select", { id: "segment-show" }, [["", "all"], ["lose", "clearly less"], ["even", "no clear difference"], ["few", `fewer than ${FEW_OF_SEGMENT} rounds`]].map(([value, text]) => el("option", { value }, text)));
  const place = el("div"), levels = el("div"), about = el("p.sub"), state = { find: "", show: "", open: new Set(["[]"]), count: el("span", { role: "status" }), none: el("p", { hidden: true }, "No segment fits. ", el("button.btn.sm", { type: "button", onclick: () => { find.value = show.value = ""; look(); find.focus(); } }, "Show all")), draw: () => {} };
  const look = () => { state.find = find.value; state.show = show.value; state.draw(); };
  find.addEventListener("input", look);
  show.addEventListener("change", look);
  let last = null;
  const all = open => { state.open = new Set(open ? last.segments.rows.map(row => JSON.stringify(row.path)) : ["[]"]); state.draw(); };
  const node = el("section", { id: "segments", hidden: true }, el("h2", {}, "Every segment"), levels, about,
    el("div.tools", { role: "search" }, el("span.field.grow", {}, el("label", { for: "segment-find" }, "Find a segment"), find), el("span.field", {}, el("label", { for: "segment-show" }, "Show"), show),
      el("button.btn.sm", { type: "button", onclick: () => all(true) }, "Open all"), el("button.btn.sm", { type: "button", onclick: () => all(false) }, "Close all"), state.count), place, state.none);
  state.draw = focus => {
    if (!last) return;
    place.replaceChildren(...segmentTree(last.segments, last.seen, last.words, last.unit, state).filter(Boolean));
    if (focus) place.querySelector(`button[data-key="${CSS.escape(focus)}"]`)?.focus();
  };
  return { node, update(seen, words, unit, opened) {
    const segments = seen.course && seen.course.segments;
    node.hidden = !segments;
    if (!segments) return;
    last = { segments, seen, words, unit };
    const root = segments.rows.find(row => row.path.length === 0), money = seen.one.money, thing = words.thing === "prices" ? "one price" : "one choice";
    if (!levels.contains(document.activeElement)) levels.replaceChildren(levelsFigure(segments, words, opened));
    put(about, root ? `By segment ${money ? (money.reward ? "earned" : "spent") : "lost"} ${sum(Math.abs(root.gain), unit)} ${Boolean(money && money.reward) === (root.gain >= 0) ? "more" : "less"} than ${thing} learned for all, in the last ${plural(root.rounds, words.round)}. Most ${words.round}s first. “Decides here”: how much of the last decision was taken at that level; along one path it adds up to 100\u00a0%. Grey: no clear difference, within the spread of single ${words.round}s.` : "");
    if (!place.contains(document.activeElement)) state.draw();
  } };
}
