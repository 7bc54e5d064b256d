/** Releases of a repository. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, markdown, pageOf, paging, ref, repository } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import { type RawRelease, releaseShape, toRelease } from '../shapes/release.js';

export const listReleases = defineGitHubTool({
  name: 'list_releases',
  title: 'List releases',
  description: 'Releases of a repository, newest first.',
  inputSchema: z.strictObject({ ...repository, ...paging }),
  outputSchema: pageOf('releases', releaseShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list releases'],
  async execute({ owner, repo, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'releases');
    const { body, next_page } = await getPage<readonly RawRelease[]>(service, path, query);
    return { releases: body.map(toRelease), next_page };
  },
});

export const createRelease = defineGitHubTool({
  name: 'create_release',
  title: 'Create a release',
  description: 'Release a tag; the tag is made where there is none.',
  inputSchema: z.strictObject({
    ...repository,
    tag_name: branch.describe('v1.2.0'),
    target_commitish: ref.optional().describe('Branch or SHA for a new tag. Default: the default branch'),
    name: z.string().max(255).optional(),
    body: markdown.optional(),
    draft: z.boolean().optional(),
    prerelease: z.boolean().optional(),
    generate_release_notes: z.boolean().optional(),
  }),
  outputSchema: releaseShape,
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['create release', 'publish release'],
  async execute({ owner, repo, ...json }, { service }) {
    const path = repoPath({ owner, repo }, 'releases');
    return toRelease(await service.json<RawRelease>({ method: 'POST', path, json }));
  },
});
