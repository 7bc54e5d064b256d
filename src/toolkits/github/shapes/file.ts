/** Files, folders and the result of writing a file. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { computed, defineRecord, from } from '../../../util/record.js';
import { optionalUrl } from './people.js';

export interface RawContent {
  readonly type: string;
  readonly sha: string;
  /** `none` for files over 1 MB, whose content GitHub leaves out. */
  readonly encoding?: string;
  readonly content?: string;
}

export const fileRecord = defineRecord({
  path: z.string(),
  sha: z.string().describe('Of this content: update_file and delete_file ask for it'),
  size: z.int().describe('Bytes'),
  url: optionalUrl,
  encoding: z.enum(['text', 'base64']),
  content: z.string(),
});

export const entryRecord = defineRecord({
  name: z.string(),
  path: z.string(),
  type: z.string().describe('file, dir, symlink or submodule'),
  sha: z.string(),
  size: z.int(),
});

interface RawWrite {
  readonly commit: { readonly sha?: string };
}

/** Reads GitHub's answer to a write together with the `path`. Throws if the answer has no commit. */
export const writeRecord = defineRecord({
  path: z.string(),
  sha: from('content.sha', z.string().optional().describe('Of the new content; absent after a deletion')),
  url: from('content.html_url', z.string().optional()),
  commit_sha: computed(
    z.string().optional().describe('Absent when GitHub’s answer was lost and the change was found afterwards'),
    ({ commit }: RawWrite) => commit.sha,
  ),
  commit_url: from('commit.html_url', z.string().optional()),
});

/** As text if the bytes are UTF-8 without a zero byte; otherwise, or if `wanted`, as Base64. */
export function decodeContent(base64: string, wanted: 'auto' | 'base64') {
  const bytes = Buffer.from(base64, 'base64');
  const text = wanted === 'auto' ? readText(bytes) : undefined;
  return text === undefined
    ? { encoding: 'base64', content: bytes.toString('base64') }
    : { encoding: 'text', content: text };
}

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Git's hash of a file's content: shows whether a file has this content without reading the file. */
export function blobSha(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
