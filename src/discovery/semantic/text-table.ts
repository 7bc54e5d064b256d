/** The index of a word in a list of ASCII words: a hash table over the list's bytes, without an object per word. */

export interface TextTable {
  /** The index of a word; -1 if it is not in the list. */
  find(word: string): number;
  /** The word at an index. */
  word(place: number): string;
}

const wordsAStep = 4_096;

/** Word n is at `ends[n]` up to `ends[n + 1]` in `text`. At most 65,534 words. */
export function* createTextTable(ends: Uint32Array, text: Uint8Array): Generator<undefined, TextTable> {
  const count = ends.length - 1;
  let slots = 16;
  while (slots < count * 2) slots *= 2;
  const places = new Uint16Array(slots);
  for (let place = 0; place < count; place++) {
    let key = 0x811c9dc5;
    for (let at = ends[place] ?? 0; at < (ends[place + 1] ?? 0); at++) key = mix(key, text[at] ?? 0);
    let slot = spread(key, slots);
    while (places[slot] !== 0) slot = (slot + 1) & (slots - 1);
    places[slot] = place + 1;
    if (place % wordsAStep === wordsAStep - 1) yield undefined;
  }
  const isAt = (place: number, word: string) => {
    const start = ends[place] ?? 0;
    if ((ends[place + 1] ?? 0) - start !== word.length) return false;
    for (let at = 0; at < word.length; at++) if (text[start + at] !== word.charCodeAt(at)) return false;
    return true;
  };
  return {
    find: (word) => {
      let key = 0x811c9dc5;
      for (let at = 0; at < word.length; at++) key = mix(key, word.charCodeAt(at));
      let slot = spread(key, slots);
      for (let entry = places[slot] ?? 0; entry !== 0; entry = places[slot] ?? 0) {
        if (isAt(entry - 1, word)) return entry - 1;
        slot = (slot + 1) & (slots - 1);
      }
      return -1;
    },
    word: (place) => String.fromCharCode(...text.subarray(ends[place] ?? 0, ends[place + 1] ?? 0)),
  };
}

function mix(key: number, code: number): number {
  return Math.imul(key ^ code, 0x01000193);
}

function spread(key: number, slots: number): number {
  return (key ^ (key >>> 15)) & (slots - 1);
}
