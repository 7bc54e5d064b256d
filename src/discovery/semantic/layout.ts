/** The blocks of the file of word vectors, as views of its bytes; everything is checked before it is used. */
import { HelveError } from '../../domain/errors.js';

interface TextBlock {
  readonly ends: Uint32Array;
  readonly text: Uint8Array;
}

export interface Layout {
  readonly dimensions: number;
  readonly scales: Float32Array;
  readonly weights: Float32Array;
  readonly numbers: Int8Array;
  readonly words: TextBlock;
  readonly stems: TextBlock;
  readonly stemRows: Uint16Array;
}

const mark = 0x57564c48;
const version = 1;
const headerBytes = 32;
const maxWords = 65_534;
const maxDimensions = 1_024;

export function* readLayout(bytes: Uint8Array): Generator<undefined, Layout> {
  if (bytes.byteLength < headerBytes || bytes.byteLength % 4 !== 0) throw refused('it is truncated');
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const [found, made, dimensions = 0, size = 0, stemCount = 0, length, checksum] = new Uint32Array(
    aligned.buffer,
    aligned.byteOffset,
    headerBytes / 4,
  );
  if (found !== mark) throw refused('it is not a file of word vectors');
  if (made !== version) throw refused(`its version is ${made}, not ${version}`);
  if (length !== bytes.byteLength - headerBytes) throw refused('it is truncated');
  if (checksum !== (yield* computeChecksum(aligned))) throw refused('its checksum does not match');
  if (size > maxWords || stemCount > maxWords || dimensions < 1 || dimensions > maxDimensions)
    throw refused('its sizes are out of range');
  const take = createTaker(aligned);
  const layout = {
    dimensions,
    scales: new Float32Array(...take(size, 4)),
    weights: new Float32Array(...take(size, 4)),
    numbers: new Int8Array(...take(size * dimensions, 1)),
    words: takeText(take, size),
    stems: takeText(take, stemCount),
    stemRows: new Uint16Array(...take(stemCount, 2)),
  };
  if (layout.stemRows.some((row) => row >= size)) throw refused('a stem has no word');
  return layout;
}

type Take = (count: number, width: number) => [ArrayBuffer, number, number];

/** Returns consecutive blocks, each rounded up to 4 bytes. */
function createTaker(bytes: Uint8Array): Take {
  let at = headerBytes;
  return (count, width) => {
    const start = at;
    at += Math.ceil((count * width) / 4) * 4;
    if (at > bytes.byteLength) throw refused('its blocks are longer than the file');
    return [bytes.buffer as ArrayBuffer, bytes.byteOffset + start, count];
  };
}

function takeText(take: Take, count: number): TextBlock {
  const ends = new Uint32Array(...take(count + 1, 4));
  for (let at = 0; at < count; at++)
    if ((ends[at] ?? 0) > (ends[at + 1] ?? 0)) throw refused('its words are out of order');
  return { ends, text: new Uint8Array(...take(ends[count] ?? 0, 1)) };
}

const partsAStep = 256 * 1_024;

function* computeChecksum(bytes: Uint8Array): Generator<undefined, number> {
  const parts = new Int32Array(bytes.buffer, bytes.byteOffset + headerBytes, (bytes.byteLength - headerBytes) / 4);
  let sum = 0x811c9dc5;
  for (let at = 0; at < parts.length; at++) {
    sum = Math.imul(sum ^ (parts[at] as number), 0x01000193);
    if (at % partsAStep === partsAStep - 1) yield undefined;
  }
  return sum >>> 0;
}

function refused(why: string): HelveError {
  return new HelveError('internal', `The word vectors of discovery cannot be used: ${why}`, {
    hint: 'The file belongs to the package. Install it again, or create it with `npm run train:discovery`.',
  });
}
