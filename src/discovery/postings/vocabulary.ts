/** Stems as small numbers, with how many tools have each and which toolkits to look in for it. */

export interface Vocabulary {
  /** The number of a stem, made if it is new. */
  enter(stemmed: string): number;
  /** The number of a stem, undefined if no tool ever had it. */
  find(stemmed: string): number | undefined;
  word(term: number): string;
  readonly size: number;
  /** Tools that have the term now. */
  count(term: number): number;
  /** Toolkits (by number) that may have the term. A removed one stays until the index is saved and loaded. */
  places(term: number): readonly number[];
  /** Says that a toolkit has `tools` tools with this term; a negative number takes it back. */
  adjust(term: number, toolkit: number, tools: number): void;
}

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const counts: number[] = [];
  const places: number[][] = [];
  return {
    enter(stemmed) {
      const known = numbers.get(stemmed);
      if (known !== undefined) return known;
      const term = words.length;
      numbers.set(stemmed, term);
      words.push(stemmed);
      counts.push(0);
      places.push([]);
      return term;
    },
    find: (stemmed) => numbers.get(stemmed),
    word: (term) => words[term] ?? '',
    get size() {
      return words.length;
    },
    count: (term) => counts[term] ?? 0,
    places: (term) => places[term] ?? [],
    adjust(term, toolkit, tools) {
      counts[term] = (counts[term] ?? 0) + tools;
      const list = places[term];
      if (tools > 0) list?.push(toolkit);
      else list?.splice(list.indexOf(toolkit), 1);
    },
  };
}
