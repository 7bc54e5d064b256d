/** What a start of Helve needs: the version of Node.js and the data folder. Checked with and without a server. */
import { accessSync, constants, existsSync } from 'node:fs';
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

export function checkDataFolder(folder: string): DoctorCheck {
  const check = 'data folder';
  if (!existsSync(folder)) return { check, state: 'ok', detail: `${folder} will be created at the first start` };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return { check, state: 'ok', detail: folder };
  } catch {
    return {
      check,
      state: 'failed',
      detail: `${folder} cannot be read and written by this user`,
      hint: 'Give this user the rights to it, or start with --data and another folder.',
    };
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
