/** Any character of Unicode, for texts that a property test makes up. */
import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const highest = 0x10ffff;

/**
 * Makes one character, each of Unicode as often as any other: `fc.string({ unit: anyCharacter })` makes the same texts as the unit
 * `binary`, with the dangerous ones among them (`__proto__`). For that, `binary` fills a map with all 1.1 million characters, which
 * takes about a second and 130 MB in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: highest - surrogates })
  .map((number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates), numberOf);

/** Throws for what is not one character, as fast-check expects it. */
function numberOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('This is not one character');
  return code < firstSurrogate ? code : code - surrogates;
}
