/** What a start of Helve needs: the version of Node.js and the data folder. Checked with and without a server. */
import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import type { DoctorCheck } from '../domain/doctor.js';
import { addHint, missingPackages, type PackageSetName, packageSets } from './packages.js';

const oldestNode = [20, 19] as const;

export function checkNode(): DoctorCheck {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  const row = { check: 'Node.js', detail: version };
  return isNewEnough
    ? { ...row, state: 'ok' }
    : { ...row, state: 'failed', hint: `Install Node.js ${oldestNode.join('.')} or newer.` };
}

/** Which walls the operating system supports. `platform`: Node's name for it. */
export function checkSystem(platform: string = process.platform): DoctorCheck {
  const check = 'system';
  if (platform === 'linux') return { check, state: 'ok', detail: platform };
  return {
    check,
    state: 'warning',
    detail:
      `${platform}: Helve is tested on Linux only. These work, because they need no wall of Linux: grants, policies, approvals, accounts, the record, ` +
      'the panel, requests through the egress wall, and programs of agents. These are off: run_command, the file tools and SQLite of agents. ' +
      "Workers that read documents, HTML and XML are confined by Node's permission model alone, which does not block the network",
    hint: 'For all walls run Helve on Linux: in a container (see docs/operate.md), in a virtual machine, or on Windows in WSL 2.',
  };
}

/** `measure`: how many bytes this user can still write there; undefined if the file system does not say. */
export function checkDataFolder(folder: string, measure: typeof freeBytes = freeBytes): DoctorCheck {
  const check = 'data folder';
  if (!existsSync(folder)) return { check, state: 'ok', detail: `${folder} will be created at the first start` };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return { check, ...describeSpace(folder, measure(folder)) };
  } catch {
    return {
      check,
      state: 'failed',
      detail: `${folder} cannot be read and written by this user`,
      hint: 'Give this user the rights to it, or start with --data and another folder.',
    };
  }
}

/** Below this the next archive, backup or large result may not fit. */
const littleSpace = 1_073_741_824;

function describeSpace(folder: string, free: number | undefined): Omit<DoctorCheck, 'check'> {
  if (free === undefined) return { state: 'ok', detail: folder };
  const detail = `${folder}, with ${free < littleSpace ? `${Math.floor(free / 1_048_576)} MB` : `${Math.floor(free / littleSpace)} GB`} free`;
  if (free >= littleSpace) return { state: 'ok', detail };
  return {
    state: 'warning',
    detail,
    hint: 'Make room: on a full disk no call can be recorded, so none with effects runs.',
  };
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * `file`: the value of `NODE_EXTRA_CA_CERTS`. Node.js only prints a warning if it cannot use the file, and requests to services with such
 * certificates then fail.
 */
export function checkCertificates(file: string | undefined): DoctorCheck[] {
  if (file === undefined || file === '') return [];
  const check = 'certificates';
  const hint = 'Correct NODE_EXTRA_CA_CERTS, or the file, and start again.';
  try {
    const found = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    for (const one of found) new X509Certificate(one);
    if (found.length > 0) return [{ check, state: 'ok', detail: `${found.length} more from ${file}` }];
    return [{ check, state: 'warning', detail: `${file} has no certificates in PEM form`, hint }];
  } catch (error) {
    return [{ check, state: 'warning', detail: `${file} cannot be used: ${(error as Error).message}`, hint }];
  }
}

/** Packages that are not installed with Helve, and what cannot be done without them. */
export function checkPackages(set: PackageSetName, dataDir: string | undefined): DoctorCheck {
  const check = `packages for ${set}`;
  const missing = missingPackages(set, dataDir);
  const { purpose } = packageSets[set];
  if (missing.length === 0) return { check, state: 'ok', detail: `${purpose}: all there` };
  return {
    check,
    state: 'warning',
    detail: `${purpose}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`,
    hint: addHint(set),
  };
}
