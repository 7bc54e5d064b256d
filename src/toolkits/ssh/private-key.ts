/**
 * The key that opens a machine. No error says anything of its text. A key under a passphrase is opened in a thread of
 * its own, because that is slow on purpose, and kept in memory for the next call.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ParsedKey } from 'ssh2';
import { HelveError } from '../../domain/errors.js';
import { runFunction } from '../../util/sandbox/process-function.js';
import type { Target } from './hosts.js';

const mostBytes = 65_536;
const openingMs = 20_000;
const openedKeys = new Map<string, Promise<string>>();
const mostOpened = 100;

/** Throws `invalid_config` naming the setting. */
export async function privateKeyOf(target: Target): Promise<ParsedKey> {
  const { text, setting } = await keyText(target);
  const { utils } = (await import('ssh2')).default;
  const opened = target.passphrase === undefined ? text : await openedText(text, target.passphrase, setting);
  const parsed: ParsedKey | Error | readonly ParsedKey[] = utils.parseKey(opened);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error || !key) {
    const needs = key instanceof Error && /no passphrase/.test(key.message);
    throw needs ? unusable(`${target.setting}.passphrase`, 'is not set though the key has one') : notOne(setting);
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
  // A variable of one line often holds the line ends as two characters.
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
  throw unusable(setting, 'names something that is no key file');
}

async function openedText(text: string, passphrase: string, setting: string): Promise<string> {
  const name = createHash('sha256').update(`${passphrase.length} ${passphrase} ${text}`).digest('base64');
  let opening = openedKeys.get(name);
  if (!opening) {
    if (openedKeys.size >= mostOpened) openedKeys.clear();
    opening = runFunction({
      libraries: { ssh2: 'ssh2' },
      work: opener,
      data: { text, passphrase },
      timeoutMs: openingMs,
      maxHeapMb: 64,
    }).then((opened) => opened ?? Promise.reject(notOne(setting, ', or its passphrase is wrong')));
    openedKeys.set(name, opening);
    opening.catch(() => openedKeys.delete(name));
  }
  return opening;
}

/** In the worker: the same key without its passphrase, in a form that ssh2 reads. */
function opener({ ssh2 }: { ssh2?: never }, { text, passphrase }: { text: string; passphrase: string }) {
  const { parseKey } = (ssh2 as unknown as { default: typeof import('ssh2') }).default.utils;
  const parsed = parseKey(text, passphrase);
  if (parsed instanceof Error || !parsed.isPrivateKey()) return undefined;
  const pem = parsed.getPrivatePEM();
  if (parsed.type !== 'ssh-ed25519') return pem;
  const piece = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  // PKCS 8 of an Ed25519 key ends with its 32 bytes; ssh2 reads OpenSSH's own form only.
  const seed = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64').subarray(-32);
  const open = parsed.getPublicSSH();
  const point = open.subarray(-32);
  const inner = Buffer.concat([
    Buffer.alloc(8),
    piece(Buffer.from(parsed.type)),
    piece(point),
    piece(Buffer.concat([seed, point])),
    piece(Buffer.alloc(0)),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    piece(Buffer.from('none')),
    piece(Buffer.from('none')),
    piece(Buffer.alloc(0)),
    Buffer.from([0, 0, 0, 1]),
    piece(open),
    piece(Buffer.concat([inner, padding])),
  ]);
  const label = 'OPENSSH PRIVATE KEY';
  return `-----BEGIN ${label}-----\n${whole.toString('base64').replace(/(.{70})/g, '$1\n')}\n-----END ${label}-----`;
}

const notOne = (setting: string, more = ''): HelveError => unusable(setting, `holds no key that can be read${more}`);

function unusable(setting: string, problem: string): HelveError {
  return new HelveError('invalid_config', `${setting} in helve.yaml ${problem}`, {
    hint: 'The operator must set private_key (the PEM text) or private_key_file, as ssh-keygen writes them, and passphrase if the key has one.',
  });
}
