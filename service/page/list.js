// All learners: found, sorted, in pages of 200, asked for again every few seconds while the page is looked at.

const PAGE = 200, EVERY = 3000;
const CHUNK = 100;  // rows of a request: about 100 kB
const SORTS = [["attention", "needs attention first"], ["name", "name"], ["gain", "most gained"], ["rounds", "most rounds"], ["regret", "farthest behind"], ["used", "promise used"]];

const stateOf = row => {
  if (row.status === "quarantined") return { kind: "worse", sign: "■", text: "Stopped", about: row.why };
  if (row.status === "cold") return row.rounds === undefined ? { kind: "unsure", sign: "○", text: "Being loaded", about: "from its log" } : { kind: "warn", sign: "▲", text: "Old figures", about: "the log cannot be read or written now" };
  if (row.status !== "ready") return { kind: "warn", sign: "▲", text: capital(row.status), about: row.why };
  if (promiseState(row).kind === "worse") return { kind: "worse", sign: "▲", text: "Beyond its promise" };
  if (row.feedback && row.feedback.silent) return { kind: "warn", sign: "▲", text: "No feedback", about: `for ${span(Date.now() - row.feedback.time)}; usual gap ${span(row.feedback.gap)}${row.feedback.pause > 10 * row.feedback.gap ? `, pauses up to ${span(row.feedback.pause)}` : ""}` };
  if (row.rounds === 0) return { kind: "unsure", sign: "○", text: "Waiting", about: "for the first outcome" };
  return { kind: "ok", sign: "●", text: "Learning", about: row.judgement ? judgedWords[row.judgement.recommendation] : "" };
};
const gainClass = row => judgedKind(row.judgement) === "better" ? "pos" : "nul";

function gainText(row) {
  if (!row.gain || !row.rounds) return ["–"];
  const base = row.money && known(row.money.without) ? row.money.without : null;
  const part = value => base ? percent(value / base) : sum(value, "", true);
  return [el("span", {}, el("span." + gainClass(row), {}, sum(row.gain.value, "", true)), base ? el("span.nb", {}, ` (${percent(row.gain.value / base)})`) : null,
    known(row.gain.low) ? el("small.nb", {}, `${part(row.gain.low)} to ${part(row.gain.high)}`) : null)];
}

function tagButtons(row, onTag) {
  const tags = Object.entries(row.tags || {});
  return tags.length ? el("span.tags", {}, tags.map(([key, value]) => el("button.tag", { type: "button", title: `Show those with ${key}=${value}`, onclick: () => onTag(`${key}=${value}`) }, `${key}=${value}`))) : null;
}

