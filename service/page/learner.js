// One learner: what it brought, whether the promise is kept, what it does now, whether feedback arrives.

const REFRESH = 1000;
const WINDOWS = [["minutes", "last hour, by minute"], ["hours", "last 24 hours, by hour"], ["days", "last 30 days, by day"]];

function fact(term, ...text) { return [el("dt", {}, term), el("dd", {}, ...text)]; }

const sure = report => report && known(report.delta) ? Math.round(100 * (1 - report.delta)) : 95;
// Whether its decision depends on the context of each round: its own columns, or those of a strategy.
const byContext = params => Boolean(params.by || (params.strategies || []).some(one => one.by || (one.params && one.params.by)));
const certain = report => Boolean(report && !known(report.delta));  // nothing is drawn: the limit is no matter of chance

// The promise in one sentence: the limit and what it covers, or else the closed form of the mean; and what is expected.
function promiseSentence(seen, unit, scale) {
  const { one, report } = seen;
  const promise = one.promise || {}, parts = [];
  if (known(promise.certain)) parts.push(certain(report) ? `at most ${sum(promise.certain * scale, unit)} behind, for certain` : `with ${sure(report)}\u00a0% certainty at most ${sum(promise.certain * scale, unit)} behind, at every round at once, each round in the mean over its own draw`);
  else if (known(promise.mean)) parts.push(`expected at most ${sum(promise.mean * scale, unit)} behind, in the mean over the learner's draws; for a single run there is no limit`);
  if (known(promise.expected)) parts.push(`expected regret, estimated bound ${sum(promise.expected * scale, unit)}`);
  if (!parts.length) return one.rounds ? "No limit is known for this learner; its regret is measured." : "It begins with the first round.";
  return capital(parts.join("; ")) + ".";
}

function tileNow(seen, words, unit) {
  const { one, course, verify, decision } = seen;
  const last = course && course.decisions.rounds.length ? course.decisions.rounds.length - 1 : -1;
  // The decision in force may be newer than the last one that was used.
  const prices = decision && decision.prices ? Object.values(decision.prices) : null;
  const fresh = prices && last >= 0 && course.behind === 0 && prices.some((value, i) => value !== course.decisions.amounts[last][i]);
  const since = fresh && course.recent.length ? `${when(course.recent[0].time)}, not used yet` : last >= 0 ? `${when(course.decisions.times[last])}, used in ${plural(one.rounds - course.decisions.rounds[last] + 1, words.round)}` : one.rounds === 0 ? "the start" : "–";
  return el("dl.facts", {}, ...fact(words.thing === "choice" ? "Choice in force" : capital(words.thing) + " in force", el("b", {}, byContext(one.config.learner.params) ? "by segment" : one.portfolio && !decision ? "decided when what is proposed has come" : decisionText(decision, course, unit)), decision && decision.strategy ? ` by ${decision.strategy}` : null),
    ...(one.portfolio ? [] : fact("Since", since)), ...fact("Record", checkedText(verify, one.rounds)));
}

function tilePromise(seen, words, unit, scale) {
  const { one } = seen, used = one.promise && one.promise.used_range;
  const limit = one.promise ? one.promise.certain : null;
  const weak = one.gain && known(limit) && limit * scale > Math.abs(one.gain.value) / 2;
  return el("dl.facts", {}, ...fact(`Behind the best fixed ${words.thing}`, el("b", {}, one.regret_range ? sumRange(one.regret_range, unit, scale) : one.rounds ? "looked up in some rounds only" : "nothing yet"), isRange(one.regret_range) ? ": it is not proven which" : null),
    ...(known(limit) ? fact(certain(seen.report) ? "Limit" : `Limit (${sure(seen.report)}\u00a0%)`, `${sum(limit * scale, unit)} (${used ? shareRange(used) + " used" : "not compared yet"}) `, el("span.meter" + (used && used[0] > 1 ? ".over" : ""), { "aria-hidden": "true" }, el("i", { style: { width: `${Math.max(0, Math.min(100, 100 * (used ? used[1] : 0)))}%` } }))) : []),
    ...fact("The promise", promiseSentence(seen, unit, scale) + (weak ? " It is weak: more than half of the difference." : "")));
}

