/** Which process this is, so that another can tell whether it still lives, even when its pid is used again. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The boot and the process's start time where the system tells them; empty elsewhere. */
  readonly startToken: string;
}

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, startToken: startTokenOf(process.pid) };
}

/** Undefined when it cannot be known from here: another machine, or a system without `/proc`. */
export function processLives(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname()) return undefined;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? undefined : false;
  }
  const token = startTokenOf(identity.pid);
  return token === '' || identity.startToken === '' ? undefined : token === identity.startToken;
}

function startTokenOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22 counted from the start; the second field may hold spaces, so count from its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
