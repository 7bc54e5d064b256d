// What the second network learns from: requests that can be served, with few and with many tools, and requests that cannot: the
// app is missing, the request belongs to another catalogue, or it is no request for a tool at all.
import { examineFitness } from './examine.js';
import { withTypos } from './spoken.js';
import { makeStranger } from './strangers.js';
import { drawSome } from './worlds.js';

/** Toolkits of a scope, from one to all. */
const drawToolkits = ({ names }, luck) =>
  luck.chance(0.3) ? undefined : [...new Set(drawSome(names, Math.min(600, names.length), luck))];

/** Requests of these worlds are about other things than the tools of the given one. */
const foreign = {
  documented: ['flat'],
  spoken: ['documented', 'flat'],
  flat: ['spoken', 'bundled'],
  bundled: ['documented', 'spoken', 'flat'],
};

function withItsTools(world, request, luck) {
  const among = request.toolkits !== undefined && luck.chance(0.5) ? request.toolkits : drawToolkits(world, luck);
  return { ...request, toolkits: among && [...new Set([...request.needed, ...among])] };
}

/** Without its app. Only few other apps are left if the request does not name it: among many, one of them may serve it. */
function withoutItsTools(world, request, luck) {
  const count = world.names.length;
  const drawn = request.isNamed
    ? (drawToolkits(world, luck) ?? world.names)
    : drawSome(world.names, Math.min(25, count), luck);
  const toolkits = drawn.filter((name) => !request.needed.includes(name));
  return toolkits.length === 0 ? undefined : { ...request, toolkits };
}

function drawStranger(words, among, luck) {
  if (luck.chance(0.15)) return { text: makeStranger(words, luck) };
  const origin = luck.pick(among);
  return { text: luck.chance(0.1) ? withTypos(origin, luck) : origin, origin };
}

/**
 * Samples `{ numbers, isFound, isFit, kind }` of one world, `count` of them drawn from its requests; `strangers` are texts
 * that no tool serves, `examiner` is `{ score, wordingOf }`.
 */
export function drawSamples(worlds, name, { count, examiner, words, strangers, luck }) {
  const world = worlds[name];
  const samples = [];
  const add = (request, isFit, kind) => {
    const examined = request && examineFitness(world, request, examiner);
    if (examined !== undefined) samples.push({ ...examined, isFit, kind: `${name} ${kind}` });
  };
  for (let left = count; left > 0; left--) {
    const request = (world.drawTalk ?? world.draw)(luck);
    add(withItsTools(world, request, luck), true, request.isNamed ? 'named' : 'unnamed');
    if (world.names.length > 1 && luck.chance(0.45)) add(withoutItsTools(world, request, luck), false, 'missing');
    if (luck.chance(0.5))
      add({ ...drawStranger(words, strangers, luck), toolkits: drawToolkits(world, luck) }, false, 'stranger');
    if (luck.chance(0.3)) {
      const other = worlds[luck.pick(foreign[name])].draw(luck);
      const toolkits = drawSome(world.names, Math.min(60, world.names.length), luck);
      if (!other.isNamed)
        add({ text: other.text, origin: other.origin, toolkits: [...new Set(toolkits)] }, false, 'foreign');
    }
  }
  return samples;
}
