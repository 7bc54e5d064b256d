/**
 * Runs once before all test files: gives them a temporary folder in memory, where a commit does not wait for a disk. What a
 * process had written survives its kill there as on a disk; only a machine without power would lose it, which no test tries.
 * Where there is no such folder, or too little memory, tests use the usual temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
/** The folders of runs are called this, and something random. */
export const memoryFolderName = 'helve-tests-';
const tmpfs = 0x01021994;
const gigabyte = 2 ** 30;
/** What all files together leave there, twice. */
const neededGb = 6;

/** Returns what removes the folder again, or nothing if there is none. */
export default function setup(): (() => void) | undefined {
  // Each project calls this.
  if (process.env.TMPDIR?.startsWith(memory)) return undefined;
  const folder = makeFolder();
  if (folder === undefined) return undefined;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function makeFolder(): string | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(memory, memoryFolderName));
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o711);
  if (canRun(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    return type === tmpfs && Math.min(bavail * bsize, process.availableMemory()) > neededGb * gigabyte;
  } catch {
    return false;
  }
}

/** Many containers forbid programs there. */
function canRun(folder: string): boolean {
  const script = join(folder, 'probe');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(script);
  rmSync(script);
  return status === 0;
}
