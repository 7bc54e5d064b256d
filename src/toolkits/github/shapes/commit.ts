/** Commits and the files that a commit, a comparison or a pull request changes. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { loginOf, type RawUser, time } from './people.js';

export interface RawCommit {
  readonly sha: string;
  readonly html_url: string;
  readonly commit: {
    readonly message: string;
    readonly author: { readonly name?: string; readonly email?: string; readonly date?: string } | null;
  };
  readonly author: RawUser | null;
  readonly parents: readonly { readonly sha: string }[];
}

export interface RawChangedFile {
  readonly filename: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch?: string;
  readonly previous_filename?: string;
}

export const commitShape = z.strictObject({
  sha: z.string(),
  message: z.string(),
  author: z.string().optional().describe('Login, where the author has an account'),
  author_name: z.string().optional(),
  date: time.optional(),
  parents: z.array(z.string()),
  url: z.string(),
});

export const changedFileShape = z.strictObject({
  path: z.string(),
  status: z.string().describe('added, removed, modified, renamed…'),
  additions: z.int(),
  deletions: z.int(),
  previous_path: z.string().optional(),
  patch: z.string().optional().describe('Absent for binary and very large changes'),
});

export function toCommit(raw: RawCommit): z.input<typeof commitShape> {
  return {
    sha: raw.sha,
    message: raw.commit.message,
    author: loginOf(raw.author),
    author_name: orUndefined(raw.commit.author?.name),
    date: orUndefined(raw.commit.author?.date),
    parents: raw.parents.map(({ sha }) => sha),
    url: raw.html_url,
  };
}

export function toChangedFile(raw: RawChangedFile): z.input<typeof changedFileShape> {
  return {
    path: raw.filename,
    status: raw.status,
    additions: raw.additions,
    deletions: raw.deletions,
    previous_path: raw.previous_filename,
    patch: raw.patch,
  };
}
