/** Everyday phrases in a request, and the words that APIs use for them: `money back` is a refund. */
import { computedOnce } from '../../util/computed-once.js';
import { everydayPhrases } from './phrases-data.js';
import { stem } from './stem.js';

export interface Phrase {
  /** Its first word and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Words between its two parts that do not belong to it: `put the meeting off`. */
  readonly between: number;
  /** What APIs say, the most usual first. */
  readonly words: readonly string[];
}

interface Known {
  readonly stems: readonly string[];
  readonly words: readonly string[];
}

const maxBetween = 4;
const particles = new Set(['off', 'out', 'up', 'away', 'back', 'down', 'on', 'over', 'in']);
/** Stand for anybody. */
const somebody = new Set(['someone', 'somebody', 'them', 'him', 'her', 'everyone', 'people', 'me', 'us']);
const joining = new Set(['and', 'or', 'then', 'to', 'but']);

/** By their first stem, the longest first. */
const known = computedOnce(() => {
  const phrases = new Map<string, Known[]>();
  for (const line of everydayPhrases.trim().split(/ \| |\n/)) {
    const [phrase = '', words = ''] = line.split('=');
    const stems = phrase.trim().split(' ').map(stem);
    const first = stems[0] ?? '';
    phrases.set(first, [...(phrases.get(first) ?? []), { stems, words: words.trim().split(' ') }]);
  }
  for (const all of phrases.values()) all.sort((a, b) => b.stems.length - a.stems.length);
  return phrases;
});

/** The phrases in these lower-case words, from left to right, without overlaps. */
export function findPhrases(words: readonly string[]): Phrase[] {
  const stems = words.map((word) => stem(word.replace(/['’]s$/, '')));
  const found: Phrase[] = [];
  for (let from = 0; from < stems.length; from++) {
    const candidates = known().get(stems[from] ?? '') ?? [];
    const phrase =
      candidates.map((one) => match(one, stems, from)).find((one) => one !== undefined && one.between === 0) ??
      candidates.map((one) => match(one, stems, from)).find((one) => one !== undefined);
    if (phrase === undefined) continue;
    found.push(phrase);
    from = phrase.to - 1;
  }
  return found;
}

function match({ stems, words }: Known, all: readonly string[], from: number): Phrase | undefined {
  const last = stems.at(-1) ?? '';
  const isTogether = stems.every((one, at) => isSame(one, all[from + at]));
  if (isTogether) return { from, to: from + stems.length, between: 0, words };
  if (stems.length !== 2 || !particles.has(last)) return undefined;
  for (let between = 1; between <= maxBetween; between++) {
    const word = all[from + between + 1];
    if (word === undefined || joining.has(all[from + between] ?? '')) return undefined;
    if (word !== last) continue;
    // `on the list` places something; a particle that belongs to a verb ends its clause.
    const after = all[from + between + 2];
    const ends = after === undefined || joining.has(after) || !['the', 'my', 'a', 'our', 'this'].includes(after);
    return ends ? { from, to: from + between + 2, between, words } : undefined;
  }
  return undefined;
}

const isSame = (one: string, word: string | undefined) =>
  one === word || (somebody.has(one) && somebody.has(word ?? ''));