function tileFeedback(seen, words, unit, scale) {
  const { one, course } = seen;
  if (!course || !course.recent.length) return el("dl.facts", {}, ...fact("Arriving", one.rounds ? "being read from the log" : "no outcome yet"));
  const minutes = course.minutes, now = Date.now(), since = now - course.recent[0].time;
  const inLast = span_ => minutes.rounds.reduce((all, rounds, i) => all + (minutes.start[i] > now - span_ ? rounds : 0), 0);
  // What is usual for this learner the service knows, from all of its log.
  const usual = course.feedback, silent = Boolean(usual && usual.silent && course.recent[0].time <= usual.time);
  const five = inLast(300000) / 5, rate = five >= 1 ? `${count(five)} a minute` : `${count(inLast(3600000))} in the last hour`;
  const delays = course.delays, some = delays.late > 0;
  return el("dl.facts", {}, ...fact("Arriving", silent ? el("span.bad", {}, el("b", {}, `▲ No feedback for ${span(since)}`)) : el("span", {}, el("span.good", {}, el("i", { "aria-hidden": "true" }, "● ")), el("b", {}, rate)),
    silent ? `; usual gap ${span(usual.gap)}${usual.pause > 10 * usual.gap ? `, pauses up to ${span(usual.pause)}` : ""}` : `, last one ${span(since)} ago`),
    ...fact("Delay", some ? (known(delays.ms_p50) ? `of late ones half within ${span(delays.ms_p50)}, 99 of 100 within ${span(delays.ms_p99)}` : `of late ones half within ${plural(delays.rounds_p50, words.round)}`) : "no outcome named an older decision"),
    ...(one.part ? [] : fact("Learned and played", one.played.late || one.played.unattributed ? `differ by ${sum(one.played.drift * scale, unit, true)} (${plural(one.played.late, "late outcome")}, ${count(one.played.unattributed)} without a known decision)` : "are the same: no outcome came late")));
}

function barFigure(seen, words, unit, opened, choice, rival) {
  const { one, course } = seen;
  if (!course) return el("figure", {}, el("figcaption", {}, "By hour"), el("p.empty", {}, "Being read from the log."));
  const wanted = choice.value || (course.hours.start.length >= 3 ? "hours" : "minutes");
  const slices = course[wanted], gain = Boolean(slices.gain && one.gain), each = { minutes: "minute", hours: "hour", days: "day" }[wanted];
  const title = gain ? `Earned more than without reserve prices, by ${each}` : `${one.money ? (one.money.reward ? "Earned" : "Spent") : "Loss"}, by ${each}`;
  const select = el("select", { "aria-label": "Window", onchange: event => { choice.value = event.target.value; choice.draw(); } }, WINDOWS.map(([value, text]) => el("option", { value, selected: value === wanted }, text)));
  if (rival.course) return rivalFigure({ one, slices, rival: { name: rival.name, one: rival.one, slices: rival.course[wanted] }, words, unit, each, select, opened });
  const figure = el("figure", {}, el("figcaption", {}, title), el("p.sub", {}, `${unit || (gain ? "points" : one.money ? "money" : "loss")}; `, select, gain ? " Thin lines: the spread of single rounds, which decides nothing." : ""));
  if (!slices.start.length) { figure.append(el("p.empty", {}, "No outcome yet.")); return figure; }
  figure.append(barChart({ title, ...slices, values: gain ? slices.gain : slices.value, half: gain ? slices.half : null, signed: gain, unit, round: words.round }),
    numbers(["From", capital(words.round) + "s", title, "Spread"], () => slices.start.map((start, i) => [when(start), count(slices.rounds[i]), sum((gain ? slices.gain : slices.value)[i], "", gain),
      gain ? `${sum(slices.gain[i] - slices.half[i], "", true)} to ${sum(slices.gain[i] + slices.half[i], "", true)}` : "–"]), opened, "bars"));
  return figure;
}

