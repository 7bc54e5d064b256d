/**
 * Lists of texts as bytes. Nearly all are plain and stand a line each, which is read several times as fast as JSON; lists
 * with a text that has line breaks or halves of characters are JSON.
 */
const lines = 76;
const json = 74;

export function writeTexts(lists: readonly (readonly string[])[]): Uint8Array {
  const joined = lists.map((list) => list.join('\n')).join('\n\n');
  const isPlain = lists.every(isPlainList) && !/\p{Surrogate}/u.test(joined);
  const encoded = new TextEncoder().encode(isPlain ? joined : JSON.stringify(lists));
  const block = new Uint8Array(encoded.length + 1);
  block[0] = isPlain ? lines : json;
  block.set(encoded, 1);
  return block;
}

/** An empty text would read as the end of its list. */
const isPlainList = (list: readonly string[]) =>
  list.length > 0 && list.every((text) => text !== '' && !text.includes('\n'));

/** Throws a SyntaxError or a TypeError for bytes that `writeTexts` did not write. */
export function readTexts(block: Uint8Array): string[][] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(block.subarray(1));
  if (block[0] === lines) return text.split('\n\n').map((list) => list.split('\n'));
  if (block[0] !== json) throw new SyntaxError('The texts are neither lines nor JSON');
  return JSON.parse(text) as string[][];
}
