/** Releases of a repository. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { branch, markedText, paging, ref, repository } from '../inputs.js';
import { releaseRecord } from '../shapes/release.js';

export const listReleases = defineGitHubRequest({
  name: 'list_releases',
  title: 'List releases',
  description: 'Releases of a repository, newest first.',
  inputSchema: z.strictObject({ ...repository, ...paging }),
  annotations: effects.reads,
  capabilities: ['list releases'],
  request: 'GET /repos/{owner}/{repo}/releases',
  answer: definePage('releases', releaseRecord),
});

export const createRelease = defineGitHubRequest({
  name: 'create_release',
  title: 'Create a release',
  description: 'Release a tag; the tag is made where there is none.',
  inputSchema: z.strictObject({
    ...repository,
    tag_name: branch.describe('v1.2.0'),
    target_commitish: ref.optional().describe('Branch or SHA for a new tag. Default: the default branch'),
    name: z.string().max(255).optional(),
    body: markedText.optional(),
    draft: z.boolean().optional(),
    prerelease: z.boolean().optional(),
    generate_release_notes: z.boolean().optional(),
  }),
  annotations: effects.createsOnce,
  capabilities: ['create release', 'publish release'],
  request: 'POST /repos/{owner}/{repo}/releases',
  answer: releaseRecord,
  // Sorted by the time of their commits, so the list is read to its end.
  marked: () => ({ list: 'GET /repos/{owner}/{repo}/releases', query: {} }),
});
