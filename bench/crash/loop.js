/**
 * The kill loop. A child makes calls and is killed; the next one starts immediately on the same store. While the next one
 * makes calls, everything that the dead ones acknowledged or did is looked for in the record, so a loss is found in the
 * round that caused it. The last child is stopped cleanly, and the whole record is read and checked again.
 */
import { check, together } from './check.js';
import { readEffects, startChild } from './process.js';
import { createRecord, look } from './reader.js';

const sleep = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
const shortestMs = 20;
const longestMs = 400;
/** In addition to the kills during calls, one start in this many is killed while it starts. */
const startsPerEarlyKill = 10;
const longestEarlyMs = 300;

/**
 * @param {object} options
 * @param {{ location: string, effects: string }} options.store
 * @param {number} options.kills
 * @param {number} options.lanes
 * @param {number} options.startLimitMs
 * @param {(state: ReturnType<typeof createState>) => void} options.onProgress
 * @param {AbortSignal} options.signal
 */
export async function runLoop({ store, kills, lanes, startLimitMs, onProgress, signal }) {
  const state = createState();
  const start = (round) => startChild({ database: store.location, effects: store.effects, round, lanes });
  let current;
  try {
    for (; state.kills < kills && !signal.aborted; state.kills++) {
      if (state.kills % startsPerEarlyKill === startsPerEarlyKill - 1) await killEarly(start, state);
      current = start(`r${state.kills}`);
      await untilAnswered(current);
      if (state.kills > 0) noteStart(state, current, startLimitMs);
      await checkDead(state, store, current.pid);
      await sleep(shortestMs + Math.random() * (longestMs - shortestMs));
      await kill(state, current);
      onProgress(state);
    }
    if (signal.aborted) return state;
    current = start('last');
    await untilAnswered(current);
    noteStart(state, current, startLimitMs);
    await checkDead(state, store, current.pid);
    current.stop();
    await takeLeave(state, current, 0);
    state.verified = current.verified;
  } finally {
    // Does nothing if it has already ended.
    current?.kill();
  }
  return state;
}

function createState() {
  return {
    kills: 0,
    earlyKills: 0,
    /** @type {import('./check.js').Acknowledgement[]} */
    acknowledged: [],
    opened: /** @type {number[]} */ ([]),
    answered: /** @type {number[]} */ ([]),
    readyCpu: /** @type {number[]} */ ([]),
    found: together([]),
    record: createRecord(),
    /** How many acknowledgements and effects have been looked for. */
    checked: { acknowledged: 0, effects: 0 },
    /** What Helve itself says about the chain at the end. */
    verified: /** @type {{ ok: boolean, rows: number } | undefined} */ (undefined),
  };
}

async function untilAnswered(child) {
  if (await child.answered) return;
  throw new Error(`A child ended by itself (${await child.ended}):\n${child.errors}`);
}

/** Kills it while it opens the store, settles calls or sets up. */
async function killEarly(start, state) {
  const child = start(`early${state.kills}`);
  await sleep(Math.random() * longestEarlyMs);
  await kill(state, child);
  state.earlyKills += 1;
}

async function kill(state, child) {
  child.kill();
  await takeLeave(state, child, 'SIGKILL');
}

/** All that it wrote before its end counts. */
async function takeLeave(state, child, expected) {
  const how = await child.ended;
  if (how !== expected || child.errors !== '') throw new Error(`A child ended with ${how}:\n${child.errors}`);
  state.acknowledged.push(...child.acknowledged);
}

function noteStart(state, child, limitMs) {
  state.opened.push(child.openedAfter);
  state.answered.push(child.answeredAfter);
  state.readyCpu.push(child.readyCpuMs);
  if (child.answeredAfter > limitMs)
    state.found.start.push(`start ${state.answered.length}: ${Math.round(child.answeredAfter)} ms`);
}

/** Checks what is new since the last time, while the child with this pid makes calls: no other may have open intents. */
async function checkDead(state, store, livePid) {
  // The effects are read first: those in the file now were announced before, so the store that is read next must contain them.
  const { effects, end } = readEffects(store.effects, state.checked.effects);
  const acknowledged = state.acknowledged.slice(state.checked.acknowledged);
  const seen = await look(store.location, state.record.seq);
  for (const row of seen.rows) state.record.add(row);
  state.found = together([state.found, check({ acknowledged, effects, record: state.record, look: seen, livePid })]);
  state.record.touched.clear();
  state.checked = { acknowledged: state.acknowledged.length, effects: end };
}

/**
 * Reads and checks everything again from the first row, after the last process has ended.
 * @param {Pick<ReturnType<typeof createState>, 'acknowledged'>} state
 * @param {{ location: string, effects: string }} store
 * @param {{ statements?: import('./reader.js').Statement[], effects?: import('./check.js').Effect[] }} pretended
 */
export async function checkAll(state, store, pretended = {}) {
  const seen = await look(store.location, 0, pretended.statements);
  const record = createRecord();
  for (const row of seen.rows) record.add(row);
  const effects = [...readEffects(store.effects).effects, ...(pretended.effects ?? [])];
  return {
    found: check({ acknowledged: state.acknowledged, effects, record, look: seen }),
    record,
    effects,
    look: seen,
  };
}
