/**
 * Many texts as bytes, so that ids and names of a hundred thousand tools are no work for the garbage collector and are saved
 * and loaded as they are. A letter takes one byte where all texts keep to Latin-1, else two: any text comes back as it was.
 */
export interface PackedTexts {
  /** The width of a letter, then all letters. */
  readonly letters: Uint8Array;
  /** Where each text ends, in bytes. */
  readonly ends: Uint32Array;
}

const latin = /^[\0-\xff]*$/;
const textsAStep = 512;

export function* packTexts(texts: readonly string[]): Generator<undefined, PackedTexts> {
  let length = 0;
  let isLatin = true;
  for (const [at, text] of texts.entries()) {
    length += text.length;
    isLatin &&= latin.test(text);
    if (at % textsAStep === textsAStep - 1) yield undefined;
  }
  const width = isLatin ? 1 : 2;
  const letters = Buffer.alloc(1 + length * width);
  const ends = new Uint32Array(texts.length);
  letters[0] = width;
  let end = 1;
  for (const [at, text] of texts.entries()) {
    end += letters.write(text, end, isLatin ? 'latin1' : 'utf16le');
    ends[at] = end;
    if (at % textsAStep === textsAStep - 1) yield undefined;
  }
  return { letters, ends };
}

/** Whether both are the same texts. */
export function areSame(one: PackedTexts, other: PackedTexts): boolean {
  return Buffer.compare(one.letters, other.letters) === 0 && one.ends.every((end, at) => end === other.ends[at]);
}

/** The text of this number; empty if there is none. */
export function textAt({ letters, ends }: PackedTexts, at: number): string {
  const bytes = Buffer.from(letters.buffer, letters.byteOffset, letters.length);
  const from = at === 0 ? 1 : (ends[at - 1] ?? 0);
  return bytes.toString(letters[0] === 1 ? 'latin1' : 'utf16le', from, ends[at] ?? from);
}
