/**
 * Master keys: the current one seals, older ones only open until everything is sealed anew, retired ones do neither.
 * From `HELVE_VAULT_KEYS`, where the operator's own secret store provides them, or from a file in the data folder that
 * is made at the first start. Other processes on the folder find a new key when they meet it.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HelveError } from '../domain/errors.js';
import { makeFile, withLockFile, writeWhole } from './key-file.js';
import type { MasterKey } from './seal.js';

export interface Keyring {
  current(): Promise<MasterKey>;
  /** Undefined when no such key is known, here or in the file. */
  find(id: string): Promise<MasterKey | undefined>;
  /** Makes a new current key; the one before still opens. Undefined where the operator makes the keys (`HELVE_VAULT_KEYS`). */
  add(): Promise<MasterKey | undefined>;
  /** Forgets every key but the current one and those that are still in use; which it forgot. */
  retire(inUse: ReadonlySet<string>): Promise<string[]>;
}

interface KeyFile {
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** How long a key that another process retires may still open here. */
const freshMs = 1_000;
const keyId = /^[A-Za-z0-9_-]{1,40}$/;

export function keyringInMemory(): Keyring {
  let file = withNewKey(undefined);
  return createKeyring(
    async () => file,
    async (make) => {
      file = make(file);
      return file;
    },
  );
}

/** For a store that several machines share: keys that only one of them has would be lost on the others. */
export function keyringMissing(): Keyring {
  return createKeyring(async () => {
    throw new HelveError('invalid_config', 'The vault has no keys', {
      hint: 'Set HELVE_VAULT_KEYS (id:base64 of 32 bytes), or give Helve a data folder.',
    });
  }, undefined);
}

/** `id:base64,id:base64`: the first is current, the others only open. */
export function keyringFromText(text: string): Keyring {
  const pairs = text.split(',').map((pair, index): [string, string] => {
    const [id = '', key = '', more] = pair.trim().split(':');
    if (keyId.test(id) && more === undefined && isKey(key)) return [id, key];
    throw new HelveError(
      'invalid_config',
      `HELVE_VAULT_KEYS: key ${index + 1} is not id:base64 of 32 bytes (make one with: openssl rand -base64 32)`,
    );
  });
  const ids = pairs.map(([id]) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new HelveError('invalid_config', `HELVE_VAULT_KEYS: the id ${twice} stands there twice`);
  const file = { current: ids[0] ?? '', keys: Object.fromEntries(pairs) };
  return createKeyring(async () => file, undefined);
}

export function keyringInFile(path: string): Keyring {
  return createKeyring(
    () => readOrMake(path),
    // What another process adds in between must not be written over: secrets are sealed with it already.
    (make) =>
      withLockFile(`${path}.lock`, async () => {
        const changed = make(await readOrMake(path));
        await writeWhole(path, textOf(changed));
        return changed;
      }),
  );
}

type Change = (make: (file: KeyFile) => KeyFile) => Promise<KeyFile>;

/** Without `change`, the keys are the operator's to make. */
function createKeyring(read: () => Promise<KeyFile>, change: Change | undefined): Keyring {
  let known: { readonly file: Promise<KeyFile>; readonly at: number } | undefined;
  const load = (maxAgeMs: number): Promise<KeyFile> => {
    if (known === undefined || performance.now() - known.at >= maxAgeMs) {
      known = { file: read(), at: performance.now() };
      known.file.catch(() => {
        known = undefined;
      });
    }
    return known.file;
  };
  const keyOf = (file: KeyFile, id: string): MasterKey | undefined => {
    const key = Object.hasOwn(file.keys, id) ? file.keys[id] : undefined;
    return key === undefined ? undefined : { id, key: Buffer.from(key, 'base64') };
  };
  async function changed(by: Change, make: (file: KeyFile) => KeyFile): Promise<KeyFile> {
    const file = await by(make);
    known = { file: Promise.resolve(file), at: performance.now() };
    return file;
  }
  const currentOf = (file: KeyFile): MasterKey => {
    const key = keyOf(file, file.current);
    if (!key) throw new HelveError('invalid_config', 'The vault has no current key');
    return key;
  };

  return {
    // Sealing is rare and must not use a key that another process has replaced.
    current: async () => currentOf(await load(0)),
    find: async (id) => keyOf(await load(freshMs), id) ?? keyOf(await load(0), id),
    add: async () => change && currentOf(await changed(change, withNewKey)),
    async retire(inUse) {
      const retired: string[] = [];
      if (!change) return retired;
      await changed(change, ({ current, keys }) => {
        const kept = (id: string): boolean => id === current || inUse.has(id);
        retired.push(...Object.keys(keys).filter((id) => !kept(id)));
        return { current, keys: Object.fromEntries(Object.entries(keys).filter(([id]) => kept(id))) };
      });
      return retired;
    },
  };
}

function withNewKey(file: KeyFile | undefined): KeyFile {
  const id = randomBytes(6).toString('hex');
  return { current: id, keys: { ...file?.keys, [id]: randomBytes(32).toString('base64') } };
}

async function readOrMake(path: string): Promise<KeyFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parse(text, path);
  // Whoever comes first makes it; the others read what was made.
  await makeFile(path, textOf(withNewKey(undefined)));
  return parse(await readFile(path, 'utf8'), path);
}

const textOf = (file: KeyFile): string => `${JSON.stringify(file, null, 2)}\n`;

function parse(text: string, path: string): KeyFile {
  try {
    const file = JSON.parse(text) as KeyFile;
    const whole =
      Object.hasOwn(file.keys, file.current) &&
      Object.entries(file.keys).every(([id, key]) => keyId.test(id) && isKey(key));
    if (whole) return file;
  } catch {
    // Said below, without the text: it may hold keys.
  }
  throw new HelveError('invalid_config', `${path} does not hold the vault's keys`, {
    hint: 'Restore the file from a backup: without it the stored credentials cannot be read.',
  });
}

/** 32 bytes in base64, in the one form that stands for them. */
function isKey(key: unknown): boolean {
  if (typeof key !== 'string') return false;
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === 32 && bytes.toString('base64').replace('=', '') === key.replace('=', '');
}
