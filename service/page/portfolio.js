// A portfolio: what it gained over today's decision, what was put at risk, and who plays. Amounts come as losses; `scale` is the
// money of a loss of 1.

const MOST_WAYS = 8;  // bands of a chart; those in the middle are one

const wayName = (of, name) => name === of.today ? `today (${name})`.replace("today (today)", "today") : name;
// The ways that may be played, the likeliest first.
const playedWays = of => of.strategies.filter(one => known(one.weight)).sort((a, b) => b.weight - a.weight);
const riskText = (of, unit, scale, round) => sum(of.risk * scale, unit) + (of.largest === null ? ` and twice the largest difference of one ${round}` : "");

function portfolioVerdict(one, words) {
  const of = one.portfolio, unit = one.money ? one.money.currency : "", scale = one.money ? one.money.unit : 1, strong = text => el("em", {}, text);
  const ahead = of.gain >= 0, sure = of.certain > 0, rewards = !one.money || one.money.reward;
  const advice = sure ? "Ahead of today on average, certified" : ahead ? "Ahead of today so far" : "Behind today, within what is at risk";
  const amount = `${sum(Math.abs(of.gain) * scale, unit)}${one.money ? "" : " of loss"}`, best = of.best === of.today ? "No way did better than today" : `Its best way, ${of.best}, is ${sum(of.behind * scale, unit)} ahead of it, certified at most ${sum(of.certified * scale, unit)}`;
  const side = one.money ? `${ahead === rewards ? "more" : "less"}` : ahead ? "saved" : "added";
  return { kind: sure ? "better" : "unsure", sign: sure ? "✓" : "?", advice,
    title: [`${one.name}: `, strong(`${amount} ${side}`), one.money ? ` ${rewards ? "earned" : "spent"} than today` : " against today", one.money && Math.abs(one.money.today) > 0 ? strong(`, ${percent(of.gain * scale / Math.abs(one.money.today))}`) : null],
    lede: `On average over its draws, in ${plural(of.played, words.round)}; ${sum(of.drawn_gain * scale, unit, true)} as drawn. At risk was ${riskText(of, unit, scale, words.round)}; it was never more than ${sum(-of.low * scale, unit)} behind. ${best}.` };
}

function tileRisk(seen, words, unit, scale) {
  const { one } = seen, of = one.portfolio, used = Math.max(0, -of.low / of.most);
  return el("dl.facts", {}, ...fact("Gained over today, on average", el("b", {}, sum(of.gain * scale, unit, true)), `; ${sum(of.drawn_gain * scale, unit, true)} as drawn`),
    ...fact("At risk, stated beforehand", riskText(of, unit, scale, words.round), ` (${share(used)} used at worst) `, el("span.meter" + (used > 1 ? ".over" : ""), { "aria-hidden": "true" }, el("i", { style: { width: `${Math.min(100, 100 * used)}%` } }))),
    ...fact("Furthest behind today, ever", of.low < 0 ? sum(-of.low * scale, unit) : "never behind"),
    ...fact("Certain now", `${of.certain >= 0 ? `at least ${sum(of.certain * scale, unit)} ahead of today` : `at most ${sum(-of.certain * scale, unit)} behind today`}, on average`),
    ...(of.hard === null ? [] : fact("Hard limit of what is drawn", sum(of.hard * scale, unit))));
}

function tileWays(seen, unit, scale) {
  const of = seen.one.portfolio, ways = playedWays(of), shadows = of.strategies.filter(one => one.shadow);
  const text = way => `${share(way.weight)} of the play; alone ${sum(way.gain * scale, unit, true)}`;
  return el("dl.facts", {}, ways.slice(0, MOST_WAYS).map(way => fact(wayName(of, way.name), text(way))), ways.length > MOST_WAYS ? fact("Others", count(ways.length - MOST_WAYS)) : null,
    shadows.length ? fact("Scored, never played", shadows.map(one => one.name).join(", ")) : null);
}

