/** Describes how a run ended, in words for a model. */

import type { PlaceLoss, RunError, SandboxLimits } from '../../domain/sandbox.js';
import { defined } from '../../util/defined.js';
import { prefix } from './engine/prefix.js';
import { type GuestError, parseWithoutProto } from './guest-output.js';
import { limitError } from './limits.js';
import type { LossReason } from './messages.js';

const lossSentences: Readonly<Record<PlaceLoss, string>> = {
  neighbour: 'The program was ended because another program of the same tenant, in the same thread, did not stop.',
  closed: 'The program was ended because the sandbox was closed.',
  waiting: 'The program did not start in time, because all places of the sandbox were taken.',
  failed: 'The program was ended because the thread or process that it ran in failed.',
};

export function lossError(reason: LossReason, limits: SandboxLimits): RunError {
  if (reason === 'late') return limitError('cpuMs', limits);
  if (reason === 'memory') return limitError('memoryMb', limits);
  if (reason === 'ended') return { ...limitError('memoryMb', limits), loss: 'failed' };
  return { ...sandboxError(lossSentences[reason], reason), loss: reason };
}

export function sandboxError(message: string, code: string): RunError {
  return { name: 'SandboxError', message, code };
}

interface Blamed {
  readonly limits: SandboxLimits;
  readonly code: string;
}

/** The program's own error, with the place in the program where it was created. */
export function programError(error: GuestError, { limits, code: program }: Blamed): RunError {
  const { name = 'Error', message = '', code, hint, stack = '' } = error;
  // The engine counts from 0 on the first line, except where it parses.
  const first = name === 'SyntaxError' ? 0 : 1;
  if (name === 'InternalError' && message === 'out of memory') return limitError('memoryMb', limits);
  return { name, message, ...defined({ code, hint }), ...findPlace({ stack, program, first }) };
}

interface Told {
  readonly stack: string;
  readonly program: string;
  /** The correction for columns on the first line. */
  readonly first: number;
}

function findPlace({ stack, program, first }: Told): { line?: number; column?: number } {
  const found = /\(?program\.js:(\d{1,9}):(\d{1,9})\)?/.exec(stack);
  if (!found) return {};
  const line = Number(found[1]);
  if (line > program.split('\n').length) return {};
  const column = Number(found[2]) - (line === 1 ? prefix.length - first : 0);
  return column > 0 ? { line, column } : { line };
}

const maxFieldLength = 8_192;
const maxDetailsBytes = 8_192;

/** What the program may learn about a failure of the host: these fields and no stack. */
export function describeFailure(reason: unknown): string {
  const fields = typeof reason === 'object' && reason !== null ? (reason as Record<string, unknown>) : {};
  const text = (name: string): string | undefined =>
    typeof fields[name] === 'string' ? fields[name].slice(0, maxFieldLength) : undefined;
  const message = text('message') ?? 'The call failed';
  const retryable = typeof fields.retryable === 'boolean' ? fields.retryable : undefined;
  const told = { name: text('name') ?? 'Error', message, code: text('code'), hint: text('hint'), retryable };
  return JSON.stringify({ ...told, details: readDetails(fields.details) });
}

function readDetails(details: unknown): unknown {
  try {
    const text = JSON.stringify(details) ?? '';
    return text !== '' && Buffer.byteLength(text) <= maxDetailsBytes ? parseWithoutProto(text) : undefined;
  } catch {
    return undefined;
  }
}
