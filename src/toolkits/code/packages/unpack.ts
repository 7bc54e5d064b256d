/** The files of packages, in memory. Runs in a worker. */
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { HelveError } from '../../../domain/errors.js';

const maxUnpackedBytes = 64 * 1_048_576;
const folder = '/node_modules/';

export interface PackedPackage {
  readonly name: string;
  readonly tarball: Uint8Array;
}

/** By path: `/node_modules/<name>/<file>`. Links and devices are left out. */
export type Files = ReadonlyMap<string, Uint8Array>;

export function unpackAll(packages: readonly PackedPackage[]): Files {
  const files = new Map<string, Uint8Array>();
  for (const { name, tarball } of packages)
    for (const { name: path, type, data } of parseTar(gunzip(name, tarball))) {
      // The registry puts everything in one folder, whatever its name.
      const parts = path.split('/').slice(1);
      if (type !== 'file' || parts.length === 0 || parts.some((part) => part === '..' || part === '')) continue;
      files.set(`${folder}${name}/${parts.join('/')}`, data ?? new Uint8Array());
    }
  return files;
}

function gunzip(name: string, tarball: Uint8Array): Uint8Array {
  try {
    return gunzipSync(tarball, { maxOutputLength: maxUnpackedBytes });
  } catch (cause) {
    throw new HelveError('invalid_input', `The package ${name} cannot be unpacked`, { cause });
  }
}
