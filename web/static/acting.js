// An action that is sent is done once or not at all, whatever becomes of the answer: it goes out with
// the version that was known, and after a lost answer the story says whether it was done.
import { ask, send } from "./asking.js";
import { insist } from "./connection.js";
import { say, word } from "./words.js";

const APART = new Set(["time", "by"]);

// What is as ever is left out of an event.
function isSame(event, action) {
  return !event.by && Object.entries(action).every(([key, value]) =>
    APART.has(key) || (key in event ? JSON.stringify(event[key]) === JSON.stringify(value) : !value));
}

// The version at which a seat did this very action first after a version, or nothing.
async function whenDone(game, action, known) {
  const { status, body } = await insist(() => ask(`/api/games/${game}/story?after=${known}`));
  const own = status === 200 && body.lines.find(({ event }) => event.seat === action.seat);
  return own && isSame(own.event, action) ? own.version : 0;
}

const MOVED = { status: 409, body: { code: "acted-already" } };
const WITHDRAWN = { status: 0, body: { code: "withdrawn" } };

// The answer to an action that was chosen at the version `known`. `moved` comes true when the page
// learns otherwise that the seat has acted since; `isWithdrawn` says that nobody wants it any more.
export async function act(game, action, known, { moved = new Promise(() => {}), isWithdrawn = () => false } = {}) {
  let tries = 0;
  let over = false;
  const attempt = () => {
    tries += 1;
    return send(`/api/games/${game}/actions?version=${known}`, action);
  };
  const answer = await Promise.race([
    insist(attempt, { isStale: () => over || isWithdrawn(), sentence: word("unanswered") }),
    moved.then(() => MOVED),
  ]);
  over = true;
  if (!answer) return WITHDRAWN;
  if (answer.body?.code !== "acted-already") return answer;
  const version = await whenDone(game, action, known);
  if (!version) return { status: 409, body: { ...answer.body, sentence: word("acted-elsewhere") } };
  if (tries > 1) say(word("was-done"), "friendly");
  return { status: 201, body: { version } };
}
