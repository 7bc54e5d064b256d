/** Branches. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { fillRequest } from '../../../util/fill-request.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest, defineGitHubTool } from '../define-tool.js';
import { branch, paging, ref, repository } from '../inputs.js';
import { byAbsence, deleteOnce, findJson, send, writeOnce } from '../requests.js';
import { branchRecord } from '../shapes/repository.js';

interface RawRef {
  readonly object: { readonly sha: string };
}

const readRef = 'GET /repos/{owner}/{repo}/git/ref/heads%2F{branch}';

export const listBranches = defineGitHubRequest({
  name: 'list_branches',
  title: 'List branches',
  description: 'Branches of a repository, each with its last commit.',
  inputSchema: z.strictObject({ ...repository, protected: z.boolean().optional(), ...paging }),
  annotations: effects.reads,
  capabilities: ['list branches'],
  request: 'GET /repos/{owner}/{repo}/branches',
  answer: definePage('branches', branchRecord),
});

export const getBranch = defineGitHubRequest({
  name: 'get_branch',
  title: 'Get a branch',
  description: 'The last commit of a branch, and whether it is protected.',
  inputSchema: z.strictObject({ ...repository, branch }),
  annotations: effects.reads,
  capabilities: ['get branch'],
  request: 'GET /repos/{owner}/{repo}/branches/{branch}',
  answer: branchRecord,
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
  outputSchema: branchRecord.shape,
  annotations: effects.createsOnce,
  idempotency: { by: 'probe', how: 'A branch of this name at the wanted commit is the one that was created' },
  capabilities: ['create branch'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', branch: 'fix/typo', from: 'main' } }],
  async execute({ from = 'HEAD', branch: name, ...input }, { service }) {
    const sha = await findSha(service, { ...input, from });
    return writeOnce(
      async () => {
        const request = 'POST /repos/{owner}/{repo}/git/refs';
        const created = await send(service, { request, input: { ...input, ref: `refs/heads/${name}`, sha } });
        return { name, sha: created.json<RawRef>().object.sha };
      },
      async () => {
        const found = await findRef(service, { ...input, branch: name });
        return found === sha ? { name, sha } : undefined;
      },
    );
  },
  async probe({ from = 'HEAD', branch: name, ...input }, { service }) {
    const found = await findRef(service, { ...input, branch: name });
    if (found === undefined) return undefined;
    if (found === (await findSha(service, { ...input, from }))) return { name, sha: found };
    throw new HelveError('outcome_unknown', 'There is a branch of this name at another commit');
  },
});

async function findRef(service: ServiceClient, input: object): Promise<string | undefined> {
  const { path } = fillRequest(readRef, input);
  return (await findJson<RawRef>(service, { path }))?.object.sha;
}

async function findSha(service: ServiceClient, input: { readonly from: string }): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(input.from)) return input.from;
  const { path } = fillRequest('GET /repos/{owner}/{repo}/commits/{from}', input);
  return (await service.json<{ readonly sha: string }>({ path, query: { per_page: 1 } })).sha;
}

/** `destructive`: GitHub removes commits that are on no other branch after some time. */
export const deleteBranch = defineGitHubTool({
  name: 'delete_branch',
  title: 'Delete a branch',
  description: 'Delete a branch. The answer names its last commit, from which it can be created again for a while.',
  inputSchema: z.strictObject({ ...repository, branch }),
  outputSchema: z.strictObject({
    deleted: z.literal(true),
    branch: z.string(),
    sha: z.string().optional().describe('Absent if the answer to the deletion was lost'),
  }),
  annotations: effects.replaces,
  idempotency: byAbsence,
  risk: 'destructive',
  capabilities: ['delete branch'],
  async execute(input, { service }) {
    const { path: lookUp } = fillRequest(readRef, input);
    const { sha } = (await service.json<RawRef>({ path: lookUp })).object;
    const { path } = fillRequest('DELETE /repos/{owner}/{repo}/git/refs/heads%2F{branch}', input);
    await deleteOnce(service, path, lookUp);
    return { deleted: true as const, branch: input.branch, sha };
  },
  async probe(input, { service }) {
    const found = await findRef(service, input);
    return found === undefined ? { deleted: true as const, branch: input.branch } : undefined;
  },
});
