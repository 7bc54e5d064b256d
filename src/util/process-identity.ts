/** Identifies this process, so that another can tell whether it is still alive, even if its pid is reused. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** `<boot>/<pid namespace>/<start time>` if the system reports them; otherwise empty. */
  readonly startToken: string;
}

/** The identity of this process. */
export function thisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, startToken: readStartToken(process.pid) };
}

/**
 * Whether the process is alive. Undefined if this process cannot know: the other one is on another machine, in another
 * container, or on a system without `/proc`. Host names are not enough, because containers and machines can share one:
 * a pid identifies a process only within one boot and one pid namespace.
 */
export function processLives(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname() || readPlace(identity.startToken) !== readPlace(readStartToken(process.pid)))
    return undefined;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? undefined : false;
  }
  const token = readStartToken(identity.pid);
  return token === '' || identity.startToken === '' ? undefined : token === identity.startToken;
}

/** The part of a start token that identifies the boot and the pid namespace. */
function readPlace(startToken: string): string {
  return startToken.split('/').slice(0, -1).join('/');
}

function readStartToken(pid: number): string {
  try {
    // A `/proc` that was mounted for another pid namespace describes other processes.
    if (readlinkSync('/proc/self') !== String(process.pid)) return '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22 counted from the start; the second field may contain spaces, so count from its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // It has ended, and its parent has not asked how yet: perhaps it never does.
    if ('ZX'.includes(fields[0] ?? '')) return `${boot}/${namespace}/ended`;
    return `${boot}/${namespace}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
