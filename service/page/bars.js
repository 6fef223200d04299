// The charts of a learner: bars over time, the regret and its bound, a decision over time, a course in a cell.

// Bars with ranges: {start, width, values, half or null, unit, money}; `text` writes numbers that are no sums. Up is better.
function barChart(spec) {
  const all = spec.values.length, text = spec.text || (value => sum(value, "", spec.signed));
  const reach = spec.values.flatMap((value, i) => spec.half ? [value - spec.half[i], value + spec.half[i]] : [value]);
  const low = Math.min(0, ...reach), high = Math.max(0, ...reach) || 1, pad = (high - low) * 0.04;
  const hour = time => spec.width >= 86400000 ? day(time) : new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const place = i => (i + 0.5) / all;
  const shown = [0, 0.25, 0.5, 0.75, 1].map(part => Math.round(part * (all - 1))).filter((one, i, list) => list.indexOf(one) === i);
  const last = all - 1;
  const { plot, svg, y } = frame({
    alt: `${spec.title}: ${spec.text ? text(spec.values[last]) : sum(spec.values[last], spec.unit, spec.signed)} in the last of ${all} stretches`,
    low: low - (low < 0 ? pad : 0), high: high + pad, label: text,
    x: shown.map(i => [place(i), hour(spec.start[i])]),
  });
  const wide = Math.min(700 / all, 60);
  spec.values.forEach((value, i) => {
    const x = 1000 * place(i) - wide / 2, top = Math.min(y(value), y(0)), height = Math.max(Math.abs(y(value) - y(0)), 2);
    svg.append(el("rect.bar.s1", { x, width: wide, y: top, height }));
    if (spec.half && spec.half[i] > 0) svg.append(el("path.whisker", { d: `M${x + wide / 2} ${y(value - spec.half[i])}V${y(value + spec.half[i])}` }));
  });
  svg.append(el("path.zero", { d: `M0 ${y(0)}H1000` }));
  const says = i => `${spec.width >= 86400000 ? day(spec.start[i]) : when(spec.start[i])}: ${spec.text ? text(spec.values[i]) : sum(spec.values[i], spec.unit, spec.signed)}` +
    (spec.half ? `\nspread ${sum(spec.values[i] - spec.half[i], "", true)} to ${sum(spec.values[i] + spec.half[i], "", true)}` : "") + `\n${plural(spec.rounds[i], spec.round)}`;
  readable(plot, { count: all, place, says, about: spec.title + "." });
  return plot;
}

// How far the learner is behind the best fixed choice, and the limit that is promised; 0 is on top, higher is better.
function promiseChart(spec) {
  const { curve, unit, scale } = spec;
  const final = curve.rounds[curve.rounds.length - 1];
  const behind = [];
  curve.rounds.forEach((round, i) => { if (known(curve.greatest[i])) behind.push([round, curve.least[i] * scale, curve.greatest[i] * scale, curve.regret_range[i] || [curve.least[i], curve.greatest[i]]]); });
  // The limit where there is one, or else the closed form of the mean, under its own name; never an estimate.
  const sure = curve.bounds.certain.some(known), drawn = sure ? curve.bounds.certain : curve.bounds.mean, called = sure ? "Limit" : "Expected at most";
  const limit = curve.bounds.rounds.map((round, i) => [round, drawn[i]]).filter(([, value]) => known(value)).map(([round, value]) => [round, value * scale]);
  if (limit.length) limit.push([final, limit[limit.length - 1][1]]);
  if (!behind.length) return null;
  const values = [...behind.flatMap(one => one.slice(1, 3)), ...limit.map(one => one[1])];
  const low = Math.min(0, ...values), high = Math.max(0, ...values) || 1;
  const place = round => round / final;
  // The axis points down: a frame of the negatives.
  const at = behind[behind.length - 1], now = at[3][1] * scale, unproven = behind.some(one => isRange(one[3])), most = limit.length ? limit[limit.length - 1][1] : null;
  const names = [{ kind: "s1", sign: markOf(0), text: "Behind the best", value: sumRange(at[3], unit, scale) }];
  if (most !== null) names.push({ kind: "s6", sign: markOf(5), text: called, value: sum(most, unit) });
  const { plot, svg, y } = frame({
    alt: `Behind the best fixed ${spec.thing} by ${sumRange(at[3], unit, scale)}` + (most === null ? "" : `; ${called.toLowerCase()} ${sum(most, unit)}`),
    low: -high * 1.04, high: -low + (high - low) * 0.04, ticks: ticks(low, high, 4).map(one => -one || 0), label: value => sum(-value, ""), right: isRange(at[3]) ? "190px" : "142px",
    x: [0, 0.25, 0.5, 0.75, 1].map(part => [part, part === 1 ? "now" : count(Math.max(1, Math.round(part * final)))]), marks: spec.marks,
  });
  const x = round => thousandth(place(round));
  const band = lines(behind.map(([a, , b]) => [a, -b]), x, y) + behind.slice().reverse().map(([a, b]) => `L${x(a)} ${y(-b)}`).join("") + "Z";
  svg.append(el("path.band.s1", { d: band }), el("path.line.s1", { d: lines(behind.map(([a, , b]) => [a, -b]), x, y) }));
  if (limit.length) svg.append(el("path.line.s6", { d: steps(limit.map(([a, b]) => [a, -b]), x, y) }));
  ends(plot, names.map((one, i) => ({ ...one, at: y(i === 0 ? -now : -most) })), 220);
  const limitAt = round => { let found = null; for (const [at, value] of limit) if (at <= round) found = value; return found; };
  const says = ([round, , value, range]) => `${capital(spec.round)} ${count(round)}: ${isRange(range) ? sumRange(range, unit, scale) : sum(value, unit)} behind` +
    (limitAt(round) === null ? "" : `\n${called.toLowerCase()} ${sum(limitAt(round), unit)}`);
  readable(plot, { count: behind.length, place: i => place(behind[i][0]), says: i => says(behind[i]), about: "How far behind the best, and the limit." });
  return { plot, called, unproven, legend: legend(names), rows: () => behind.map(([round, low_, high_]) => [count(round), sum(low_), sum(high_), limitAt(round) === null ? "–" : sum(limitAt(round))]) };
}

