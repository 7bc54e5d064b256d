/** Agents, their tokens and their grants. */
import { z } from 'zod';
import {
  agent,
  agentBody,
  agentPage,
  agentParams,
  agentsQuery,
  catalogueEntry,
  changeAgentBody,
  changedGrantSet,
  grantChangesBody,
  grantPreview,
  grantPreviewBody,
  grantSet,
  grantsBody,
  grantsQuery,
  issuedCredential,
  tokenBody,
} from '../../../api/index.js';
import type { GivenGrant, GrantChanges } from '../../../domain/grant.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listAgents = defineRoute({
  method: 'GET',
  path: '/api/agents',
  summary: 'The agents of the workspace: all, or a page of them with counts',
  acts: ['agents', 'listAgents'],
  query: agentsQuery,
  reply: agentPage,
  async handle({ plane, principal, query }) {
    const asked = defined(query);
    if (Object.keys(asked).length === 0) return { agents: await plane.agents(principal) };
    const page = await plane.listAgents(principal, asked);
    return { ...page, agents: [...page.agents] };
  },
});

export const createAgent = defineRoute({
  method: 'POST',
  path: '/api/agents',
  summary: 'Add an agent, without any grants',
  acts: ['createAgent'],
  body: agentBody,
  reply: agent,
  status: 201,
  async handle({ plane, principal, body }) {
    return plane.createAgent(principal, body);
  },
});

export const changeAgent = defineRoute({
  method: 'PATCH',
  path: '/api/agents/:agent',
  summary: 'Change the name of an agent, or how it sees its tools',
  acts: ['changeAgent'],
  params: agentParams,
  body: changeAgentBody,
  reply: agent,
  async handle({ plane, principal, params, body }) {
    return plane.changeAgent(principal, params.agent, body);
  },
});

export const removeAgent = defineRoute({
  method: 'DELETE',
  path: '/api/agents/:agent',
  summary: 'Remove an agent with its tokens and grants',
  acts: ['removeAgent'],
  params: agentParams,
  async handle({ plane, principal, params }) {
    await plane.removeAgent(principal, params.agent);
    return undefined;
  },
});

export const issueAgentToken = defineRoute({
  method: 'POST',
  path: '/api/agents/:agent/tokens',
  summary: 'Issue a token for an agent; it is shown only once',
  acts: ['issueAgentToken'],
  params: agentParams,
  body: tokenBody,
  reply: issuedCredential,
  status: 201,
  async handle({ plane, principal, params, body }) {
    return plane.issueAgentToken(principal, params.agent, body);
  },
});

export const getGrants = defineRoute({
  method: 'GET',
  path: '/api/agents/:agent/grants',
  summary: 'Everything that can be granted, with model-facing names, and the current grants',
  acts: ['grantCatalogue'],
  params: agentParams,
  query: grantsQuery,
  reply: z.object({ agent, entries: z.array(catalogueEntry), ...grantSet.shape }),
  versioned: true,
  async handle({ plane, principal, params, query: { descriptions } }) {
    return plane.grantCatalogue(principal, params.agent, { isShort: descriptions === 'short' });
  },
});

export const replaceGrants = defineRoute({
  method: 'PUT',
  path: '/api/agents/:agent/grants',
  summary: 'Replace an agent’s grants on every account that the caller can see, in one step',
  acts: ['replaceGrants'],
  params: agentParams,
  body: grantsBody,
  reply: grantSet,
  versioned: true,
  async handle({ plane, principal, params, body, ifMatch }) {
    return plane.replaceGrants(principal, params.agent, readGrants(body.grants), ifMatch);
  },
});

/** Without what the replies add. */
function readGrants(grants: z.output<typeof grantsBody>['grants']): GivenGrant[] {
  return grants.map(({ id: _id, agentId: _agentId, account: _account, ...each }) => each) as GivenGrant[];
}

export const previewGrants = defineRoute({
  method: 'POST',
  path: '/api/agents/:agent/grants/preview',
  summary: 'What a replacement or a change of the grants would do; nothing is stored',
  acts: ['previewGrants'],
  params: agentParams,
  body: grantPreviewBody,
  reply: grantPreview,
  async handle({ plane, principal, params, body }) {
    const change = 'grants' in body ? { grants: readGrants(body.grants) } : (body as GrantChanges);
    const { added, removed, changed, destructive, privateAccounts, ...facts } = await plane.previewGrants(
      principal,
      params.agent,
      change,
    );
    return {
      ...facts,
      added: [...added],
      removed: [...removed],
      changed: [...changed],
      destructive: [...destructive],
      privateAccounts: [...privateAccounts],
    };
  },
});

export const changeGrants = defineRoute({
  method: 'PATCH',
  path: '/api/agents/:agent/grants',
  summary: 'Add and remove grants chosen by name, pattern, toolkit, account, group, capability or risk',
  acts: ['changeGrants'],
  params: agentParams,
  body: grantChangesBody,
  reply: changedGrantSet,
  versioned: true,
  async handle({ plane, principal, params, body, ifMatch }) {
    return plane.changeGrants(principal, params.agent, body as GrantChanges, ifMatch);
  },
});
