/** Branches. Making and deleting one is sent once and looked up after a lost answer. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import type { ServiceClient } from '../../../domain/service.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, pageOf, paging, ref, repository } from '../inputs.js';
import { findJson, getPage, repoPath, writeOnce } from '../requests.js';
import { branchShape, type RawBranch, toBranch } from '../shapes/repository.js';

interface RawRef {
  readonly object: { readonly sha: string };
}
type Repository = { readonly owner: string; readonly repo: string };

export const listBranches = defineGitHubTool({
  name: 'list_branches',
  title: 'List branches',
  description: 'Branches of a repository, each with its last commit.',
  inputSchema: z.strictObject({ ...repository, protected: z.boolean().optional(), ...paging }),
  outputSchema: pageOf('branches', branchShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list branches'],
  async execute({ owner, repo, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'branches');
    const { body, next_page } = await getPage<readonly RawBranch[]>(service, path, query);
    return { branches: body.map(toBranch), next_page };
  },
});

export const getBranch = defineGitHubTool({
  name: 'get_branch',
  title: 'Get a branch',
  description: 'The last commit of a branch, and whether it is protected.',
  inputSchema: z.strictObject({ ...repository, branch }),
  outputSchema: branchShape,
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get branch'],
  async execute(input, { service }) {
    return toBranch(await service.json<RawBranch>({ path: repoPath(input, 'branches', input.branch) }));
  },
});

export const createBranch = defineGitHubTool({
  name: 'create_branch',
  title: 'Create a branch',
  description: 'Create a branch at a commit: the last one of the default branch unless `from` says otherwise.',
  inputSchema: z.strictObject({
    ...repository,
    branch: branch.describe('Name of the new branch'),
    from: ref.optional().describe('Branch, tag or commit SHA to start from. Default: the default branch'),
  }),
  outputSchema: branchShape,
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['create branch'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', branch: 'fix/typo', from: 'main' } }],
  async execute(input, { service }) {
    const sha = await findSha(service, input, input.from ?? 'HEAD');
    const ref = `refs/heads/${input.branch}`;
    return writeOnce(
      async () => {
        const path = repoPath(input, 'git', 'refs');
        const created = await service.json<RawRef>({ method: 'POST', path, json: { ref, sha } });
        return { name: input.branch, sha: created.object.sha };
      },
      async () => {
        const path = repoPath(input, 'git', 'ref', `heads/${input.branch}`);
        const found = await findJson<RawRef>(service, { path });
        return found?.object.sha === sha ? { name: input.branch, sha } : undefined;
      },
    );
  },
});

async function findSha(service: ServiceClient, repository: Repository, from: string): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(from)) return from;
  const path = repoPath(repository, 'commits', from);
  return (await service.json<{ readonly sha: string }>({ path, query: { per_page: 1 } })).sha;
}

/** `destructive`: commits that are on no other branch are lost sooner or later. */
export const deleteBranch = defineGitHubTool({
  name: 'delete_branch',
  title: 'Delete a branch',
  description: 'Delete a branch. The answer names its last commit, from which it can be created again for a while.',
  inputSchema: z.strictObject({ ...repository, branch }),
  outputSchema: z.strictObject({ deleted: z.literal(true), branch: z.string(), sha: z.string() }),
  annotations: effects.replaces,
  risk: 'destructive',
  scopes: ['repo'],
  capabilities: ['delete branch'],
  async execute(input, { service }) {
    const lookUp = { path: repoPath(input, 'git', 'ref', `heads/${input.branch}`) };
    const { object } = await service.json<RawRef>(lookUp);
    const done = { deleted: true as const, branch: input.branch, sha: object.sha };
    return writeOnce(
      async () => {
        const path = repoPath(input, 'git', 'refs', `heads/${input.branch}`);
        await service.request({ method: 'DELETE', path });
        return done;
      },
      async () => ((await findJson(service, lookUp)) === undefined ? done : undefined),
    );
  },
});