// The gain over today, what is certain of it, and the limit that the amount at risk sets; up is better.
function gainFigure(seen, words, unit, scale, opened, marks) {
  const of = seen.one.portfolio, curve = seen.curve && seen.curve.portfolio;
  const figure = el("figure", {}, el("figcaption", {}, "Gained over today, and the amount at risk"), el("p.sub", {}, `${unit || (seen.one.money ? "money" : "loss saved")}, summed. On average it cannot fall below the line "at risk"${of.largest === null ? ` by more than twice the largest difference of one ${words.round}` : ""}. Below: ${words.round}s that were played.`));
  if (!curve || curve.rounds.length < 2) { figure.append(el("p.empty", {}, "Drawn after a few rounds.")); return figure; }
  const final = curve.rounds[curve.rounds.length - 1], gain = curve.rounds.map((round, i) => [round, curve.gain[i] * scale]), certain = curve.rounds.map((round, i) => [round, curve.certain[i] ? curve.certain[i][0] * scale : null]).filter(([, value]) => known(value));
  const limit = -of.risk * scale, values = [...gain, ...certain].map(one => one[1]), low = Math.min(limit, ...values), high = Math.max(0, ...values), pad = (high - low) * 0.04 || 1;
  const now = gain[gain.length - 1][1], sure = certain.length ? certain[certain.length - 1][1] : null;
  const names = [{ kind: "s1", sign: markOf(0), text: "On average", value: sum(now, unit, true) }, { kind: "s6", sign: markOf(5), text: "At risk", value: sum(limit, unit, true) }];
  if (sure !== null) names.push({ kind: "s4", sign: markOf(3), text: "Certain", value: sum(sure, unit, true) });
  const { plot, svg, y } = frame({ alt: `Gained over today ${sum(now, unit, true)}; at risk ${sum(-limit, unit)}`, low: low - pad, high: high + pad, label: value => sum(value, ""), right: "142px",
    x: [0, 0.25, 0.5, 0.75, 1].map(part => [part, part === 1 ? "now" : count(Math.max(1, Math.round(part * final)))]), marks });
  const x = round => thousandth(round / final);
  svg.append(el("path.line.s6", { d: `M0 ${y(limit)}H1000` }), el("path.line.s4", { d: lines(certain, x, y) }), el("path.line.s1", { d: lines(gain, x, y) }));
  ends(plot, names.map((one, i) => ({ ...one, at: y([now, limit, sure][i]) })), 220);
  readable(plot, { count: gain.length, place: i => gain[i][0] / final, says: i => `${capital(words.round)} ${count(gain[i][0])}: ${sum(gain[i][1], unit, true)}`, about: "Gained over today." });
  figure.append(plot, legend(names), numbers([`After ${words.round}`, "Gained over today", "Certain, at least"], () => gain.map(([round, value], i) => [count(round), sum(value, "", true), certain[i] ? sum(certain[i][1], "", true) : "–"]), opened, "gain"));
  return figure;
}

// How likely each way was, over the rounds that were read: stacked, the likeliest at the end first, today on top.
function waysFigure(seen, words, opened) {
  const of = seen.one.portfolio, course = seen.course && seen.course.portfolio;
  const figure = el("figure", {}, el("figcaption", {}, "Who played"));
  if (!course || course.rounds.length < 2) { figure.append(el("p.empty", {}, "Drawn after a few rounds.")); return figure; }
  const total = course.rounds.reduce((all, one) => all + one, 0), last = course.rounds.length - 1, at = [];
  course.rounds.reduce((before, one, i) => { at[i] = (before + one / 2) / total; return before + one; }, 0);
  const shadows = new Set(of.strategies.filter(one => one.shadow).map(one => one.name));
  let ways = course.names.map((name, k) => ({ name: wayName(of, name), today: k === 0, values: course.shares[k] })).filter(one => !shadows.has(one.name));
  ways = [...ways.filter(one => !one.today).sort((a, b) => b.values[last] - a.values[last]), ...ways.filter(one => one.today)];
  if (ways.length > MOST_WAYS) {
    const rest = ways.slice(MOST_WAYS - 2, -1);
    ways = [...ways.slice(0, MOST_WAYS - 2), { name: "others", values: at.map((_, i) => rest.reduce((all, one) => all + one.values[i], 0)) }, ways[ways.length - 1]];
  }
  figure.append(el("p.sub", {}, `Share of each way, in the last ${plural(total, words.round)} that were played. One of them is drawn in every ${words.round}.`));
  const { plot, svg, y } = frame({ alt: "Share of each way at the end: " + ways.map(one => `${one.name} ${share(one.values[last])}`).join(", "), low: 0, high: 1, ticks: [0, 0.5, 1], label: value => share(value), x: [[0, "first"], [1, "now"]] });
  let below = at.map(() => 0);
  const kind = (one, k) => one.today ? "today" : `s${k % COLOURS + 1}`;
  ways.forEach((one, k) => {
    const above = one.values.map((value, i) => below[i] + value), edge = (values, i) => `${thousandth(i === 0 ? 0 : i === last ? 1 : at[i])} ${y(Math.min(1, values[i]))}`;
    svg.append(el(`path.way.${kind(one, k)}`, { d: `M${above.map((_, i) => edge(above, i)).join("L")}L${below.map((_, i) => edge(below, i)).reverse().join("L")}Z` }));
    below = above;
  });
  readable(plot, { count: at.length, place: i => at[i], says: i => ways.map(one => `${one.name} ${share(one.values[i])}`).join("\n"), about: "Who played." });
  figure.append(plot, el("ul.levels", {}, ways.map((one, k) => el("li", {}, el("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" }, el(`rect.way.${kind(one, k)}`, { width: 34, height: 12 })), `${one.name} ${share(one.values[last])}`))),
    numbers(["Up to", ...ways.map(one => capital(one.name))], () => at.map((place, i) => [share(place), ...ways.map(one => share(one.values[i]))]), opened, "ways"));
  return figure;
}
