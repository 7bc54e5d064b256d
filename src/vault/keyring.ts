/**
 * Master keys: the current one seals, older ones only open until everything is sealed again, retired ones do neither.
 * They come from `HELVE_VAULT_KEYS`, if the operator's own secret store provides them, or from a file in the data
 * folder that is created with the first secret. Other processes on the folder read a new key when they first need it.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HelveError } from '../domain/errors.js';
import { makeFile, withLockFile, writeWhole } from './key-file.js';
import type { MasterKey } from './seal.js';

export interface Keyring {
  /** Where the keys are kept, as an operator knows it. */
  readonly place: string;
  /** The key that seals. A file of keys that does not exist yet is created. */
  current(): Promise<MasterKey>;
  /** The key that seals, or undefined if there is no key yet. Creates nothing. */
  findCurrent(): Promise<MasterKey | undefined>;
  /** Returns the key, or undefined if no such key is known, here or in the file. */
  find(id: string): Promise<MasterKey | undefined>;
  /**
   * Creates a new current key; the previous one still opens. Undefined if the operator provides the keys
   * (`HELVE_VAULT_KEYS`).
   */
  add(): Promise<MasterKey | undefined>;
  /** Forgets every key except the current one and those still in use; returns the forgotten ids. */
  retire(inUse: ReadonlySet<string>): Promise<string[]>;
}

interface KeyFile {
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** How long a key that another process retires may still open here. */
const freshMs = 1_000;
const keyId = /^[A-Za-z0-9_-]{1,40}$/;
const restoreHint = 'Restore the file from a backup: without it the stored credentials cannot be read.';

/** Creates a keyring with a new key that ends with the process. */
export function keyringInMemory(): Keyring {
  let file = withNewKey(undefined);
  return createKeyring({
    place: 'the memory of this process',
    read: async () => file,
    change: async (make) => {
      file = make(file);
      return file;
    },
  });
}

/** For a store shared by several machines: keys that only one of them has would be missing on the others. */
export function keyringMissing(): Keyring {
  return createKeyring({
    place: 'HELVE_VAULT_KEYS',
    read: async () => undefined,
    make: async () => {
      throw new HelveError('invalid_config', 'The vault has no keys', {
        hint: 'Set HELVE_VAULT_KEYS (id:base64 of 32 bytes), or give Helve a data folder.',
      });
    },
  });
}

/** Parses `id:base64,id:base64`: the first key is current, the others only open. */
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
  if (twice !== undefined) throw new HelveError('invalid_config', `HELVE_VAULT_KEYS: the id ${twice} occurs twice`);
  const file = { current: ids[0] ?? '', keys: Object.fromEntries(pairs) };
  return createKeyring({ place: 'HELVE_VAULT_KEYS', read: async () => file });
}

/**
 * Opens the keyring in this file, which is created when the first secret is sealed. Its methods throw `invalid_config` for a
 * damaged file, one that cannot be read, and one that is gone after this process has read it.
 */
export function keyringInFile(path: string): Keyring {
  let wasThere = false;
  async function read(): Promise<KeyFile | undefined> {
    const file = await readKeyFile(path);
    // A new file in its place would hide that the keys are gone, and be overwritten when the old one is restored.
    if (file === undefined && wasThere)
      throw new HelveError('invalid_config', `${path}, which has the vault's keys, is gone`, { hint: restoreHint });
    wasThere = file !== undefined;
    return file;
  }
  async function make(): Promise<KeyFile> {
    // The first process creates it; the others read it.
    await makeFile(path, toText(withNewKey(undefined)));
    const made = await read();
    if (made === undefined) throw new HelveError('invalid_config', `${path} was removed`, { hint: restoreHint });
    return made;
  }
  return createKeyring({
    place: path,
    read,
    make,
    // Must not overwrite what another process adds meanwhile: secrets are already sealed with it.
    change: (change) =>
      withLockFile(`${path}.lock`, async () => {
        const changed = change((await read()) ?? (await make()));
        await writeWhole(path, toText(changed));
        return changed;
      }),
  });
}

type Change = (make: (file: KeyFile) => KeyFile) => Promise<KeyFile>;

interface Source {
  readonly place: string;
  /** Undefined if there are no keys yet. */
  read(): Promise<KeyFile | undefined>;
  /** Creates the first key, if `read` can find none. */
  make?(): Promise<KeyFile>;
  /** Absent if the operator provides the keys. */
  readonly change?: Change;
}

function createKeyring({ place, read, make, change }: Source): Keyring {
  let known: { readonly file: Promise<KeyFile | undefined>; readonly at: number } | undefined;
  const load = (maxAgeMs: number): Promise<KeyFile | undefined> => {
    if (known === undefined || performance.now() - known.at >= maxAgeMs) {
      known = { file: read(), at: performance.now() };
      known.file.catch(() => {
        known = undefined;
      });
    }
    return known.file;
  };
  const getKey = (file: KeyFile | undefined, id: string): MasterKey | undefined => {
    const key = file !== undefined && Object.hasOwn(file.keys, id) ? file.keys[id] : undefined;
    return key === undefined ? undefined : { id, key: Buffer.from(key, 'base64') };
  };
  async function changed(by: Change, make: (file: KeyFile) => KeyFile): Promise<KeyFile> {
    const file = await by(make);
    known = { file: Promise.resolve(file), at: performance.now() };
    return file;
  }
  const getCurrent = (file: KeyFile | undefined): MasterKey => {
    const key = file && getKey(file, file.current);
    if (!key) throw new HelveError('invalid_config', 'The vault has no current key');
    return key;
  };

  return {
    place,
    // Sealing is rare and must not use a key that another process has replaced.
    current: async () => getCurrent((await load(0)) ?? (await make?.())),
    async findCurrent() {
      const file = await load(0);
      return file && getCurrent(file);
    },
    find: async (id) => getKey(await load(freshMs), id) ?? getKey(await load(0), id),
    add: async () => change && getCurrent(await changed(change, withNewKey)),
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

/** Undefined if there is no such file. Throws `invalid_config` for one that cannot be read or is damaged. */
async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new HelveError('invalid_config', `${path}, which has the vault's keys, cannot be read (${error.code})`, {
      hint: 'Give the user that runs Helve the right to read it.',
      cause: error,
    });
  });
  return text === undefined ? undefined : parse(text, path);
}

const toText = (file: KeyFile): string => `${JSON.stringify(file, null, 2)}\n`;

function parse(text: string, path: string): KeyFile {
  try {
    const file = JSON.parse(text) as KeyFile;
    const whole =
      Object.hasOwn(file.keys, file.current) &&
      Object.entries(file.keys).every(([id, key]) => keyId.test(id) && isKey(key));
    if (whole) return file;
  } catch {
    // Reported below, without the text: it may contain keys.
  }
  throw new HelveError('invalid_config', `${path} does not contain the vault's keys`, {
    hint: restoreHint,
  });
}

/** Whether a key is 32 bytes in canonical base64. */
function isKey(key: unknown): boolean {
  if (typeof key !== 'string') return false;
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === 32 && bytes.toString('base64').replace('=', '') === key.replace('=', '');
}
