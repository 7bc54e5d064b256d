/**
 * The vectors of tools as files in the data folder: each file is written once and whole, and names the model that made
 * it. Files of other models are removed. A file that is damaged is left out and removed: its vectors are asked for again.
 *
 * A file: mark, length of a vector, number of vectors, checksum of the rest; then the keys of 16 bytes, the scales as
 * f32 and the vectors as i8.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { PackedVectors } from '../../../discovery/index.js';
import { sha256 } from '../../../util/hash.js';
import { replaceFile } from '../../../util/replace-file.js';

export interface KeptVectors {
  /** All files of this model, those of the longest list first. Never throws. */
  read(): Promise<readonly KeptFile[]>;
  /** Throws what the file system throws. */
  write(dimensions: number, vectors: PackedVectors): Promise<void>;
  remove(files: readonly Pick<KeptFile, 'path'>[]): Promise<void>;
}

export interface KeptFile {
  readonly path: string;
  readonly dimensions: number;
  readonly vectors: PackedVectors;
}

const mark = 0x56_56_4c_48;
const headBytes = 16;
const keyBytes = 16;
/** All files together; what is above is not read. */
const maxBytes = 1_024 * 1_024 * 1_024;
const ours = /^([0-9a-f]{12})-[0-9a-f-]{36}\.bin$/;

/** `folder`: below the data folder. `model`: its name and all else that makes vectors comparable. */
export function createKeptVectors(folder: string, model: string): KeptVectors {
  const prefix = sha256(model).slice(0, 12);
  const remove: KeptVectors['remove'] = async (files) => {
    for (const { path } of files) await rm(path, { force: true });
  };
  return {
    async read() {
      const files: KeptFile[] = [];
      let left = maxBytes;
      for (const name of await readdir(folder).catch((): string[] => [])) {
        const path = join(folder, name);
        const of = ours.exec(name)?.[1];
        if (of === undefined) continue;
        const size = await stat(path).then(
          (found) => found.size,
          () => 0,
        );
        if (of === prefix && size > left) continue;
        const file = of === prefix ? await readFile(path).then(parse, () => undefined) : undefined;
        left -= size;
        if (file === undefined) await remove([{ path }]).catch(() => undefined);
        else files.push({ path, ...file });
      }
      return files.sort((one, other) => other.vectors.keys.length - one.vectors.keys.length);
    },
    async write(dimensions, { keys, scales, numbers }) {
      const names = Buffer.from(keys.join(''), 'hex');
      const rest = [names, bytesOf(scales), bytesOf(numbers)];
      const checksum = rest.reduce((sum, bytes) => crc32(bytes, sum), 0);
      const head = Buffer.from(Uint32Array.of(mark, dimensions, keys.length, checksum).buffer);
      await mkdir(join(folder, '..'), { mode: 0o700 }).catch(unlessThere);
      await mkdir(folder, { mode: 0o700 }).catch(unlessThere);
      await replaceFile(join(folder, `${prefix}-${randomUUID()}.bin`), [head, ...rest]);
    },
    remove,
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function parse(file: Buffer): Omit<KeptFile, 'path'> | undefined {
  // Four-byte numbers must be at multiples of four to be read in place.
  const bytes = new Uint8Array(file);
  if (bytes.length < headBytes) return undefined;
  const [found, dimensions = 0, count = 0, checksum] = new Uint32Array(bytes.buffer, 0, headBytes / 4);
  const length = headBytes + count * (keyBytes + 4 + dimensions);
  if (found !== mark || dimensions === 0 || bytes.length !== length) return undefined;
  if (crc32(bytes.subarray(headBytes)) !== checksum) return undefined;
  const scalesAt = headBytes + count * keyBytes;
  const names = Buffer.from(bytes.buffer, headBytes, count * keyBytes).toString('hex');
  const keys = Array.from({ length: count }, (_, at) => names.slice(at * 2 * keyBytes, (at + 1) * 2 * keyBytes));
  const scales = new Float32Array(bytes.buffer, scalesAt, count);
  return { dimensions, vectors: { keys, scales, numbers: new Int8Array(bytes.buffer, scalesAt + 4 * count) } };
}

function unlessThere(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== 'EEXIST') throw thrown;
}
