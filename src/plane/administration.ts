/** What an operator sets: agents, tokens, keys, grants, policies, enabled tools. */

import type { Catalogue } from '../execution/index.js';
import { checkGrants, grantsOf, isVisible } from '../grants/index.js';
import { requirePermission } from '../principals/index.js';
import { schemaIssues } from '../schema/checks.js';
import type { Connection } from '../spec/connection.js';
import { metaToolkit } from '../spec/discovery.js';
import { HelveError } from '../spec/errors.js';
import type { Grant, GrantInput } from '../spec/grant.js';
import type { JsonObject } from '../spec/json.js';
import type { CatalogueEntry, Plane } from '../spec/plane.js';
import type { Agent, Principal } from '../spec/principal.js';
import type { Toolkit } from '../spec/tool.js';
import { adminLink } from './admin-link.js';
import { freshCatalogue } from './calls.js';
import { draft } from './draft.js';
import { requireAdminLinkIssuer, requireAgentTokenIssuer, requireRevoker } from './minting.js';
import type { PlaneParts } from './parts.js';
import { policyActs } from './policies/index.js';
import { knownToolkit, toolkitFacts, toolkitsInUse } from './toolkit-facts.js';

type Administration = Pick<
  Plane,
  | 'agents'
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
  | 'policies'
  | 'replacePolicies'
  | 'enableTools'
>;

export function createAdministration(parts: PlaneParts): Administration {
  return { ...principalActs(parts), ...grantActs(parts), ...policyActs(parts) };
}

function principalActs(parts: PlaneParts) {
  const { storage, configurations } = parts;
  const directory = (principal: Principal) => parts.directory(principal.workspaceId);

  return {
    async agents(principal) {
      requirePermission(principal, 'agents:read');
      return storage.workspace(principal.workspaceId).listAgents();
    },
    async createAgent(principal, input) {
      requirePermission(principal, 'agents:write');
      const agent = await directory(principal).createAgent(principal, input, 'api');
      configurations.changed(principal.workspaceId);
      return agent;
    },
    async changeAgent(principal, name, settings) {
      requirePermission(principal, 'agents:write');
      const agent = refuseFileManaged(await directory(principal).agent(name));
      const changed = await directory(principal).changeAgent(principal, agent, settings);
      configurations.changed(principal.workspaceId);
      return changed;
    },
    async removeAgent(principal, name) {
      requirePermission(principal, 'agents:write');
      refuseFileManaged(await directory(principal).agent(name));
      await directory(principal).removeAgent(principal, name);
      configurations.changed(principal.workspaceId);
    },
    async issueAgentToken(principal, name, options) {
      requireAgentTokenIssuer(principal);
      const agent = await directory(principal).agent(name);
      const issued = await directory(principal).issue(principal, 'agent_token', agent.id, options);
      configurations.changed(principal.workspaceId);
      return issued;
    },
    async credentials(principal) {
      requirePermission(principal, 'agents:read');
      return directory(principal).credentials();
    },
    async createApiKey(principal, { permissions, ...options }) {
      requirePermission(principal, 'keys:write');
      // Nobody can give away what they do not hold.
      for (const permission of permissions) requirePermission(principal, permission);
      const issued = await directory(principal).issue(principal, 'api_key', undefined, options, permissions);
      configurations.changed(principal.workspaceId);
      return issued;
    },
    async revokeCredential(principal, credentialId) {
      requireRevoker(principal, await directory(principal).credential(credentialId));
      await directory(principal).revoke(principal, credentialId);
      configurations.changed(principal.workspaceId);
    },
    async issueAdminLink(principal) {
      requireAdminLinkIssuer(principal);
      return adminLink(parts, principal);
    },
  } satisfies Partial<Administration>;
}

