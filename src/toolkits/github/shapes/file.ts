/** Files, folders and what a write of a file leaves behind. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { orUndefined } from '../requests.js';

export interface RawContent {
  readonly type: string;
  readonly name: string;
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly html_url: string | null;
  /** `none` for files over 1 MB, whose content is left out. */
  readonly encoding?: string;
  readonly content?: string;
}

export interface RawWrite {
  readonly content?: RawContent | null;
  readonly commit: { readonly sha?: string; readonly html_url?: string };
}

export const fileShape = z.strictObject({
  path: z.string(),
  sha: z.string().describe('Of this content: update_file and delete_file ask for it'),
  size: z.int().describe('Bytes'),
  url: z.string().optional(),
  encoding: z.enum(['text', 'base64']),
  content: z.string(),
});

export const entryShape = z.strictObject({
  name: z.string(),
  path: z.string(),
  type: z.string().describe('file, dir, symlink or submodule'),
  sha: z.string(),
  size: z.int(),
});

export const writeShape = z.strictObject({
  path: z.string(),
  sha: z.string().optional().describe('Of the new content; absent after a deletion'),
  url: z.string().optional(),
  commit_sha: z
    .string()
    .optional()
    .describe('Absent when GitHub’s answer was lost and the change was found afterwards'),
  commit_url: z.string().optional(),
});

export function toEntry({ name, path, type, sha, size }: RawContent): z.input<typeof entryShape> {
  return { name, path, type, sha, size };
}

/** Text where the bytes are UTF-8 without a zero byte; Base64 for everything else, or when asked for. */
export function toFile(raw: RawContent, base64: string, wanted: 'auto' | 'base64'): z.input<typeof fileShape> {
  const { path, sha, size } = raw;
  const bytes = Buffer.from(base64, 'base64');
  const text = wanted === 'auto' ? readText(bytes) : undefined;
  return {
    path,
    sha,
    size,
    url: orUndefined(raw.html_url),
    encoding: text === undefined ? 'base64' : 'text',
    content: text ?? bytes.toString('base64'),
  };
}

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function toWrite(path: string, { content, commit }: RawWrite): z.input<typeof writeShape> {
  return {
    path,
    sha: content?.sha,
    url: orUndefined(content?.html_url),
    commit_sha: commit.sha,
    commit_url: commit.html_url,
  };
}

/** The name under which Git keeps a content: how to see without reading it whether a file holds what was to be written. */
export function blobSha(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
