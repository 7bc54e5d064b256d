/**
 * Input fields that many tools share. Parts of addresses are held by patterns: nothing that a caller sends can
 * leave its segment (`..`, an empty part, a `/` in a name). The patterns are free of look-arounds.
 */
import { z } from 'zod';

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

/** No two dots in a row, as Git itself demands, and none alone. */
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

/** No `.` or `..` as a segment, none empty, no slash at either end. */
export const path = z
  .string()
  .max(4_096)
  .regex(
    /^(?:\.{0,2}[^./\x00-\x1f][^/\x00-\x1f]*|\.{3,}[^/\x00-\x1f]*)(?:\/(?:\.{0,2}[^./\x00-\x1f][^/\x00-\x1f]*|\.{3,}[^/\x00-\x1f]*))*$/,
  )
  .describe('From the root of the repository, without a slash in front: src/main.ts');

export const issueNumber = z.int().min(1).describe('Number of the issue or pull request');
export const pullNumber = z.int().min(1).describe('Number of the pull request');
export const commentId = z.int().min(1).describe('Id of the comment, as the list of comments tells it');
export const title = z.string().min(1).max(256);
export const markdown = z.string().max(65_536).describe('Markdown');
export const login = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_[\]-]*$/);
export const labelName = z.string().min(1).max(50);
export const since = z.iso.datetime({ offset: true }).describe('ISO 8601: 2026-01-31T00:00:00Z');

export const paging = {
  per_page: z.int().min(1).max(100).optional().describe('Default 30'),
  page: z.int().min(1).optional().describe('next_page of the answer before'),
};
export const direction = z.enum(['asc', 'desc']).optional();
export const etag = z
  .string()
  .max(200)
  .regex(/^(?:W\/)?"[\x21\x23-\x7e]*"$/)
  .optional()
  .describe('From an earlier answer: if nothing changed since, the answer is only not_modified');

/** What lists add to their items. */
export const nextPage = { next_page: z.int().optional().describe('Absent on the last page') };
/** What tools that take an `etag` add to their one thing. */
export const conditionalOutput = {
  etag: z.string().optional(),
  not_modified: z.literal(true).optional().describe('Nothing changed since the etag; the rest is left out'),
};
export const pageOf = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.strictObject({ [name]: z.array(item), ...nextPage } as Record<Name, z.ZodArray<Item>> & typeof nextPage);
