/** A repository and its branches, without the hundred addresses that GitHub adds. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { time } from './people.js';

export interface RawRepository {
  readonly id: number;
  readonly full_name: string;
  readonly description: string | null;
  readonly html_url: string;
  readonly private: boolean;
  readonly fork: boolean;
  readonly archived?: boolean;
  readonly visibility?: string;
  readonly default_branch?: string;
  readonly language?: string | null;
  readonly topics?: readonly string[];
  readonly license?: { readonly spdx_id?: string | null } | null;
  readonly stargazers_count?: number;
  readonly forks_count?: number;
  readonly open_issues_count?: number;
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly clone_url?: string;
  readonly pushed_at?: string | null;
  readonly updated_at?: string | null;
}

export const repositoryShape = z.strictObject({
  id: z.int(),
  full_name: z.string().describe('owner/name'),
  description: z.string().optional(),
  url: z.string(),
  clone_url: z.string().optional(),
  private: z.boolean(),
  visibility: z.string().optional(),
  fork: z.boolean(),
  archived: z.boolean().optional(),
  default_branch: z.string().optional(),
  language: z.string().optional(),
  topics: z.array(z.string()).optional(),
  license: z.string().optional().describe('SPDX id'),
  stars: z.int().optional(),
  forks: z.int().optional(),
  open_issues: z.int().optional().describe('With open pull requests'),
  permissions: z.array(z.string()).optional().describe('Of this account there: pull, push, admin…'),
  pushed_at: time.optional(),
  updated_at: time.optional(),
});

export function toRepository(raw: RawRepository): z.input<typeof repositoryShape> {
  const permissions = raw.permissions && Object.entries(raw.permissions);
  return {
    id: raw.id,
    full_name: raw.full_name,
    description: orUndefined(raw.description),
    url: raw.html_url,
    clone_url: raw.clone_url,
    private: raw.private,
    visibility: raw.visibility,
    fork: raw.fork,
    archived: raw.archived,
    default_branch: raw.default_branch,
    language: orUndefined(raw.language),
    topics: raw.topics && [...raw.topics],
    license: orUndefined(raw.license?.spdx_id),
    stars: raw.stargazers_count,
    forks: raw.forks_count,
    open_issues: raw.open_issues_count,
    permissions: permissions?.flatMap(([name, held]) => (held ? [name] : [])),
    pushed_at: orUndefined(raw.pushed_at),
    updated_at: orUndefined(raw.updated_at),
  };
}

export interface RawBranch {
  readonly name: string;
  readonly commit: { readonly sha: string };
  readonly protected: boolean;
}

export const branchShape = z.strictObject({
  name: z.string(),
  sha: z.string().describe('Of its last commit'),
  protected: z.boolean().optional(),
});

export function toBranch(raw: RawBranch): z.input<typeof branchShape> {
  return { name: raw.name, sha: raw.commit.sha, protected: raw.protected };
}
