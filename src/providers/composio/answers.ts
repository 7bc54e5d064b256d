/** Reads an answer of Composio by its shape. An error names the route and the field, never the value, which may be a secret. */
import type { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { maxSlugLength } from './shapes.js';

/** Where an answer, or a part of it, comes from. */
export interface Place {
  /** `GET /tools` */
  readonly route: string;
  /** The part: `items/3`. Default: the whole answer. */
  readonly path?: string;
}

/** Returns what `schema` makes of the value. Throws `upstream_failed` naming the first invalid field. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, value: unknown, place: Place): z.output<Schema> {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw unexpected(issue as z.core.$ZodIssue, place);
}

function unexpected({ code, message, path, input }: z.core.$ZodIssue, { route, path: base = '' }: Place): HelveError {
  if (code === 'too_small' || code === 'too_big')
    return new HelveError(
      'upstream_failed',
      `Composio's answer to ${route} has a slug at ${base} that is empty or longer than ${maxSlugLength} characters`,
    );
  const field = [...(base === '' ? [] : [base]), ...path].join('/');
  const found = input === null ? 'null' : Array.isArray(input) ? 'a list' : typeof input;
  const at = field === '' ? '' : ` at ${field}`;
  return new HelveError('upstream_failed', `Composio's answer to ${route} has no ${message}${at}`, {
    hint: 'Check the address of Composio, and whether its API has changed.',
    details: { route, field, found },
  });
}
