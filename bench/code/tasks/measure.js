// Plays tasks in the three ways, judges each by the service's own state and the answer, and adds up the tokens.
import { isDeepStrictEqual } from 'node:util';
import { doors } from './doors.js';
import { ways } from './play.js';

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const sorted = (effects) => effects.map((effect) => JSON.stringify(effect)).toSorted();

/** A row for each task and way: `{ task, way, succeeded, turns, tools, sent, once, problem }`. */
export async function measure(opened, { tasks, door }) {
  const rows = [];
  for (const way of Object.keys(ways)) {
    await opened.setWay(way);
    for (const task of tasks) rows.push(await playTask(opened, { task, way, door }));
  }
  return rows;
}

async function playTask(opened, { task, way, door }) {
  opened.office.reset();
  const expected = structuredClone(task.expect(opened.office.state().rows));
  let played = { turns: [], tools: 0 };
  let problem;
  try {
    played = await doors[door](opened, task, ways[way], way);
  } catch (error) {
    problem = String(error?.message ?? error);
  }
  const { effects } = opened.office.state();
  const succeeded =
    problem === undefined &&
    isDeepStrictEqual(played.answer, expected.answer) &&
    isDeepStrictEqual(sorted(effects), sorted(expected.effects));
  if (!succeeded) problem ??= `${JSON.stringify([played.answer, effects])} instead of ${JSON.stringify(expected)}`;
  const { turns } = played;
  return {
    task,
    way,
    succeeded,
    problem,
    tools: played.tools,
    turns: turns.length,
    // A model sees the definitions and the whole conversation again in every turn.
    sent: sum(turns.map(({ tools, messages, written }) => tools + messages + written)),
    // Each text counted once, as if a cache made repetitions free.
    once: turns.length === 0 ? 0 : turns.at(-1).tools + turns.at(-1).messages + turns.at(-1).written,
  };
}

/** By way: `{ succeeded, turns, sent, once }` of all rows, or of one kind. */
export function addUp(rows, kind) {
  const some = rows.filter(({ task }) => kind === undefined || task.kind === kind);
  return Object.fromEntries(
    Object.keys(ways).map((way) => {
      const own = some.filter((row) => row.way === way);
      const add = (name) => sum(own.map((row) => row[name]));
      return [
        way,
        {
          of: own.length,
          succeeded: own.filter(({ succeeded }) => succeeded).length,
          turns: add('turns'),
          sent: add('sent'),
          once: add('once'),
        },
      ];
    }),
  );
}
