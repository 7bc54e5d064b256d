// Learns which words of names people mean by which words of theirs: for each pair of them how much it speaks for a tool, against the
// other tools of its app and beside what the index knows without it, with AdaGrad.
import { readFileSync } from 'node:fs';
import { shuffle } from '../arithmetic.js';
import { dist } from './dist.js';
import { createLuck } from './luck.js';
import { numberOften, toMarks } from './marks.js';
import { listSlopes } from './network.js';

const { listNameMarks, scaleOf, stem } = await import(new URL('discovery/training.js', dist));

const settings = {
  seed: 20_261_129,
  passes: 4,
  rate: 0.1,
  decay: 0.01,
  fewestMarks: 3,
  fewestWords: 2,
  /** What a word that people say adds to the only word of names that it is listed for. */
  said: 2,
};

/** The words of `said-for-names.txt`, as `[word of a name, words that people say]`. */
const saidForNames = readFileSync(new URL('../said-for-names.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split(': '))
  .map(([name, said]) => [name, said.split(' ')]);

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
      const { slopes, rights: count } = listSlopes(
        candidates.map((candidate) => scoreOf(rows, candidate)),
        candidates.map(({ isRight }) => isRight),
      );
      for (const [at, { columns, scale }] of candidates.entries()) {
        const own = (slopes[at] / count) * weight * scale;
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
  const rowOf = (row) => weights.subarray(row * words.size, (row + 1) * words.size);
  return {
    words: [...words.keys()],
    bias: Array.from(rowOf(marks.size), (weight) => Math.round(100 * weight) / 100),
    marks: toMarks(marks, rowOf),
  };
}

/**
 * The weights with those of `said-for-names.txt` after them. The more words of names a word is listed for, the less it adds to
 * each.
 */
export function addSaid({ words, bias, marks }) {
  const listed = new Map();
  for (const [name, said] of saidForNames)
    for (const mark of new Set(said.map(stem))) listed.set(mark, new Set(listed.get(mark)).add(stem(name)));
  const all = [...new Set([...words, ...[...listed.values()].flatMap((names) => [...names])])];
  const numbers = new Map(all.map((word, at) => [word, at]));
  const added = [...listed].map(([mark, names]) => {
    const weight = Math.round((10 * settings.said) / Math.sqrt(names.size));
    const pairs = [...names].filter((name) => name !== mark).flatMap((name) => [numbers.get(name), weight]);
    return [mark, [...(marks[mark] ?? []), ...pairs]];
  });
  return {
    words: all,
    bias: [...bias, ...Array(all.length - words.length).fill(0)],
    marks: { ...marks, ...Object.fromEntries(added) },
  };
}
