/** Parts of GitHub's payloads that tasks read. All else in them is ignored. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { sha256 } from '../../../util/hash.js';
import type { Place } from './news.js';

export const userShape = z.object({ login: z.string(), type: z.string().default('User') });

export const repositoryShape = z.object({ full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) });

export const issueShape = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  user: userShape.nullish(),
  html_url: z.string(),
  updated_at: z.string(),
  author_association: z.string().default('NONE'),
  pull_request: z.unknown().optional(),
});

export const association = {
  /** Whether somebody belongs to the repository, and may give orders in it. */
  isTrusted: (name: string): boolean => ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(name),
};

export function placeOf({ full_name: name }: z.output<typeof repositoryShape>): Place {
  return { repo: `github:${name}`, org: `github:${name.slice(0, name.indexOf('/'))}` };
}

/** The same facts give the same key. */
export const keyOf = (...facts: readonly (string | number)[]): string =>
  `github:${sha256(JSON.stringify(facts)).slice(0, 32)}`;

/** Throws `invalid_input`. */
export function parse<Shape extends z.ZodType>(shape: Shape, body: JsonObject): z.output<Shape> {
  const { success, data, error } = shape.safeParse(body);
  if (success) return data;
  throw new HelveError('invalid_input', `The delivery is not as GitHub describes it: ${z.prettifyError(error)}`);
}
