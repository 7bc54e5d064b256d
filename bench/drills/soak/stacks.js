// What a processor profile shows about long turns.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * For each turn, the functions in which most of its time passed, callees included. `folder`: where the server wrote its profiles; that of
 * its main thread is the largest.
 */
export function stacksOf(folder, turns) {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const profile = JSON.parse(texts.toSorted((one, other) => other.length - one.length)[0]);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  // The profile begins with the process, as does the clock of the turns.
  const samples = [];
  let at = 0;
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] / 1_000;
    samples.push({ at, id, ms: profile.timeDeltas[index] / 1_000 });
  }
  const offset = profile.startTime / 1_000;
  return turns.map(({ endedAt, ms, clock }) => {
    const end = endedAt + clock - offset;
    const within = new Map();
    for (const sample of samples) {
      if (sample.at < end - ms || sample.at > end) continue;
      const names = new Set();
      for (let id = sample.id; id !== undefined; id = parents.get(id)) names.add(nameOf(nodes.get(id)));
      for (const name of names) within.set(name, (within.get(name) ?? 0) + sample.ms);
    }
    const most = [...within].toSorted(([, one], [, other]) => other - one).slice(0, 25);
    return { ms, most: most.map(([name, part]) => `${part.toFixed(0)} ${name}`) };
  });
}

function nameOf({ callFrame: { functionName, url, lineNumber } }) {
  return `${functionName || '(anonymous)'} ${url.replace(/.*\/(dist|node_modules)\//, '')}:${lineNumber + 1}`;
}
