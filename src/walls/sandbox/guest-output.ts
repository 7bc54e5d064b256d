/** Reads what a turn left behind. Nothing in it is trusted. */
import { z } from 'zod';

const id = z.int().min(0);
const outputSchema = z.object({
  calls: z.array(z.tuple([id, z.string(), z.string()])),
  timers: z.array(z.tuple([id, z.number().min(0), z.enum(['sleep', 'setTimeout'])])),
  cleared: z.array(id),
  logs: z.array(z.tuple([z.enum(['log', 'info', 'warn', 'error', 'debug']), z.string()])),
  end: z
    .object({
      value: z.string().optional(),
      error: z
        .object({
          name: z.string().optional(),
          message: z.string().optional(),
          code: z.string().optional(),
          hint: z.string().optional(),
          stack: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});

export type CheckedOutput = z.infer<typeof outputSchema>;
export type GuestError = NonNullable<NonNullable<CheckedOutput['end']>['error']>;

/** Undefined: it is not what the code in a guest writes. */
export function readOutput(text: string): CheckedOutput | undefined {
  try {
    return outputSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** JSON text without `__proto__` among its keys. Throws what `JSON.parse` throws. */
export function withoutProto(text: string): string {
  return mayHoldProto(text) ? JSON.stringify(parseWithoutProto(text)) : text;
}

export function parseWithoutProto(text: string): unknown {
  if (!mayHoldProto(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}

const mayHoldProto = (text: string): boolean => text.includes('__proto__') || text.includes('\\u');
