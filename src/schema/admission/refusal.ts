/** Refusals of a schema: which keyword, where, and how to fix it. */
import { HelveError } from '../../domain/errors.js';
import { escapeToken } from '../run.js';

/** From a part of the schema up to the root. */
export interface Trail {
  readonly up: Trail | undefined;
  readonly key: string | number;
}

function getPointer(trail: Trail | undefined): string {
  const tokens: string[] = [];
  let length = 0;
  for (let at = trail; at && length < 1_000; at = at.up) {
    tokens.push(escapeToken(String(at.key).slice(0, 200)));
    length += tokens.at(-1)?.length ?? 0;
  }
  return tokens.length === 0 ? '' : `/${tokens.reverse().join('/')}`.slice(0, 1_000);
}

/** `trail` leads to the schema, or to the keyword's value if it already ends in `keyword`. */
export function refusal(keyword: string, trail: Trail | undefined, problem: string, hint: string): HelveError {
  const pointer = getPointer(trail);
  return new HelveError('invalid_input', `The schema is refused: ${keyword} at ${pointer || '/'} ${problem}`, {
    hint,
    details: { keyword, pointer },
  });
}

/** An untrusted value, formatted for a sentence. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
