/** Other names for a word of a request in a catalogue: synonyms and the words of a short form. */
import { stem } from './stem.js';
import { shortForms, synonyms, verbClasses } from './vocabulary-data.js';

const related = new Map<string, Set<string>>();
for (const group of [...synonyms, ...verbClasses]) {
  const stems = group.map(stem);
  for (const one of stems) {
    const others = related.get(one) ?? new Set();
    for (const other of stems) if (other !== one) others.add(other);
    related.set(one, others);
  }
}

/** Stems that are synonyms of this stem. */
export function relatedStems(stemmed: string): Iterable<string> {
  return related.get(stemmed) ?? [];
}

/** The words that a short form stands for (`pr`: pull, request); none for other words. */
export function expandShortForm(word: string): readonly string[] {
  return Object.hasOwn(shortForms, word) ? (shortForms[word] ?? '').split(' ') : [];
}
