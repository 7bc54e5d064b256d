/**
 * The processes of one sandbox and their resource use, from `/proc`. The kernel only reports parents, so all processes
 * of the machine are checked; those found to be unrelated are not checked again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Usage {
  readonly processes: number;
  /** Bytes of memory, without files; memory shared by several processes is counted for each. */
  readonly memory: number;
  /** Of running processes and of those that were waited for. */
  readonly cpuSeconds: number;
  readonly pids: readonly number[];
}

interface Facts {
  readonly parent: number;
  readonly memory: number;
}

/** The unit of times in `/proc`, fixed by the kernel's interface. */
const ticksPerSecond = 100;

export function processTree(init: number): { look(): Usage } {
  const strangers = new Set<number>();
  return {
    look() {
      const present = readdirSync('/proc').map(Number).filter(Number.isInteger);
      forget(strangers, new Set(present));
      const facts = new Map<number, Facts>();
      for (const pid of present) {
        const read = strangers.has(pid) ? undefined : getFacts(pid);
        if (read) facts.set(pid, read);
      }
      const pids = [...facts.keys()].filter((pid) => descends(pid, init, facts));
      const ours = new Set(pids);
      for (const [pid, { parent }] of facts) {
        // A parent that has just ended may have belonged to the sandbox: check again next time.
        if (!ours.has(pid) && (parent <= 1 || facts.has(parent) || strangers.has(parent))) strangers.add(pid);
      }
      const memory = pids.reduce((sum, pid) => sum + (facts.get(pid)?.memory ?? 0), 0);
      const cpuSeconds = pids.reduce((sum, pid) => sum + getCpuSeconds(pid), 0);
      return { processes: pids.length, memory, cpuSeconds, pids };
    },
  };
}

/** The same, with shared memory counted once. Undefined if the system does not report it. */
export async function sharedOnce(pids: readonly number[]): Promise<number | undefined> {
  let sum = 0;
  for (const pid of pids) {
    try {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      sum += kilobytes(text, 'Pss_Anon') + kilobytes(text, 'Pss_Shmem');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ESRCH') return undefined;
    }
  }
  return sum;
}

function forget(strangers: Set<number>, present: ReadonlySet<number>): void {
  for (const pid of strangers) if (!present.has(pid)) strangers.delete(pid);
}

function descends(pid: number, init: number, facts: ReadonlyMap<number, Facts>): boolean {
  for (let at: number | undefined = pid, steps = 0; at !== undefined && steps < 4_096; steps += 1) {
    if (at === init) return true;
    at = facts.get(at)?.parent;
  }
  return false;
}

function getFacts(pid: number): Facts | undefined {
  const text = readProc(pid, 'status');
  const parent = text && /^PPid:\s*(\d+)/m.exec(text)?.[1];
  if (!text || parent === undefined) return undefined;
  return { parent: Number(parent), memory: kilobytes(text, 'RssAnon') + kilobytes(text, 'RssShmem') };
}

function getCpuSeconds(pid: number): number {
  const stat = readProc(pid, 'stat') ?? '';
  // utime, stime, cutime and cstime are fields 14 to 17; the second field may contain spaces, so count from its closing
  // bracket.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1_024;
}
