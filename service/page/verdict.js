// What a learner's page says first: its state in a word and a colour, one sentence, one line.

const EARLY = 100;  // rounds before a judgement

// {kind, sign, advice, title: [parts], lede, does: [parts]} of a learner.
function learnerVerdict(one, words) {
  const name = one.name, unit = one.money ? one.money.currency : "", round = words.round;
  const strong = text => el("em", {}, text);
  if (one.status === "quarantined") {
    const at = /^round (\d+)/.exec(one.why || "");
    return { kind: "worse", sign: "■", advice: `${name} has stopped learning`, small: true, title: [at ? `${capital(round)} ${count(+at[1])} does not come out as it was logged` : "Its log does not come out as it was written"],
      lede: capital(one.why || "the log differs") + ". No outcome is used and none is lost; other learners go on.",
      does: "check the record: it says where it does not hold. Then restore the log from a backup, or start the learner again with an empty log (technical details)." };
  }
  if (one.status === "cold" && one.rounds === undefined)
    return { kind: "unsure", sign: "○", advice: "Being loaded", small: true, title: [`${name} is being loaded`], lede: `The service plays the logged ${round}s again before it decides and learns. This page goes on by itself.` };
  if (one.status === "cold")
    return { kind: "warn", sign: "▲", advice: "Old figures", small: true, title: [`${name} waits for its log`], lede: `The log cannot be written or read now. Decisions go on as they were after ${round} ${count(one.rounds)}; outcomes are refused and should be sent again.`, does: "look at the disk or the database of the service; this page goes on by itself." };
  if (one.status !== "ready")
    return { kind: "warn", sign: "▲", advice: capital(one.status), small: true, title: [`${name}: ${one.status}`], lede: one.why || "" };
  if (!one.rounds)
    return { kind: "unsure", sign: "?", advice: "Nothing to compare yet", small: true, title: [`No ${round} has been played`], lede: "The decision below is in force. Send the first outcome, and this page shows what it brought.", code: `curl ${location.origin}${location.pathname}${pathOf(name)}/outcomes -d '{"id":"1","outcome":…}'` };
  const used = one.promise && one.promise.used, kept = !known(used) || used <= 1;
  const all = `${plural(one.rounds, round)}`;
  if (one.rounds < EARLY)
    return { kind: kept ? "unsure" : "worse", sign: "?", advice: "Too early to tell", small: true, title: [`${all} ${one.rounds === 1 ? "is" : "are"} too few for a judgement`], lede: `From about ${EARLY} ${round}s on this page says what was earned and how sure that is. The ${words.thing} so far ${words.thing.endsWith("s") ? "are" : "is"} below.` };
  const promise = !kept ? "Beyond its promise" : known(used) ? "Learning, promise kept" : "Learning";
  const judged = one.gain ? (one.gain.low > 0 ? "better" : one.gain.high < 0 ? "worse" : "unsure") : "better";
  const kind = kept ? judged : "worse", sign = kind === "better" ? "✓" : kind === "worse" ? "✕" : "?";
  if (one.gain && one.money && one.money.without > 0) {
    const side = one.gain.value >= 0 ? "more" : "less";
    return { kind, sign, advice: judged === "unsure" && kept ? "Learning; more or less cannot be told yet" : promise,
      title: [`${name} earns `, strong(`${sum(Math.abs(one.gain.value), unit)} ${side}`), " than without reserve prices: ", strong(percent(one.gain.value / one.money.without))],
      lede: `${sum(one.money.total, unit)} instead of ${sum(one.money.without, unit)}, in ${all}. 95\u00a0% range ${sum(one.gain.low, "", true)} to ${sum(one.gain.high, unit, true)}.` };
  }
  const scale = one.money ? one.money.unit : 1;
  if (!known(one.regret))
    return { kind, sign, advice: promise, title: [`${name} has played `, strong(all)], lede: one.money ? `${sum(one.money.total, unit)} ${one.money.reward ? "earned" : "spent"}.` : `Loss ${plain(one.total)}.` };
  const level = !/[1-9]/.test(sum(one.regret * scale));
  return { kind, sign, advice: promise, title: level ? [`${name} is `, strong("level"), ` with the best fixed ${words.thing}`] : [`${name} is `, strong(`${sum(Math.abs(one.regret) * scale, unit)} ${one.regret >= 0 ? "behind" : "ahead of"}`), ` the best fixed ${words.thing}`],
    lede: one.money ? `${sum(one.money.total, unit)} ${one.money.reward ? "earned" : "spent"} in ${all}; the best fixed ${words.thing}, known only afterwards, ${sum(one.money.best, unit)}.`
      : `Loss ${plain(one.total)} in ${all}; the best fixed ${words.thing}, known only afterwards, ${plain(one.best)}.` };
}

function verdictNode(verdict, buttons) {
  return el("section.verdict." + verdict.kind + (verdict.small ? ".small" : ""), {}, el("p.advice", {}, el("span", { "aria-hidden": "true" }, verdict.sign), " " + verdict.advice), el("h1", {}, verdict.title),
    el("p.lede", {}, verdict.lede), verdict.does ? el("p.note", {}, el("b", {}, "Do this: "), verdict.does) : null, verdict.code ? el("p.note", {}, el("code", {}, verdict.code)) : null, buttons);
}

const meaning = text => el("details", {}, el("summary", {}, "What does this mean?"), el("div.note", {}, text));

// The amounts of a decision, by their names.
function decisionText(decision, course, unit) {
  if (!decision) return "–";
  if (decision.prices) return Object.entries(decision.prices).map(([name, value]) => `${slotName(name)} ${price(value)}`).join(" · ") + (unit ? SPACE + unit : "");
  const amounts = course && course.decisions.amounts.length && course.decisions.what ? course.decisions.amounts[course.decisions.amounts.length - 1] : null;
  if (amounts && course.behind === 0 && decision.action !== undefined) return JSON.stringify(decision.action).slice(0, 300);
  return decision.action === undefined ? "depends on the context of each round" : JSON.stringify(decision.action).slice(0, 300);
}
