/** Describes how a command ended. */
import { constants } from 'node:os';
import { HelveError } from '../../domain/errors.js';
import type { CommandResult } from '../../domain/reach.js';
import type { Collected } from '../../util/collect-output.js';

export type StopReason = NonNullable<CommandResult['stoppedBy']> | 'cancelled';

/** Signals that end a program, sent by the shell or the kernel. */
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

export function toResult(end: {
  readonly code: number | undefined;
  readonly stopped: Exclude<StopReason, 'cancelled'> | undefined;
  readonly stdout: Collected;
  readonly stderr: Collected;
  readonly durationMs: number;
}): CommandResult {
  const { stdout, stderr, durationMs } = end;
  // The program may have ended on its own between the limit and the kill: it was still over the limit.
  const signal = end.stopped ? 'SIGKILL' : getSignal(end.code);
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

/** As in every shell. A program that exits with 137 cannot be distinguished from one that was killed. */
function getSignal(code: number | undefined): string | null {
  return fatalSignals.find((name) => code === 128 + constants.signals[name]) ?? null;
}

/** The error for a bubblewrap that failed before the command started. */
export function setUpFailure(stderr: string): HelveError {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  if (/can't chdir/i.test(said)) {
    return new HelveError('not_found', 'cwd is not a folder that the command can enter', {
      hint: 'Omit cwd to start in the work folder.',
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