function promiseFigure(seen, words, unit, scale, opened, marks) {
  const figure = el("figure", {}, el("figcaption", {}, "Promise and where we are"), el("p.sub", {}, `${unit || (scale === 1 ? "loss" : "money")} behind the best fixed ${words.thing}; higher is better. Below: number of the ${words.round}.`));
  const drawn = seen.curve && seen.curve.rounds.length > 1 ? promiseChart({ curve: seen.curve, unit, scale, thing: words.thing, round: words.round, marks }) : null;
  if (!drawn) { figure.append(el("p.empty", {}, "Drawn once the best fixed choice is known for some rounds.")); return figure; }
  figure.append(drawn.plot, drawn.legend, numbers([capital(words.round), "Behind, least", "Behind, most", drawn.called], drawn.rows, opened, "promise"));
  if (drawn.unproven) figure.append(el("p.note", {}, `The band: it is not proven which ${words.thing} ${words.thing.endsWith("s") ? "are" : "is"} the best, because the search stopped early; the distance lies within it.`));
  return figure;
}

function decisionFigures(seen, words, unit, marks) {
  const { course } = seen, all = course.decisions;
  if (!all.drawn || !all.names.length) return [el("p.empty", {}, "Decisions of this kind are not drawn; the last one is above.")];
  const money = Boolean(all.what), shown = money ? all.unit : "";
  const text = value => money ? price(value, shown) : plain(value);
  const high = Math.max(0, ...all.amounts.flat().filter(known)) || 1;
  return all.names.map((name, i) => {
    const points = [];
    all.rounds.forEach((round, k) => { const value = all.amounts[k][i]; if (known(value) && (!points.length || points[points.length - 1][1] !== value)) points.push([round, value]); });
    const next = seen.decision && seen.decision.prices && course.behind === 0 ? Object.values(seen.decision.prices)[i] : undefined;
    if (points.length && known(next) && next !== points[points.length - 1][1]) points.push([course.last + 1, next]);
    if (!points.length) return null;
    return el("figure", {}, el("h3", {}, slotName(name)), el("span.big", {}, text(points[points.length - 1][1])), el("small", {}, "now"),
      decisionChart({ name: slotName(name), points, last: course.last, high, text, round: words.round, marks: marks(all.rounds[0], course.last) }));
  });
}

function changesNode(changes) {
  return el("div.wide", {}, el("h3", {}, "What changed"), changes.length ? el("dl.facts", {}, changes.slice(-6).map(one => fact(one.letter ? el("b", {}, one.letter) : "·", `${when(one.time)}: ${one.text}`))) : el("p.note", {}, "Nothing since this page was opened."));
}

function outcomesTable(seen, words, unit) {
  const { one, course } = seen, cap = one.config.cap, slots = course.decisions.names.length ? course.decisions.names : one.config.slots || [];
  const reserves = words.thing === "prices" && one.money && one.gain !== null && course.decisions.what === "reserve";
  const heads = ["Time", one.part && one.part.waiting ? "Message" : capital(words.round), ...(reserves ? [`Highest bid${unit ? ", " + unit : ""}`, `Price asked${unit ? ", " + unit : ""}`] : []), one.part ? "Seen" : one.money ? `${one.money.reward ? "Earned" : "Spent"}${unit ? ", " + unit : ""}` : "Loss", "Decision", "Id"];
  const shown = seen_ => seen_.outcome !== null && seen_.outcome !== undefined ? JSON.stringify(seen_.outcome).slice(0, 120) : "nothing";
  const row = seen_ => {
    const bids = Array.isArray(seen_.outcome) ? seen_.outcome : null, top = bids && bids.every(known) ? bids.indexOf(Math.max(...bids)) : -1;
    const asked = top >= 0 && seen_.amounts ? seen_.amounts[top] : null;
    const cells = [count(seen_.round), ...(reserves ? [top >= 0 ? `${slotName(slots[top] || String(top + 1))} ${price(bids[top] * (cap || 1))}` : "–", known(asked) ? price(asked) : "–"] : []),
      one.part ? shown(seen_) : one.money ? price(seen_.money) + (reserves && seen_.money === 0 ? ", not sold" : "") : plain(seen_.loss), seen_.decision || "not known", seen_.id];
    return el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, when(seen_.time)), cells.map((text, i) => el(reserves && i === 1 ? "td.any" : "td", { role: "cell", "data-label": heads[i + 1] }, text)));
  };
  return el("table.cards.dense", { role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map(text => el("th", { role: "columnheader", scope: "col" }, text)))), el("tbody", { role: "rowgroup" }, course.recent.map(row)));
}

