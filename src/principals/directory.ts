/** Agents, users and their credentials in one workspace. Every change leaves its audit row in the same commit. */
import type { AuditDraft, AuditEventType } from '../spec/audit.js';
import { HelveError } from '../spec/errors.js';
import type { JsonObject } from '../spec/json.js';
import type { AgentSettings, IssuedCredential, IssueOptions } from '../spec/plane.js';
import {
  type Agent,
  agentPermissions,
  allPermissions,
  type Credential,
  type CredentialKind,
  type Permission,
  type Principal,
  type PrincipalRef,
} from '../spec/principal.js';
import type { WorkspaceStorage } from '../spec/storage.js';
import { newId } from '../util/hash.js';
import { isLive, newCredential } from './secrets.js';

export interface Directory {
  /** Throws `not_found`. */
  agent(idOrSlug: string): Promise<Agent>;
  createAgent(by: PrincipalRef, input: { slug: string } & AgentSettings, managedBy: Agent['managedBy']): Promise<Agent>;
  changeAgent(by: PrincipalRef, agent: Agent, settings: AgentSettings): Promise<Agent>;
  removeAgent(by: PrincipalRef, agent: string): Promise<void>;
  issue(
    by: PrincipalRef,
    kind: CredentialKind,
    principalId: string | undefined,
    options: IssueOptions,
    permissions?: readonly Permission[],
  ): Promise<IssuedCredential>;
  revoke(by: PrincipalRef, credentialId: string): Promise<void>;
  credentials(): Promise<Omit<Credential, 'hash'>[]>;
}

const slugShape = /^[a-z][a-z0-9-]{0,47}$/;

export function createDirectory(workspace: WorkspaceStorage, now: () => Date): Directory {
  function row(type: AuditEventType, by: PrincipalRef, body: JsonObject): AuditDraft {
    return { type, at: now().toISOString(), actor: { kind: by.kind, id: by.id, name: by.name }, body };
  }

  const directory: Directory = {
    async agent(idOrSlug) {
      const found = await workspace.findAgent(idOrSlug);
      return found ?? noAgent(idOrSlug);
    },
    async createAgent(by, input, managedBy) {
      if (!slugShape.test(input.slug)) {
        throw new HelveError('invalid_input', `${JSON.stringify(input.slug.slice(0, 100))} is not an agent name`, {
          hint: 'Use lower-case letters, digits and -, starting with a letter, at most 48.',
        });
      }
      const { slug } = input;
      const createdAt = now().toISOString();
      const agent = changedAgent({ id: newId(), slug, name: slug, createdAt, managedBy }, input);
      await workspace.change([row('agent.created', by, { agentId: agent.id, slug: agent.slug, managedBy })], (tables) =>
        tables.insertAgent(agent),
      );
      return agent;
    },
    async changeAgent(by, agent, settings) {
      const changed = changedAgent(agent, settings);
      const { id: agentId, slug, name, toolMode = 'auto', managedBy } = changed;
      const event = row('agent.changed', by, { agentId, slug, name, toolMode, managedBy });
      await workspace.change([event], (tables) => tables.changeAgent(agentId, changed));
      return changed;
    },
    async removeAgent(by, name) {
      const agent = await directory.agent(name);
      await workspace.change([row('agent.removed', by, { agentId: agent.id, slug: agent.slug })], (tables) =>
        tables.deleteAgent(agent.id),
      );
    },
    async issue(by, kind, principalId, options, permissions = permissionsFor(kind)) {
      const { stored, issued } = newCredential(kind, principalId, permissions, options, now());
      const body = { credentialId: stored.id, kind, principalId: stored.principalId, permissions: [...permissions] };
      await workspace.change([row('credential.created', by, body)], (tables) => tables.insertCredential(stored));
      return issued;
    },
    async revoke(by, credentialId) {
      const revoked = await workspace.change([row('credential.revoked', by, { credentialId })], (tables) =>
        tables.revokeCredential(credentialId, now().toISOString()),
      );
      if (!revoked) throw new HelveError('not_found', 'There is no live credential with this id');
    },
    async credentials() {
      const all = await workspace.listCredentials();
      // Tokens of programs are renewed by the hour: those that are spent would hide the rest.
      const listed = all.filter((one) => one.authorizationId === undefined || isLive(one, now()));
      return listed.map(({ hash: _, ...shown }) => shown);
    },
  };
  return directory;
}

/** What is usual is not said. */
function changedAgent(agent: Agent, { name = agent.name, toolMode = agent.toolMode }: AgentSettings): Agent {
  const { toolMode: _, ...rest } = agent;
  return { ...rest, name, ...(toolMode === undefined || toolMode === 'auto' ? {} : { toolMode }) };
}

function noAgent(idOrSlug: string): never {
  throw new HelveError('not_found', `There is no agent ${JSON.stringify(idOrSlug.slice(0, 100))}`, {
    hint: 'List the agents for their names.',
  });
}

function permissionsFor(kind: CredentialKind): readonly Permission[] {
  return kind === 'agent_token' ? agentPermissions : kind === 'api_key' ? [] : allPermissions;
}

/** Throws `forbidden`, naming the permission. Every administrative act of the plane begins with this. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.includes(permission)) return;
  throw new HelveError('forbidden', `${principal.name} does not hold the permission ${permission}`, {
    hint: 'Use a credential that holds it.',
    details: { permission },
  });
}
