/** Commits and the files that a commit, a comparison or a pull request changes. */
import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { time, url } from './people.js';

export const commitRecord = defineRecord({
  sha: z.string(),
  message: from('commit.message', z.string()),
  author: from('author.login', z.string().optional().describe('Login, where the author has an account')),
  author_name: from('commit.author.name', z.string().optional()),
  date: from('commit.author.date', time.optional()),
  parents: from('parents', z.array(z.string()), (parents: readonly { sha: string }[]) => parents.map(({ sha }) => sha)),
  url,
});

export const changedFileRecord = defineRecord({
  path: from('filename', z.string()),
  status: z.string().describe('added, removed, modified, renamed…'),
  additions: z.int(),
  deletions: z.int(),
  previous_path: from('previous_filename', z.string().optional()),
  patch: z.string().optional().describe('Absent for binary and very large changes'),
});