function grantActs(parts: PlaneParts) {
  const { storage, configurations, registry } = parts;

  return {
    async grantCatalogue(principal, name) {
      requirePermission(principal, 'grants:read');
      const agent = await parts.directory(principal.workspaceId).agent(name);
      const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId);
      // The meta-tools come with every grant and do nothing by themselves.
      const toolkits = (await registry.toolkits())
        .filter(toolkitsInUse(configuration))
        .filter(({ slug }) => slug !== metaToolkit);
      const grants = grantsOf(configuration, agent.id);
      const entries = toolkits.flatMap((toolkit): CatalogueEntry[] => {
        if (!toolkit.needsConnection) return [catalogueEntry(toolkit, catalogue, grants, undefined)];
        return configuration.connections
          .filter((connection) => connection.toolkit === toolkit.slug && isVisible(connection, principal))
          .map((connection) => catalogueEntry(toolkit, catalogue, grants, connection));
      });
      return { agent, entries, grants: [...grants] };
    },
    async replaceGrants(principal, name, grants) {
      requirePermission(principal, 'grants:write');
      const agent = await parts.directory(principal.workspaceId).agent(name);
      refuseFileManaged(agent);
      return replaceGrants(parts, principal, agent, grants);
    },
    async enableTools(principal, toolkit, setting) {
      requirePermission(principal, 'grants:write');
      const tools = (await registry.tools(toolkit)).map(({ tool }) => tool.id.name);
      await knownToolkit(registry, toolkit);
      const unknown = setting.enabledTools?.find((tool) => !tools.includes(tool));
      if (unknown !== undefined) {
        throw new HelveError('invalid_input', `enabledTools: ${toolkit} has no tool ${JSON.stringify(unknown)}`, {
          hint: `It has ${tools.join(', ')}.`,
        });
      }
      const stored = { toolkit, ...setting };
      const row = draft('toolkit.changed', principal, parts.now(), { ...stored } as JsonObject);
      await storage.workspace(principal.workspaceId).change([row], (tables) => tables.putToolkitSetting(stored));
      configurations.changed(principal.workspaceId);
      return stored;
    },
  } satisfies Partial<Administration>;
}

/** One toolkit, or one account of it, as its tools would be called. */
function catalogueEntry(
  toolkit: Toolkit,
  catalogue: Catalogue,
  grants: readonly Grant[],
  connection: Connection | undefined,
): CatalogueEntry {
  const granted = new Set(
    grants
      .filter((grant) => grant.toolkit === toolkit.slug && grant.connectionId === connection?.id)
      .flatMap((grant) => grant.tools),
  );
  const tools = catalogue.entries.filter(
    (entry) => entry.tool.id.toolkit === toolkit.slug && entry.connectionId === connection?.id,
  );
  return {
    toolkit: toolkitFacts(toolkit),
    ...(connection === undefined
      ? {}
      : { connectionId: connection.id, slug: connection.slug, connection: pick(connection) }),
    tools: tools.map(({ name: modelName, tool }) => ({
      modelName,
      name: tool.id.name,
      title: tool.title,
      description: tool.description,
      risk: tool.risk,
      capabilities: tool.capabilities,
      ...(tool.group === undefined ? {} : { group: tool.group }),
      granted: granted.has(tool.id.name) || (tool.intrinsic && grants.length > 0),
    })),
  };
}

function pick({ name, status, visibility, account }: Connection) {
  return { name, status, visibility, ...(account === undefined ? {} : { account }) };
}

/** Checked whole, then written whole. */
export async function replaceGrants(
  parts: PlaneParts,
  principal: Principal,
  agent: Agent,
  given: readonly GrantInput[],
) {
  const { storage, configurations, registry } = parts;
  const { connections } = await configurations.getFresh(principal.workspaceId);
  const grantable = async (slug: string) => {
    const toolkit = await registry.findToolkit(slug);
    if (!toolkit) return undefined;
    const tools = (await registry.tools(slug)).map(({ tool }) => tool);
    return {
      tools,
      connections: toolkit.needsConnection ? connections.filter((one) => one.toolkit === slug) : undefined,
    };
  };
  const grants = given.map((grant) => withConnectionId(grant, connections));
  await checkGrants(grants, grantable, schemaIssues);
  const row = draft('grants.replaced', principal, parts.now(), {
    agentId: agent.id,
    agent: agent.slug,
    grants: grants.map(({ toolkit, connectionId, tools }) => ({
      toolkit,
      ...(connectionId === undefined ? {} : { connectionId }),
      tools: [...tools],
    })),
  });
  const stored = await storage
    .workspace(principal.workspaceId)
    .change([row], (tables) => tables.replaceGrants(agent.id, grants));
  configurations.changed(principal.workspaceId);
  return stored;
}

/** A connection may be called by its slug. */
function withConnectionId(grant: GrantInput, connections: readonly Connection[]): GrantInput {
  const { connectionId } = grant;
  if (connectionId === undefined || connections.some(({ id }) => id === connectionId)) return grant;
  const id = connections.find(({ slug }) => slug === connectionId)?.id;
  return id === undefined ? grant : { ...grant, connectionId: id };
}

function refuseFileManaged(agent: Agent): Agent {
  if (agent.managedBy !== 'file') return agent;
  throw new HelveError('conflict', `The agent ${agent.slug} is declared in helve.yaml`, {
    hint: 'Change it there and start Helve again.',
  });
}
