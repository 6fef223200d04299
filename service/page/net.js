// Requests: the token, what to do when the service is away, and its stream of events.

const net = {
  lostAt: null,      // since when there is no answer
  okAt: 0,           // of the last answer
  retryAt: 0,        // when it is asked again
  tries: 0,
  onChange: () => {},  // lost, or back
};
const TIMEOUT = 4000;

const token = () => sessionStorage.getItem("hannan-token");
function setToken(text) {
  if (text) sessionStorage.setItem("hannan-token", text);
  else sessionStorage.removeItem("hannan-token");
}

// The service answered with an error of its own.
class Refused extends Error {
  constructor(status, error) {
    super(error && error.message || `the service answered ${status}`);
    this.status = status;
    this.code = error && error.code;
  }
}

function answered() {
  net.okAt = Date.now();
  net.tries = 0;
  if (net.lostAt === null) return;
  const since = net.lostAt;
  net.lostAt = null;
  net.onChange("back", Date.now() - since);
}
function unanswered() {
  if (net.lostAt === null) {
    net.lostAt = Date.now();
    net.onChange("lost", 0);
  }
}

async function ask(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  if (token()) headers.Authorization = "Bearer " + token();
  const limits = [AbortSignal.timeout(options.timeout || TIMEOUT)];
  if (options.signal) limits.push(options.signal);
  let answer;
  try {
    answer = await fetch(path, { method: options.method || "GET", body: options.body, headers, cache: "no-store", signal: AbortSignal.any(limits) });
  } catch (error) {
    if (!(options.signal && options.signal.aborted)) unanswered();
    throw error;
  }
  answered();
  return answer;
}

async function getJson(path, options) {
  const answer = await ask(path, options);
  let body = null;
  try {
    body = await answer.json();
  } catch (error) {
    // A proxy in between, which answers with a page of its own.
  }
  if (!answer.ok && !(options && options.any)) throw new Refused(answer.status, body && body.error);
  if (body === null) throw new Refused(answer.status, { message: "the answer is no JSON" });
  return body;
}

const pathOf = name => "v1/learners/" + encodeURIComponent(name);

// Events of a learner until `signal` ends them: read by fetch, which can carry the token. Goes on with the last id.
async function follow(name, signal, onEvent) {
  let last = "";
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream" };
      if (token()) headers.Authorization = "Bearer " + token();
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch(pathOf(name) + "/events", { headers, signal, cache: "no-store" });
      if (!answer.ok) throw new Refused(answer.status, null);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
          const fields = {};
          for (const line of text.slice(0, end).split("\n")) {
            const colon = line.indexOf(":");
            if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
          }
          if (fields.id) last = fields.id;
          if (fields.event) onEvent(fields.event, JSON.parse(fields.data));
        }
      }
    } catch (error) {
      if (signal.aborted) return;
    }
    checkHealth();  // which says so where the service is away
    await new Promise(resume => setTimeout(resume, 1000));
  }
}

// A file of the API: a plain link would not carry the token.
async function download(path, name) {
  const answer = await ask(path, { timeout: 600000 });
  if (!answer.ok) {
    const body = await answer.json().catch(() => null);
    throw new Refused(answer.status, body && body.error);
  }
  const link = el("a", { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
