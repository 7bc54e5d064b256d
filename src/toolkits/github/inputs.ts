/**
 * Input fields that many tools share. Patterns check values that become part of an address: no value can leave its
 * segment (`..`, an empty part, a `/` in a name). The patterns use no look-arounds.
 */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { maxMarkedText } from './marker.js';

const owner = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_-]*$/)
  .describe('User or organization: octocat');
export const repo = z
  .string()
  .max(100)
  .regex(/^\.{0,2}[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
  .describe('Name without the owner: hello-world');
export const repository = { owner, repo };

/** No two dots in a row, as Git demands, and no dot alone. */
const refPattern = /^\.?(?:[^.\s\x00-\x1f\x7f~^:?*[\\]\.?)+$/;
const withoutDotDot = z.string().max(255).regex(refPattern);
export const ref = withoutDotDot.describe('Branch, tag or commit SHA');
export const branch = withoutDotDot.describe('Name without refs/heads/: main');
/** `user:branch` names a branch of a fork. */
export const crossRef = z
  .string()
  .max(255)
  .regex(/^(?:[A-Za-z0-9_-]+:)?\.?(?:[^.\s\x00-\x1f\x7f~^:?*[\\]\.?)+$/);
export const sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

/** No segment is `.`, `..` or empty, and there is no slash at either end. */
export const path = z
  .string()
  .max(4_096)
  .regex(
    /^(?:\.{0,2}[^./\x00-\x1f][^/\x00-\x1f]*|\.{3,}[^/\x00-\x1f]*)(?:\/(?:\.{0,2}[^./\x00-\x1f][^/\x00-\x1f]*|\.{3,}[^/\x00-\x1f]*))*$/,
  )
  .describe('From the root of the repository, without a slash in front: src/main.ts');

export const issue = {
  ...repository,
  issue_number: z.int().min(1).describe('Number of the issue or pull request'),
};
export const pullRequest = { ...repository, pull_number: z.int().min(1).describe('Number of the pull request') };
export const commentId = z.int().min(1).describe('Id of the comment, as the list of comments shows it');
export const title = z.string().min(1).max(256);
export const markdown = z.string().max(65_536).describe('Markdown');
/** For a text that gets a marker. */
export const markedText = z.string().max(maxMarkedText).describe('Markdown');
export const login = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_[\]-]*$/);
export const labelName = z.string().min(1).max(50);
export const since = z.iso.datetime({ offset: true }).describe('ISO 8601: 2026-01-31T00:00:00Z');

export const paging = {
  per_page: z.int().min(1).max(100).optional().describe('Default 30'),
  page: z.int().min(1).optional().describe('next_page of the previous answer'),
};
export const openOrClosed = z.enum(['open', 'closed', 'all']).optional().describe('Default open');
export const direction = z.enum(['asc', 'desc']).optional();
export const etag = z
  .string()
  .max(200)
  .regex(/^(?:W\/)?"[\x21\x23-\x7e]*"$/)
  .optional()
  .describe('From an earlier answer: if nothing changed since, the answer is only not_modified');

/** Returns the changes, or throws if there are none; `possible` lists what can be changed. */
export function requireChange(changes: object, possible: string): object {
  if (Object.keys(changes).length > 0) return changes;
  throw new HelveError('invalid_input', 'There is nothing to change', { hint: `Give at least one of ${possible}.` });
}
