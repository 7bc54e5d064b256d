/** How a command's end is told. */
import { constants } from 'node:os';
import { HelveError } from '../../domain/errors.js';
import type { CommandResult } from '../../domain/reach.js';
import type { Collected } from '../../util/collect-output.js';

export type StopReason = NonNullable<CommandResult['stoppedBy']> | 'cancelled';

/** Those that end a program by itself, from the shell's or the kernel's hand. */
const fatalSignals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
] as const;

export function resultOf(end: {
  readonly code: number | undefined;
  readonly stopped: Exclude<StopReason, 'cancelled'> | undefined;
  readonly stdout: Collected;
  readonly stderr: Collected;
  readonly durationMs: number;
}): CommandResult {
  const { stdout, stderr, durationMs } = end;
  // The program may have come to its end in the moment between the limit and the kill: it was over the limit all the same.
  const signal = end.stopped ? 'SIGKILL' : signalOf(end.code);
  const stoppedBy = end.stopped ?? (signal === 'SIGXCPU' ? 'cpu' : null);
  return {
    exitCode: signal === null ? (end.code ?? null) : null,
    signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedStdout: stdout.dropped(),
    droppedStderr: stderr.dropped(),
    timedOut: end.stopped === 'time',
    stoppedBy,
    durationMs,
  };
}

/** As every shell has it. A program that ends with 137 of its own will cannot be told from one that was killed. */
function signalOf(code: number | undefined): string | null {
  return fatalSignals.find((name) => code === 128 + constants.signals[name]) ?? null;
}

/** bubblewrap could not come as far as the command. */
export function setUpFailure(stderr: string): HelveError {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  if (/can't chdir/i.test(said)) {
    return new HelveError('not_found', 'cwd is not a folder that the command can enter', {
      hint: 'Leave cwd out to start in the work folder.',
    });
  }
  return new HelveError(
    'tool_failed',
    `The sandbox could not be set up: ${said || 'bubblewrap was ended from outside'}`,
    {
      hint: 'The operator can see with `helve doctor` what this machine can confine.',
    },
  );
}