function showLearner(main, signal, name) {
  const seen = { one: null, course: null, curve: null, report: null, verify: null, decision: null }, changes = [], opened = new Set();
  const live = el("span", { role: "status" }), pause = el("button.btn.sm", { type: "button", onclick: () => frozen.toggle() }, "Pause");
  const crumb = el("p.crumb", {}, el("a", { href: "#/" }, "‹ All learners"), el("span", {}, live, pause));
  const verdict = el("div"), boxes = el("div"), body = el("div", { hidden: true });
  const now = el("div"), promise = el("div"), seenTile = el("div"), estimates = el("div"), feedback = el("div"), charts = el("section.two"), prices = el("section"), outcomes = el("section");
  const check = recordCheck(name, signal, state => { seen.verify = state; if (seen.one) drawTiles(); });
  const details = technicalDetails(name, signal, seen);
  const segments = segmentsSection();
  const rival = rivalPick(name, seen, signal, () => drawCharts());
  const tile = (title, place, text) => el("div", {}, el("h2", {}, title), place, meaning(text));
  const promised = tile("Promise", promise, "No one knows the best fixed choice beforehand. The learner promises to stay within this distance of it, whatever happens, with the stated certainty and at every round at once. The limit takes each round in the mean over its own draw: what the luck of single draws adds is not covered. What it is behind is called regret.");
  const risk = el("div"), waysPlace = el("div");
  const risked = tile("At risk and gained", risk, "On average over its own draws the portfolio is never further behind today’s decision than what was put at risk, whatever happens, on the same rounds. A single drawn run may be further behind.");
  const ways = tile("Who plays now", waysPlace, "How likely each way is drawn in the next round, and what it would have gained over today alone, over all rounds that were played.");
  const looked = tile("Seen", seenTile, "A learner of this kind is not told every outcome. What it saw is counted here as it is; nothing is said of what it did not see.");
  const estimated = tile("Estimates and limits", estimates, "From what was seen, each look counting as often as it stands for rounds. An estimate may be far off in a single run; a limit and an interval hold with the stated certainty, if the coins are fair and outcomes do not react to them.");
  body.append(el("section.tiles", {}, tile("Now", now, "The decision that is in force for the next round. It changes only when the learner has seen new outcomes."),
    promised, risked, ways, looked, estimated,
    tile("Feedback", feedback, "Only outcomes that arrive are learned from. One may name an older decision: then what was learned and what was played differ, and the difference is measured.")),
  rival.node, charts, segments.node, prices, outcomes);
  const combined = el("div");
  main.replaceChildren(crumb, verdict, boxes, body, combined, details.node);
  boxes.append(check.place);
  const choice = { value: "", draw: () => drawCharts() };

  function note(text) {
    const round = seen.one && seen.one.rounds, letters = changes.filter(one => one.letter).length;
    changes.push({ time: Date.now(), text, round, letter: known(round) && round > 0 && letters < 26 ? String.fromCharCode(65 + letters) : "" });
  }
  const marksWithin = (first, last) => changes.slice(-6).filter(one => one.letter && one.round >= first && one.round <= last && last > first).map(one => [(one.round - first) / (last - first), one.letter]);

  const words = () => seen.one.words || { title: "Decisions", thing: "choice", round: "round" };
  const unit = () => seen.one.money ? seen.one.money.currency : "";
  const scale = () => seen.one.money ? seen.one.money.unit : 1;
  function drawTiles() {
    put(now, tileNow(seen, words(), unit()));
    promised.hidden = Boolean(seen.one.part || seen.one.portfolio);
    looked.hidden = estimated.hidden = !seen.one.part;
    risked.hidden = ways.hidden = !seen.one.portfolio;
    if (seen.one.part) { put(seenTile, tileSeen(seen, words())); put(estimates, tileEstimates(seen, words())); }
    else if (seen.one.portfolio) { put(risk, tileRisk(seen, words(), unit(), scale())); put(waysPlace, tileWays(seen, unit(), scale())); }
    else put(promise, tilePromise(seen, words(), unit(), scale()));
    put(feedback, tileFeedback(seen, words(), unit(), scale()));
  }
  function buttons() {
    const one = seen.one, saves = (path, file, text) => el("button.btn", { type: "button", "data-file": file, "data-path": path }, text);
    const stopped = one.status === "quarantined";
    return [one.floors && (stopped || one.decision) ? saves("/floors.json", name + ".floors.json", stopped ? "Download the last prices" : "Download prices") : null,
      one.status === "ready" || stopped ? saves("/record", name + ".record.jsonl", stopped ? "Download the record as far as it goes" : "Download the record") : null, stopped ? saves("/log", name + ".log.jsonl", "Download the log") : null];
  }
  const row = el("div.btns"), saved = el("span.saves");
  row.append(saved, check.button);
  row.addEventListener("click", event => {
    const button = event.target.closest("[data-path]");
    if (button) download(pathOf(name) + button.dataset.path, button.dataset.file).catch(error => put(saved, el("span.bad", {}, error.message)));
  });
  function drawCharts() {
    if (!seen.one || body.hidden) return;
    if (charts.contains(document.activeElement) && document.activeElement.tagName === "SELECT") document.activeElement.blur();
    const focused = [...charts.querySelectorAll(".plot")].indexOf(document.activeElement);
    const bars = barFigure(seen, words(), unit(), opened, choice, rival), marks = seen.curve ? marksWithin(0, seen.one.rounds) : [];
    if (seen.one.portfolio) charts.replaceChildren(gainFigure(seen, words(), unit(), scale(), opened, marks), waysFigure(seen, words(), opened), bars);
    else charts.replaceChildren(bars, promiseFigure(seen, words(), unit(), scale(), opened, marks));
    if (focused >= 0) charts.querySelectorAll(".plot")[focused]?.focus();
    if (!seen.course) return;
    segments.update(seen, words(), unit(), opened);
    prices.hidden = Boolean(seen.course.segments);  // each segment has its own
    prices.replaceChildren(el("h2", {}, words().thing === "choice" ? "Decisions over time" : `${capital(words().thing)} over time`),
      el("p.sub", {}, `${seen.course.decisions.unit ? capital(seen.course.decisions.unit) + ", " : ""}from ${words().round} ${count(seen.course.first)} on.${changes.some(one => one.letter) ? " Letters: see “What changed”." : ""}`),
      el("div.multi", {}, decisionFigures(seen, words(), unit(), marksWithin), changesNode(changes)));
    outcomes.replaceChildren(el("h2", {}, `Last ${seen.one.part && seen.one.part.waiting ? "message" : words().round}s`), seen.course.recent.length ? outcomesTable(seen, words(), unit()) : el("p.empty", {}, "No outcome yet."));
  }
  function draw() {
    ++page.draws;
    const one = seen.one, combines = one.problem === "forecasts", said = combines ? combinedVerdict(one, seen.course) : learnerVerdict(one, words());
    document.title = `${name}: ${said.advice} – Hannan`;
    put(saved, buttons());
    const fresh = verdictNode(said, null), old = verdict.firstElementChild;
    if (!old || old.dataset.text !== fresh.outerHTML) {
      fresh.dataset.text = fresh.outerHTML;
      const held = row.contains(document.activeElement) ? document.activeElement : null;
      fresh.append(row);
      verdict.replaceChildren(fresh);
      if (held) held.focus();
    }
    if (combines) {
      const stopped = one.status === "quarantined";
      combined.replaceChildren(...(stopped ? [] : combinedSections(seen, opened)));
      details.node.hidden = true;
      return;
    }
    body.hidden = one.rounds === undefined || one.status === "quarantined";  // what it does now is nothing
    prices.hidden = outcomes.hidden = !one.rounds;
    charts.hidden = rival.node.hidden = !one.rounds || Boolean(one.part);  // they draw losses, which are not all seen
    if (!one.rounds) segments.node.hidden = true;
    details.draw();
    if (body.hidden) return;
    drawTiles();
    if (one.rounds) drawCharts();
  }

  let busy = false, again = false, lastReport = 0, lastStatus = "", lastGeneration = 0, drawnAt = 0;
  async function refresh() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const one = await getJson(pathOf(name), { signal });
      if (lastStatus && one.status !== lastStatus) note(one.status === "ready" ? "loaded again from its log, and goes on" : one.status === "quarantined" ? "stopped" : one.status);
      if (lastGeneration && one.generation !== lastGeneration) { note("started again with an empty log"); seen.curve = seen.course = null; }
      lastStatus = one.status;
      lastGeneration = one.generation;
      seen.one = one;
      if (one.problem === "forecasts" && one.status === "ready") {
        seen.decision = one.rounds ? await getJson(pathOf(name) + "/decision", { signal }) : null;
        seen.course = await getJson(pathOf(name) + "/course", { signal, timeout: 15000 });
        if (one.rounds && Date.now() - lastReport > 60000) {
          lastReport = Date.now();
          seen.report = await getJson(pathOf(name) + "/report", { signal, timeout: 15000 });
        }
      } else if (one.problem !== "forecasts" && one.status !== "quarantined" && one.rounds !== undefined) {
        if (!byContext(one.config.learner.params)) seen.decision = await getJson(pathOf(name) + "/decision", { signal }).catch(error => { if (error instanceof Refused && error.status < 500 && error.status !== 401 && error.status !== 403) return null; throw error; });
        if (one.status === "ready") {
          seen.curve = await getJson(pathOf(name) + "/curve?points=300", { signal, timeout: 15000 });
          for (let i = 0; i < 20; ++i) {
            seen.course = await getJson(pathOf(name) + "/course", { signal, timeout: 15000 });
            if (seen.course.behind === 0) break;
          }
          await rival.refresh();
          if (one.rounds > 0 && Date.now() - lastReport > 60000) {
            lastReport = Date.now();
            seen.report = await getJson(pathOf(name) + "/report", { signal, timeout: 15000 });
          }
        }
      }
      if (!signal.aborted) draw();
      drawnAt = Date.now();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && (error.status === 401 || error.status === 403)) askToken(main, error);
      else if (error instanceof Refused && error.status === 404) { put(verdict, el("section.verdict.unsure.small", {}, el("h1", {}, `There is no learner ${name}`), el("p", {}, "It was ended, or never made. ", el("a", { href: "#/" }, "All learners")))); body.hidden = boxes.hidden = details.node.hidden = true; }
      else if (error instanceof Refused && seen.one) draw();
      else if (error instanceof Refused) put(verdict, el("section.verdict.warn.small", {}, el("h1", {}, `${name} cannot be shown now`), el("p", {}, error.message)));
    } finally {
      busy = false;
    }
    if (again && !signal.aborted) { again = false; soon(); }
  }
  let timer = 0;
  function soon() {
    if (timer || signal.aborted) return;
    timer = setTimeout(() => { timer = 0; if (!document.hidden && !frozen.paused) refresh(); else again = true; }, Math.max(0, REFRESH - (Date.now() - drawnAt)));
  }
  follow(name, signal, (event, data) => {
    if (event === "switch") return;
    if (event === "status" && data.status === lastStatus) return;
    soon();
  });
  const ticking = setInterval(() => {
    if (document.hidden || !seen.one) return;
    if (net.lostAt !== null) put(live, `○ As of ${clock(net.okAt)}`);
    else if (frozen.paused) put(live, `○ Paused at ${clock(drawnAt)}`);
    else put(live, el("span.good", {}, el("i", { "aria-hidden": "true" }, "●")), ` Live, updated ${span(Date.now() - drawnAt)} ago`);
    pause.textContent = frozen.paused ? "Go on" : "Pause";
    if (net.lostAt === null && !frozen.paused) { if (seen.course && !body.hidden) put(feedback, tileFeedback(seen, words(), unit(), scale())); if (Date.now() - drawnAt > 10000 || seen.one.status !== "ready") soon(); }
  }, 1000);
  signal.addEventListener("abort", () => { clearInterval(ticking); clearTimeout(timer); });
  refresh();
  return { refresh: () => { check.look(); drawnAt = 0; refresh(); }, note, back: true };
}
