/** Repositories of this account, of an organization, of somebody. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { defineGitHubTool } from '../define-tool.js';
import { conditionalOutput, direction, etag, login, pageOf, paging, repo, repository } from '../inputs.js';
import { getPage, getUnlessSame, repoPath } from '../requests.js';
import { type RawRepository, repositoryShape, toRepository } from '../shapes/repository.js';

const organization = login.optional();

/** Three lists of GitHub's behind one name: an App's installation has one of its own. */
function listAddress(input: { organization?: string | undefined; user?: string | undefined }, settings: JsonObject) {
  if (input.organization !== undefined && input.user !== undefined) {
    throw new HelveError('invalid_input', 'organization and user exclude each other', { hint: 'Give one of the two.' });
  }
  if (input.organization !== undefined) return `/orgs/${encodeURIComponent(input.organization)}/repos`;
  if (input.user !== undefined) return `/users/${encodeURIComponent(input.user)}/repos`;
  return settings.installation_id === undefined ? '/user/repos' : '/installation/repositories';
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
  outputSchema: pageOf('repositories', repositoryShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list repositories'],
  async execute({ organization, user, ...query }, { service, connection }) {
    const path = listAddress({ organization, user }, connection.settings);
    type Raw = readonly RawRepository[] | { readonly repositories: readonly RawRepository[] };
    const { body, next_page } = await getPage<Raw>(service, path, query);
    return { repositories: ('repositories' in body ? body.repositories : body).map(toRepository), next_page };
  },
});

export const getRepository = defineGitHubTool({
  name: 'get_repository',
  title: 'Get a repository',
  description: 'Facts of one repository: default branch, visibility, what this account may do there.',
  inputSchema: z.strictObject({ ...repository, etag }),
  outputSchema: z.strictObject({ repository: repositoryShape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get repository'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world' } }],
  async execute({ etag, ...input }, { service }) {
    const { body, etag: tag } = await getUnlessSame<RawRepository>(service, { path: repoPath(input) }, etag);
    return body ? { repository: toRepository(body), etag: tag } : { etag: tag, not_modified: true as const };
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
  outputSchema: repositoryShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['create repository'],
  examples: [{ input: { name: 'hello-world', private: true, auto_init: true } }],
  async execute({ organization, ...json }, { service }) {
    const path = organization === undefined ? '/user/repos' : `/orgs/${encodeURIComponent(organization)}/repos`;
    return toRepository(await service.json<RawRepository>({ method: 'POST', path, json }));
  },
});
