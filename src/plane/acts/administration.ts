/** What an operator manages: agents, tokens, keys, grants, policies, enabled tools. */

import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import { rolePermissions } from '../../domain/roles.js';
import type { PlaneParts } from '../../flows/parts.js';
import { changedInLine } from '../../flows/workspaces/index.js';
import { requirePermission } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { adminLink } from './admin-link.js';
import { refuseFileManaged } from './file-managed.js';
import { grantActs } from './grants/index.js';
import { createAgentList } from './list-agents.js';
import { requireRevoker } from './minting.js';
import { policyActs } from './policies/index.js';

type Administration = Pick<
  Plane,
  | 'agents'
  | 'listAgents'
  | 'createAgent'
  | 'changeAgent'
  | 'removeAgent'
  | 'issueAgentToken'
  | 'credentials'
  | 'createApiKey'
  | 'revokeCredential'
  | 'issueAdminLink'
  | 'grantCatalogue'
  | 'replaceGrants'
  | 'changeGrants'
  | 'withdrawConnection'
  | 'previewGrants'
  | 'policies'
  | 'replacePolicies'
  | 'enableTools'
>;

export function createAdministration(parts: PlaneParts): Administration {
  return { ...principalActs(parts), ...grantActs(parts), ...policyActs(parts) };
}

function principalActs(parts: PlaneParts) {
  const { storage } = parts;
  const directory = (principal: Principal) => parts.directory(principal.workspaceId);

  return {
    async agents(principal) {
      return storage.workspace(principal.workspaceId).listAgents();
    },
    listAgents: createAgentList(parts),
    async createAgent(principal, input) {
      return directory(principal).createAgent(principal, input, 'api');
    },
    changeAgent: (principal, name, settings) =>
      changedInLine(parts, principal.workspaceId, async ({ revision }) => {
        const agent = refuseFileManaged(await directory(principal).agent(name));
        return directory(principal).changeAgent(principal, agent, { ...settings, revision });
      }),
    async removeAgent(principal, name) {
      refuseFileManaged(await directory(principal).agent(name));
      await directory(principal).removeAgent(principal, name);
    },
    async issueAgentToken(principal, name, options) {
      const agent = await directory(principal).agent(name);
      return directory(principal).issue(principal, 'agent_token', agent.id, options);
    },
    async credentials(principal) {
      return directory(principal).credentials();
    },
    async createApiKey(principal, { permissions: chosen, role, ...given }) {
      const permissions = role === undefined ? chosen : rolePermissions[role];
      if (permissions === undefined || (role !== undefined && chosen !== undefined))
        throw new HelveError('invalid_input', 'A key has either permissions or a role', {
          hint: 'Give it permissions, or a role: admin, auditor or member (on the command line --permissions or --role).',
        });
      // A caller cannot give away permissions that it does not have.
      for (const permission of permissions) requirePermission(principal, permission);
      const options = { ...given, ...defined({ role }) };
      return directory(principal).issue(principal, 'api_key', undefined, options, permissions);
    },
    async revokeCredential(principal, credentialId) {
      requireRevoker(principal, await directory(principal).credential(credentialId));
      await directory(principal).revoke(principal, credentialId);
    },
    async issueAdminLink(principal) {
      return adminLink(parts, principal);
    },
  } satisfies Partial<Administration>;
}
