/** Reads what the guest wrote during a turn. Nothing in it is trusted. */
import { z } from 'zod';
import type { LogLine, TimerFacts } from '../../domain/sandbox.js';

const id = z.int().min(0);
const errorSchema = z.object({
  name: z.string().optional(),
  message: z.string().optional(),
  code: z.string().optional(),
  hint: z.string().optional(),
  stack: z.string().optional(),
});
const endSchema = z.object({
  value: z.string().optional(),
  unfit: z.string().max(100_000).optional(),
  error: errorSchema.optional(),
});
const recordsSchema = z.array(
  z.union([
    z.tuple([z.literal('call'), id, z.string(), id]),
    z.tuple([z.literal('timer'), id, z.number().min(0), z.enum(['sleep', 'setTimeout'])]),
    z.tuple([z.literal('clear'), id]),
    z.tuple([z.literal('log'), z.enum(['log', 'info', 'warn', 'error', 'debug']), z.string()]),
    z.tuple([z.literal('end'), endSchema]),
  ]),
);

export type GuestError = z.infer<typeof errorSchema>;

export interface GuestCall {
  readonly id: number;
  readonly name: string;
  readonly argumentsJson: string;
}

export interface CheckedOutput {
  readonly calls: GuestCall[];
  readonly timers: { readonly id: number; readonly ms: number; readonly by: TimerFacts['by'] }[];
  readonly cleared: number[];
  readonly logs: LogLine[];
  end: z.infer<typeof endSchema> | undefined;
}

/** Undefined: the code in a guest never writes this. `failure`: JSON text of an error, or empty. */
export function readOutput(text: string, failure: string): CheckedOutput | undefined {
  try {
    return gather(text, failure);
  } catch {
    return undefined;
  }
}

function gather(text: string, failure: string): CheckedOutput | undefined {
  const read: CheckedOutput = { calls: [], timers: [], cleared: [], logs: [], end: undefined };
  let at = text.indexOf('\n') + 1;
  for (const record of recordsSchema.parse(JSON.parse(text.slice(0, at))))
    if (record[0] === 'call') {
      const [, id, name, length] = record;
      read.calls.push({ id, name, argumentsJson: text.slice(at, at + length) });
      at += length;
    } else if (record[0] === 'timer') read.timers.push({ id: record[1], ms: record[2], by: record[3] });
    else if (record[0] === 'clear') read.cleared.push(record[1]);
    else if (record[0] === 'log') read.logs.push({ level: record[1], text: record[2] });
    else read.end ??= record[1];
  if (failure !== '') read.end ??= { error: errorSchema.parse(JSON.parse(failure)) };
  return at === text.length ? read : undefined;
}

/** Parses JSON text, without `__proto__` among its keys. Throws the errors of `JSON.parse`. */
export function withoutProto(text: string): string {
  return mayHoldProto(text) ? JSON.stringify(parseWithoutProto(text)) : text;
}

export function parseWithoutProto(text: string): unknown {
  if (!mayHoldProto(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}

const mayHoldProto = (text: string): boolean => text.includes('__proto__') || text.includes('\\u');
