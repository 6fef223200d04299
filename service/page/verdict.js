// What a learner's page says first: its state in a word and a colour, one sentence, one line.

// The colour of what was judged of a gain; nothing is judged here.
const judgedKind = judged => judged && judged.recommendation === "deploy" ? "better" : "unsure";
const judgedWords = { deploy: "more is earned", keep: "no gain worth a change", "cannot tell": "cannot be told" };
// Of a promise: kept or broken for sure, or, where the best fixed choice is not proven, neither.
function promiseState(one) {
  const used = one.promise && one.promise.used_range;
  if (!used) return { kind: "unsure", text: "Learning" };
  if (used[0] > 1) return { kind: "worse", text: "Beyond its promise" };
  return used[1] > 1 ? { kind: "unsure", text: "Learning; whether the promise is kept is not proven" } : { kind: "better", text: "Learning, promise kept" };
}

// {kind, sign, advice, title: [parts], lede, does: [parts]} of a learner.
function learnerVerdict(one, words) {
  const name = one.name, unit = one.money ? one.money.currency : "", round = words.round;
  const strong = text => el("em", {}, text);
  if (one.status === "quarantined") {
    const at = /^round (\d+)/.exec(one.why || "");
    if (!at)
      return { kind: "worse", sign: "■", advice: `${name} has stopped learning`, small: true, title: [`${name} was stopped by hand`], lede: `${one.why && one.why !== "by hand" ? capital(one.why) + ". " : ""}No outcome is used; send them again when it works again. Other learners go on.`,
        does: "find out why it was stopped, then let it work again.", code: `curl -X DELETE ${location.origin}${location.pathname}${pathOf(name)}/quarantine` };
    return { kind: "worse", sign: "■", advice: `${name} has stopped learning`, small: true, title: [`${capital(round)} ${count(+at[1])} does not come out as it was logged`],
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
  if (one.part) return partVerdict(one, words);
  if (one.portfolio && one.portfolio.played > 0) return portfolioVerdict(one, words);
  const all = `${plural(one.rounds, round)}`, promise = promiseState(one), beyond = promise.kind === "worse", judged = one.judgement;
  const few = judged && judged.doubts.some(one_ => one_.doubt === "few rounds");
  if (few && !beyond)
    return { kind: "unsure", sign: "?", advice: "Too early to tell", small: true, title: [`${plural(judged.round, round)} ${judged.round === 1 ? "is" : "are"} too few for a judgement`], lede: `${capital(judged.reason)}. The ${words.thing} so far ${words.thing.endsWith("s") ? "are" : "is"} below.` };
  const kind = beyond ? "worse" : one.gain ? judgedKind(judged) : promise.kind, sign = kind === "better" ? "✓" : kind === "worse" ? "✕" : "?";
  if (one.gain && one.money && one.money.without > 0) {
    const side = one.gain.value >= 0 ? "more" : "less", range = judged && judged.range;
    const advice = beyond ? promise.text : !judged ? "Learning; not judged" : judged.recommendation === "deploy" ? promise.text : judged.recommendation === "keep" ? "Learning; no gain worth a change" : "Learning; more or less cannot be told";
    return { kind, sign, advice,
      title: [`${name} earns `, strong(`${sum(Math.abs(one.gain.value), unit)} ${side}`), " than without reserve prices: ", strong(percent(one.gain.value / one.money.without))],
      lede: `${sum(one.money.total, unit)} instead of ${sum(one.money.without, unit)}, in ${all}.` + (range ? ` 95\u00a0% range ${sum(range[0], "", true)} to ${sum(range[1], unit, true)}${judged.round < one.rounds ? ` after ${count(judged.round)}` : ""}.` : "") + (judged && judged.recommendation !== "deploy" ? ` ${capital(judged.reason)}.` : "") };
  }
  const scale = one.money ? one.money.unit : 1;
  if (!known(one.regret))
    return { kind, sign, advice: promise.text, title: [`${name} has played `, strong(all)], lede: one.money ? `${sum(one.money.total, unit)} ${one.money.reward ? "earned" : "spent"}.` : `Loss ${plain(one.total)}.` };
  const best = `the best fixed ${words.thing}`, what = one.money ? `${sum(one.money.total, unit)} ${one.money.reward ? "earned" : "spent"}` : `Loss ${plain(one.total)}`;
  if (isRange(one.regret_range))
    return { kind, sign, advice: promise.text, title: [`${name} is `, strong(regretWords(one.regret_range, unit, scale)), ` ${best}`],
      lede: `${what} in ${all}; ${best}, known only afterwards, ${one.money ? sumRange(one.money.best_range, unit) : `from ${plain(one.best_range[0])} to ${plain(one.best_range[1])}`}: it is not proven which, because the search for it stopped early.` };
  const level = !/[1-9]/.test(sum(one.regret * scale));
  return { kind, sign, advice: promise.text, title: level ? [`${name} is `, strong("level"), ` with ${best}`] : [`${name} is `, strong(`${sum(Math.abs(one.regret) * scale, unit)} ${one.regret >= 0 ? "behind" : "ahead of"}`), ` ${best}`],
    lede: `${what} in ${all}; ${best}, known only afterwards, ${one.money ? sum(one.money.best, unit) : plain(one.best)}.` };
}

// "from 3 to 8 USD behind"; where it may be ahead, "from 2 ahead of to 5 USD behind".
function regretWords(range, unit, scale) {
  const [low, high] = range.map(value => value * scale);
  if (high <= 0) return `from ${sum(-high)} to ${sum(-low, unit)} ahead of`;
  return low >= 0 ? `from ${sum(low)} to ${sum(high, unit)} behind` : `from ${sum(-low)} ahead of to ${sum(high, unit)} behind`;
}

function verdictNode(verdict, buttons) {
  return el("section.verdict." + verdict.kind + (verdict.small ? ".small" : ""), {}, el("p.advice", {}, el("span", { "aria-hidden": "true" }, verdict.sign), " " + verdict.advice), el("h1", {}, verdict.title),
    el("p.lede", {}, verdict.lede), verdict.does ? el("p.note", {}, el("b", {}, "Do this: "), verdict.does) : null, verdict.code ? el("p.note", {}, el("code", {}, verdict.code)) : null, buttons);
}

const meaning = text => el("details", {}, el("summary", {}, "What does this mean?"), el("div.note", {}, text));

// The slot that stands for all other bidders.
const slotName = name => name === "*" ? "others" : name;
// The amounts of a decision, by their names.
function decisionText(decision, course, unit) {
  if (!decision) return "–";
  const names = course && course.decisions.names;
  if (decision.prices) return Object.entries(decision.prices).map(([name, value], i) => `${slotName(names && names[i] || name)} ${price(value)}`).join(" · ") + (unit ? SPACE + unit : "");
  const amounts = course && course.decisions.amounts.length && course.decisions.what ? course.decisions.amounts[course.decisions.amounts.length - 1] : null;
  if (amounts && course.behind === 0 && decision.action !== undefined) return JSON.stringify(decision.action).slice(0, 300);
  return decision.action === undefined ? "depends on the context of each round" : JSON.stringify(decision.action).slice(0, 300);
}
