/**
 * The index of tools as a file in the data folder, so that a restart does not build it again. It is a cache: one that is
 * damaged, too large, or of another version of the code or of the word vectors counts as missing, and is replaced.
 *
 * The file: a mark, the length of the list of toolkits and its checksum, the list, then the index from a multiple of four
 * on. The list says for each toolkit what it was read from, so that its reader can see whether that is still so.
 */
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { snapshotStamp } from '../../../discovery/index.js';
import { replaceFile } from '../../../util/replace-file.js';

export interface KeptToolkit {
  readonly slug: string;
  /** `tools`: as its providers offer them; `actions`: as listed in the catalogue. */
  readonly as: 'tools' | 'actions';
  /** What it was read from: of tools a digest of their texts, of actions the state of their app. Empty: not certain. */
  readonly stamp: string;
}

export interface KeptContent {
  readonly toolkits: readonly KeptToolkit[];
  /** As `ToolIndex.save` gave it. */
  readonly index: Uint8Array;
}

export interface KeptIndex {
  /** Undefined if there is none that can be used. Never throws. */
  read(): Promise<KeptContent | undefined>;
  /** Throws what the file system throws. */
  write(content: KeptContent): Promise<void>;
}

const mark = 0x4b_56_4c_48;
const headBytes = 16;
/** Of a catalogue of 138,152 tools it has 49 MB. */
const maxBytes = 256 * 1_024 * 1_024;
const fileName = 'index.bin';

/** `folder`: below the data folder, which has to exist when something is written. */
export function createKeptIndex(folder: string): KeptIndex {
  const path = join(folder, fileName);
  return {
    async read() {
      try {
        return parse(await readWhole(path), await snapshotStamp());
      } catch {
        return undefined;
      }
    },
    async write({ toolkits, index }) {
      const list = Buffer.from(JSON.stringify({ stamp: await snapshotStamp(), toolkits }));
      const padding = new Uint8Array(-list.length & 3);
      if (headBytes + list.length + padding.length + index.length > maxBytes) return;
      const head = Buffer.from(Uint32Array.of(mark, list.length, crc32(list), index.length).buffer);
      await mkdir(folder, { mode: 0o700 }).catch(unlessThere);
      await replaceFile(path, [head, list, padding, index]);
    },
  };
}

/** Memory of its own, so that the numbers of the index are where they have to be. */
async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new RangeError(`${path} is too large`);
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

function parse(bytes: Uint8Array, stamp: string): KeptContent | undefined {
  if (bytes.length < headBytes) return undefined;
  const [found, listLength = 0, checksum, indexLength] = new Uint32Array(bytes.buffer, 0, headBytes / 4);
  const list = bytes.subarray(headBytes, headBytes + listLength);
  if (found !== mark || list.length !== listLength || crc32(list) !== checksum) return undefined;
  const index = bytes.subarray(headBytes + listLength + (-listLength & 3));
  if (index.length !== indexLength) return undefined;
  const said = JSON.parse(Buffer.from(list).toString()) as { stamp: string; toolkits: readonly KeptToolkit[] };
  return said.stamp === stamp ? { toolkits: said.toolkits, index } : undefined;
}

function unlessThere(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== 'EEXIST') throw thrown;
}
