/** Repositories of this account, an organization or a user. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { fillRequest } from '../../../util/fill-request.js';
import { conditionalOutput, definePage } from '../answers.js';
import { defineGitHubTool } from '../define-tool.js';
import { direction, etag, login, paging, repo, repository } from '../inputs.js';
import { earliest } from '../marker.js';
import { findJson, getUnlessSame, send } from '../requests.js';
import { repositoryRecord } from '../shapes/repository.js';

const organization = login.optional();
const page = definePage('repositories', repositoryRecord);

/** GitHub has a list for each kind of owner, and another for an App's installation. */
function chooseList(input: { organization?: string | undefined; user?: string | undefined }, settings: JsonObject) {
  if (input.organization !== undefined && input.user !== undefined) {
    throw new HelveError('invalid_input', 'organization and user exclude each other', { hint: 'Give one of the two.' });
  }
  if (input.organization !== undefined) return 'GET /orgs/{organization}/repos';
  if (input.user !== undefined) return 'GET /users/{user}/repos';
  return settings.installation_id === undefined ? 'GET /user/repos' : 'GET /installation/repositories';
}

export const listRepositories = defineGitHubTool({
  name: 'list_repositories',
  title: 'List repositories',
  description: 'Repositories that this account can reach, or those of one organization or user.',
  inputSchema: z.strictObject({
    organization: organization.describe('Those of this organization'),
    user: login.optional().describe('The public ones of this user'),
    sort: z.enum(['created', 'updated', 'pushed', 'full_name']).optional(),
    direction,
    ...paging,
  }),
  outputSchema: page.shape,
  annotations: effects.reads,
  capabilities: ['list repositories'],
  async execute(input, { service, connection }) {
    const response = await send(service, { request: chooseList(input, connection.settings), input });
    const body = response.json<readonly object[] | { readonly repositories: readonly object[] }>();
    return page.read('repositories' in body ? body.repositories : body, response);
  },
});

export const getRepository = defineGitHubTool({
  name: 'get_repository',
  title: 'Get a repository',
  description: 'Facts of one repository: default branch, visibility, what this account may do there.',
  inputSchema: z.strictObject({ ...repository, etag }),
  outputSchema: z.strictObject({ repository: repositoryRecord.shape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  capabilities: ['get repository'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world' } }],
  async execute({ etag, ...input }, { service }) {
    const { path } = fillRequest('GET /repos/{owner}/{repo}', input);
    return getUnlessSame(service, { path, etag }, (raw: object) => ({ repository: repositoryRecord.read(raw) }));
  },
});

export const createRepository = defineGitHubTool({
  name: 'create_repository',
  title: 'Create a repository',
  description: 'Create a repository of this account or of an organization.',
  inputSchema: z.strictObject({
    name: repo,
    organization: organization.describe('Default: this account itself'),
    description: z.string().max(350).optional(),
    private: z.boolean().default(true),
    auto_init: z.boolean().optional().describe('With a first commit and a README'),
    gitignore_template: z.string().max(100).optional().describe('Node, Python…'),
    license_template: z.string().max(100).optional().describe('mit, apache-2.0…'),
  }),
  outputSchema: repositoryRecord.shape,
  annotations: effects.creates,
  capabilities: ['create repository'],
  examples: [{ input: { name: 'hello-world', private: true, auto_init: true } }],
  idempotency: { by: 'probe', how: 'A name is given once: a repository that was created under it since is the one' },
  async probe({ name, organization }, { service }, startedAt) {
    const owner = organization ?? (await service.json<{ readonly login: string }>({ path: '/user' })).login;
    const { path } = fillRequest('GET /repos/{owner}/{name}', { owner, name });
    const found = await findJson<{ readonly created_at: string }>(service, { path });
    return found && Date.parse(found.created_at) >= Date.parse(earliest(startedAt))
      ? repositoryRecord.read(found)
      : undefined;
  },
  async execute(input, { service }) {
    const request = input.organization === undefined ? 'POST /user/repos' : 'POST /orgs/{organization}/repos';
    return repositoryRecord.read((await send(service, { request, input })).json());
  },
});
