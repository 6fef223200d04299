// "Check the record now": the verifier of the program runs on the log in the background; this asks how it goes. A learner that
// was made from a state is played again from that instead.

function checkBox(verify) {
  const at = verify.started ? when(verify.started) : "";
  const box = (kind, sign, title, ...content) => el("div.box." + kind, { role: "status" }, el("h2", {}, el("span", { "aria-hidden": "true" }, sign + " "), title), ...content);
  switch (verify.state) {
    case "waiting":
      return box("unsure", "○", "The check waits for another one to end");
    case "running": {
      const progress = el("progress", { "aria-label": "Rounds that were checked" });
      if (verify.rounds) { progress.max = verify.rounds; progress.value = Math.min(verify.done, verify.rounds); }
      return box("unsure", "○", "Checking: every round is computed again", el("p", {}, progress, ` ${count(verify.done)}${verify.rounds ? " of " + count(verify.rounds) : ""} rounds, ${span(1000 * verify.seconds)}`));
    }
    case "holds":
      return box("better", "✓", "Checked: computed again by separate code, and agrees", el("p", {}, `${plural(verify.rounds, "round")} in ${span(1000 * verify.seconds)}, at ${at}.`),
        el("details", {}, el("summary", {}, "What was checked"), el("ul", {}, verify.checked.map(text => el("li", {}, text)))));
    case "consistent":
      return box("unsure", "○", "Not checked in part; nothing differs", el("p", {}, `${plural(verify.rounds, "round")} in ${span(1000 * verify.seconds)}, at ${at}.`),
        el("p", {}, el("b", {}, "Not checked: ")), el("ul", {}, verify.trusted.map(text => el("li", {}, text))),
        el("details", {}, el("summary", {}, "What was checked"), el("ul", {}, verify.checked.map(text => el("li", {}, text)))));
    case "continues":
      return box("better", "✓", "Checked since its state: played again, and agrees", el("p", {}, `Up to round ${count(verify.rounds)}, in ${span(1000 * verify.seconds)}, at ${at}.`),
        el("p", {}, el("b", {}, "Taken on trust: ")), el("ul", {}, verify.trusted.map(text => el("li", {}, text))),
        el("details", {}, el("summary", {}, "What was checked"), el("ul", {}, verify.checked.map(text => el("li", {}, text)))));
    case "differs":
      return box("worse", "✕", "This record does not hold", el("p", {}, `${verify.error.at ? verify.error.at + ": " : ""}${verify.error.message}`), el("p", {}, el("b", {}, "Do this: "), "do not use these figures; restore the log from a backup."));
    case "unavailable":
      return box("warn", "▲", "The record could not be checked to its end", el("p", {}, verify.error.message));
    default:
      return null;
  }
}
function checkedText(verify, rounds) {
  if (!verify || verify.state === "none") return "not checked since the service was started";
  if (verify.state === "holds" || verify.state === "continues") return `checked${verify.state === "holds" ? "" : " since its state,"} at ${when(verify.started)}, up to round ${count(verify.rounds)}${rounds > verify.rounds ? ` (${count(rounds - verify.rounds)} more since)` : ""}: agrees`;
  if (verify.state === "consistent") return `checked in part at ${when(verify.started)}, up to round ${count(verify.rounds)}: nothing differs`;
  return { waiting: "waits to be checked", running: "being checked", differs: "does not hold", unavailable: "could not be checked" }[verify.state] || "–";
}

// A place in the page that shows the state and starts a check.
function recordCheck(name, signal, onChange) {
  const place = el("div"), button = el("button.btn", { type: "button" }, "Check the record now");
  let state = null, timer = 0;
  async function look(options) {
    clearTimeout(timer);
    try {
      state = await getJson(pathOf(name) + "/verify", { signal, ...options });
      const node = checkBox(state);
      put(place, node);
      const busy = state.state === "waiting" || state.state === "running";
      button.disabled = busy;
      button.textContent = busy ? "Checking…" : state.state === "none" ? "Check the record now" : "Check the record again";
      onChange(state);
      if (busy) timer = setTimeout(look, 500);
    } catch (error) {
      if (signal.aborted) return;
      button.disabled = false;
      if (error instanceof Refused) put(place, el("div.box.warn", { role: "status" }, el("h2", {}, "The check was not started"), el("p", {}, error.message)));
      else timer = setTimeout(look, 2000);
    }
  }
  button.addEventListener("click", () => { button.disabled = true; look({ method: "POST" }); });
  signal.addEventListener("abort", () => clearTimeout(timer));
  look();
  return { place, button, look };
}
