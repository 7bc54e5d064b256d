// Learns which words of names people mean by which words of theirs: for each pair of them how much it speaks for a tool, against the
// other tools of its app and beside what the index knows without it, with AdaGrad.
import { exp, shuffle } from '../arithmetic.js';
import { dist } from './dist.js';
import { createLuck } from './luck.js';

const { listNameMarks, scaleOf } = await import(new URL('discovery/training.js', dist));

const settings = {
  seed: 20_261_129,
  passes: 4,
  rate: 0.1,
  decay: 0.01,
  fewestMarks: 3,
  fewestWords: 2,
  smallest: 0.1,
};

/** Those that occur often enough, by number, from 0. */
function numberOften(lists, fewest) {
  const counts = new Map();
  for (const list of lists) for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  const often = [...counts].filter(([, count]) => count >= fewest).map(([one]) => one);
  return new Map(often.sort().map((one, at) => [one, at]));
}

/** The slope of the loss by the score of each candidate, as in `network.js`: right ones are compared with wrong ones only. */
function listSlopes(candidates, scores) {
  const most = Math.max(...scores);
  const odds = scores.map((score) => exp(Math.max(-500, score - most)));
  let wrong = 0;
  let rights = 0;
  for (const [at, { isRight }] of candidates.entries()) {
    if (isRight) rights += 1;
    else wrong += odds[at];
  }
  let pull = 0;
  for (const [at, { isRight }] of candidates.entries()) if (isRight) pull += 1 / (odds[at] + wrong);
  return candidates.map(({ isRight }, at) => (isRight ? -wrong / (odds[at] + wrong) : odds[at] * pull) / rights);
}

/**
 * The weights of `name-wording.ts`. `groups` are `{ said, candidates, weight }`: the stems of a request, and the tools of its apps
 * as `{ words, base, isRight }`, with the stems of their names and the score that they have without these weights.
 */
export function learnNames(groups) {
  const marksOf = groups.map(({ said }) => listNameMarks(said));
  const marks = numberOften(marksOf, settings.fewestMarks);
  const rights = groups.flatMap(({ candidates }) => candidates.filter(({ isRight }) => isRight));
  const words = numberOften(
    rights.map(({ words: name }) => name),
    settings.fewestWords,
  );
  // A row for each mark, and one for the bias; a column for each word.
  const rowsOf = (list) => [...list.flatMap((mark) => marks.get(mark) ?? []), marks.size];
  const all = groups.map(({ candidates, weight }, at) => ({
    weight,
    rows: rowsOf(marksOf[at]),
    candidates: candidates.map(({ words: name, base, isRight }) => ({
      base,
      isRight,
      columns: name.flatMap((word) => words.get(word) ?? []),
      scale: scaleOf(marksOf[at].length, name.length),
    })),
  }));
  const weights = new Float64Array((marks.size + 1) * words.size);
  const squares = new Float64Array(weights.length).fill(0.01);
  const scoreOf = (rows, { base, columns, scale }) => {
    let sum = 0;
    for (const row of rows) for (const column of columns) sum += weights[row * words.size + column];
    return base + sum * scale;
  };
  const luck = createLuck(settings.seed);
  for (let pass = 0; pass < settings.passes; pass++) {
    shuffle(all, luck.next);
    for (const { rows, candidates, weight } of all) {
      const slopes = listSlopes(
        candidates,
        candidates.map((candidate) => scoreOf(rows, candidate)),
      );
      for (const [at, { columns, scale }] of candidates.entries()) {
        const own = slopes[at] * weight * scale;
        if (Math.abs(own) < 1e-3) continue;
        for (const row of rows)
          for (const column of columns) {
            const place = row * words.size + column;
            const slope = own + settings.decay * weights[place];
            squares[place] += slope * slope;
            weights[place] -= (settings.rate * slope) / Math.sqrt(squares[place]);
          }
      }
    }
  }
  const rowOf = (row) => [...weights.subarray(row * words.size, (row + 1) * words.size)];
  const tell = (row) =>
    rowOf(row).flatMap((weight, one) => (Math.abs(weight) >= settings.smallest ? [one, Math.round(10 * weight)] : []));
  return {
    words: [...words.keys()],
    bias: rowOf(marks.size).map((weight) => Math.round(100 * weight) / 100),
    marks: Object.fromEntries([...marks].map(([mark, row]) => [mark, tell(row)]).filter(([, own]) => own.length > 0)),
  };
}
