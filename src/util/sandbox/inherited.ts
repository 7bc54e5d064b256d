/**
 * Descriptors that Helve inherited when it was started. Node sets close-on-exec on all that it opens, but among those it
 * inherits only on the low numbers. A service manager or a shell may pass higher ones, which every command would inherit.
 */
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { computedOnce } from '../computed-once.js';

export interface Inherited {
  readonly numbers: readonly number[];
  /** Replaces them. */
  readonly nothing: number;
}

const closedOnExec = 0o2_000_000;

/** Kept open for as long as Helve runs. */
const nowhere = computedOnce(() => openSync('/dev/null', 'r'));

export function findInherited(): Inherited {
  const numbers = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((number) => number > 2 && outlivesExec(number));
  return { numbers, nothing: nowhere() };
}

function outlivesExec(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false;
  }
}

/** `stdio` of a child that is given this many pipes and nothing else. */
export function descriptors(pipes: number, { numbers, nothing }: Inherited): ('pipe' | 'ignore' | number)[] {
  const length = Math.max(pipes, ...numbers.map((number) => number + 1));
  const inherited = new Set(numbers);
  return Array.from({ length }, (_, at) => (at < pipes ? 'pipe' : inherited.has(at) ? nothing : 'ignore'));
}