function listRow(row, onTag) {
  const state = stateOf(row), unit = row.money && row.money.currency, words = row.words || { title: row.problem, round: "round" };
  const used = row.promise && row.promise.used_range, most = used && used[1];
  const cell = (label, ...content) => el("td" + (content[0] === "–" ? ".none" : ""), { role: "cell", "data-label": label }, ...content);
  const reward = (row.course || []).map(loss => 1 - loss);
  return el("tr", { role: "row", "data-name": row.name },
    el("th", { role: "rowheader", scope: "row" }, el("a", { href: (row.node ? row.node + "/" : "") + "#/" + encodeURIComponent(row.name) }, row.name), el("small", {}, `${words.title === "Decisions" ? row.problem : words.title.toLowerCase()}${row.node ? ` on ${row.node.replace(/^https?:\/\//, "")}` : ""}`), tagButtons(row, onTag)),
    el("td.state." + state.kind, { role: "cell", "data-label": "State" }, el("span", {}, el("i", { "aria-hidden": "true" }, state.sign), " " + state.text, state.about ? el("small", {}, state.about) : null)),
    cell("Rounds", count(row.rounds)),
    cell(row.money ? "Earned" : "Loss", row.money ? el("span.nb", {}, sum(row.money.total, unit)) : known(row.total) ? el("span", {}, plain(row.total), el("small", {}, "loss")) : "–"),
    cell("More than without reserve prices", ...gainText(row)),
    cell("Behind the best", row.regret_range ? el("span", {}, el("span.nb", {}, sumRange(row.regret_range, unit, row.money ? row.money.unit : 1)), isRange(row.regret_range) ? el("small", {}, "not proven") : null) : "–"),
    cell("Promise used", used ? el("span.nb", {}, el("span.meter" + (used[0] > 1 ? ".over" : ""), { role: "img", "aria-label": `${shareRange(used)} of the promised limit used` }, el("i", { style: { width: `${Math.max(0, Math.min(100, 100 * most))}%` } })), " " + shareRange(used)) : "–"),
    cell("Course of the run", spark(reward, `Result of a ${words.round} over the run, ${reward.length} stretches`) || "–"));
}

function listVerdict(list) {
  const { summary, count: all } = list, attention = summary.attention;
  const why = [];
  const stopped = summary.statuses.quarantined || 0;
  if (stopped) why.push(`${stopped === 1 ? "one has" : count(stopped) + " have"} stopped`);
  if (summary.silent) why.push(`${summary.silent === 1 ? "one gets" : count(summary.silent) + " get"} no feedback`);
  if (summary.beyond) why.push(`${summary.beyond === 1 ? "one is" : count(summary.beyond) + " are"} beyond the promise`);
  const missing = (list.missing || []).length;
  const needs = attention ? [el("a", { href: "#/?show=attention" }, `${count(attention)} of ${count(all)} ${attention === 1 ? "needs" : "need"} attention`), `: ${why.join(", ")}.`] : [`None of ${count(all)} needs attention.`];
  if (missing) needs.push(` ${missing === 1 ? "One node does" : count(missing) + " nodes do"} not answer: ${missing === 1 ? "its" : "their"} learners are missing here.`);
  const money = summary.money.slice().sort((a, b) => b.learners - a.learners)[0];
  const kind = stopped ? "worse" : attention || missing ? "warn" : !money ? "unsure" : money.verdicts.deploy === money.learners ? "better" : "unsure";
  if (!money || money.without <= 0) return el("section.verdict." + kind, {}, el("h1", {}, plural(all, "learner"), attention ? [", ", el("em", {}, `${count(attention)} need${attention === 1 ? "s" : ""} attention`)] : null), el("p.lede", {}, needs));
  const side = money.gain >= 0 ? "more" : "less", more = summary.money.length > 1 ? ` Others earn in ${summary.money.length - 1} more ${summary.money.length === 2 ? "currency" : "currencies"}.` : "";
  const verdicts = ["deploy", "keep", "cannot tell", "not judged"].filter(one => money.verdicts[one]).map(one => `${count(money.verdicts[one])} ${judgedWords[one] || one}`);
  return el("section.verdict." + kind, {},
    el("h1", {}, `${plural(money.learners, "learner")} earn${money.learners === 1 ? "s" : ""} `, el("em", {}, `${sum(Math.abs(money.gain), money.currency)} ${side}`), " than without reserve prices: ", el("em.nb", {}, percent(money.gain / money.without))),
    el("p.lede", {}, `Judged one by one, with 95\u00a0%: ${verdicts.join(", ")}.${more} `, needs));
}

function emptyList() {
  const base = location.origin + location.pathname;
  return el("section.verdict.unsure.small", {}, el("h1", {}, "No learner yet"), el("p", {}, "Make the first one with a single request; this page shows it as soon as it exists."),
    el("pre", { tabindex: "0" }, `curl -X PUT ${base}v1/learners/homepage -d \\\n  '{"problem":{"kind":"vcg-reserves","params":{"bidders":3,"levels":20}},"slots":["dsp1","dsp2","*"],"cap":5,"currency":"USD"}'`));
}

function showList(main, signal, query) {
  const find = el("input", { id: "find", type: "search", placeholder: "name or tag", autocomplete: "off", spellcheck: "false" });
  const show = el("select", { id: "show" }, [["", "all"], ["attention", "needs attention"], ["quarantined", "stopped"], ["ready", "learning"], ["cold", "not loaded"]].map(([value, text]) => el("option", { value }, text)));
  const sort = el("select", { id: "sort" }, SORTS.map(([value, text]) => el("option", { value }, text)));
  const number = el("span", { id: "count", role: "status" }), verdict = el("div"), body = el("tbody", { role: "rowgroup" }), none = el("p", { hidden: true });
  const more = el("button.btn", { type: "button", hidden: true }), moreLine = el("div.more", {}, more);
  let shown = PAGE, asked = 0, failed = null;
  const known_ = new Map();  // name -> {row, text}
  find.value = query.get("find") || "";
  show.value = query.get("show") || "";
  const onTag = text => { find.value = text; again(); find.focus(); };
  // Columns that can be sorted by are buttons in their heads.
  // Short heads: the note below says what is meant.
  const heads = [["Learner", "name"], ["State", "attention"], ["Rounds", "rounds"], ["Earned", ""], ["More than without reserve prices, 95\u00a0% range", "gain"], ["Behind the best", "regret"], ["Promise used", "used"], ["Course of the run", ""]];
  const headRow = el("tr", { role: "row" }, heads.map(([text, key]) => el("th" + (key === "attention" ? ".state" : ""), { role: "columnheader", scope: "col", "data-key": key },
    key ? el("button", { type: "button", title: "Sort by this", onclick: () => { sort.value = key; again(); } }, text) : text)));
  const table = el("table.cards.list", { role: "table" }, el("thead", { role: "rowgroup" }, headRow), body);
  const tools = el("div.tools", { role: "search" }, el("span.field.grow", {}, el("label", { for: "find" }, "Find"), find), el("span.field", {}, el("label", { for: "show" }, "Show"), show), el("span.field", {}, el("label", { for: "sort" }, "Sort"), sort), number);
  const section = el("section", { hidden: true }, tools, table, none, moreLine, el("p.note", {}, el("b", {}, "Behind the best"), ": behind the best fixed choice, known only afterwards; a range where it is not proven which that is. ", el("b", {}, "Promise used"), ": how far a learner is behind the best fixed choice, as a share of the limit that holds with 95\u00a0% certainty at every round; a learner without such a limit shows none. ", el("b", {}, "Course of the run"), ": the mean result of a round, from the start to now; higher is better."));

  function draw(list, rows) {
    ++page.draws;
    document.title = `${plural(list.count, "learner")}${list.summary.attention ? `, ${count(list.summary.attention)} need attention` : ""} – Hannan`;
    put(verdict, list.count === 0 ? emptyList() : listVerdict(list));
    section.hidden = list.count === 0;
    const focused = document.activeElement && body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.name : null;
    const nodes = rows.map(row => {
      const text = JSON.stringify(row) + (row.feedback && row.feedback.silent ? Math.floor(Date.now() / 10000) : ""), old = known_.get(row.name);
      if (old && old.text === text) return old.node;
      const node = listRow(row, onTag);
      known_.set(row.name, { text, node });
      return node;
    });
    if (nodes.length !== body.children.length || nodes.some((node, i) => body.children[i] !== node)) {
      body.replaceChildren(...nodes);
      if (focused) body.querySelector(`tr[data-name="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
    }
    for (const head of headRow.children) {
      if (head.dataset.key && head.dataset.key === sort.value) head.setAttribute("aria-sort", sort.value === "name" ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    number.textContent = `${count(list.matching)} of ${plural(list.count, "learner")}`;
    none.hidden = list.matching > 0;
    put(none, "No learner matches. ", el("button.btn.sm", { type: "button" }, `Show all ${count(list.count)}`));
    table.hidden = list.matching === 0;
    more.hidden = rows.length >= list.matching;
    more.textContent = `Show ${count(Math.min(PAGE, list.matching - rows.length))} more`;
  }
  none.addEventListener("click", event => { if (event.target.closest("button")) { find.value = ""; show.value = ""; again(); } });

  async function load() {
    const mine = ++asked;
    const wanted = new URLSearchParams({ limit: CHUNK, sort: sort.value });
    if (find.value.trim()) wanted.set("match", find.value.trim());
    if (show.value) wanted.set("status", show.value);
    const rows = [];
    let list = null;
    for (let offset = 0; offset < shown; offset += CHUNK) {
      wanted.set("offset", offset);
      list = await getJson("v1/learners?" + wanted, { signal });
      if (mine !== asked || signal.aborted) return;
      rows.push(...list.learners);
      if (!list.next) break;
    }
    draw(list, rows);
  }
  function again() { shown = PAGE; refresh(); }
  async function refresh() {
    try {
      await load();
      failed = null;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && (error.status === 401 || error.status === 403)) askToken(main, error);
      else if (error instanceof Refused && error.message !== failed) { failed = error.message; put(verdict, el("section.verdict.warn.small", {}, el("h1", {}, "The list cannot be had now"), el("p", {}, error.message))); }
    }
  }
  let typing = 0;
  find.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(again, 120); });
  show.addEventListener("change", again);
  sort.addEventListener("change", again);
  more.addEventListener("click", () => { shown += PAGE; refresh(); });
  main.replaceChildren(verdict, section);
  // The service looks up feedback and courses after the first question; the second one has them.
  refresh().then(() => setTimeout(() => { if (!signal.aborted) refresh(); }, 700));
  const timer = setInterval(() => { if (!document.hidden && !frozen.paused && net.lostAt === null) refresh(); }, EVERY);
  signal.addEventListener("abort", () => clearInterval(timer));
  return { refresh, find, links: () => [...body.querySelectorAll("th a")] };
}
