// The page around: which view, health in the header, a lost connection, the token, keys, pause.

const main = document.getElementById("main"), health = document.getElementById("health"), banner = document.getElementById("banner");
let view = null, leave = new AbortController();
const frozen = {
  paused: false,
  toggle() {
    frozen.paused = !frozen.paused;
    if (!frozen.paused && view) view.refresh();
  },
};

function route() {
  leave.abort();
  leave = new AbortController();
  const hash = location.hash.startsWith("#/") ? location.hash.slice(2) : "", [path, query] = hash.split("?");
  let name = "";
  try {
    name = decodeURIComponent(path);
  } catch (error) {
    name = path;  // no escape that can be read
  }
  frozen.paused = false;
  view = name ? showLearner(main, leave.signal, name) : showList(main, leave.signal, new URLSearchParams(query || ""));
}

// A token is needed, or this one does not do. It is kept for this tab alone and sent as a header, never in an address.
function askToken(place, error) {
  leave.abort();
  leave = new AbortController();
  view = { refresh: route };
  const input = el("input", { id: "token", type: "password", autocomplete: "off" }), other = error.status === 403;
  const form = el("form.ask", { onsubmit: event => { event.preventDefault(); setToken(input.value.trim()); route(); } }, el("label", { for: "token" }, "Token"), input, el("div", {}, el("button.btn", { type: "submit" }, "Use it")));
  const parts = [el("section.verdict.unsure.small", {}, el("h1", {}, other ? "This token does not allow this" : token() ? "This token is not known here" : "This service asks for a token"),
    el("p", {}, other ? "Give another one, or open a learner that it allows." : "It stays in this tab and is forgotten when the tab is closed."), form)];
  if (other) {
    const learner = el("input", { id: "name", autocomplete: "off" });
    parts.push(el("section", {}, el("form.ask", { onsubmit: event => { event.preventDefault(); location.hash = "#/" + encodeURIComponent(learner.value.trim()); } }, el("label", { for: "name" }, "Name of a learner"), learner, el("div", {}, el("button.btn", { type: "submit" }, "Open it")))));
  }
  place.replaceChildren(...parts);
  input.focus();
}

// Health: in words. Rates are differences between two answers. A service that stands still is noticed within 5 s: a question is
// asked every HEALTH_EVERY, late by one TICK at most, and waits HEALTH_TIMEOUT for its answer.
const TICK = 500, HEALTH_EVERY = 1000, HEALTH_TIMEOUT = 3000;
let before = null, asking = false;
async function checkHealth() {
  if (asking) return;
  asking = true;
  try {
    const facts = await getJson("readyz", { any: true, timeout: HEALTH_TIMEOUT });
    const time = Date.now(), rate = before && facts.accepted >= before.accepted && time > before.time ? 1000 * (facts.accepted - before.accepted) / (time - before.time) : null;
    before = { accepted: facts.accepted, time };
    // Never "healthy" beside a learner that has stopped or stands still.
    const stopped = facts.stopped ? ["slow", `▲ ${facts.stopped === 1 ? "One learner has" : count(facts.stopped) + " learners have"} stopped`, "outcomes of the others are saved"] : facts.stalled ? ["slow", "▲ A learner stands still", `at work for ${span(1000 * facts.longest_work)}; outcomes of the others are saved`] : null;
    const state = facts.ready ? stopped || ["good", "● Healthy", "every outcome saved"] : facts.writable === false ? ["bad", "■ Not writable", "outcomes are refused, decisions go on"] : ["slow", "▲ Recovering", "learners are being loaded from their logs"];
    const parts = [state[2]];
    if (facts.commit_p99 > 0) parts[0] += `, 99 of 100 within ${facts.commit_p99 < 0.001 ? "1" : count(1000 * facts.commit_p99)}${SPACE}ms`;
    if (rate !== null) parts.push(`${rate > 0 && rate < 1 ? "less than 1 outcome" : plural(Math.round(rate), "outcome")} a second`);
    if (known(facts.disk)) parts.push(`disk ${share(facts.disk)} full`);
    if (known(facts.seconds)) parts.push(`up ${span(1000 * facts.seconds)}`);
    if (facts.version) parts.push(`version ${facts.version}`);
    put(health, el("span." + state[0], {}, state[1]), " · " + parts.join(" · "));
  } catch (error) {
    if (net.lostAt !== null) put(health, el("span.bad", {}, "■ No answer"), ` from the service since ${clock(net.lostAt)}`);
  } finally {
    asking = false;
  }
}

// The banner of a lost connection: since when, when it is tried again, and a button for now.
const WAITS = [1000, 2000, 3000, 5000];
let backUntil = 0;
net.onChange = (what, away) => {
  main.classList.toggle("old", what === "lost");
  if (what === "lost") {
    before = null;
    net.retryAt = Date.now() + WAITS[0];
    drawBanner();
    return;
  }
  backUntil = Date.now() + 6000;
  banner.hidden = false;
  banner.className = "lost back";
  banner.replaceChildren(el("b", {}, "● The service is back."), ` It was away for ${span(away)}; figures are read again.`);
  if (view && view.note) view.note(`the service was away for ${span(away)}`);
  if (view) view.refresh();
};
function drawBanner() {
  if (net.lostAt === null) {
    if (Date.now() > backUntil) banner.hidden = true;
    return;
  }
  banner.hidden = false;
  banner.className = "lost";
  put(banner, el("b", {}, `▲ Connection lost ${span(Date.now() - net.lostAt)} ago.`), el("span", {}, `Trying again in ${Math.max(0, Math.ceil((net.retryAt - Date.now()) / 1000))} s. Figures are as of ${net.okAt ? clock(net.okAt) : "never"}.`), el("button.btn.sm", { type: "button" }, "Try now"));
}
banner.addEventListener("click", event => { if (event.target.closest("button")) { net.retryAt = 0; tick(); } });

let askedAt = 0;
function tick() {
  if (net.lostAt !== null && Date.now() >= net.retryAt) {
    net.retryAt = Date.now() + WAITS[Math.min(++net.tries, WAITS.length - 1)];
    checkHealth();
  } else if (net.lostAt === null && !document.hidden && Date.now() - askedAt >= HEALTH_EVERY) {
    askedAt = Date.now();
    checkHealth();
  }
  drawBanner();
}

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape") {
    if (typing && event.target.value) { event.target.value = ""; event.target.dispatchEvent(new Event("input")); }
    else if (view && view.back) location.hash = "#/";
    return;
  }
  if (typing && !(event.target.id === "find" && event.key === "ArrowDown")) return;
  if (event.key === "/" && view && view.find) { event.preventDefault(); view.find.focus(); view.find.select(); }
  else if ((event.key === "p" || event.key === "P") && view) frozen.toggle();
  else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && view && view.links) {
    const links = view.links(), at = links.indexOf(document.activeElement);
    if (at < 0 && event.key === "ArrowUp") return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
  }
});
addEventListener("hashchange", () => { route(); scrollTo(0, 0); });
addEventListener("visibilitychange", () => { if (!document.hidden && view) { askedAt = 0; view.refresh(); } });
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(one => { one.open = true; }));
document.querySelector(".skip").addEventListener("click", event => { event.preventDefault(); main.focus(); });
route();
tick();
setInterval(tick, TICK);
