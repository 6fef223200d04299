// Technical details of a learner: names of the program, ledgers, certificate, noise, configuration, starting again.

function ledgerTable(seen) {
  const { one } = seen, scale = one.money ? one.money.unit : 1, unit = one.money ? one.money.currency : "";
  const range = isRange(one.best_range) ? one.best_range : null;
  const rows = [["learned: its own choice when it was told the outcome", one.total], ["played: the decision that was used", one.played.total], [range ? "best fixed choice: not proven which" : "best fixed choice", one.best, range]];
  return table(["Ledger", "Loss", `In ${unit || "money"}`], [...rows.map(([text, loss, range_]) => [text, range_ ? `from ${plain(range_[0])} to ${plain(range_[1])}` : plain(loss),
    one.money && known(loss) ? (range_ ? sumRange(range_, "", scale) : sum(loss * scale)) : "–"]), ["drift: played less learned", plain(one.played.drift), one.money ? sum(one.played.drift * scale, "", true) : "–"]]);
}

function certificateList(report) {
  if (!report || !report.certificate) return el("p.note", {}, "Asked for once a minute.");
  // Estimates stand without a sign; a closed form says that it is about the mean; only a statement about this run can fail.
  const estimates = ["run", "measured", "exact"];
  const said = bound => estimates.includes(bound.name) ? ` ${plain(bound.value)}: ${bound.says}` : ` ${bound.side === "upper" ? "≤" : "≥"} ${plain(bound.value)}: ${bound.says || (bound.holds === null ? "the expected regret" : "the regret")}${bound.holds === false ? " – does not hold" : ""}`;
  return el("ul", {}, report.certificate.bounds.map(bound => el("li", {}, el("code", {}, bound.name), said(bound))),
    el("li", {}, "Played: ", report.played ? report.played.assumes : "as learned"));
}

function noiseChart(course) {
  const { rounds, values } = course.noise;
  if (rounds.length < 2) return el("p.note", {}, "No noise is recorded.");
  return stepChart({ points: rounds.map((round, i) => [round, values[i]]), last: rounds[rounds.length - 1], high: 1.05 * Math.max(...values) || 1, alt: `Noise, now ${plain(values[values.length - 1])}`,
    label: plain, end: count(rounds[rounds.length - 1]), says: ([round, value]) => `round ${count(round)}: ${plain(value)}`, about: "Noise." });
}

// Nothing else on the page changes anything. Where tokens are on it needs one with the scope admin.
function resetForm(name) {
  const input = el("input", { id: "reset-name", autocomplete: "off", spellcheck: "false" }), button = el("button.btn", { type: "submit", disabled: true }, "Start again with an empty log");
  const says = el("p.note", { role: "status" });
  const form = el("form.ask", { onsubmit: async event => {
    event.preventDefault();
    if (input.value !== name) return;
    button.disabled = true;
    try {
      await getJson(pathOf(name) + "/reset", { method: "POST" });
      says.textContent = "Done: a new generation has begun. The old log stays readable.";
      input.value = "";
    } catch (error) {
      says.textContent = error.message;
    }
  } }, el("p.note", {}, "The learner forgets everything; its log so far is kept and readable under its generation."), el("label", { for: "reset-name" }, `Type ${name} to confirm`), input, el("div", {}, button), says);
  input.addEventListener("input", () => { button.disabled = input.value !== name; });
  return form;
}

function technicalDetails(name, signal, seen) {
  const facts = el("div"), ledgers = el("div"), certificate = el("div"), noise = el("div"), config = el("pre", { tabindex: "0" });
  const part = (title, ...content) => el("div", {}, el("h3", {}, title), ...content);
  const played = [part("Ledgers", ledgers), part("Certificate", certificate), part("Noise", noise)];  // of a learner that is loaded
  const node = el("details.fold", {}, el("summary", {}, el("h2", {}, "Technical details"), el("small", {}, "Method, ledgers, certificate, noise, configuration")),
    el("div", {}, part("Method", facts), ...played, part("Configuration", config), part("Start again", resetForm(name))));
  function draw() {
    if (!node.open || !seen.one) return;
    const { one, course } = seen, regimes = course ? Object.entries(course.regimes) : [], all = regimes.reduce((sum_, [, rounds]) => sum_ + rounds, 0);
    for (const one_ of played) one_.hidden = !one.played;
    put(facts, el("dl.facts", {}, ...fact("Learner", el("code", {}, one.learner), " on ", el("code", {}, one.problem)), ...fact("Made", one.created ? when(one.created) : "–"), ...fact("Generation", count(one.generation)), ...(one.played ? [...fact("Mode", all ? regimes.map(([text, rounds]) => `${text} ${share(rounds / all)}`).join(", ") + ` of the last ${plural(all, "round")}` : "one"),
      ...fact("Optimiser calls", count(one.oracle_calls)), ...fact("Decision", el("code", {}, one.decision || "–")),
      ...fact("Outcomes without a known decision", count(one.played.unattributed))] : []), ...fact("Without scripts", el("code", {}, `GET ${pathOf(name)}, /report, /course, /curve, /record`))));
    if (one.played) put(ledgers, ledgerTable(seen));
    put(certificate, certificateList(seen.report));
    if (course) noise.replaceChildren(noiseChart(course));
    const text = JSON.stringify(one.config, null, 1);
    if (config.textContent !== text) config.textContent = text;
  }
  node.addEventListener("toggle", draw);
  return { node, draw };
}
