/** Repositories and branches, without the many URLs that GitHub adds. */
import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { time, url } from './people.js';

export const repositoryRecord = defineRecord({
  id: z.int(),
  full_name: z.string().describe('owner/name'),
  description: z.string().optional(),
  url,
  clone_url: z.string().optional(),
  private: z.boolean(),
  visibility: z.string().optional(),
  fork: z.boolean(),
  archived: z.boolean().optional(),
  default_branch: z.string().optional(),
  language: z.string().optional(),
  topics: z.array(z.string()).optional(),
  license: from('license.spdx_id', z.string().optional().describe('SPDX id')),
  stars: from('stargazers_count', z.int().optional()),
  forks: from('forks_count', z.int().optional()),
  open_issues: from('open_issues_count', z.int().optional().describe('With open pull requests')),
  permissions: from(
    'permissions',
    z.array(z.string()).optional().describe('Of this account there: pull, push, admin…'),
    (held: Readonly<Record<string, boolean>>) => Object.keys(held).filter((name) => held[name]),
  ),
  pushed_at: time.optional(),
  updated_at: time.optional(),
});

export const branchRecord = defineRecord({
  name: z.string(),
  sha: from('commit.sha', z.string().describe('Of its last commit')),
  protected: z.boolean().optional(),
});
