/**
 * Many texts as bytes, so that ids and names of a hundred thousand tools do not burden the garbage collector and can be
 * saved and loaded directly. A letter takes one byte if all texts are Latin-1, else two: every text is restored
 * exactly.
 */
export interface PackedTexts {
  /** The width of a letter, followed by all letters. */
  readonly letters: Uint8Array;
  /** The end of each text, in bytes. */
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

/** Whether both contain the same texts. */
export function areSame(one: PackedTexts, other: PackedTexts): boolean {
  return Buffer.compare(one.letters, other.letters) === 0 && one.ends.every((end, at) => end === other.ends[at]);
}

/** The text with this number; empty if there is none. */
export function textAt({ letters, ends }: PackedTexts, at: number): string {
  const bytes = Buffer.from(letters.buffer, letters.byteOffset, letters.length);
  const from = at === 0 ? 1 : (ends[at - 1] ?? 0);
  return bytes.toString(letters[0] === 1 ? 'latin1' : 'utf16le', from, ends[at] ?? from);
}
