/**
 * Reads the private key for a machine. No error contains any of its text. A key with a passphrase is decrypted in a
 * worker, because key derivation is deliberately slow, and kept in memory for the next call.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ParsedKey } from 'ssh2';
import { HelveError } from '../../domain/errors.js';
import type { Workers } from '../../domain/workers.js';
import { defineWorker, smallWork } from '../../util/sandbox/define-worker.js';
import type { Target } from './hosts.js';
import type { LockedKey } from './open-key.js';

const mostBytes = 65_536;
const openingMs = 20_000;
const worker = defineWorker<typeof import('./open-key.js')>(import.meta.url, {
  module: './open-key.js',
  places: smallWork,
  residentMb: 1_024,
});
const openedKeys = new Map<string, Promise<string>>();
const mostOpened = 100;

/** Throws `invalid_config` naming the setting. */
export async function readPrivateKey(target: Target, workers: Workers): Promise<ParsedKey> {
  const { text, setting } = await keyText(target);
  const { utils } = (await import('ssh2')).default;
  const opened =
    target.passphrase === undefined
      ? text
      : await openedText(workers, { text, passphrase: target.passphrase }, setting);
  const parsed: ParsedKey | Error | readonly ParsedKey[] = utils.parseKey(opened);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error || !key) {
    const needs = key instanceof Error && /no passphrase/.test(key.message);
    throw needs ? unusable(`${target.setting}.passphrase`, 'is not set although the key has one') : notOne(setting);
  }
  if (!key.isPrivateKey()) throw unusable(setting, 'is a public key');
  return key;
}

async function keyText(target: Target): Promise<{ text: string; setting: string }> {
  const { private_key: inline, private_key_file: file, setting } = target;
  if ((inline === undefined) === (file === undefined)) {
    const problem = inline === undefined ? 'is not set' : 'and private_key_file are both set';
    throw unusable(`${setting}.private_key`, problem);
  }
  // Variables of one line often contain the line breaks as the two characters `\n`.
  const text = inline === undefined ? await fileText(file ?? '', `${setting}.private_key_file`) : inline;
  const lines = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
  return { text: lines.trim(), setting: `${setting}.private_key${inline === undefined ? '_file' : ''}` };
}

async function fileText(path: string, setting: string): Promise<string> {
  try {
    const facts = await stat(path);
    if (facts.isFile() && facts.size <= mostBytes) return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable(setting, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  throw unusable(setting, 'names something that is not a key file');
}

async function openedText(workers: Workers, locked: LockedKey, setting: string): Promise<string> {
  const { text, passphrase } = locked;
  const name = createHash('sha256').update(`${passphrase.length} ${passphrase} ${text}`).digest('base64');
  let opening = openedKeys.get(name);
  if (!opening) {
    if (openedKeys.size >= mostOpened) openedKeys.clear();
    opening = workers
      .ask(worker, { call: 'openKey', message: locked, heapMb: 64, timeoutMs: openingMs })
      .then((opened) => opened ?? Promise.reject(notOne(setting, ', or its passphrase is wrong')));
    openedKeys.set(name, opening);
    opening.catch(() => openedKeys.delete(name));
  }
  return opening;
}

const notOne = (setting: string, more = ''): HelveError => unusable(setting, `holds no key that can be read${more}`);

function unusable(setting: string, problem: string): HelveError {
  return new HelveError('invalid_config', `${setting} in helve.yaml ${problem}`, {
    hint: 'The operator must set private_key (the PEM text) or private_key_file, as ssh-keygen writes them, and passphrase if the key has one.',
  });
}