// One number over rounds, in steps: {points: [[round, value]], last, high, alt, about, label, says([round, value]) -> text}, and of a frame.
function stepChart(spec) {
  const { points } = spec, first = points[0][0], last = Math.max(spec.last, first + 1), place = round => (round - first) / (last - first);
  const { plot, svg, y } = frame({ ...spec, low: 0, x: [[0, count(first)], [1, spec.end]] });
  svg.append(el("path.line.s1", { d: steps([...points, [last, points[points.length - 1][1]]], round => thousandth(place(round)), y) }));
  readable(plot, { count: points.length, place: i => place(points[i][0]), says: i => spec.says(points[i]), about: spec.about });
  return plot;
}
const decisionChart = spec => stepChart({ ...spec, alt: `${spec.name}, now ${spec.text(spec.points[spec.points.length - 1][1])}`, ticks: [0, spec.high], label: plain, end: "now",
  left: spec.high >= 1000 ? "52px" : undefined, says: ([round, value]) => `from ${spec.round} ${count(round)}\n${spec.text(value)}`, about: spec.name + " over time." });

// Means of the stretches of a run, in a cell of a table; drawn so that up is better.
function spark(course, about) {
  if (course.length < 2) return null;
  const low = Math.min(...course), high = Math.max(...course), range = high - low || 1, wide = 120 / course.length;
  return el("svg.spark", { viewBox: "0 0 120 28", role: "img", "aria-label": about },
    course.map((value, i) => { const height = 4 + 20 * (value - low) / range; return el("rect", { x: i * wide, width: Math.max(wide - 1, 1), y: 26 - height, height }); }),
    el("path.axis", { d: "M0 26H120" }));
}

// The choice of a learner to compare with. It stays where it is while charts are drawn anew, and asks for names when it is used.
function rivalPick(name, seen, signal, changed) {
  const rival = { name: "", one: null, course: null, node: null, refresh: async () => {} };
  const none = el("option", { value: "" }, "no other learner");
  const select = el("select", { id: "rival", onfocus: fill, onchange: () => { rival.name = select.value; rival.one = rival.course = null; rival.refresh().then(changed); } }, none);
  let filled = false;
  async function fill() {
    if (filled || !seen.one) return;
    filled = true;
    try {
      const list = await getJson("v1/learners?limit=200", { signal });
      const others = list.learners.filter(one => one.name !== name && one.problem === seen.one.problem);
      select.append(...others.map(one => el("option", { value: one.name }, one.name)));
    } catch (error) {
      filled = false;
    }
  }
  rival.refresh = async () => {
    if (!rival.name) return;
    const asked = rival.name;
    try {
      const one = await getJson(pathOf(asked), { signal }), course = await getJson(pathOf(asked) + "/course", { signal, timeout: 15000 });
      if (asked === rival.name) Object.assign(rival, { one, course });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      rival.name = select.value = "";  // it was ended
      rival.one = rival.course = null;
    }
  };
  rival.node = el("p.note", {}, el("label", { for: "rival" }, "Compare with "), select);
  return rival;
}

// What a round brought more than a round of another learner, in stretches in which both had some; up is better.
function rivalFigure(spec) {
  const { one, slices, rival, words, unit, each, opened } = spec;
  const title = `A ${words.round} brought more than with ${rival.name}, by ${each}`;
  const figure = el("figure", {}, el("figcaption", {}, title), el("p.sub", {}, `${unit || "loss saved"}; `, spec.select, " The mean of each one\u2019s own rounds. Without a range: the two may have met other outcomes."));
  const same = Boolean(one.money) === Boolean(rival.one.money) && (!one.money || (one.money.currency === rival.one.money.currency && one.money.reward === rival.one.money.reward));
  if (!same) { figure.append(el("p.empty", {}, "The two do not count in the same unit.")); return figure; }
  const better = one.money && one.money.reward ? 1 : -1, rows = [];
  slices.start.forEach((start, i) => {
    const k = rival.slices.start.indexOf(start);
    if (k < 0 || !slices.rounds[i] || !rival.slices.rounds[k]) return;
    const mine = slices.value[i] / slices.rounds[i], other = rival.slices.value[k] / rival.slices.rounds[k];
    rows.push({ start, mine, other, value: better * (mine - other), rounds: slices.rounds[i], others: rival.slices.rounds[k] });
  });
  if (!rows.length) { figure.append(el("p.empty", {}, "There is no stretch yet in which both had outcomes.")); return figure; }
  figure.append(barChart({ title, start: rows.map(row => row.start), width: slices.width, values: rows.map(row => row.value), half: null, signed: true, rounds: rows.map(row => row.rounds), unit, round: words.round }),
    numbers(["From", capital(words.round) + "s here", capital(words.round) + "s there", "Here", "There", "Better here by"],
      () => rows.map(row => [when(row.start), count(row.rounds), count(row.others), plain(row.mine), plain(row.other), plain(row.value)]), opened, "bars"));
  return figure;
}
