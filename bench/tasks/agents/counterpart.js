/**
 * What is outside of Helve in the campaign: the six services, which count every effect by its content, and the model.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModel } from './model.js';
import { batchesOf, services } from './stories.js';

/** The longest time for which an answer is held back, so that processes die between an effect and its answer. */
const holdMs = 60;
/** For a process that is to be killed: longer than the kill takes. */
const aimedMs = 5_000;

/**
 * Starts it on 127.0.0.1. `ignoreKeys`: the services neither honour keys nor find what they did, and `next` names who asks for an
 * effect that they would then have twice.
 *
 * @param {{ ignoreKeys?: boolean, kills: Map<string, number> }} options
 */
export async function startCounterpart({ ignoreKeys = false, kills }) {
  const problems = [];
  const model = createModel({ kills, problems });
  /** By the key of an effect, or for a repeatable one by its content. */
  const done = new Map();
  const effects = [];
  let repeated = 0;
  /** Those that wait for the next effect or question. */
  const waiting = new Set();
  let lastAt = 0;
  let longestGap = 0;

  function act({ tool, key, issue, attempt, step, answer }) {
    model.use({ issue, attempt, answer });
    const name = isRepeatable(tool) ? `${tool} ${issue}.${attempt}.${step}` : key;
    const before = done.get(name);
    if (before) repeated += 1;
    if (before && (isRepeatable(tool) || !ignoreKeys)) return before;
    const made = { number: effects.length + 1 };
    done.set(name, made);
    effects.push({ issue, what: `${attempt}.${step}` });
    return made;
  }

  function probe({ key }) {
    const found = ignoreKeys ? undefined : done.get(key);
    if (found) repeated += 1;
    return { found };
  }

  const madeBy = (issue) => effects.filter((one) => one.issue === issue).map(({ what }) => what);
  const routes = {
    '/act': act,
    '/probe': probe,
    '/inspect': ({ issue }) => ({ good: madeBy(issue).some((what) => what.startsWith('2.')) }),
  };

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const now = performance.now();
    if (lastAt > 0) longestGap = Math.max(longestGap, now - lastAt);
    lastAt = now;
    const body = JSON.parse(text);
    const process = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const asked = request.url === '/chat/completions' ? model.ask(body, process) : undefined;
    const answer = asked?.answer ?? routes[request.url](body);
    const isTold = ignoreKeys ? request.url === '/act' && !isRepeatable(body.tool) : request.url !== '/inspect';
    const isAimedAt = isTold && waiting.size > 0;
    if (isTold) for (const tell of waiting) tell(process);
    await sleep(isAimedAt ? aimedMs : Math.random() * holdMs);
    response.end(JSON.stringify(answer), asked?.onSent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    count: () => effects.length,
    /** The key of the process that acts or asks next, before it gets its answer; undefined if none does within the time. */
    async next(ms) {
      let tell;
      const told = new Promise((resolve) => {
        tell = resolve;
        waiting.add(tell);
      });
      return Promise.race([told, sleep(ms, undefined, { ref: false })]).finally(() => waiting.delete(tell));
    },
    /** The problems with the effects of these issues, and with the questions to the model. */
    judge: (issues) => [...problems, ...issues.flatMap((issue) => judgeEffects(issue, madeBy(issue)))],
    repetitions: model.repetitions,
    figures: () => ({ effects: effects.length, repeated, ...model.figures(), longestGapMs: Math.round(longestGap) }),
    /** From now on nothing needs to happen. */
    pause: () => {
      lastAt = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isRepeatable = (tool) => services.some((one) => one.tool === tool && one.by === 'repeatable');

/** Effects of one batch may come in any order. */
function judgeEffects(issue, made) {
  const left = [...made];
  const ordered = batchesOf(issue).flatMap((batch) => [...batch].sort());
  const seen = batchesOf(issue).flatMap((batch) => left.splice(0, batch.length).sort());
  const isRight = left.length === 0 && seen.join() === ordered.join();
  return isRight ? [] : [`issue ${issue} made ${made.join(', ')} instead of ${ordered.join(', ')}`];
}
