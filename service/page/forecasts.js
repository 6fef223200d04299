// A learner that combines forecasts: how far off it was, day by day beside the forecast that it is held against, and its weights now.

const errorOf = (sum_, weight, root) => weight > 0 ? (root ? Math.sqrt(sum_ / weight) : sum_ / weight) : null;
const heldAgainst = course => course.today === "mean" ? "the plain mean" : course.today === "today" ? "today\u2019s forecast" : course.today;
const errorWords = course => ({ squared: "root mean squared error", absolute: "mean absolute error", percentage: "mean share of the actual" })[course.loss] || `mean ${course.loss} error`;
const four = value => known(value) ? sign(value, format(Math.abs(value), { maximumSignificantDigits: 4 })) : "–";  // errors have any unit
const totalOf = list => list.reduce((all, one) => all + one, 0);

// {kind, sign, advice, title, lede} as learnerVerdict: figures, and no judgement of them.
function combinedVerdict(one, course) {
  if (one.status !== "ready") return learnerVerdict(one, one.words);
  if (!one.rounds)
    return { kind: "unsure", sign: "?", advice: "Nothing to compare yet", small: true, title: ["No forecast has been combined"], lede: "Send what the models say, and later what came.", code: `curl ${location.origin}${location.pathname}${pathOf(one.name)}/decisions -d '{"forecasts":{…}}'` };
  const waiting = one.rounds - one.settled, open = waiting ? ` ${plural(waiting, "forecast")} ${waiting === 1 ? "is" : "are"} not settled.` : "";
  const rows = course ? totalOf(course.days.rows) : 0;
  if (!rows) return { kind: "unsure", sign: "?", advice: "Nothing to compare yet", small: true, title: [`${plural(one.rounds, "forecast")}, and no actual yet`], lede: `An error is known once an actual has come.${open}` };
  const root = course.loss === "squared", weight = totalOf(course.days.weight), mine = errorOf(totalOf(course.days.combined), weight, root), other = errorOf(totalOf(course.days.today), weight, root);
  const side = mine < other ? "less" : "more", level = mine === other || !(other > 0);
  return { kind: "unsure", sign: "●", advice: "Combining",
    title: level ? [`${one.name} was off by `, el("em", {}, four(mine)), `, as ${heldAgainst(course)}`] : [`${one.name} was off by `, el("em", {}, `${four(Math.abs(other - mine))} ${side}`), ` than ${heldAgainst(course)}: `, el("em.nb", {}, percent((mine - other) / other))],
    lede: `${capital(errorWords(course))} ${four(mine)}; ${heldAgainst(course)} ${four(other)}, over the last ${plural(rows, "actual")}.${open} Whether the difference is more than chance, hannan compare forecasts says.` };
}

function avoidedFigure(course, opened) {
  const slices = course.days.start.length >= 3 ? course.days : course.hours, each = slices === course.days ? "day" : "hour", root = course.loss === "squared";
  const title = `Error avoided against ${heldAgainst(course)}, by ${each}`;
  const figure = el("figure", {}, el("figcaption", {}, title), el("p.sub", {}, `${capital(errorWords(course))}, by the ${each} in which the actual came; up is better.`));
  if (!slices.start.length) { figure.append(el("p.empty", {}, "No actual yet.")); return figure; }
  const mine = slices.combined.map((value, i) => errorOf(value, slices.weight[i], root)), other = slices.today.map((value, i) => errorOf(value, slices.weight[i], root));
  figure.append(barChart({ title, start: slices.start, width: slices.width, values: mine.map((value, i) => other[i] - value), half: null, signed: true, rounds: slices.rows, unit: "", round: "actual", text: four }),
    numbers(["From", "Actuals", "Combined", capital(heldAgainst(course)), "Avoided"], () => slices.start.map((start, i) => [when(start), count(slices.rows[i]), four(mine[i]), four(other[i]), four(other[i] - mine[i])]), opened, "avoided"));
  return figure;
}

function weightsFigure(decision) {
  const figure = el("figure", {}, el("figcaption", {}, "Weights now"), el("p.sub", {}, `Of the last forecast, ${decision ? decision.decision : "which is none yet"}; members taken apart.`));
  if (!decision) return figure;
  const rows = [...Object.entries(decision.weights), ["median of the models", decision.median_weight]].sort((a, b) => b[1] - a[1]);
  figure.append(el("table.cards.dense", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ["Model", "Weight"].map(text => el("th", { role: "columnheader", scope: "col" }, text)))),
    el("tbody", { role: "rowgroup" }, rows.map(([name, weight]) => el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, name),
      el("td", { role: "cell", "data-label": "Weight" }, el("span.nb", {}, el("span.meter", { "aria-hidden": "true" }, el("i", { style: { width: `${100 * weight}%` } })), ` ${share(weight)}`)))))));
  return figure;
}

function forecastsTable(course) {
  const heads = ["Actual came", "Decision", "Forecast", "Actual", "Off by", capital(heldAgainst(course))];
  return el("table.cards.dense", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map(text => el("th", { role: "columnheader", scope: "col" }, text)))),
    el("tbody", { role: "rowgroup" }, course.recent.map(row => el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, when(row.time)),
      [row.decision, precise(row.forecast), precise(row.actual), four(row.error), precise(row.today)].map((text, i) => el("td", { role: "cell", "data-label": heads[i + 1] }, text))))));
}

// The promise of the run so far, in the unit of the loss.
function provenList(report) {
  const convex = report && report.certificate && report.certificate.convex;
  if (!convex) return el("p.note", {}, "Asked for once a minute.");
  return el("dl.facts", {}, ...fact("Against every fixed mixture of the models", `at most ${four(convex.measured)} more loss in sum, by the run itself`), ...fact("Proven by its weights alone", four(convex.proven)), ...fact("Certain beforehand, with errors of this size", four(convex.closed)));
}

function combinedSections(seen, opened) {
  const { one, course, decision, report } = seen;
  if (!course || !one.rounds) return [];
  return [el("section.two", {}, avoidedFigure(course, opened), weightsFigure(decision)),
    el("section", {}, el("h2", {}, "Last actuals"), course.recent.length ? forecastsTable(course) : el("p.empty", {}, "No actual yet.")),
    el("section", {}, el("h2", {}, "How sure"), provenList(report), meaning("Nothing is drawn, so each of these holds for this very run: the sum of losses of the combined forecast, less that of the best fixed mixture, chosen afterwards."))];
}
