// A learner that sees a part of its rounds: what was seen in counts and sums, estimates called so, limits and intervals. Its regret, the best
// fixed choice and its own total are not seen, and are not shown.

const partUnit = part => part.money ? part.money.currency : "";
const partScale = part => part.money ? part.money.unit : 1;
const partSure = part => Math.round(100 * (1 - part.delta));

// A list of prices that are all 0 has a name.
const actionWords = (part, action) => part.money && Array.isArray(action) && action.every(price_ => price_ === 0) ? "prices of 0" : JSON.stringify(action).slice(0, 80);

// "earned 600 EUR more than prices of 0, between 212 and 1,005": own loss less that of the action, turned round.
function gainAgainst(part, of) {
  const unit = partUnit(part), turned = -partScale(part), ends = known(of.low) && known(of.high) ? [of.high * turned, of.low * turned] : null;
  const value = of.estimate * turned, words = part.money ? (part.money.reward ? "earned" : "saved") : "lost", side = part.money ? (value >= 0 ? "more" : "less") : value >= 0 ? "less" : "more";
  return { value, ends, words, side, size: sum(Math.abs(value), unit), action: actionWords(part, of.action),
    range: ends ? `between ${sum(ends[0], "", true)} and ${sum(ends[1], unit, true)} with ${partSure(part)}\u00a0%` : "no interval is known" };
}

function partVerdict(one, words) {
  const part = one.part, all = plural(one.rounds, words.round), strong = text => el("em", {}, text);
  if (part.feedback === "elements")
    return { kind: "unsure", sign: "?", advice: "Learning from its own results", title: [`${one.name} lost `, strong(plain(part.total)), ` in ${all}`],
      lede: known(part.limit) && part.limit < part.total ? `With ${partSure(part)}\u00a0% at most ${plain(part.limit)} more than the best fixed ${words.thing}, at every ${words.round}.` : "Nothing is certain beyond what was lost: what was hardly ever tried cannot be excluded." };
  const seen = `${count(part.looks)} of ${all} seen in full`, first = (part.against || [])[0];
  const unfair = (part.warnings || []).length > 0;
  if (unfair) return { kind: "warn", sign: "▲", advice: "The coins do not look fair", small: true, title: [`${one.name}: estimates and limits do not hold`], lede: `${capital(part.warnings[0])}. ${capital(seen)}, ${plain(part.looks_expected)} expected.`, does: "look at who throws the coins, and whether every look arrives." };
  if (!first) return { kind: "unsure", sign: "?", advice: "Learning from looks", title: [`${one.name}: `, strong(seen)], lede: partLimitText(part, words) };
  const gain = gainAgainst(part, first), clear = gain.ends && (gain.ends[0] > 0 || gain.ends[1] < 0);
  return { kind: clear ? (gain.ends[0] > 0 ? "better" : "worse") : "unsure", sign: clear ? (gain.ends[0] > 0 ? "✓" : "✕") : "?", advice: clear ? "Learning from looks" : "Learning from looks; more or less cannot be told",
    title: [`${one.name} ${gain.words} an estimated `, strong(`${gain.size} ${gain.side}`), ` than ${gain.action}`], lede: `${capital(gain.range)}, from ${seen}. ${partLimitText(part, words)}` };
}

function partLimitText(part, words) {
  const unit = partUnit(part), scale = partScale(part);
  return known(part.limit) ? `With ${partSure(part)}\u00a0% it is at most ${sum(part.limit * scale, unit)} behind the best fixed ${words.thing}, at every ${words.round} at once.` : "There is no limit for it.";
}

function tileSeen(seen, words) {
  const part = seen.one.part;
  if (part.feedback === "elements") return el("dl.facts", {}, ...fact("Seen", el("b", {}, `the parts of its own ${words.thing}`), `, in ${plural(seen.one.rounds, words.round)}`), ...fact("Lost, as seen", plain(part.total)));
  const waits = part.waiting && part.waiting.decisions, shown = el("b", {}, `${count(part.looks)} of ${plural(seen.one.rounds, words.round)}`);
  return el("dl.facts", {}, ...fact("Seen in full", shown, `; ${plain(part.looks_expected)} expected of the coins`), ...fact("Share of looks now", known(part.share) ? `${plain(100 * part.share)}\u00a0%` : "said by the log"),
    ...fact("Lost looks", count(part.lost)), ...(part.waiting ? fact("Decisions that wait", waits ? `${count(waits)}, the first is ${count(part.waiting.first)}: in no figure here` : "none") : []), ...(part.void ? fact("Void decisions", count(part.void)) : []),
    ...fact("Looks cost, as seen", known(part.look_cost) ? sum(part.look_cost * partScale(part), partUnit(part)) : "not known"), ...(known(part.raw_total) ? fact("Results as the client said", plain(part.raw_total)) : []));
}

function tileEstimates(seen, words) {
  const part = seen.one.part, unit = partUnit(part), scale = partScale(part);
  const intervals = (part.against || []).flatMap(of => { const gain = gainAgainst(part, of); return fact(`Against ${gain.action}`, el("b", {}, `estimated ${gain.size} ${gain.side} ${gain.words}`), `, ${gain.range}`); });
  const certain = part.feedback === "elements" && !(part.limit < part.total) ? "nothing is certain beyond what was lost" : known(part.limit) ? sum(part.limit * scale, unit) : "none";
  return el("dl.facts", {}, ...intervals, ...(part.feedback === "elements" ? [] : fact("Estimated regret", known(part.estimate) ? sum(part.estimate * scale, unit) : "not known")), ...fact(`Limit (${partSure(part)}\u00a0%)`, certain),
    ...(intervals.length > 2 || intervals.length && known(part.limit) ? fact("Together", `each holds with ${partSure(part)}\u00a0%, not all of them`) : []));
}
