/** What the server of Restate that Helve starts needs on disk: its program, its settings, and the key by which it is known. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { makeFolder } from '../../util/make-folder.js';

const nodeName = 'helve';
/** Systems allow between 104 and 108 bytes for the path of a socket. */
const longestSocketPath = 103;

/** Where the server listens: only who may enter the folder reaches it. */
export const socketsIn = (folder: string) => ({
  ingress: join(folder, nodeName, 'ingress.sock'),
  admin: join(folder, nodeName, 'admin.sock'),
});

/** The program of the package that the operator installed. Throws `invalid_config` if it is not. */
export function findProgram(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@restatedev/restate-server-${platform}-${arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/restate-server`);
  } catch (thrown) {
    throw new HelveError('invalid_config', `tasks.restate is embedded, but the package ${name} is not installed`, {
      hint: `Install it beside Helve: npm install ${name}. Restate has packages for Linux and macOS, on x64 and arm64`,
      cause: thrown,
    });
  }
}

export interface ServerFiles {
  readonly settings: string;
  /** The public key of the server. It tells servers apart, and calls of this server from those of others. */
  readonly identity: string;
}

/** Writes what is missing. Throws `invalid_config` if a socket in the folder would have too long a path. */
export function prepareFiles(folder: string): ServerFiles {
  const longest = Buffer.byteLength(socketsIn(folder).ingress);
  if (longest > longestSocketPath)
    throw new HelveError('invalid_config', `The path of ${folder} is too long for tasks.restate: embedded`, {
      hint: `Move the data folder, so that its path is ${longest - longestSocketPath} bytes shorter`,
    });
  makeFolder(folder);
  const key = join(folder, 'identity.pem');
  if (!existsSync(key)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    place(key, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  }
  const settings = join(folder, 'restate.toml');
  place(settings, settingsFor(folder, key));
  const { x = '' } = createPublicKey(createPrivateKey(readFileSync(key))).export({ format: 'jwk' });
  return { settings, identity: `publickeyv1_${toBase58(Buffer.from(x, 'base64url'))}` };
}

function place(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

/** A few partitions and little memory, for one machine that has other things to do. */
const settingsFor = (folder: string, key: string): string => `cluster-name = "helve"
node-name = "${nodeName}"
base-dir = ${JSON.stringify(folder)}
listen-mode = "unix"
default-num-partitions = 4
rocksdb-total-memory-size = "128.0 MiB"
disable-telemetry = true
shutdown-timeout = "1s"
log-filter = "warn"
log-disable-ansi-codes = true
[admin]
disable-web-ui = true
[worker.invoker]
request-identity-private-key-pem-file = ${JSON.stringify(key)}
`;

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function toBase58(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = digits.charAt(Number(rest % 58n)) + text;
  let zeros = 0;
  while (bytes[zeros] === 0) zeros += 1;
  return digits.charAt(0).repeat(zeros) + text;
}
