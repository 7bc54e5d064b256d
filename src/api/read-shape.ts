/** Reads what came from outside as a shape, for every door alike. */
import type { z } from 'zod';
import { HelveError } from '../domain/errors.js';

/** Throws `invalid_input` that lists each invalid field. `part`: what is read, as in "The body does not match". */
export function readShape<Shape extends z.ZodType>(
  schema: Shape,
  value: unknown,
  { part, hint }: { readonly part: string; readonly hint: string },
): z.output<Shape> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({
    path: `/${issue.path.map(String).join('/')}`,
    message: isMissing(issue) ? 'is missing' : issue.message,
  }));
  const summary = issues.map((issue) => `${issue.path} ${issue.message}`).join('; ');
  throw new HelveError('invalid_input', `The ${part} does not match: ${summary}`.slice(0, 2_000), {
    hint,
    details: { in: part, issues },
  });
}

/** A field that was not sent, of which Zod says `expected string, received undefined`. */
function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined');
}
