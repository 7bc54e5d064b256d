/** Who calls, and what they may do besides calling tools. */

import { HelveError } from './errors.js';
import type { TaskScope } from './task-scope.js';
import type { ToolMode } from './tool-mode.js';
import type { WorkerKind } from './worker-kind.js';

export type Permission =
  | 'tools:read'
  | 'tools:call'
  | 'agents:act'
  | 'agents:read'
  | 'agents:write'
  | 'grants:read'
  | 'grants:write'
  | 'connections:read'
  | 'connections:write'
  | 'catalogue:write'
  | 'policies:read'
  | 'policies:write'
  | 'approvals:read'
  | 'approvals:decide'
  | 'audit:read'
  | 'keys:write'
  | 'users:read'
  | 'users:write';

export const allPermissions: readonly Permission[] = [
  'tools:read',
  'tools:call',
  'agents:act',
  'agents:read',
  'agents:write',
  'grants:read',
  'grants:write',
  'connections:read',
  'connections:write',
  'catalogue:write',
  'policies:read',
  'policies:write',
  'approvals:read',
  'approvals:decide',
  'audit:read',
  'keys:write',
  'users:read',
  'users:write',
];

export const agentPermissions: readonly Permission[] = ['tools:read', 'tools:call'];

/** What it takes to issue an agent's token: permission to act as the agent, and everything that the token allows. */
export const agentTokenPermissions: readonly Permission[] = ['agents:write', 'agents:act', ...agentPermissions];

export type PrincipalKind = 'user' | 'agent' | 'api_key';

export interface PrincipalRef {
  readonly kind: PrincipalKind;
  readonly id: string;
  readonly name: string;
}

/** Made only by authentication or by trusted code in this process; always inside one workspace. */
export interface Principal extends PrincipalRef {
  readonly workspaceId: string;
  readonly permissions: readonly Permission[];
  /** The person or key that the agent is acting for, if any. */
  readonly onBehalfOf?: PrincipalRef;
  /** The credential that was presented. Absent for trusted code in this process. */
  readonly credentialId?: string;
  /** The authorization of a program, whose tokens follow each other. */
  readonly authorizationId?: string;
  /** It sees only accounts that are its own, and what is bound to them: see roles.ts. */
  readonly ownAccountsOnly?: true;
  /**
   * The person or key that it is, or acts for, belongs to the workspace: what it does ends when they are removed. Absent if
   * trusted code may have named somebody else.
   */
  readonly ofWorkspace?: true;
  /** The issue that it works on, which can only take tools away. */
  readonly task?: TaskScope;
}

/** Throws `forbidden`, naming the permission. The plane checks each act with it: see acts.ts. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.includes(permission)) return;
  throw new HelveError('forbidden', `${principal.name} does not hold the permission ${permission}`, {
    hint: 'Use a credential that has it.',
    details: { permission },
  });
}

/** Who did something, and for whom, as a row of the record or a call that runs says it. */
export interface Doer {
  readonly actor: Pick<PrincipalRef, 'id'>;
  readonly onBehalfOf?: { readonly kind: string; readonly id: string } | undefined;
}

/** Whether the principal did it itself. What an agent does for Ann is not its own when it acts for Ben. */
export function isOwn({ id, onBehalfOf }: Pick<Principal, 'id' | 'onBehalfOf'>, done: Doer): boolean {
  const { actor, onBehalfOf: person } = done;
  return id === actor.id && onBehalfOf?.kind === person?.kind && onBehalfOf?.id === person?.id;
}

/**
 * Whether the principal may see an execution: an agent sees its own; a principal that may read the audit sees all of
 * its workspace.
 */
export function maySee(principal: Principal, done: Doer & { readonly workspaceId: string }): boolean {
  if (principal.workspaceId !== done.workspaceId) return false;
  return isOwn(principal, done) || principal.permissions.includes('audit:read');
}

export interface Workspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: string;
}

export type Role = 'admin' | 'auditor' | 'member';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly role: Role;
  /** `invited`: has not signed in yet. `disabled`: cannot sign in. */
  readonly status: 'invited' | 'active' | 'disabled';
  readonly createdAt: string;
}

export interface Agent {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: string;
  /**
   * `file`: declared in helve.yaml, which takes precedence; `api`: created through a surface; `released`: no longer
   * declared, so that surfaces manage it, and the file can claim it again.
   */
  readonly managedBy: 'api' | 'file' | 'released';
  /** How the agent sees its tools. Undefined: `auto`. */
  readonly toolMode?: ToolMode;
  /** Whose loop works on the agent's issues. Undefined: `helve`. */
  readonly worker?: WorkerKind;
}

/** The door of tasks has the address that an agent of this name would have, so no new agent gets it. */
export const taskDoorName = 'tasks';

/** Converts an agent to a principal. All code that needs an agent's principal uses this function. */
export function agentPrincipal(agent: Pick<Agent, 'id' | 'slug'>, workspaceId: string): Principal {
  return { kind: 'agent', id: agent.id, name: agent.slug, workspaceId, permissions: agentPermissions };
}

/** The caller together with the person it acts for: what one agent keeps for Ann is not there when it acts for Ben. */
export function nameCaller({ id, onBehalfOf }: Pick<Principal, 'id' | 'onBehalfOf'>): string {
  return onBehalfOf === undefined ? id : `${id}/${onBehalfOf.id}`;
}

/** Limits of a person's session, in seconds. */
export interface SessionLimits {
  /** Maximum time without any use. */
  readonly idleSeconds: number;
  /** Maximum time regardless of use. */
  readonly absoluteSeconds: number;
}

/** `user_token`: a program that a person authorized to act as them, at one address. */
export type CredentialKind = 'agent_token' | 'user_token' | 'refresh_token' | 'api_key' | 'admin_link' | 'session';

/** A stored credential. Only the SHA-256 of the secret is stored (256 random bits need no salt). */
export interface Credential {
  readonly id: string;
  readonly kind: CredentialKind;
  /** The agent or user it stands for; for an API key, the key itself. */
  readonly principalId: string;
  readonly name: string;
  readonly hash: string;
  /** The first characters of the secret, to recognise it in a list. */
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  /** For API keys: the permissions follow from it at each request, whatever is stored. */
  readonly role?: Role;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  /** The authorization that it was issued from, and ends with. */
  readonly authorizationId?: string;
  /**
   * The API key that it was created from, directly or through a link or a session: it ends with that key at the
   * latest.
   */
  readonly parentId?: string;
  /** For sessions: when it was last presented, to the minute. */
  readonly lastUsedAt?: string;
}
